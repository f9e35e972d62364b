#include "reports/text/report.h"

#include "analysis/story/program.h"
#include "reports/text/tables.h"
#include "reports/words/program_text.h"
#include "reports/words/wrap.h"

#include <string.h>

static void add_shape(const struct view *v, struct shape s, struct text *out, int width, bool colour) {
  struct text caption = {0};
  tables_shape_caption(v, s, &caption);
  text_add(out, "\n");
  wrap_add(out, text_str(&caption), width, 4);
  text_release(&caption);
  table_print(tables_shape(v, s, TABLES_TERM), out, width, colour);
}

static bool same_fault(const struct finding *a, const struct finding *b) {
  const char *x = view_fault(a), *y = view_fault(b);
  return a->variant == b->variant && x && y && strcmp(x, y) == 0 &&
         a->result->check.verdict == b->result->check.verdict;
}

/* One line for each variant and reason, with the shapes that share it. */
static void add_faults(const struct view *v, enum view_group group, const char *title, struct text *out, int width) {
  bool titled = false;
  for (size_t i = 0; i < v->n; i++) {
    if ((v->items[i].group == VIEW_WRONG) != (group == VIEW_WRONG))
      continue;
    for (size_t j = 0; j < v->f->n; j++) {
      const struct finding *item = &v->f->items[j];
      struct text line = {0};
      bool told = false;
      if (item->variant != v->items[i].variant || !view_fault(item))
        continue;
      for (size_t k = 0; k < j && !told; k++)
        told = same_fault(&v->f->items[k], item);
      if (told)
        continue;
      text_printf(&line, "- %s: ", item->variant->id);
      view_verdict(item, &line);
      text_printf(&line, " at %s", VIEW_SHAPE(item->result->shape));
      for (size_t k = j + 1; k < v->f->n; k++)
        if (same_fault(&v->f->items[k], item))
          text_printf(&line, ", %s", VIEW_SHAPE(v->f->items[k].result->shape));
      text_printf(&line, ": %s", view_fault(item));
      if (!titled)
        text_printf(out, "\n%s\n", title);
      titled = true;
      wrap_add(out, text_str(&line), width, 4);
      text_end(&line, out);
    }
  }
}

static void add_notes(const struct findings *f, struct text *out, int width) {
  struct text notes = {0};
  struct wrap_list list = {&notes, width, 4};
  view_partial_note(f->run, wrap_item, &list);
  view_notes(f->run, wrap_item, &list);
  view_doubts(f, wrap_item, &list);
  if (list.n)
    text_printf(out, "\nNotes\n%s", text_str(&notes));
  text_end(&notes, out);
}

static void add_program(const struct findings *f, const struct report_term_options *o, struct text *out) {
  struct program_shown s = program_shown_of(f);
  text_add(out, "\n");
  program_term(&s, o->full_names, o->width, o->colour, out);
  program_shown_release(&s);
}

void report_term(const struct findings *f, struct text *out, int width, bool colour) {
  struct text line = {0};
  view_origin(f, &line);
  wrap_add(out, text_str(&line), width, 4);
  text_release(&line);
  report_tables_term(f, &(struct report_term_options){width, colour, true, false}, out);
}

void report_tables_term(const struct findings *f, const struct report_term_options *o, struct text *out) {
  const int width = o->width;
  size_t shown = o->all_shapes || f->n_shapes == 0 ? f->n_shapes : 1;
  struct view v;
  struct text line = {0};
  view_init(&v, f);
  if (program_is(f->run)) {
    add_program(f, o, out);
    shown = f->n_shapes;
  }
  for (size_t i = 0; i < shown && !program_is(f->run); i++)
    add_shape(&v, f->shapes[i], out, width, o->colour);
  if (shown < f->n_shapes)
    text_printf(out, "%zu more shape%s: --all-shapes\n", f->n_shapes - shown, f->n_shapes - shown == 1 ? "" : "s");
  if (f->n_shapes > 1) {
    struct table *t = tables_geomean(&v);
    text_release(&line);
    text_printf(&line, "Geometric mean over the %zu shapes of this run (published figures: over their authors' shapes)",
                f->n_shapes);
    text_add(out, "\n");
    wrap_add(out, text_str(&line), width, 4);
    table_print(t, out, width, o->colour);
  }
  add_faults(&v, VIEW_LADDER, "Without a result", out, width);
  add_faults(&v, VIEW_WRONG, "Rungs that must be refused", out, width);
  add_notes(f, out, width);
  text_release(&line);
  view_release(&v);
}
