#include "base/slots.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void slot_empty(struct slot *x) {
  text_release(&x->text);
  for (size_t i = 0; i < x->n; i++) {
    slots_release(x->items[i]);
    free(x->items[i]);
  }
  free(x->items);
  x->items = NULL;
  x->n = 0;
}

void slots_release(struct slots *s) {
  for (struct slot *x = s->first, *next; x; x = next) {
    next = x->next;
    slot_empty(x);
    free(x);
  }
  *s = (struct slots){0};
}

struct slot *slot_own(const struct slots *s, const char *name, size_t n) {
  for (struct slot *x = s->first; x; x = x->next)
    if (strncmp(x->name, name, n) == 0 && x->name[n] == '\0')
      return x;
  return NULL;
}

static struct slot *slot_make(struct slots *s, const char *name) {
  struct slot *x = slot_own(s, name, strlen(name));
  if (x)
    return x;
  x = calloc(1, sizeof *x);
  x->name = name;
  if (s->last)
    s->last->next = x;
  else
    s->first = x;
  s->last = x;
  return x;
}

struct text *slot_open(struct slots *s, const char *name) {
  return &slot_make(s, name)->text;
}

void slot_text(struct slots *s, const char *name, const char *text) {
  struct slot *x = slot_make(s, name);
  slot_empty(x);
  text_add(&x->text, text ? text : "");
}

void slot_printf(struct slots *s, const char *name, const char *format, ...) {
  char *made = NULL;
  va_list list;
  va_start(list, format);
  int n = vasprintf(&made, format, list);
  va_end(list);
  slot_text(s, name, n < 0 ? NULL : made);
  free(made);
}

void slot_flag(struct slots *s, const char *name, bool on) {
  slot_text(s, name, on ? "1" : "");
}

void slot_list(struct slots *s, const char *name) {
  slot_make(s, name)->list = true;
}

struct slots *slot_item(struct slots *s, const char *name) {
  struct slot *x = slot_make(s, name);
  struct slots *item = calloc(1, sizeof *item), **at = array_add(&x->items, &x->n, sizeof *at);
  x->list = true;
  *at = item;
  item->outer = s;
  slot_flag(item, "first", x->n == 1);
  return item;
}

void slot_item_text(struct slots *s, const char *list, const char *text) {
  slot_text(slot_item(s, list), "text", text);
}
