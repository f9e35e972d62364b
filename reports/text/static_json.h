/* A static diagnosis as JSON, for a document that holds others. */
#pragma once

#include "analysis/rules/static.h"

#include <jansson.h>

json_t *code_json(const struct static_code *c); /* NULL without memory; the caller owns it */
