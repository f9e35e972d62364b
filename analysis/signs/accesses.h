/* What global loads and stores touch of sectors, and what they need. */
#pragma once

#include "analysis/signs/lane_rows.h"
#include "analysis/signs/rule_input.h"

#define ACCESS_SLACK 1.02 /* requests of other widths, in the mean */

/* Global accesses of one direction, by exact counts of their instructions. */
struct accesses {
  double sectors, ideal; /* asked for; the least for their bytes */
  double spare;          /* sectors beyond these that go by no better order: a row of lanes shares each of them */
  double bytes;          /* that lanes move */
};
void accesses_of(struct accesses *loads, struct accesses *stores, const struct rule_input *in);
/* Bytes of the sectors that global loads need at least, by exact counts; where these are absent, the L1's load bytes. */
double load_bytes(const struct rule_input *in);
double accesses_excess(const struct accesses *a);
/* A block whose rows are whole in a warp would touch fewer sectors. */
bool rows_are_spanned(const struct lane_rows *x);
