/* What all JSON of ours has in common. */
#pragma once

#include "analysis/model/findings.h"
#include "analysis/rules/evidence.h"
#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>

json_t *text_json(const char *s); /* null for NULL */
/* Null where it is absent: NaN never reaches a file. */
json_t *real_json(bool present, double x);
json_t *number_json(struct value x);
/* {"value": 0.93}, or {"value": null, "reason": "no counters: ..."}. */
json_t *value_json(struct value x);
/* o.key; where it is absent null, and o.key_reason. */
void value_set(json_t *o, const char *key, struct value x);
/* "7168x16384x1"; null: no problem is declared. */
json_t *declared_shape_json(struct shape s);
/* Members by their names and kinds, "name:s runs:I", a value for each: s a string (NULL: null), b a
 * truth, I json_int_t, f double (null where not finite), v struct value (null where absent), V as
 * value_set has it, o json_t *, which is given up. */
void members_set(json_t *o, const char *members, ...);
json_t *json_of(const char *members, ...); /* an object of these */
/* An object a row: title, unit, value. */
json_t *evidence_json(const struct evidence *x, size_t n);
/* Adds root with a newline, and gives it up.  NULL, or memory ran out: out is marked as failed. */
void put_json(json_t *root, struct text *out);
/* A string member, null where the text is empty; the text is released. */
void text_set(json_t *o, const char *key, struct text *t);
