/* A static diagnosis, rendered.  Nothing is computed here. */
#pragma once

#include "analysis/rules/static.h"
#include "base/text.h"
#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* Registers and occupancy, the hot loop, bytes in flight, modelled bounds against the speed of light, advice. */
void report_code_term(const struct static_code *c, struct text *out, int width, bool colour);
/* Its advice, numbered; nothing where there is none. */
void report_code_advice(const struct static_code *c, struct text *out);
#define CODE_NOT_SEEN "which of the code runs was not seen"
/* "; from the code alone (which of the code runs was not seen): too many instructions
 * [issue-slots]: fewer instructions per byte ..."; nothing of NULL or where no rule speaks. */
void report_code_first(const struct static_code *c, struct text *out);
/* A row a kernel of a file: registers, occupancy, the hot loop, what is modelled to bind, the first advice; and how to see one in full. */
void report_codes_table(const struct static_code *c, size_t n, const char *file, struct text *out, int width,
                        bool colour);
/* An object with an array of diagnoses, schema "nvfp4-prof/static/1". */
void report_code_json(const struct static_code *c, size_t n, struct text *out);

json_t *code_json(const struct static_code *c); /* NULL without memory; the caller owns it */
