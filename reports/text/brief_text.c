#include "reports/text/diagnose.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"

#include "analysis/ladder/climb.h"
#include "analysis/model/code_place.h"
#include "analysis/story/of_launch.h"
#include "analysis/story/program.h"
#include "reports/text/static_text.h"
#include "reports/words/place_text.h"
#include "reports/words/program_text.h"
#include "reports/words/put_json.h"
#include "reports/words/view.h"

#include <math.h>
#include <string.h>

enum { EVIDENCE_SHOWN = 3, ROOM_FOR_REST = 64 }; /* bytes for what was left out */

static const struct advice *first_of(const struct report_diagnosis *d) {
  const struct diagnosis *x = d->diagnosis;
  return x->n ? &x->items[0] : NULL;
}

/* Of a program's GPU time; where calls were not counted, of all kernels' time at one launch each.  Kernels that do the same work have none. */
static struct value share_of(const struct report_diagnosis *d) {
  const struct findings *f = d->findings;
  struct program_kernel k;
  double all = 0;
  if (program_kernel_of(d->finding->variant, &k))
    return k.share;
  if (headline_of_rivals(f))
    return value_absent("the kernels do the same work");
  for (size_t i = 0; i < f->n; i++)
    all += f->items[i].timed ? f->items[i].time.middle : 0;
  return d->finding->timed && all > 0 ? value_of(d->finding->time.middle / all) : value_absent("no time");
}

static void evidence_words(const struct advice *a, struct text *out) {
  if (a)
    report_evidences(a->told.evidence, a->told.n_evidence < EVIDENCE_SHOWN ? a->told.n_evidence : EVIDENCE_SHOWN, out);
}

/* The line that the remedy is about, else the hottest. */
struct brief_place {
  struct run_line line;
  const struct run_instruction *at; /* with what was inlined; NULL: not known */
  bool of_remedy;
};

/* False where the remedy has no line and none has samples enough. */
static bool place_of(struct brief_place *out, const struct report_diagnosis *d) {
  const struct hot *h = &d->diagnosis->hot;
  const struct advice *a = first_of(d);
  const struct hot_line *l = hot_first_line(h);
  const struct hot_inst *x = l ? hot_line_inst(h, l) : NULL;
  struct code_place place = {0};
  if (a && a->told.at)
    code_place_of(&place, h->run, a->told.at);
  if (place.line) {
    *out = (struct brief_place){*place.line, a->told.at, true};
    return true;
  }
  if (l)
    *out = (struct brief_place){{l->source, l->line}, x ? hot_shown(&h->kernels[x->kernel], x->at) : NULL, false};
  return l != NULL;
}

static bool changes_launch(const struct report_diagnosis *d) {
  const struct advice *a = first_of(d);
  return a && advice_of_launch(a, d->finding, d->findings->device);
}

static void add_place(const struct report_diagnosis *d, struct text *out) {
  const struct run *r = d->findings->run;
  struct brief_place p;
  if (changes_launch(d)) {
    text_add(out, "  launch: ");
    launch_words(d->finding, out);
    text_add(out, "\n");
    return;
  }
  if (!place_of(&p, d))
    return;
  text_add(out, p.line.source < 0
                    ? p.of_remedy ? "  " : "  most time, whatever the cause: " /* "line 45 of a file ..." */
                : p.of_remedy ? "  line: "
                              : "  hottest line (most time, whatever the cause): ");
  report_line_in_full(r, &p.line, p.at, true, out);
  text_add(out, "\n");
}

/* The causes whose remedies save as much as the first's, as far as the model tells: nine of ten of its times are within 10 % (docs/model.md). */
static void add_equals(const struct diagnosis *x, struct text *out) {
  static const double told_apart = 0.1;
  size_t n = 0;
  for (size_t i = 1; i < x->n && x->items[0].price.saves_s > 0; i++) {
    const struct advice *a = &x->items[i];
    if (a->told.unpriced || a->behind || a->price.saves_s < (1 - told_apart) * x->items[0].price.saves_s)
      continue;
    text_printf(out, "%s%s [%s]", n++ ? "; " : "  may save as much: ", a->rule->title, a->rule->name);
  }
  text_add(out, n ? "\n" : "");
}

/* What following all advice may save, where that is more than the first's as far as it is told: a tenth of the time. */
static void add_together(const struct report_diagnosis *d, struct text *out) {
  static const double told_apart = 0.1, rounded = 1.05;
  const struct diagnosis *x = d->diagnosis;
  double sum_s = 0, whole_s = d->finding->time.middle; /* as of each alone */
  for (size_t i = 0; i < x->n; i++)
    sum_s += x->items[i].price.saves_s;
  if (x->n > 1 && !x->items[0].told.stop && whole_s > 0 &&
      x->together_s > x->items[0].price.saves_s + told_apart * whole_s)
    text_printf(out, "  all %zu remedies of `diagnose` may save about %.0f %% of the time%s\n", x->n,
                100 * fmin(x->together_s / whole_s, 1),
                x->together_s > rounded * sum_s ? ": each alone leaves what the others shorten" : "");
  if (x->at_best_s > 0 && whole_s > 0 && !x->items[0].told.stop)
    text_printf(out, "  tiles as large as fit may save up to %.0f %% of the time\n",
                100 * fmin(x->at_best_s / whole_s, 1));
}

static void add_one(const struct report_diagnosis *d, struct text *out) {
  const struct finding *f = d->finding;
  const struct advice *a = first_of(d);
  struct value share = share_of(d);
  struct program_kernel k;
  text_add(out, VIEW_NAME(f->variant));
  view_at(f->result->shape, out);
  text_add(out, ": ");
  report_time(f, out);
  if (share.present)
    text_printf(out, ", %.*f %% of %s", share.v < 0.1, 100 * share.v,
                program_kernel_of(f->variant, &k) ? "the GPU time" : "all kernels' time");
  if (f->bounds.binding != BOUND_KINDS && !bound_of_unlike(f, d->diagnosis->n)) {
    struct bound_told told;
    bound_told_of(&told, f);
    text_add(out, "; bound: ");
    bound_brief(&told, out);
  }
  text_add(out, "\n  ");
  if (process_replayed(f->variant, out))
    text_add(out, "\n  ");
  if (bound_far(d->findings->run, f, out))
    text_add(out, "\n  ");
  if (!a) {
    text_add(out, report_no_advice(d->diagnosis->reason));
    report_code_first(d->diagnosis->code, out);
    text_add(out, "\n");
    if (!d->diagnosis->code || d->diagnosis->code->n_advice == 0)
      add_place(d, out);
    return;
  }
  text_printf(out, "%s [%s]: ", a->rule->title, a->rule->name);
  report_saving(a, f, out);
  text_add(out, a->told.n_evidence ? "; " : "");
  evidence_words(a, out);
  text_printf(out, "\n  remedy: %s\n", a->told.remedy);
  add_equals(d->diagnosis, out);
  add_together(d, out);
  add_place(d, out);
}

/* Once: one run counts all of them. */
static void add_next(const struct report_diagnosis *d, size_t n, struct text *out) {
  struct text command = {0};
  bool told = false;
  for (size_t i = 0; i < n && !told; i++)
    told = program_again_for(d[i].findings, d[i].finding, &command);
  if (told && out->n + command.n + ROOM_FOR_REST + ROOM_FOR_REST <= BRIEF_BYTES)
    text_printf(out, "next: %s\n", text_str(&command));
  text_release(&command);
}

void report_brief_term(const struct report_diagnosis *d, size_t n, struct text *out) {
  size_t shown = 0;
  if (n) {
    view_origin(d[0].findings, out);
    text_add(out, "\n");
    process_cautions(d[0].findings->run, out);
  }
  for (; shown < n; shown++) {
    struct text one = {0};
    add_one(&d[shown], &one);
    bool fits = out->n + one.n + ROOM_FOR_REST <= BRIEF_BYTES;
    if (fits)
      text_add(out, text_str(&one));
    text_end(&one, out);
    if (!fits)
      break;
  }
  add_next(d, shown, out);
  if (shown < n)
    text_printf(out, "left out for room: %zu\n", n - shown);
}

static json_t *one_json(const struct report_diagnosis *d) {
  const struct finding *f = d->finding;
  const struct advice *a = first_of(d);
  const struct bounds *b = &f->bounds;
  bool bound = b->binding != BOUND_KINDS;
  struct text evidence = {0}, place = {0};
  json_t *o = json_object();
  members_set(o, "kernel:s shape:o time_s:o share:v bound:o bound_share:o cause:s", f->variant->id,
              declared_shape_json(f->result->shape), real_json(f->timed, f->time.middle), share_of(d),
              bound ? json_string(bound_name(b->binding)) : json_null(), real_json(b->share.present, b->share.v),
              a ? a->rule->name : NULL);
  evidence_words(a, &evidence);
  text_set(o, "evidence", &evidence);
  struct brief_place at;
  bool launch = changes_launch(d), placed = !launch && place_of(&at, d);
  if (launch)
    launch_words(f, &place);
  else if (placed)
    report_line_of(d->findings->run, &at.line, at.at, true, &place);
  text_set(o, "line", &place);
  members_set(o, "line_of:s", launch ? "launch" : !placed ? NULL : at.of_remedy ? "remedy" : "samples");
  members_set(o, "remedy:s saves_s:o saves_low_s:o saves_high_s:o together_s:o reason:s", a ? a->told.remedy : NULL,
              real_json(a, a ? a->price.saves_s : 0), real_json(a, a ? a->price.low_s : 0),
              real_json(a, a ? a->price.high_s : 0), real_json(a, d->diagnosis->together_s), d->diagnosis->reason);
  return o;
}

static size_t json_bytes(const json_t *o) {
  return json_dumpb(o, NULL, 0, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
}

void report_brief_json(const struct report_diagnosis *d, size_t n, struct text *out) {
  json_t *root = json_object(), *kernels = json_array();
  size_t shown = 0;
  members_set(root, "schema:s origin:s device:s", "nvfp4-prof/brief/1",
              n ? run_origin_name(d[0].findings->run->origin) : "", n ? d[0].findings->run->device.name : NULL);
  json_object_set(root, "kernels", kernels);
  for (; shown < n; shown++) {
    json_array_append_new(kernels, one_json(&d[shown]));
    if (json_bytes(root) + ROOM_FOR_REST > BRIEF_BYTES) {
      json_array_remove(kernels, shown);
      break;
    }
  }
  json_decref(kernels);
  json_object_set_new(root, "left_out", json_integer((json_int_t)(n - shown)));
  put_json(root, out);
}
