#include "profiler/cli/cli.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row of_every_command[] = {
    {"color", "auto|always|never", "colour the output (default: auto, on a terminal unless NO_COLOR is set)"},
    {NULL, NULL, NULL},
};

const struct option_row *command_option(const struct command *c, size_t i) {
  for (const struct option_row *o = c->options; o && (o->name || o->shared); o++)
    for (const struct option_row *x = o->name ? o : o->shared; x && x->name; x = o->name ? NULL : x + 1)
      if (i-- == 0)
        return x;
  return i + 1 < sizeof of_every_command / sizeof *of_every_command ? &of_every_command[i] : NULL;
}

const char *command_nearest(const struct command *const *commands, const char *name) {
  enum { COMMANDS_MAX = 64 };
  const char *names[COMMANDS_MAX];
  size_t n = 0;
  for (; commands[n] && n < COMMANDS_MAX; n++)
    names[n] = commands[n]->name;
  return str_nearest(name, names, n);
}

int command_unknown(const struct command *const *commands, const char *name, struct err *e) {
  const char *nearest = command_nearest(commands, name);
  return err_set(e, ERR_USAGE, "unknown command '%s'%s%s%s nvfp4-prof --help lists them", name,
                 nearest ? "; did you mean '" : ";", nearest ? nearest : "", nearest ? "'?" : "");
}

static int unknown_option(const struct command *c, const char *given, struct err *e) {
  const char *names[OPTIONS_MAX];
  size_t n = 0;
  for (const struct option_row *o; (o = command_option(c, n)); n++)
    names[n] = o->name;
  char bare[64];
  const char *start = given + strspn(given, "-");
  snprintf(bare, sizeof bare, "%.*s", (int)strcspn(start, "="), start);
  for (const struct foreign_row *f = c->foreign; f && f->option; f++)
    if (strcmp(f->option, bare) == 0)
      return err_set(e, ERR_USAGE, "unknown option '%s'; %s", given, f->instead);
  const char *nearest = str_nearest(bare, names, n);
  return err_set(e, ERR_USAGE, "unknown option '%s'; %s%s%snvfp4-prof %s --help lists them", given,
                 nearest ? "did you mean --" : "", nearest ? nearest : "", nearest ? "? " : "", c->name);
}

/* Letters that stand for options, where a command has them; -k, -s, -c and -f are ncu's. */
static const struct {
  char letter;
  const char *name;
  bool takes; /* a value */
} letters[] = {{'o', "out", true},    {'q', "quiet", false},      {'f', "force", false},
               {'k', "kernel", true}, {'s', "launch-skip", true}, {'c', "launch-count", true}};

/* The option that a letter stands for, as args_parse numbers them; 0: it stands for none, -1: the command has none such. */
static int short_option(const struct command *c, int letter) {
  const struct option_row *o;
  for (size_t at = 0; at < sizeof letters / sizeof letters[0]; at++) {
    if (letters[at].letter != letter)
      continue;
    for (int i = 0; (o = command_option(c, (size_t)i)); i++)
      if (strcmp(o->name, letters[at].name) == 0 && (!letters[at].takes || o->arg))
        return i + 256;
    return -1;
  }
  return 0;
}

int args_parse(struct args *out, const struct command *c, int argc, char **argv, struct err *e) {
  struct option table[OPTIONS_MAX + 2];
  size_t n = 0;
  *out = (struct args){.command = c};
  memset(table, 0, sizeof table);
  for (const struct option_row *o; (o = command_option(c, n)); n++)
    table[n] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL, (int)n + 256};
  for (size_t i = 0, known = n; i < known; i++) /* one word would do, and each is taken where a command has the other */
    if (strcmp(table[i].name, "variant") == 0 || strcmp(table[i].name, "select") == 0) {
      table[n] = table[i];
      table[n++].name = strcmp(table[i].name, "variant") == 0 ? "select" : "variant";
    }
  table[n] = (struct option){"help", no_argument, NULL, 'h'};
  opterr = 0;
  optind = 1;
  for (int found; (found = getopt_long(argc, argv, ":ho:qfk:s:c:", table, NULL)) != -1;) {
    const int stands_for = short_option(c, found);
    if (stands_for < 0)
      return unknown_option(c, (char[]){'-', (char)found, 0}, e);
    found = stands_for ? stands_for : found;
    if (found == 'h')
      out->help = true;
    else if (found >= 256 && command_option(c, (size_t)found - 256)->once && out->values[found - 256])
      return err_set(e, ERR_USAGE, "--%s is given twice, as '%s' and as '%s': it takes one value",
                     command_option(c, (size_t)found - 256)->name, out->values[found - 256], optarg);
    else if (found >= 256)
      out->values[found - 256] = optarg ? optarg : "";
    else if (found == ':')
      return err_set(e, ERR_USAGE, "%s needs a value; nvfp4-prof %s --help describes it", argv[optind - 1], c->name);
    else
      return unknown_option(c, argv[optind - 1], e);
  }
  out->rest = argv + optind;
  out->n_rest = argc - optind;
  return 0;
}

const char *args_get(const struct args *a, const char *name) {
  const struct option_row *o;
  for (size_t i = 0; (o = command_option(a->command, i)); i++)
    if (strcmp(o->name, name) == 0)
      return a->values[i];
  return NULL;
}

bool args_has(const struct args *a, const char *name) {
  return args_get(a, name) != NULL;
}

const char *args_any(const struct args *a, const char *names) {
  const struct option_row *o;
  for (size_t length; *names; names += length + (names[length] == ' ')) {
    length = strcspn(names, " ");
    for (size_t i = 0; (o = command_option(a->command, i)); i++)
      if (a->values[i] && strlen(o->name) == length && strncmp(o->name, names, length) == 0)
        return o->name;
  }
  return NULL;
}

int args_clash(const struct args *a, const struct clash_row *rows, struct err *e) {
  int rc = 0;
  for (const struct clash_row *r = rows; r && (r->option || r->shared) && !rc; r++) {
    const char *other = r->option && args_has(a, r->option) ? args_any(a, r->others) : NULL;
    if (r->shared)
      rc = args_clash(a, r->shared, e);
    else if (other)
      rc = err_set(e, ERR_USAGE, "%s%s%s", r->before, r->after ? other : "", r->after ? r->after : "");
  }
  return rc;
}

int args_double(const struct args *a, const char *name, double min, double max, double *out, struct err *e) {
  const char *text = args_get(a, name);
  if (!text)
    return 0;
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value) || value < min || value > max)
    return err_set(e, ERR_USAGE, "--%s %s: must be a number from %.16g to %.16g", name, text, min, max);
  *out = value;
  return 0;
}

int args_long(const struct args *a, const char *name, long min, long max, long *out, struct err *e) {
  double value = (double)*out;
  int rc = args_double(a, name, (double)min, (double)max, &value, e);
  if (!rc && value != floor(value))
    rc = err_set(e, ERR_USAGE, "--%s %s: must be a whole number", name, args_get(a, name));
  if (!rc)
    *out = (long)value;
  return rc;
}

void usage_row(struct text *out, int name_columns, const char *left, const char *help) {
  const int indent = name_columns + 3, width = cli_width();
  struct text words = {0};
  text_fit(&words, help, width > indent + 20 ? width - indent : 0);
  text_printf(out, "  %-*s", name_columns, left);
  if (strlen(left) > (size_t)name_columns && width > 0)
    text_printf(out, "\n  %*s", name_columns, "");
  text_add(out, " ");
  for (const char *line = text_str(&words); *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
    if (line != text_str(&words))
      text_printf(out, "\n%*s", indent, "");
    text_add_n(out, line, strcspn(line, "\n"));
  }
  text_add(out, "\n");
  text_end(&words, out);
}

void command_usage(const struct command *c, struct text *out) {
  enum { NAME = 24 };
  const struct option_row *o;
  text_printf(out, "usage: nvfp4-prof %s %s\n\n%s\n\noptions:\n", c->name, c->arguments, c->summary);
  for (size_t i = 0; (o = command_option(c, i)); i++) {
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
    usage_row(out, NAME, left, o->help);
  }
  usage_row(out, NAME, "--help", "print this text");
  text_printf(out, "\nneeds: %s\n\nexamples:\n", c->needs);
  for (const char *line = c->examples; *line; line += strcspn(line, "\n") + 1)
    text_printf(out, "  nvfp4-prof %.*s\n", (int)strcspn(line, "\n"), line);
}
