/* The command line: a table of commands, one cmd_*.c each.  Only this room prints errors and exits. */
#ifndef PROFILER_CLI_CLI_H
#define PROFILER_CLI_CLI_H

#include "base/err.h"
#include "base/shape.h"
#include "base/text.h"
#include "kernels/rung.h"
#include "run/device.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

enum exit_code { EXIT_DONE = 0, EXIT_COMPARISON = 1, EXIT_USAGE = 2, EXIT_MACHINE = 3, EXIT_VARIANTS = 4 };

struct option_row {
  const char *name; /* long, without dashes; NULL closes the table, or is a row that stands for others */
  const char *arg;  /* what it takes, "FILE"; NULL: nothing */
  const char *help;
  const struct option_row *shared; /* without a name: rows that several commands have; NULL: none */
};

enum { OPTIONS_MAX = 40 };
struct command {
  const char *name, *arguments, *summary;
  const struct option_row *options; /* NULL: a command that this build does not have yet */
  int (*run)(const struct command *c, int argc, char **argv, struct err *e); /* an exit code, or a negative error */
  const char *unavailable;                                                   /* why; NULL: it is there */
};

/* A command's i-th option, those that it shares included; NULL past the end. */
const struct option_row *command_option(const struct command *c, size_t i);

/* What stood on the command line. */
struct args {
  const char *values[OPTIONS_MAX]; /* by command_option's index; NULL: not given; "" for an option that takes nothing */
  char **rest;                     /* positional */
  int n_rest;
  bool help;
};

/* ERR_USAGE names the option and the nearest known one. */
int args_parse(struct args *out, const struct command *c, int argc, char **argv, struct err *e);
/* Value by name; NULL: not given. */
const char *args_get(const struct args *a, const struct command *c, const char *name);
bool args_has(const struct args *a, const struct command *c, const char *name);
/* An integer option within bounds; *out is left as it is where the option is not given. */
int args_long(const struct args *a, const struct command *c, const char *name, long min, long max, long *out,
              struct err *e);
int args_double(const struct args *a, const struct command *c, const char *name, double min, double max, double *out,
                struct err *e);

const struct command *commands_all(size_t *n); /* the table */
void command_help(const struct command *c);
int exit_code_of(const struct err *e);

/* --- shared between commands --- */

/* "bench", "tests", MxKxL, comma between.  The list is the caller's to free. */
int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e);
/* stdout is a terminal and NO_COLOR is not set. */
bool cli_colour(void);
int cli_width(void); /* of the terminal; 160 where stdout is none */
/* Whether all that was printed has reached stdout.  ERR_IO where it cannot be written (a full disk); a reader that has read enough and left,
 * as `| head` does, is no failure. */
int cli_flush(struct err *e);
/* Prints a text and releases it; fails as cli_flush does. */
int cli_print(struct text *t, struct err *e);
/* A progress line on stderr, where that is a terminal; `cli_progress_end` clears it. */
void cli_progress(void *context, const char *phase, size_t done, size_t total, const char *what);
void cli_progress_end(void);
/* From here on SIGINT and SIGTERM set profile_interrupted; another, half a second later or more, kills. */
void cli_catch_signals(void);
/* argv, quoted for a shell; the caller's to free, NULL where memory ran out. */
char *cli_command(int argc, char **argv);
/* The shipped run.  NVFP4_RECORDED, else the installed one, else the source tree's. */
int recorded_path(char **out, struct err *e);
/* The recorded run with the origin said in its notes. */
int recorded_load(struct run *out, struct err *e);
/* The device that a run's numbers are set against: --device, else the run's own card.  ERR_USAGE for another chip than the one that was measured. */
int device_for_run(struct device *d, const char *asked, const struct run *r, struct err *e);
/* --notes, else the folder notes beside the run file where there is one, else NULL; the caller's to free.  ERR_USAGE where --notes is no folder. */
int notes_beside(char **out, const char *asked, const char *run_file, struct err *e);
/* Makes --out's folder; ERR_IO where it cannot be written, which is said before the work and not after it. */
int out_folder_make(const char *folder, struct err *e);
/* Analyses a run, prints it (or its JSON) and, with a folder, writes the report.  first_line may be NULL. */
struct present_options {
  const char *folder, *device, *first_line, *notes;
  unsigned formats; /* enum report_format; 0: all */
  bool json, plots, save_run;
};
int present_run(const struct run *r, const struct present_options *o, struct err *e);
/* EXIT_VARIANTS where a variant failed, was wrong though it should not be, or was not refused though it should be. */
int outcome_of(const struct run *r);

int cmd_profile(const struct command *c, int argc, char **argv, struct err *e);
int cmd_list(const struct command *c, int argc, char **argv, struct err *e);
int cmd_sol(const struct command *c, int argc, char **argv, struct err *e);
int cmd_report(const struct command *c, int argc, char **argv, struct err *e);
int cmd_doctor(const struct command *c, int argc, char **argv, struct err *e);
int cmd_diagnose(const struct command *c, int argc, char **argv, struct err *e);
int cmd_explain(const struct command *c, int argc, char **argv, struct err *e);
int cmd_project(const struct command *c, int argc, char **argv, struct err *e);
int cmd_ceilings(const struct command *c, int argc, char **argv, struct err *e);
int cmd_diff(const struct command *c, int argc, char **argv, struct err *e);
int cmd_history(const struct command *c, int argc, char **argv, struct err *e);
int cmd_export(const struct command *c, int argc, char **argv, struct err *e);
int cmd_help(const struct command *c, int argc, char **argv, struct err *e);
int cmd_attach(const struct command *c, int argc, char **argv, struct err *e);
int cmd_mma(const struct command *c, int argc, char **argv, struct err *e);
int cmd_import(const struct command *c, int argc, char **argv, struct err *e);
int cmd_new(const struct command *c, int argc, char **argv, struct err *e);
int cmd_kit(const struct command *c, int argc, char **argv, struct err *e);
int cmd_tune(const struct command *c, int argc, char **argv, struct err *e);
extern const struct option_row profile_options_table[];
extern const struct option_row list_options_table[];
extern const struct option_row sol_options_table[];
extern const struct option_row report_options_table[];
extern const struct option_row doctor_options_table[];
extern const struct option_row diagnose_options_table[];
extern const struct option_row explain_options_table[];
extern const struct option_row project_options_table[];
extern const struct option_row ceilings_options_table[];
extern const struct option_row diff_options_table[];
extern const struct option_row history_options_table[];
extern const struct option_row export_options_table[];
extern const struct option_row help_options_table[];
extern const struct option_row attach_options_table[];
extern const struct option_row mma_options_table[];
extern const struct option_row import_options_table[];
extern const struct option_row new_options_table[];
extern const struct option_row kit_options_table[];
extern const struct option_row tune_options_table[];

#endif
