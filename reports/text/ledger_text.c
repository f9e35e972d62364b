#include "base/table.h"
#include "reports/text/diagnose.h"
#include "reports/words/view.h"

#include <math.h>

static void percent(struct table *t, struct value x) {
  table_format(t, "%+.0f", x.present ? 100 * x.v : NAN);
}

struct table *ledger_scores(const struct ledger *l) {
  struct table *t = table_of("rule | >steps | >fired =spoke | >first -3 | >in three =first_three -2 | "
                             ">rank correlation =rank_correlation -1 | "
                             ">median error [% of time] =median_error_percent | "
                             ">median |error| [% of time] =median_abs_error_percent");
  for (size_t i = 0; i < l->n_scores; i++) {
    const struct ledger_score *s = &l->scores[i];
    if (!s->rule)
      table_rule(t);
    table_line(t, "s z z z z %+.2f", s->rule ? s->rule->name : "all", s->n, s->spoke, s->first, s->three,
               s->correlation.present ? s->correlation.v : NAN);
    percent(t, s->median_error);
    percent(t, s->median_abs_error);
  }
  return t;
}

static struct table *entries_table(const struct ledger *l) {
  struct table *t = table_new();
  table_head(t, "step to =child | shape | rule | >promised [µs] =promised_us -1 | >gained [µs] =gained_us -2 | "
                ">promised [%] =promised_percent | >gained [%] =gained_percent");
  for (size_t i = 0; i < l->n; i++) {
    const struct ledger_entry *x = &l->entries[i];
    table_line(t, "s s s s s %.0f %.0f", x->child->variant->id, VIEW_SHAPE(x->child->result->shape), x->rule->name,
               x->spoke ? VIEW_NUMBER(x->promised_s * 1e6, 3) : "silent", VIEW_NUMBER(x->gained_s * 1e6, 3),
               100 * x->promised, 100 * x->gained);
    table_style(t, x->gained > 0 ? 'g' : 'b');
  }
  return t;
}

void report_ledger_term(const struct ledger *l, struct text *out, int width, bool colour) {
  struct table *entries = entries_table(l), *scores = ledger_scores(l);
  text_add(out, "What each rule promised at a rung, and what the step that applies its remedy gained\n");
  table_term(entries, out, width, colour);
  text_add(out, "\n");
  table_term(scores, out, width, colour);
  text_add(
      out,
      "error: promised minus gained, of the parent's time, where the rule fired; first, in three: the rank of its advice\n");
  for (size_t i = 0; i < l->n_unknown; i++)
    text_printf(out, "cures: %s is not a rule: its steps are left out\n", l->unknown[i]);
  table_free(entries);
  table_free(scores);
}
