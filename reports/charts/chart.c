#include "reports/charts/chart.h"

#include "base/embed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern const struct embedded reports_embedded_charts[];

void chart_release(struct chart *c) {
  text_release(&c->title);
  text_release(&c->hint);
  text_release(&c->gp);
  text_release(&c->dat);
  text_release(&c->svg);
  *c = (struct chart){0};
}

void chart_begin(struct chart *c, const struct view *v, const char *kind, size_t ladder, const char *what) {
  c->kind = kind;
  c->ladder = ladder;
  if (ladder == 0)
    snprintf(c->name, sizeof c->name, "%s", kind);
  else
    snprintf(c->name, sizeof c->name, "%s-%s", kind, v->ladders[ladder]);
  /* A ladder's name comes from a file of others and becomes a file's name here. */
  for (char *p = c->name; *p; p++) {
    if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
      *p = '-';
  }
  text_printf(&c->title, "%s: %s %s on %s", what, view_words(v->f, v->ladders[ladder]).all, v->ladders[ladder],
              v->f->run->device.name ? v->f->run->device.name : "an unnamed device");
}

bool chart_on_ladder(const struct view_item *item, const char *ladder) {
  return item->group == VIEW_LADDER && strcmp(item->ladder, ladder) == 0;
}

void chart_subtitle(const struct view *v, size_t shapes_left_out, struct text *out) {
  view_origin(v->f, out);
  if (shapes_left_out > 0)
    text_printf(out, "; %zu more shapes not drawn", shapes_left_out);
}

static void add_safe(struct text *out, const char *s, char quote, const char *instead) {
  for (; s && *s; s++) {
    if (*s == quote)
      text_add(out, instead);
    else if (*s == '`')
      text_add(out, quote == '\'' ? "''" : "'");
    else if ((unsigned char)*s >= 0x20)
      text_add_n(out, s, 1);
    else
      text_add(out, " ");
  }
}

void chart_quote(struct text *out, const char *s) {
  text_add(out, "'");
  add_safe(out, s, '\'', "''");
  text_add(out, "'");
}

void chart_data_quote(struct text *out, const char *s) {
  text_add(out, "\"");
  add_safe(out, s, '"', "'");
  text_add(out, "\"");
}

void chart_shorten(char buffer[VIEW_LABEL_MAX], const char *s, size_t chars) {
  size_t n = 0, seen = 0, cut = 0;

  for (; s[n]; n++) {
    if (((unsigned char)s[n] & 0xC0) == 0x80)
      continue;
    if (++seen == chars)
      cut = n; /* the last character that fits; it gives way to "…" where more follow */
  }
  if (seen > chars)
    snprintf(buffer, VIEW_LABEL_MAX, "%.*s…", (int)cut, s);
  else
    snprintf(buffer, VIEW_LABEL_MAX, "%s", s);
}

static const char *template_of(const char *name) {
  char path[CHART_NAME_MAX];

  snprintf(path, sizeof path, "plots/%s", name);
  for (const struct embedded *e = reports_embedded_charts; e->name; e++) {
    if (strcmp(e->name, path) == 0)
      return e->data;
  }
  return "";
}

static void fill(struct text *out, const char *s, const struct chart_slot *slots, size_t n) {
  static const char rows[] = "@ROWS@";

  while (*s) {
    size_t plain = strcspn(s, "@"), i = 0, length = 0;

    text_add_n(out, s, plain);
    s += plain;
    if (strncmp(s, rows, sizeof rows - 1) == 0) {
      fill(out, template_of("rows.gp"), slots, n);
      s += sizeof rows - 1;
      continue;
    }
    if (!*s)
      break;
    for (; i < n; i++) {
      length = strlen(slots[i].name);
      if (strncmp(s + 1, slots[i].name, length) == 0 && s[1 + length] == '@')
        break;
    }
    text_add(out, i < n ? text_str(&slots[i].text) : "@");
    s += i < n ? length + 2 : 1;
  }
}

void chart_fill(struct text *out, const char *name, struct chart_slot *slots, size_t n) {
  fill(out, template_of(name), slots, n);
  for (size_t i = 0; i < n; i++) {
    out->failed |= !text_ok(&slots[i].text);
    text_release(&slots[i].text);
  }
}

void chart_spread(double *positions, size_t n, double gap, double low, double high) {
  double excess;

  if (n == 0)
    return;
  if ((double)(n - 1) * gap > high - low)
    gap = n > 1 ? (high - low) / (double)(n - 1) : 0;
  /* Half of every overlap is taken from each of the two; a few rounds settle, and two sweeps make the bounds hold. */
  for (int round = 0; round < 200; round++) {
    excess = 0;
    for (size_t i = 1; i < n; i++) {
      double overlap = gap - (positions[i] - positions[i - 1]);

      if (overlap <= 0)
        continue;
      positions[i - 1] -= overlap / 2;
      positions[i] += overlap / 2;
      excess += overlap;
    }
    if (excess < 0.1)
      break;
  }
  for (size_t i = 0; i < n; i++) {
    double least = i ? positions[i - 1] + gap : low;

    if (positions[i] < least)
      positions[i] = least;
  }
  for (size_t i = n; i-- > 0;) {
    double most = i + 1 < n ? positions[i + 1] - gap : high;

    if (positions[i] > most)
      positions[i] = most;
  }
}
