/* The man page and the shells' completion, from the command table: what it does not hold they do not claim. */
#include "profiler/cli/cli.h"
#include "profiler/cli/completion.h"

#include "version.h"

#include <stdio.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"man", NULL, "print the man page (roff)"},
    {"completion", "SHELL", "print the completion script for this shell: bash, zsh or fish"},
    {NULL, NULL, NULL},
};

/* --- man page --- */

/* A hyphen that is typed is \-; a line that begins with a dot or an apostrophe would be a request. */
static void roff_line(struct text *out, const char *s, size_t n) {
  for (const char *end = s + n; s < end; s++) {
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

static void roff_add(struct text *out, const char *s) {
  roff_line(out, s, strlen(s));
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
  text_add(out, "\n");
  for (size_t i = 0; (o = command_option(c, i)); i++) {
    snprintf(option, sizeof option, "--%s", o->name);
    roff_tag(out, option, o->arg);
    roff_add(out, o->help);
    text_add(out, "\n");
  }
  text_add(out, ".PP\nNeeds: ");
  roff_add(out, c->needs);
  text_add(out, "\n.PP\n.nf\n");
  for (const char *line = c->examples; *line; line += strcspn(line, "\n") + 1) {
    text_add(out, "nvfp4\\-prof ");
    roff_line(out, line, strcspn(line, "\n"));
    text_add(out, "\n");
  }
  text_add(out, ".fi\n");
}

static void man_add(const struct command *const *commands, struct text *out) {
  static const struct {
    const char *name, *what;
  } codes[] = {{"0", "done"},
               {"1", "a comparison failed"},
               {"2", "usage, or malformed input"},
               {"3", "the machine lacks what was asked for"},
               {"4", "some variants failed; the others are reported"}},
    environment[] = {
        {"NVFP4_CACHE", "folder of compiled kernels"},
        {"NVFP4_PROGRAM_LIMIT",
         "seconds that nvdisasm, ptxas and nvcc may take for a file (default: 60, and 60 more per 1.2 MB)"},
        {"NVFP4_RECORDED", "the recorded run to analyse where there is no GPU"},
        {"NVFP4_GNUPLOT", "the gnuplot that draws the charts"},
        {"NO_COLOR", "print no colour, not even on a terminal"}};
  text_printf(out, ".TH NVFP4\\-PROF 1 \"\" \"nvfp4\\-prof %s\" \"User Commands\"\n", NVFP4_VERSION);
  text_add(
      out,
      ".SH NAME\nnvfp4\\-prof \\- profile CUDA kernels and explain what binds them and what each step gained\n"
      ".SH SYNOPSIS\n\\fBnvfp4\\-prof\\fR [\\fIcommand\\fR] [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\nMeasures kernels under CUPTI (built\\-in ladders of NVFP4 GEMV kernels, a kernel of your own, or those inside any program), sets them against the speed of light of memory, and says what binds each and why a step made it faster or slower.\n"
      "Without a command it is \\fBprofile\\fR.\nWithout a GPU it analyses the recorded run.\n"
      ".PP\nEach command takes \\fB\\-\\-help\\fR.\n.SH COMMANDS\n");
  for (size_t i = 0; commands[i]; i++)
    roff_command(out, commands[i]);
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

static int usage_of(const struct command *const *commands, const char *name, struct err *e) {
  struct text out = {0};
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(commands[i]->name, name) == 0) {
      command_usage(commands[i], &out);
      return cli_print_words(&out, e);
    }
  return err_set(e, ERR_USAGE, "unknown command '%s'; nvfp4-prof --help lists them", name);
}

static int help_command(const struct args *a, struct err *e) {
  struct text out = {0};
  const char *shell = args_get(a, "completion");
  if (shell && !completion_known(shell))
    return err_set(e, ERR_USAGE, "--completion %s: there is one for bash, zsh and fish", shell);
  if (a->n_rest == 1 && !shell && !args_has(a, "man"))
    return usage_of(a->commands, a->rest[0], e);
  if (a->n_rest > 0 || !shell == !args_has(a, "man"))
    return err_set(e, ERR_USAGE, "help takes a command, --man or --completion SHELL");
  if (shell)
    completion_add(shell, a->commands, &out);
  else
    man_add(a->commands, &out);
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
