#include "analysis/signs/division_line.h"

#include "analysis/model/code_place.h"
#include "analysis/signs/about.h"
#include "analysis/signs/division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text --- */

enum sign { SIGN_NONE, SIGN_ASSIGNS, SIGN_DIVIDES };

/* A sign for it outside of a comment that ends the line.  a /= b alone is more often of floats than of integers. */
static enum sign sign_of(const char *text) {
  size_t n = text ? strcspn(text, "\n") : 0;
  enum sign found = SIGN_NONE;
  for (size_t i = 0; i < n; i++) {
    char next = i + 1 < n ? text[i + 1] : '\n';
    if (text[i] == '/' && next == '/')
      return found;
    if (text[i] == '%' || (text[i] == '/' && next != '*' && next != '=' && (i == 0 || text[i - 1] != '*')))
      return SIGN_DIVIDES;
    found = text[i] == '/' && next == '=' ? SIGN_ASSIGNS : found;
  }
  return found;
}

static bool is_brace(const char *text) {
  size_t n = text ? strcspn(text, "\n") : 0, braces = 0;
  for (size_t i = 0; i < n; i++) {
    if (!strchr(" \t\r{};", text[i]))
      return false;
    braces += text[i] == '}' || text[i] == '{';
  }
  return braces > 0;
}

/* --- lines --- */

/* How a line fits: the best kind that any division has is taken. */
enum fit { NO_LINE, A_BRACE, NO_SIGN, ASSIGNS, A_SIGN };

static enum fit fit_of(const struct rule_input *in, size_t i) {
  struct code_place place;
  code_place_of(&place, in->hot->run, &in->sass->kernel->sass[i]);
  if (!place.line)
    return NO_LINE;
  const char *text = source_line(in->hot->run, place.line->source, place.line->line);
  enum sign sign = sign_of(text);
  return sign == SIGN_DIVIDES ? A_SIGN : sign == SIGN_ASSIGNS ? ASSIGNS : is_brace(text) ? A_BRACE : NO_SIGN;
}

static bool is_division(const struct rule_input *in, size_t i) {
  const struct sass_inst *x = &in->sass->insts[i];
  return (strcmp(x->opcode, "I2F") == 0 && sass_modifier(x, "RP")) || divides_high(in->sass, i) ||
         (x->calls && (strstr(x->text, "_div_s64") || strstr(x->text, "_div_u64") || strstr(x->text, "_rem_s64") ||
                       strstr(x->text, "_rem_u64")));
}

/* The next line below with a sign, no further than a screen's part. */
static int line_below(const struct rule_input *in, const struct run_line *of) {
  enum { BELOW_MOST = 8 };
  for (int i = 0; i <= BELOW_MOST; i++)
    if (sign_of(source_line(in->hot->run, of->source, of->line + i)) != SIGN_NONE)
      return of->line + i;
  return of->line;
}

void division_line_of(struct division_line *out, const struct rule_input *in) {
  size_t n = in->sass ? in->sass->n : 0;
  bool *marked = calloc(n + 1, sizeof *marked);
  enum fit *fits = calloc(n + 1, sizeof *fits), best = NO_LINE;
  *out = (struct division_line){.source = -1};
  for (size_t i = 0; i < n && rule_kernel(in); i++) {
    bool runs = !in->sass->counted || in->sass->executed[i] > 0;
    fits[i] = runs && is_division(in, i) ? fit_of(in, i) : NO_LINE;
    best = fits[i] > best ? fits[i] : best;
  }
  for (size_t i = 0; i < n && best > A_BRACE; i++)
    marked[i] = fits[i] == best;
  out->at = best > A_BRACE ? about_marked(in, marked, true) : NULL;
  free(marked);
  free(fits);
  if (!out->at)
    return;
  struct code_place place;
  code_place_of(&place, in->hot->run, out->at);
  out->source = place.line->source;
  out->line = line_below(in, place.line);
  if (out->line != place.line->line) /* which no instruction has */
    out->at = NULL;
}
