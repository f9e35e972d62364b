/* The man page and the shell's completion, from the command table: what it does not hold they do not claim. */
#include "profiler/cli/cli.h"

#include "version.h"

#include <stdio.h>
#include <string.h>

const struct option_row help_options_table[] = {
    {"man", NULL, "print the man page (roff)"},
    {"completion", "SHELL", "print the completion script for this shell: bash"},
    {NULL, NULL, NULL},
};

/* --- man page --- */

/* A hyphen that is typed is \-; a line that begins with a dot or an apostrophe would be a request. */
static void roff_add(struct text *out, const char *s) {
  for (; *s; s++) {
    if (*s == '-')
      text_add(out, "\\-");
    else if (*s == '\\')
      text_add(out, "\\e");
    else if ((*s == '.' || *s == '\'') && out->n && out->s[out->n - 1] == '\n')
      text_printf(out, "\\&%c", *s);
    else
      text_add_n(out, s, 1);
  }
}

static void roff_tag(struct text *out, const char *bold, const char *italic) {
  text_add(out, ".TP\n\\fB");
  roff_add(out, bold);
  text_add(out, "\\fR");
  if (italic) {
    text_add(out, " \\fI");
    roff_add(out, italic);
    text_add(out, "\\fR");
  }
  text_add(out, "\n");
}

static void roff_command(struct text *out, const struct command *c) {
  const struct option_row *o;
  char option[64];
  text_add(out, ".SS ");
  roff_add(out, c->name);
  text_add(out, "\n\\fBnvfp4\\-prof ");
  roff_add(out, c->name);
  text_add(out, "\\fR ");
  roff_add(out, c->arguments);
  text_add(out, "\n.PP\n");
  roff_add(out, c->summary);
  if (c->unavailable) {
    text_add(out, " (");
    roff_add(out, c->unavailable);
    text_add(out, ")");
  }
  text_add(out, "\n");
  for (size_t i = 0; (o = command_option(c, i)); i++) {
    snprintf(option, sizeof option, "--%s", o->name);
    roff_tag(out, option, o->arg);
    roff_add(out, o->help);
    text_add(out, "\n");
  }
}

static void man_add(struct text *out) {
  static const struct {
    const char *name, *what;
  } codes[] = {{"0", "done"},
               {"1", "a comparison failed"},
               {"2", "usage, or malformed input"},
               {"3", "the machine lacks what was asked for"},
               {"4", "some variants failed; the others are reported"}},
    environment[] = {{"NVFP4_CACHE", "folder of compiled kernels"},
                     {"NVFP4_RECORDED", "the recorded run to analyse where there is no GPU"},
                     {"NVFP4_GNUPLOT", "the gnuplot that draws the charts"},
                     {"NO_COLOR", "no colour, on a terminal either"}};
  size_t n;
  const struct command *commands = commands_all(&n);
  text_printf(out, ".TH NVFP4\\-PROF 1 \"\" \"nvfp4\\-prof %s\" \"User Commands\"\n", NVFP4_VERSION);
  text_add(
      out,
      ".SH NAME\nnvfp4\\-prof \\- profile a ladder of NVFP4 batched\\-GEMV kernels and explain every step\n"
      ".SH SYNOPSIS\n\\fBnvfp4\\-prof\\fR [\\fIcommand\\fR] [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\nRuns every rung of a ladder of kernels under CUPTI, sets what was counted against the memory\\-bound "
      "speed of light, and writes tables, charts and, for every step, why it got faster or slower.\n"
      "Without a command it is \\fBprofile\\fR.\nWithout a GPU it analyses the recorded run.\n"
      ".PP\nEach command takes \\fB\\-\\-help\\fR.\n.SH COMMANDS\n");
  for (size_t i = 0; i < n; i++)
    roff_command(out, &commands[i]);
  text_add(out, ".SH EXIT STATUS\n");
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    roff_tag(out, codes[i].name, NULL);
    text_printf(out, "%s\n", codes[i].what);
  }
  text_add(out, ".SH ENVIRONMENT\n");
  for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
    roff_tag(out, environment[i].name, NULL);
    text_printf(out, "%s\n", environment[i].what);
  }
}

/* --- bash --- */

static void bash_options(struct text *out, const struct command *c) {
  const struct option_row *o;
  text_printf(out, "    %s) options='", c->name);
  for (size_t i = 0; (o = command_option(c, i)); i++)
    text_printf(out, "--%s ", o->name);
  text_add(out, "--help' ;;\n");
}

/* The options whose argument holds this word, "--out|--report", but those in `seen` ("|--out|"), to which they are added. */
static void bash_pattern(struct text *out, const char *word, struct text *seen) {
  size_t n;
  const struct command *commands = commands_all(&n);
  const char *between = "";
  for (size_t i = 0; i < n; i++) {
    const struct option_row *o;
    for (size_t j = 0; (o = command_option(&commands[i], j)); j++) {
      char item[64];
      snprintf(item, sizeof item, "|--%s|", o->name);
      if (!o->arg || !strstr(o->arg, word) || strstr(text_str(seen), item))
        continue;
      text_printf(out, "%s--%s", between, o->name);
      text_add(seen, item);
      between = "|";
    }
  }
}

static void bash_add(struct text *out) {
  size_t n;
  const struct command *commands = commands_all(&n);
  char id[DEVICE_ID_MAX];
  struct text seen = {0};
  text_add(
      out,
      "# bash completion for nvfp4-prof; written by: nvfp4-prof help --completion bash\n"
      "_nvfp4_prof() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=profile options='' commands\n"
      "  commands='");
  for (size_t i = 0; i < n; i++)
    text_printf(out, "%s%s", i ? " " : "", commands[i].name);
  text_add(out, "'\n  COMPREPLY=()\n"
                "  if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$cur\")\n    return\n  fi\n"
                "  [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}\n"
                "  case $prev in\n    --device) mapfile -t COMPREPLY < <(compgen -W '");
  for (size_t i = 0; device_id(i, id); i++)
    text_printf(out, "%s%s", i ? " " : "", id);
  text_add(out, "' -- \"$cur\"; compgen -f -- \"$cur\") ; return ;;\n    ");
  text_add(&seen, "|--device|");
  /* Files first: an option that takes a folder in one command and a file in another is offered both. */
  bash_pattern(out, "FILE", &seen);
  text_add(out, ") mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ; return ;;\n    ");
  bash_pattern(out, "DIR", &seen);
  text_add(out, ") mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ; return ;;\n"
                "    --shape) mapfile -t COMPREPLY < <(compgen -W 'bench tests' -- \"$cur\") ; return ;;\n  esac\n"
                "  case $command in\n");
  for (size_t i = 0; i < n; i++)
    bash_options(out, &commands[i]);
  text_add(out, "  esac\n"
                "  if [[ $cur == -* ]]; then\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
                "  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n  fi\n}\n"
                "complete -o filenames -F _nvfp4_prof nvfp4-prof\n");
  out->failed |= !text_ok(&seen);
  text_release(&seen);
}

static int help_command(const char *name, struct err *e) {
  size_t n;
  const struct command *commands = commands_all(&n);
  for (size_t i = 0; i < n; i++) {
    if (strcmp(commands[i].name, name) != 0)
      continue;
    if (!commands[i].options)
      return err_set(e, ERR_MACHINE, "%s: %s in this version (%s)", name, commands[i].unavailable, NVFP4_VERSION);
    command_help(&commands[i]);
    return 0;
  }
  return err_set(e, ERR_USAGE, "unknown command '%s'; nvfp4-prof --help lists them", name);
}

int cmd_help(const struct command *c, int argc, char **argv, struct err *e) {
  struct args a;
  struct text out = {0};
  int rc = args_parse(&a, c, argc, argv, e);
  if (rc || a.help)
    return rc ? rc : (command_help(c), EXIT_DONE);
  const char *shell = args_get(&a, c, "completion");
  if (shell && strcmp(shell, "bash") != 0)
    return err_set(e, ERR_USAGE, "--completion %s: there is one for bash", shell);
  if (a.n_rest == 1 && !shell && !args_has(&a, c, "man"))
    return (rc = help_command(a.rest[0], e)) ? rc : EXIT_DONE;
  if (a.n_rest > 0 || !shell == !args_has(&a, c, "man"))
    return err_set(e, ERR_USAGE, "help takes a command, --man or --completion bash");
  if (shell)
    bash_add(&out);
  else
    man_add(&out);
  rc = cli_print(&out, e);
  return rc ? rc : EXIT_DONE;
}
