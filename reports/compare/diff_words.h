/* Wording that the reports of a comparison share.  Private to the room. */
#pragma once

#include "reports/compare/diff_text.h"
#include "reports/words/view.h"

enum { WORDS_NAME_CHARS = 240, WORDS_VARIANT_MAX = 4 * WORDS_NAME_CHARS + 8 };

/* "cuda-1-old → cuda-1-new" where it was renamed; the middle of very long names is cut out. */
const char *words_variant(char buffer[WORDS_VARIANT_MAX], const char *id_a, const char *id_b);
/* "+5.02 %" for 1.0502 */
const char *words_change(char buffer[VIEW_NUMBER_MAX], double ratio);
#define WORDS_CHANGE(ratio)                                                                                            \
  words_change((char[VIEW_NUMBER_MAX]){0}, ratio) /* lasts as long as the block that it stands in */
/* "A: main.json: measured on ..., git 0123"; without a newline. */
void words_side(const char *name, struct diff_side s, const char *files, struct text *out);
/* How noisy the runs are, and from what that is known; a sentence or two. */
void words_noise(const struct diff *d, struct text *out);
/* "1 slower, 2 faster, 230 same" in the order of what matters. */
void words_counts(const struct diff *d, struct text *out);
void words_static_counts(const struct static_diff *d, struct text *out);
/* The terminal's lines as Markdown: all text is escaped, and "- " begins an item.  Empties lines. */
void words_markdown(struct text *out, struct text *lines);
