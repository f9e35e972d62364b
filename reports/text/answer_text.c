#include "reports/text/answer_text.h"

#include "base/table.h"
#include "reports/text/answer_lines.h"
#include "reports/words/view.h"
#include "reports/words/wrap.h"

#include <string.h>

enum { LINE = 80, LABEL = 10, NOTES_MAX = 8 };

static int prose_width(const struct report_answer_options *o) {
  return o->width > 0 && o->width < LINE ? o->width : LINE;
}

struct lines { /* of the terminal */
  const struct report_answer_options *o;
  struct text *out;
};

static void line_add(void *context, const char *label, const char *line) {
  const struct lines *to = context;
  struct text whole = {0};
  text_printf(&whole, "%s%*s%s", label, LABEL - (int)strlen(label), "", line);
  if (strcmp(label, "next") == 0) /* a command is to be copied whole */
    text_printf(to->out, "%s\n", text_str(&whole));
  else
    wrap_add(to->out, text_str(&whole), prose_width(to->o), LABEL);
  text_end(&whole, to->out);
}

void report_answer_origin(const struct run *r, struct text *out, int width) {
  struct text line = {0};
  view_origin(&(struct findings){.run = r}, &line);
  wrap_add(out, text_str(&line), width > 0 && width < LINE ? width : LINE, 4);
  text_end(&line, out);
}

/* --- rows --- */

static void add_program(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  struct program_shown s = answer_program(a);
  program_term(&s, o->full_names, o->width, o->colour, out);
  program_shown_release(&s);
}

static void add_rows(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  if (a->program && !a->only) {
    add_program(a, o, out);
    return;
  }
  table_print(answer_rows(a), out, o->width, o->colour);
}

static void add_caption(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  struct text line = {0};
  answer_caption(a, &line);
  text_add(out, "\n");
  wrap_add(out, text_str(&line), prose_width(o), 4);
  text_end(&line, out);
}

/* --- what must not be missed --- */

static void add_troubles(const struct answer *a, struct wrap_list *notes) {
  for (size_t i = 0; i < a->n_troubles && i < ANSWER_TROUBLES; i++) {
    const struct answer_trouble *u = &a->troubles[i];
    const char *fault = view_fault(u->finding);
    struct text line = {0};
    if (!fault) /* a control that is not checked */
      continue;
    text_printf(&line, "%s: ", u->finding->variant->id);
    view_verdict(u->finding, &line);
    text_printf(&line, " at %zu shape%s: %s", u->shapes, u->shapes == 1 ? "" : "s", fault);
    wrap_item(notes, text_str(&line));
    text_release(&line);
  }
  if (a->n_troubles > ANSWER_TROUBLES) {
    struct text line = {0};
    text_printf(&line, "%zu more variants with a note of their own", a->n_troubles - ANSWER_TROUBLES);
    wrap_item(notes, text_str(&line));
    text_release(&line);
  }
}

static void add_notes(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct run *r = a->findings->run;
  struct text notes = {0};
  struct wrap_list list = {&notes, prose_width(o), 2, .most = NOTES_MAX};
  view_partial_note(r, wrap_item, &list);
  add_troubles(a, &list);
  view_doubts(a->findings, wrap_item, &list);
  view_notes(r, wrap_item, &list);
  if (list.n)
    text_printf(out, "\nNotes\n%s", text_str(&notes));
  if (list.n > NOTES_MAX)
    text_printf(out, "- %zu more: --table shows them\n", list.n - NOTES_MAX);
  text_end(&notes, out);
}

void report_answer_term(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  struct lines to = {o, out};
  if (!o->quiet) {
    add_caption(a, o, out);
    if (a->n_rows)
      add_rows(a, o, out);
    if (a->n_more)
      text_printf(out, "%zu more: --table\n", a->n_more);
    text_add(out, "\n");
  }
  answer_lines(a, o->run_file, !o->quiet, line_add, &to);
  if (!a->best)
    text_add(out, "No variant has a time at every shape.\n");
  if (!o->quiet)
    add_notes(a, o, out);
}
