#include "profiler/cli/completion.h"

#include "kernels/problem.h"
#include "run/device.h"

#include <stdio.h>
#include <string.h>

/* Of variants and ladders, asked of the tool when they are wanted. */
#define NAMES "nvfp4-prof list variants --csv 2>/dev/null | awk -F, 'NR > 1 { print $1; print $2 }' | sort -u"

static void shapes_add(struct text *out) {
  for (size_t i = 0; i < PROBLEM_SHAPE_SETS; i++)
    text_printf(out, "%s%s", i ? " " : "", problem_shape_sets[i].name);
}

static void devices_add(struct text *out) {
  char id[DEVICE_ID_MAX];
  for (size_t i = 0; device_id(i, id); i++)
    text_printf(out, "%s%s", i ? " " : "", id);
}

/* What an option's argument is, for every shell. */
enum argument {
  ARGUMENT_NONE,
  ARGUMENT_TEXT,
  ARGUMENT_FILE,
  ARGUMENT_FOLDER,
  ARGUMENT_NAMES,
  ARGUMENT_SHAPES,
  ARGUMENT_DEVICE
};

static enum argument argument_of(const struct option_row *o) {
  if (!o->arg)
    return ARGUMENT_NONE;
  if (strcmp(o->name, "variant") == 0 || strcmp(o->name, "ladder") == 0)
    return ARGUMENT_NAMES;
  if (strcmp(o->name, "shape") == 0)
    return ARGUMENT_SHAPES;
  if (strcmp(o->name, "device") == 0)
    return ARGUMENT_DEVICE;
  return strstr(o->arg, "FILE") ? ARGUMENT_FILE : strstr(o->arg, "DIR") ? ARGUMENT_FOLDER : ARGUMENT_TEXT;
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
static void bash_pattern(const struct command *const *commands, struct text *out, const char *word, struct text *seen) {
  const char *between = "";
  for (size_t i = 0; commands[i]; i++) {
    const struct option_row *o;
    for (size_t j = 0; (o = command_option(commands[i], j)); j++) {
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

static void bash_add(const struct command *const *commands, struct text *out) {
  struct text seen = {0};
  text_add(
      out,
      "# bash completion for nvfp4-prof; written by: nvfp4-prof help --completion bash\n"
      "_nvfp4_prof() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=profile options='' commands\n"
      "  commands='");
  for (size_t i = 0; commands[i]; i++)
    text_printf(out, "%s%s", i ? " " : "", commands[i]->name);
  text_add(out, "'\n  COMPREPLY=()\n"
                "  if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$cur\")\n    return\n  fi\n"
                "  [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}\n"
                "  case $prev in\n    --device) mapfile -t COMPREPLY < <(compgen -W '");
  devices_add(out);
  text_add(out, "' -- \"$cur\"; compgen -f -- \"$cur\") ; return ;;\n    ");
  text_add(&seen, "|--device|");
  /* Files first: an option that takes a folder in one command and a file in another is offered both. */
  bash_pattern(commands, out, "FILE", &seen);
  text_add(out, ") mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ; return ;;\n    ");
  bash_pattern(commands, out, "DIR", &seen);
  text_add(out,
           ") mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ; return ;;\n"
           "    --variant|--ladder) mapfile -t COMPREPLY < <(compgen -W \"$(" NAMES ")\" -- \"$cur\") ; return ;;\n"
           "    --shape) mapfile -t COMPREPLY < <(compgen -W '");
  shapes_add(out);
  text_add(out, "' -- \"$cur\") ; return ;;\n  esac\n  case $command in\n");
  for (size_t i = 0; commands[i]; i++)
    bash_options(out, commands[i]);
  text_add(out, "  esac\n"
                "  if [[ $cur == -* ]]; then\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
                "  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n  fi\n}\n"
                "complete -o filenames -F _nvfp4_prof nvfp4-prof\n");
  out->failed |= !text_ok(&seen);
  text_release(&seen);
}

/* --- zsh --- */

/* Within single quotes, and within the brackets and colons of _arguments. */
static void zsh_text(struct text *out, const char *s) {
  for (; *s; s++) {
    if (*s == '\'')
      text_add(out, "'\\''");
    else if (*s == '[' || *s == ']' || *s == ':')
      text_printf(out, "\\%c", *s);
    else
      text_add_n(out, s, 1);
  }
}

static void zsh_options(struct text *out, const struct command *c) {
  static const char *const actions[] = {[ARGUMENT_TEXT] = " ",
                                        [ARGUMENT_FILE] = "_files",
                                        [ARGUMENT_FOLDER] = "_files -/",
                                        [ARGUMENT_NAMES] = "_nvfp4_prof_names",
                                        [ARGUMENT_SHAPES] = "_nvfp4_prof_shapes",
                                        [ARGUMENT_DEVICE] = "_nvfp4_prof_devices"};
  const struct option_row *o;
  text_printf(out, "    %s) _arguments ", c->name);
  for (size_t i = 0; (o = command_option(c, i)); i++) {
    enum argument a = argument_of(o);
    text_printf(out, "'--%s[", o->name);
    zsh_text(out, o->help);
    text_add(out, "]");
    if (a != ARGUMENT_NONE) {
      text_add(out, ":");
      zsh_text(out, o->arg);
      text_printf(out, ":%s", actions[a]);
    }
    text_add(out, "' ");
  }
  text_add(out, "'--help[this text]' '*:file:_files' ;;\n");
}

static void zsh_add(const struct command *const *commands, struct text *out) {
  text_add(out, "#compdef nvfp4-prof\n# zsh completion for nvfp4-prof; written by: nvfp4-prof help --completion zsh\n"
                "_nvfp4_prof_names() {\n  local -a names\n  names=(${(f)\"$(" NAMES ")\"})\n  compadd -a names\n}\n"
                "_nvfp4_prof_shapes() { compadd ");
  shapes_add(out);
  text_add(out, " }\n_nvfp4_prof_devices() { compadd ");
  devices_add(out);
  text_add(out, "; _files }\n_nvfp4_prof() {\n  local command=profile\n  local -a commands\n  commands=(\n");
  for (size_t i = 0; commands[i]; i++) {
    text_printf(out, "    '%s:", commands[i]->name);
    zsh_text(out, commands[i]->summary);
    text_add(out, "'\n");
  }
  text_add(
      out,
      "  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n    _describe command commands\n    return\n  fi\n"
      "  [[ $words[2] != -* ]] && command=$words[2]\n  case $command in\n");
  for (size_t i = 0; commands[i]; i++)
    zsh_options(out, commands[i]);
  text_add(out, "  esac\n}\n(( $+functions[compdef] )) && compdef _nvfp4_prof nvfp4-prof\n");
}

/* --- fish --- */

static void fish_text(struct text *out, const char *s) {
  text_add(out, "'");
  for (; *s; s++)
    text_printf(out, *s == '\'' || *s == '\\' ? "\\%c" : "%c", *s);
  text_add(out, "'");
}

static void fish_options(struct text *out, const struct command *c) {
  static const char *const actions[] = {[ARGUMENT_NONE] = "",
                                        [ARGUMENT_TEXT] = "-x ",
                                        [ARGUMENT_FILE] = "-r -F ",
                                        [ARGUMENT_FOLDER] = "-x -a '(__fish_complete_directories)' ",
                                        [ARGUMENT_NAMES] = "-x -a '(__nvfp4_prof_names)' ",
                                        [ARGUMENT_SHAPES] = "-x -a \"$__nvfp4_prof_shapes\" ",
                                        [ARGUMENT_DEVICE] = "-r -F -a \"$__nvfp4_prof_devices\" "};
  const struct option_row *o;
  const char *without = strcmp(c->name, "profile") == 0 ? "__fish_use_subcommand; or " : "";
  for (size_t i = 0; (o = command_option(c, i)); i++) {
    text_printf(out, "complete -c nvfp4-prof -n '%s__fish_seen_subcommand_from %s' -l %s %s-d ", without, c->name,
                o->name, actions[argument_of(o)]);
    fish_text(out, o->help);
    text_add(out, "\n");
  }
}

static void fish_add(const struct command *const *commands, struct text *out) {
  text_add(out, "# fish completion for nvfp4-prof; written by: nvfp4-prof help --completion fish\n"
                "function __nvfp4_prof_names\n  " NAMES "\nend\nset -g __nvfp4_prof_shapes '");
  shapes_add(out);
  text_add(out, "'\nset -g __nvfp4_prof_devices '");
  devices_add(out);
  text_add(out, "'\n");
  for (size_t i = 0; commands[i]; i++) {
    text_printf(out, "complete -c nvfp4-prof -n __fish_use_subcommand -f -a %s -d ", commands[i]->name);
    fish_text(out, commands[i]->summary);
    text_add(out, "\n");
  }
  for (size_t i = 0; commands[i]; i++)
    fish_options(out, commands[i]);
}

/* --- all --- */

static const struct shell {
  const char *name;
  void (*add)(const struct command *const *commands, struct text *out);
} shells[] = {{"bash", bash_add}, {"zsh", zsh_add}, {"fish", fish_add}};

static const struct shell *shell_find(const char *name) {
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp(shells[i].name, name) == 0)
      return &shells[i];
  return NULL;
}

bool completion_known(const char *shell) {
  return shell_find(shell) != NULL;
}

void completion_add(const char *shell, const struct command *const *commands, struct text *out) {
  shell_find(shell)->add(commands, out);
}
