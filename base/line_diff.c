#include "base/line_diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct line_span {
  const char *text;
  size_t n;
};

struct side {
  struct line_span *lines;
  size_t n;
};

/* A newline ends a line; text behind the last one is a line too. */
static void side_split(struct side *out, const char *text) {
  size_t lines = 1;
  for (const char *p = text; *p; p++)
    lines += *p == '\n';
  *out = (struct side){.lines = calloc(lines, sizeof *out->lines)};
  while (*text) {
    size_t n = strcspn(text, "\n");
    out->lines[out->n++] = (struct line_span){text, n};
    text += n + (text[n] == '\n');
  }
}

static bool span_equal(const struct line_span *a, const struct line_span *b) {
  return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static void put(struct line_diff *d, enum line_kind kind, const struct line_span *line) {
  d->lines[d->n++] = (struct line_diff_line){kind, line->text, line->n};
  d->removed += kind == LINE_REMOVED;
  d->added += kind == LINE_ADDED;
}

struct middle { /* what is left of both texts without their common head and tail */
  const struct side *before, *after;
  size_t from_before, to_before, from_after, to_after;
};

static void put_all(struct line_diff *d, const struct middle *m) {
  for (size_t i = m->from_before; i < m->to_before; i++)
    put(d, LINE_REMOVED, &m->before->lines[i]);
  for (size_t k = m->from_after; k < m->to_after; k++)
    put(d, LINE_ADDED, &m->after->lines[k]);
}

/* longest[i][k]: of the lines from the i-th and the k-th on. */
static void put_common(struct line_diff *d, const struct middle *m) {
  size_t rows = m->to_before - m->from_before, columns = m->to_after - m->from_after, width = columns + 1;
  uint16_t *longest = calloc((rows + 1) * width, sizeof *longest);
  size_t i, k;
  for (i = rows; i-- > 0;) {
    for (k = columns; k-- > 0;) {
      uint16_t down = longest[(i + 1) * width + k], right = longest[i * width + k + 1];
      if (span_equal(&m->before->lines[m->from_before + i], &m->after->lines[m->from_after + k]))
        longest[i * width + k] = (uint16_t)(longest[(i + 1) * width + k + 1] + 1);
      else
        longest[i * width + k] = down > right ? down : right;
    }
  }
  for (i = 0, k = 0; i < rows || k < columns;) {
    const struct line_span *x = &m->before->lines[m->from_before + i], *y = &m->after->lines[m->from_after + k];
    if (i < rows && k < columns && span_equal(x, y)) {
      put(d, LINE_SAME, x);
      i++, k++;
    } else if (k == columns || (i < rows && longest[(i + 1) * width + k] >= longest[i * width + k + 1])) {
      put(d, LINE_REMOVED, x);
      i++;
    } else {
      put(d, LINE_ADDED, y);
      k++;
    }
  }
  free(longest);
}

static void put_lines(struct line_diff *d, const struct side *before, const struct side *after) {
  struct middle m = {before, after, 0, before->n, 0, after->n};
  while (m.from_before < m.to_before && m.from_after < m.to_after &&
         span_equal(&before->lines[m.from_before], &after->lines[m.from_after])) {
    put(d, LINE_SAME, &before->lines[m.from_before]);
    m.from_before++, m.from_after++;
  }
  while (m.to_before > m.from_before && m.to_after > m.from_after &&
         span_equal(&before->lines[m.to_before - 1], &after->lines[m.to_after - 1]))
    m.to_before--, m.to_after--;
  if (m.to_before - m.from_before > LINE_DIFF_MAX || m.to_after - m.from_after > LINE_DIFF_MAX)
    put_all(d, &m);
  else
    put_common(d, &m);
  for (size_t i = m.to_before; i < before->n; i++)
    put(d, LINE_SAME, &before->lines[i]);
}

void line_diff_make(struct line_diff *out, const char *before, const char *after) {
  struct side a, b;
  side_split(&a, before);
  side_split(&b, after);
  *out = (struct line_diff){.lines = calloc(a.n + b.n + 1, sizeof *out->lines)};
  put_lines(out, &a, &b);
  free(a.lines);
  free(b.lines);
}

void line_diff_release(struct line_diff *d) {
  free(d->lines);
  *d = (struct line_diff){0};
}
