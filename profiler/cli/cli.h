/* The command line: what a command is, what it is told, and how it prints.  Only this room prints errors and exits. */
#pragma once

#include "base/embed.h"
#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum exit_code { EXIT_DONE = 0, EXIT_COMPARISON = 1, EXIT_USAGE = 2, EXIT_MACHINE = 3, EXIT_VARIANTS = 4 };

struct option_row {
  const char *name; /* long, without dashes; NULL closes the table, or is a row that stands for others */
  const char *arg;  /* what it takes, "FILE"; NULL: nothing */
  const char *help;
  const struct option_row *shared; /* without a name: rows that several commands have; NULL: none */
  /* A second value is refused; else the last one holds, as scripts that take a user's options behind
   * their own want it. */
  bool once;
};

/* Options that exclude each other: a row each of what is refused where the command line has both, before the command begins. */
struct clash_row {
  const char *option;             /* NULL closes the table, or is a row that stands for others */
  const char *others;             /* "csv json": any of them */
  const char *before, *after;     /* what is said; the name of the other stands between; after NULL: before is all */
  const struct clash_row *shared; /* without an option: rows that several commands have; NULL: none */
};

struct args;
enum { OPTIONS_MAX = 48 };
/* An option that the command has not, but a tool that its users come from: what to do instead. */
struct foreign_row {
  const char *option, *instead;
};
/* One row a command, in its cmd_NAME.c; help, man page and completion follow from it. */
struct command {
  const char *name, *arguments, *summary;
  const char *needs;    /* "a GPU", "two run files", "nothing" */
  const char *examples; /* a line each, without the program's name */
  const struct option_row *options;
  const struct clash_row *clashes;                 /* NULL: none */
  const struct foreign_row *foreign;               /* options of another tool's; NULL: none */
  int (*run)(const struct args *a, struct err *e); /* an exit code, or a negative error */
  int failure;                                     /* the exit code of every error; 0: that of its kind */
};
/* A command's row, at the end of its file; cmake/rows.cmake gathers them, and the number orders them in the help. */
#define COMMAND_ROW(number, id) const struct command command_##id

/* A command's i-th option, those that it shares and those of every command included; NULL past the end. */
const struct option_row *command_option(const struct command *c, size_t i);
void command_usage(const struct command *c, struct text *out);
/* The command whose name is most like this one; NULL: none is near. */
const char *command_nearest(const struct command *const *commands, const char *name);
/* ERR_USAGE: there is no command of this name; it names the nearest. */
int command_unknown(const struct command *const *commands, const char *name, struct err *e);
/* A row of a usage: a name in its columns, what it is in the rest of the terminal's. */
void usage_row(struct text *out, int name_columns, const char *left, const char *help);

/* What stood on the command line. */
struct args {
  const struct command *command;
  const struct command *const *commands; /* all, NULL at the end */
  const char *typed;                     /* the whole line, quoted for a shell */
  const char *values[OPTIONS_MAX]; /* by command_option's index; NULL: not given; "" for an option that takes nothing */
  char **rest;                     /* positional */
  int n_rest;
  bool help;
};

/* Fills in all but what is typed and the table.  ERR_USAGE names the option and the nearest known one. */
int args_parse(struct args *out, const struct command *c, int argc, char **argv, struct err *e);
/* Value by name; NULL: not given. */
const char *args_get(const struct args *a, const char *name);
bool args_has(const struct args *a, const char *name);
/* Of names, "csv json", the first that was given; NULL: none. */
const char *args_any(const struct args *a, const char *names);
/* ERR_USAGE: options were given that exclude each other. */
int args_clash(const struct args *a, const struct clash_row *rows, struct err *e);
/* An integer option within bounds; *out is left as it is where the option is not given. */
int args_long(const struct args *a, const char *name, long min, long max, long *out, struct err *e);
int args_double(const struct args *a, const char *name, double min, double max, double *out, struct err *e);

/* Files of templates/: what `new` starts from, one a kind of problem, and the templates of the man page and the completions. */
extern const struct embedded profiler_embedded_templates[];

/* --- the terminal --- */

/* --color auto|always|never, of every command; ERR_USAGE where it is another word. */
int cli_colour_set(const char *when, struct err *e);
/* Unless told by it: stdout is a terminal that is not TERM=dumb, and NO_COLOR is not set. */
bool cli_colour(void);
int cli_width(void); /* of the terminal; 0 where stdout is none: nothing is broken or left out */
/* Whether all that was printed has reached stdout.  ERR_IO where it cannot be written (a full disk); a reader that has read enough and left,
 * as `| head` does, is no failure. */
int cli_flush(struct err *e);
/* Prints a text and releases it; fails where memory ends.  That stdout cannot be written keeps no file from being written: main says it at the end. */
int cli_print(struct text *t, struct err *e);
/* cli_print where the path is -, else the text is written to that file; releases it. */
int cli_save(struct text *t, const char *path, struct err *e);
/* Tells a warning where there is one, and releases it. */
void cli_warn(struct text *warning);
/* printf to stderr; control characters of what is told stay out, as in cli_print. */
void cli_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether the program goes on where a little memory is not to be had (profiler/cli/memory.c); it does not, unless told. */
void cli_memory_may_fail(bool may);
void cli_memory_failure(int code); /* the exit code where memory ends; EXIT_MACHINE, unless told */
/* As cli_print, what people read: ASCII where the locale is C or POSIX, no line wider than the terminal. */
int cli_print_words(struct text *t, struct err *e);
/* cli_print of JSON, CSV and Markdown, cli_print_words of all else. */
int cli_print_or_words(struct text *t, bool data, struct err *e);
/* Says what went wrong; the exit code that the command has for it. */
int cli_complain(const struct command *c, const struct err *e);
/* A progress line on stderr, where that is a terminal; `cli_progress_end` clears it. */
void cli_progress(const char *phase, size_t done, size_t total, const char *what);
void cli_progress_end(void);
/* From here on SIGHUP, SIGINT and SIGTERM set profile_interrupted; another, half a second later or more, kills. */
void cli_catch_signals(void);
/* Makes --out's folder, NULL: none; ERR_IO where it cannot be written, which is said before the work and not after it. */
int out_folder_make(const char *folder, struct err *e);
