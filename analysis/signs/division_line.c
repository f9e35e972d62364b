#include "analysis/signs/division_line.h"

#include "analysis/model/code_place.h"
#include "analysis/model/python_text.h"
#include "analysis/signs/about.h"
#include "analysis/signs/division.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text --- */

enum sign { SIGN_NONE, SIGN_ASSIGNS, SIGN_DIVIDES };

/* A sign for it outside of a comment that ends the line.  a /= b alone is more often of floats than of integers; so is a / b in Python, where // is of
 * integers. */
static enum sign sign_of(const char *text, bool python) {
  size_t n = text ? strcspn(text, python ? "#\n" : "\n") : 0;
  enum sign found = SIGN_NONE;
  for (size_t i = 0; i < n; i++) {
    char next = i + 1 < n ? text[i + 1] : '\n';
    if (python) {
      size_t sign = text[i] == '%' ? 1 : text[i] == '/' && next == '/' ? 2 : strncmp(text + i, "cdiv(", 5) == 0 ? 5 : 0;
      const char *by = text + i + sign;
      if (sign > 0 && !isdigit((unsigned char)by[strspn(by, " =")])) /* a number of the code: no division is left */
        return SIGN_DIVIDES;
      i += sign > 1 ? sign - 1 : 0;
      continue;
    }
    if (text[i] == '%')
      return SIGN_DIVIDES;
    if (text[i] == '/' && next == '/')
      return found;
    if (text[i] == '/' && next != '*' && next != '=' && (i == 0 || text[i - 1] != '*'))
      return SIGN_DIVIDES;
    found = text[i] == '/' && next == '=' ? SIGN_ASSIGNS : found;
  }
  return found;
}

/* --- lines --- */

/* How a line fits: the best kind that any division has is taken. */
enum fit { NO_LINE, NO_SIGN, ASSIGNS, A_SIGN };

static enum fit fit_of(const struct rule_input *in, size_t i) {
  struct code_place place;
  code_place_of(&place, in->hot->run, &in->sass->kernel->sass[i]);
  if (!place.line)
    return NO_LINE;
  const char *text = source_line(in->hot->run, place.line->source, place.line->line);
  enum sign sign = sign_of(text, source_is_python(in->hot->run, place.line->source));
  return sign == SIGN_DIVIDES ? A_SIGN : sign == SIGN_ASSIGNS ? ASSIGNS : NO_SIGN;
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
    if (sign_of(source_line(in->hot->run, of->source, of->line + i), false) != SIGN_NONE)
      return of->line + i;
  return of->line;
}

/* Triton has a division's instructions on lines far above or below: the nearest of the function that divides.  0: none does. */
static int line_near(const struct rule_input *in, const struct run_line *of) {
  int near = 0;
  for (int way = -1; way <= 1; way += 2)
    for (int at = of->line; at > 0; at += way) {
      const char *text = source_line(in->hot->run, of->source, at);
      bool leaves = !text || (at != of->line && (strncmp(text, "def ", 4) == 0 || *text == '@'));
      if (leaves)
        break;
      if (sign_of(text, true) != SIGN_DIVIDES)
        continue;
      near = near == 0 || abs(at - of->line) < abs(near - of->line) ? at : near;
      break;
    }
  return near;
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
  for (size_t i = 0; i < n && best > NO_LINE; i++)
    marked[i] = fits[i] == best;
  out->at = best > NO_LINE ? about_marked(in, marked, true) : NULL;
  free(marked);
  free(fits);
  if (!out->at)
    return;
  struct code_place place;
  code_place_of(&place, in->hot->run, out->at);
  out->source = place.line->source;
  bool python = source_is_python(in->hot->run, out->source) && source_line(in->hot->run, out->source, place.line->line);
  out->line = python ? line_near(in, place.line) : line_below(in, place.line);
  out->source = out->line > 0 ? out->source : -1;
  if (out->line != place.line->line) /* which no instruction has */
    out->at = NULL;
}
