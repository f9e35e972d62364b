/* A string that grows.  Initialise with {0}; release with text_release.  Appending cannot fail
 * visibly: when memory runs out the text is marked failed, keeps what it had, and text_ok says so
 * once at the end. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
  char *s;    /* NUL-terminated, or NULL while empty */
  size_t n;   /* bytes before the NUL */
  size_t cap; /* bytes allocated */
  bool failed;
};

void text_add(struct text *t, const char *s);
void text_add_n(struct text *t, const char *s, size_t n);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool text_ok(const struct text *t);
const char *text_str(const struct text *t); /* never NULL */
char *text_take(struct text *t);            /* the string, now the caller's; NULL where the text failed */
void text_release(struct text *t);
void text_end(struct text *t, struct text *of); /* releases what `of` was made of: its failure is that one's too */

/* Adds UTF-8 as ASCII, "µs" as "us"; what takes more columns takes them from blanks behind it, so
 * that tables stay as wide. */
void text_ascii(struct text *t, const char *s);

/* Adds s with each line that is wider than `width` columns broken between words, later lines
 * indented by two more than it; a word that is wider than that goes on in the next line.  ESC [ ...
 * m takes no column.  width 0: as it is. */
void text_fit(struct text *t, const char *s, int width);

/* Small string helpers that several rooms need. */
char *str_copy(const char *s);                     /* NULL in, NULL out */
bool str_same(const char *a, const char *b);       /* NULL equals NULL alone */
size_t str_lines(const char *s);                   /* the last needs no newline */
const char *str_line(const char *s, int line);     /* where it begins, from 1; beyond the last: the end */
bool str_ends(const char *s, const char *ending);  /* and has more than that: ".gz" is no name.gz */
char *str_trim(char *s);                           /* in place; returns the first non-blank character */
bool str_glob(const char *pattern, const char *s); /* '*' and '?' only */
char *str_printf(const char *format, ...) __attribute__((format(printf, 1, 2))); /* NULL where memory ran out */
/* The index of the one that is s; n: none is. */
size_t str_index(const char *const *names, size_t n, const char *s);
/* s, or where it has more than `chars` characters its beginning, "…" and its end, in buffer. */
const char *str_middle_cut(char *buffer, size_t size, const char *s, size_t chars);
/* The candidate nearest to s by edit distance, for "did you mean", or NULL where none is near. */
const char *str_nearest(const char *s, const char *const *candidates, size_t n);
/* What a user who typed s most likely meant among n variants: an id near by letters, else the id
 * with the longest beginning in common where that goes beyond the name of a ladder ("cuda-9" is a
 * rung of cuda), else a ladder near by letters; NULL where none is near.  A ladder may be NULL. */
const char *str_nearest_variant(const char *s, const char *const *ids, const char *const *ladders, size_t n);
