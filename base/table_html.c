#include "base/table_grid.h"

#include "base/html.h"

#include <string.h>

enum {
  LONG_CELL_BYTES = 40, /* from here on a cell is given the width of a paragraph */
  ROW_HEAD_CHARS = 72   /* a C++ name may be longer: its whole is then the row head's title */
};

static const char *class_of(char style) {
  switch (style) {
  case 'g':
    return " good";
  case 'b':
    return " bad";
  case 'd':
    return " dim";
  case 'B':
    return " strong";
  default:
    return "";
  }
}

/* A unit stands under its column's title, and is read out behind it. */
static void head_add(const struct table *t, struct text *out) {
  text_add(out, "<thead><tr>");
  for (size_t c = 0; c < t->n_columns; c++) {
    const struct column *column = &t->columns[c];
    text_printf(out, "<th scope=\"col\"%s>", column->align == TABLE_RIGHT ? " class=\"num\"" : "");
    html_text(out, column->title);
    if (*column->unit) {
      text_add(out, *column->title ? " <span class=\"unit\">" : "<span class=\"unit\">");
      html_text(out, column->unit);
      text_add(out, "</span>");
    }
    text_add(out, "</th>");
  }
  text_add(out, "</tr></thead>\n");
}

static void row_head_add(const struct cell *cell, struct text *out, table_href_fn *href, const void *context) {
  struct text link = {0};
  char buffer[4 * ROW_HEAD_CHARS];
  const char *shown = str_middle_cut(buffer, sizeof buffer, table_cell_shown(cell), ROW_HEAD_CHARS);
  const char *whole = shown == buffer ? cell->text : NULL;
  if (href)
    href(context, cell->text, &link);
  if (href && !link.n) { /* a short name stands for the whole one, which is its value */
    href(context, cell->value, &link);
    whole = link.n ? cell->value : whole;
  }
  text_add(out, "<th scope=\"row\"");
  if (whole) {
    text_add(out, " title=\"");
    html_text(out, whole);
    text_add(out, "\"");
  }
  text_add(out, ">");
  if (link.n) {
    text_add(out, "<a href=\"");
    html_text(out, text_str(&link));
    text_add(out, "\">");
  }
  html_text(out, shown);
  text_add(out, link.n ? "</a></th>" : "</th>");
  text_end(&link, out);
}

static void cell_open(struct text *out, enum table_align align, const struct cell *cell) {
  const char *kind = align == TABLE_RIGHT ? "num" : strlen(cell->text) > LONG_CELL_BYTES ? "long" : "";
  const char *style = class_of(cell->style);
  if (!*kind && *style)
    style++; /* the blank before it */
  if (*kind || *style)
    text_printf(out, "<td class=\"%s%s\">", kind, style);
  else
    text_add(out, "<td>");
}

static void row_add(const struct table *t, const struct row *r, struct text *out, table_href_fn *href,
                    const void *context) {
  for (size_t c = 0; c < t->n_columns; c++) {
    const struct cell *cell = table_cell_at(t, r, c);
    if (c == 0) {
      row_head_add(cell, out, href, context);
      continue;
    }
    cell_open(out, t->columns[c].align, cell);
    html_text(out, table_cell_shown(cell));
    text_add(out, "</td>");
  }
}

void table_html(const struct table *t, struct text *out, const char *caption, table_href_fn *href,
                const void *context) {
  out->failed |= !table_ok(t);
  if (t->n_columns == 0)
    return;
  /* Browsers let the keyboard into what scrolls; a tabindex would stop it at tables that do not. */
  text_add(out, "<div class=\"scroll\"><table><caption>");
  html_text(out, caption);
  text_add(out, "</caption>\n");
  head_add(t, out);
  text_add(out, "<tbody>\n");
  for (size_t r = 0; r < t->n_rows; r++) {
    text_add(out, r > 0 && t->rows[r].ruled ? "<tr class=\"ruled\">" : "<tr>");
    row_add(t, &t->rows[r], out, href, context);
    text_add(out, "</tr>\n");
  }
  text_add(out, "</tbody></table></div>\n");
}
