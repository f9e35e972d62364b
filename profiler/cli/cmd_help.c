#include "profiler/cli/cli.h"
#include "profiler/cli/help_page.h"

#include <string.h>

static const struct option_row option_rows[] = {
    {"man", NULL, "print the man page (roff)"},
    {"completion", "SHELL", "print the completion script for this shell: bash, zsh or fish"},
    {NULL, NULL, NULL},
};

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
  if (shell && !help_page_is_shell(shell))
    return err_set(e, ERR_USAGE, "--completion %s: there is one for bash, zsh and fish", shell);
  if (rest == 1 && !shell && !man)
    return usage_of(a->commands, a->rest[0], e);
  if (rest > 0 || !shell == !man)
    return err_set(e, ERR_USAGE, "help takes a command, --man or --completion SHELL");
  int rc = help_page_add(shell ? shell : "man", a->commands, &out, e);
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
