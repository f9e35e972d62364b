/* doctor: for each need, found or missing, its version, its path, and the remedy. */
#include "base/table.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/recorded.h"
#include "profiler/machine/machine.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"gpu", "INDEX|UUID", "check this GPU (default: the first)"},
    {"for", "USE", "measure (default), compile or report: exit 3 only where this use lacks something"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

static int use_parse(enum machine_use *out, const char *name, struct err *e) {
  static const struct {
    const char *name;
    enum machine_use use;
  } uses[] = {{"measure", MACHINE_MEASURES}, {"compile", MACHINE_COMPILES}, {"report", MACHINE_REPORTS}};
  *out = MACHINE_MEASURES;
  for (size_t i = 0; name && i < sizeof uses / sizeof uses[0]; i++)
    if (strcmp(uses[i].name, name) == 0) {
      *out = uses[i].use;
      return 0;
    }
  return name ? err_set(e, ERR_USAGE, "--for %s: must be measure, compile or report", name) : 0;
}

static int show(const struct machine *m, bool json, struct err *e) {
  static const struct {
    const char *name;
    char style;
  } states[] = {
      [MACHINE_FOUND] = {"found", 'g'}, [MACHINE_LIMITED] = {"limited", 'B'}, [MACHINE_MISSING] = {"missing", 'b'}};
  struct table *t = table_of("need | state | version -2 | where =path -1 | notes and remedy =remedy");
  struct text out = {0};
  for (size_t i = 0; i < m->n; i++) {
    const struct machine_row *r = &m->rows[i];
    table_line(t, "s s", r->need, states[r->state].name);
    table_style(t, states[r->state].style);
    table_cell(t, r->version, NULL);
    table_cell(t, r->where, NULL);
    table_cell(t, r->text, NULL);
  }
  if (json) {
    table_json(t, &out);
    text_add(&out, "\n");
  } else {
    table_term(t, &out, cli_width(), cli_colour());
  }
  table_free(t);
  return cli_print_or_words(&out, json, e);
}

static int doctor_command(const struct args *a, struct err *e) {
  struct machine m = {0};
  struct err why_not = {0};
  enum machine_use use;
  char *recorded = NULL;
  int rc = use_parse(&use, args_get(a, "for"), e);
  if (rc)
    return rc;
  recorded_path(&recorded, &why_not);
  cli_progress("examine", 0, 1, "this machine");
  machine_examine(&m, args_get(a, "gpu"), recorded, why_not.text);
  cli_progress_end();
  rc = show(&m, args_has(a, "json"), e);
  if (!rc)
    rc = machine_lacks(&m, use) ? EXIT_MACHINE : EXIT_DONE;
  machine_release(&m);
  free(recorded);
  return rc;
}

COMMAND_ROW(50, doctor) = {
    .name = "doctor",
    .arguments = "[OPTIONS]",
    .summary = "check what this machine has and lacks, with remedies",
    .needs = "nothing",
    .examples = "doctor\n"
                "doctor --for compile\n"
                "doctor --json\n",
    .options = option_rows,
    .run = doctor_command,
};
