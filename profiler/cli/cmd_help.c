/* help: usage, and the man page and the shells' completion, which are templates, filled from the command table. */
#include "base/template.h"
#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "run/device.h"

#include "version.h"

#include <stdio.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"man", NULL, "print the man page (roff)"},
    {"completion", "SHELL", "print the completion script for this shell: bash, zsh or fish"},
    {NULL, NULL, NULL},
};

/* What an option's argument is, for every shell. */
enum argument {
  ARGUMENT_NONE,
  ARGUMENT_TEXT,
  ARGUMENT_FILE,
  ARGUMENT_FOLDER,
  ARGUMENT_NAMES,
  ARGUMENT_SHAPES,
  ARGUMENT_DEVICE,
  ARGUMENTS
};

static enum argument argument_of(const struct option_row *o) {
  if (!o->arg)
    return ARGUMENT_NONE;
  if (strcmp(o->name, "variant") == 0 || strcmp(o->name, "ladder") == 0 || strcmp(o->name, "select") == 0)
    return ARGUMENT_NAMES;
  if (strcmp(o->name, "shape") == 0)
    return ARGUMENT_SHAPES;
  if (strcmp(o->arg, "ID|FILE") == 0)
    return ARGUMENT_DEVICE;
  return strstr(o->arg, "FILE") ? ARGUMENT_FILE : strstr(o->arg, "DIR") ? ARGUMENT_FOLDER : ARGUMENT_TEXT;
}

/* --- how a page writes a text --- */

/* A hyphen that is typed is \-; a line that begins with a dot or an apostrophe would be a request. */
static void roff_text(struct text *out, const char *s) {
  for (const char *c = s; *c; c++)
    if (*c == '-')
      text_add(out, "\\-");
    else if (*c == '\\')
      text_add(out, "\\e");
    else if ((*c == '.' || *c == '\'') && (c == s || c[-1] == '\n'))
      text_printf(out, "\\&%c", *c);
    else
      text_add_n(out, c, 1);
}

/* Within single quotes, and within the brackets and colons of _arguments. */
static void zsh_text(struct text *out, const char *s) {
  for (; *s; s++)
    if (*s == '\'')
      text_add(out, "'\\''");
    else if (*s == '[' || *s == ']' || *s == ':')
      text_printf(out, "\\%c", *s);
    else
      text_add_n(out, s, 1);
}

/* Within single quotes. */
static void fish_text(struct text *out, const char *s) {
  for (; *s; s++)
    text_printf(out, *s == '\'' || *s == '\\' ? "\\%c" : "%c", *s);
}

static const struct page {
  const char *name, *template;
  void (*quote)(struct text *out, const char *s);
  const char *actions[ARGUMENTS];
} pages[] = {
    {.name = "man", .template = "templates/man.txt", .quote = roff_text},
    {.name = "bash", .template = "templates/completion-bash.txt", .quote = text_add},
    {.name = "zsh",
     .template = "templates/completion-zsh.txt",
     .quote = zsh_text,
     .actions = {[ARGUMENT_TEXT] = " ",
                 [ARGUMENT_FILE] = "_files",
                 [ARGUMENT_FOLDER] = "_files -/",
                 [ARGUMENT_NAMES] = "_nvfp4_prof_names",
                 [ARGUMENT_SHAPES] = "_nvfp4_prof_shapes",
                 [ARGUMENT_DEVICE] = "_nvfp4_prof_devices"}},
    {.name = "fish",
     .template = "templates/completion-fish.txt",
     .quote = fish_text,
     .actions = {[ARGUMENT_TEXT] = "-x ",
                 [ARGUMENT_FILE] = "-r -F ",
                 [ARGUMENT_FOLDER] = "-x -a '(__fish_complete_directories)' ",
                 [ARGUMENT_NAMES] = "-x -a '(__nvfp4_prof_names)' ",
                 [ARGUMENT_SHAPES] = "-x -a \"$__nvfp4_prof_shapes\" ",
                 [ARGUMENT_DEVICE] = "-r -F -a \"$__nvfp4_prof_devices\" "}},
};

static const struct page *page_find(const char *name) {
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    if (strcmp(pages[i].name, name) == 0)
      return &pages[i];
  return NULL;
}

/* --- slots --- */

static void slot_quoted(struct slots *s, const char *name, const struct page *p, const char *text) {
  p->quote(slot_open(s, name), text ? text : "");
}

static void options_fill(struct slots *s, const struct page *p, const struct command *c) {
  const struct option_row *o;
  for (size_t i = 0; (o = command_option(c, i)); i++) {
    struct slots *item = slot_item(s, "options");
    slot_text(item, "name", o->name);
    slot_quoted(item, "spelled", p, o->name);
    slot_quoted(item, "argument", p, o->arg);
    slot_quoted(item, "help", p, o->help);
    slot_text(item, "action", p->actions[argument_of(o)]);
  }
}

static void command_fill(struct slots *s, const struct page *p, const struct command *c) {
  slot_text(s, "command", c->name);
  slot_quoted(s, "title", p, c->name);
  slot_quoted(s, "arguments", p, c->arguments);
  slot_quoted(s, "summary", p, c->summary);
  slot_quoted(s, "needs", p, c->needs);
  for (const char *line = c->examples; *line; line += strcspn(line, "\n") + 1) {
    char example[128];
    snprintf(example, sizeof example, "%.*s", (int)strcspn(line, "\n"), line);
    slot_quoted(slot_item(s, "examples"), "example", p, example);
  }
  slot_flag(s, "default", strcmp(c->name, "profile") == 0);
  options_fill(s, p, c);
}

/* The options whose argument holds this word, "--out|--report", but those in `seen` ("|--out|"), to which they are added. */
static void pattern_add(const struct command *const *commands, struct text *out, const char *word, struct text *seen) {
  for (size_t i = 0; commands[i]; i++) {
    const struct option_row *o;
    for (size_t j = 0; (o = command_option(commands[i], j)); j++) {
      char item[64];
      snprintf(item, sizeof item, "|--%s|", o->name);
      if (!o->arg || !strstr(o->arg, word) || strstr(text_str(seen), item))
        continue;
      text_printf(out, "%s--%s", out->n ? "|" : "", o->name);
      text_add(seen, item);
    }
  }
}

static bool is_shell(const char *name) {
  const struct page *p = page_find(name);
  return p && strcmp(p->name, "man") != 0;
}

/* The page of a shell, or "man".  ERR_DATA: its template asks for what is not there. */
static int page_add(const char *name, const struct command *const *commands, struct text *out, struct err *e) {
  const struct page *p = page_find(name);
  struct slots s = {0};
  struct text seen = {0};
  char id[DEVICE_ID_MAX];
  slot_text(&s, "version", NVFP4_VERSION);
  for (size_t i = 0; i < PROBLEM_SHAPE_SETS; i++)
    text_printf(slot_open(&s, "shapes"), "%s%s", i ? " " : "", problem_shape_sets[i].name);
  for (size_t i = 0; device_id(i, id); i++)
    text_printf(slot_open(&s, "devices"), "%s%s", i ? " " : "", id);
  /* Files first: an option that takes a folder in one command and a file in another is offered both. */
  text_add(&seen, "|--device|--to|");
  pattern_add(commands, slot_open(&s, "takes_file"), "FILE", &seen);
  pattern_add(commands, slot_open(&s, "takes_folder"), "DIR", &seen);
  for (size_t i = 0; commands[i]; i++)
    command_fill(slot_item(&s, "commands"), p, commands[i]);
  int rc = template_fill(out, profiler_embedded_templates, p->template, &s, e);
  text_release(&seen);
  slots_release(&s);
  return rc;
}

/* --- the command --- */

static int usage_of(const struct command *const *commands, const char *name, struct err *e) {
  struct text out = {0};
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(commands[i]->name, name) == 0) {
      command_usage(commands[i], &out);
      return cli_print_words(&out, e);
    }
  return command_unknown(commands, name, e);
}

static int help_command(const struct args *a, struct err *e) {
  struct text out = {0};
  const char *shell = args_get(a, "completion");
  bool man = args_has(a, "man");
  int rest = a->n_rest;
  /* `help man` and `help completion SHELL`, as the list of commands words it. */
  if (rest == 1 && strcmp(a->rest[0], "man") == 0)
    man = true, rest = 0;
  if (rest == 2 && strcmp(a->rest[0], "completion") == 0)
    shell = a->rest[1], rest = 0;
  if (shell && !is_shell(shell))
    return err_set(e, ERR_USAGE, "--completion %s: there is one for bash, zsh and fish", shell);
  if (rest == 1 && !shell && !man)
    return usage_of(a->commands, a->rest[0], e);
  if (rest > 0 || !shell == !man)
    return err_set(e, ERR_USAGE, "help takes a command, --man or --completion SHELL");
  int rc = page_add(shell ? shell : "man", a->commands, &out, e);
  if (rc) {
    text_release(&out);
    return rc;
  }
  return cli_print(&out, e);
}

COMMAND_ROW(210, help) = {
    .name = "help",
    .arguments = "[COMMAND|--man|--completion SHELL]",
    .summary = "print this text, a command's, the man page or completion",
    .needs = "nothing",
    .examples = "help diff\n"
                "help --completion bash\n",
    .options = option_rows,
    .run = help_command,
};
