/* What a template is filled with (base/template.h): texts by name, and lists of such. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct slot { /* read by base/template.c alone */
  const char *name;
  struct text text;
  struct slots **items;
  size_t n;
  bool list;
  struct slot *next;
};
/* Initialise with {0}; release with slots_release, which releases the items of its lists too. */
struct slots {
  struct slot *first, *last;
  struct slots *outer; /* of an item of a list */
};
void slots_release(struct slots *s); /* leaves *s all zero */

/* Names are borrowed.  A slot that is set again is replaced. */
void slot_text(struct slots *s, const char *name, const char *text); /* copied; NULL: empty */
void slot_printf(struct slots *s, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void slot_flag(struct slots *s, const char *name, bool on); /* a section that is shown or left out */
/* The slot's own text, to add to; empty where it is new. */
struct text *slot_open(struct slots *s, const char *name);
void slot_list(struct slots *s, const char *name);          /* a list without an item as yet */
struct slots *slot_item(struct slots *s, const char *name); /* a further item of the list */
void slot_item_text(struct slots *s, const char *list,
                    const char *text); /* a further item, whose slot "text" is this */

/* The slot of a name of n bytes, of this level alone; NULL: none. */
struct slot *slot_own(const struct slots *s, const char *name, size_t n);
