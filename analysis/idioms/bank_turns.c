#include "analysis/idioms/bank_turns.h"

#include "base/warp.h"

/* All banks have 2^7 bytes; places stand behind a base, which is a multiple of these. */
enum { BANKS = 32, BANK_BYTES = 4, BANKS_BITS = 7, BASE = 1 << 30 };

struct placed {
  int lane;
  long word;
};

/* May: steps that wrap can bring both to one word.  Within a row and within a column each step stands alone. */
static bool same_word(const struct bank_lanes *x, const struct placed *a, const struct placed *b, bool may) {
  bool beside = a->lane % x->width != b->lane % x->width, below = a->lane / x->width != b->lane / x->width;
  int of_x = beside ? x->x_wraps : 0, of_y = below ? x->y_wraps : 0;
  int wraps = of_x && of_y ? (of_x < of_y ? of_x : of_y) : of_x + of_y;
  long apart = a->word - b->word;
  return may && wraps > 0 ? apart % ((1L << wraps) / BANK_BYTES) == 0 : apart == 0;
}

/* Lanes of 8 and 16 bytes are served by halves and quarters of the warp. */
static int turns_of(const struct bank_lanes *x, bool may) {
  int words = x->bytes > BANK_BYTES ? x->bytes / BANK_BYTES : 1, lanes = WARP_LANES / words, most = 1;
  struct placed seen[BANKS][WARP_LANES];
  int n[BANKS] = {0};
  for (int i = 0; i < lanes * words; i++) {
    int lane = i / words, k = 0;
    long place = BASE + lane % x->width * x->x + lane / x->width * x->y;
    struct placed now = {lane, place / BANK_BYTES + i % words};
    int bank = (int)(now.word % BANKS);
    while (k < n[bank] && !same_word(x, &seen[bank][k], &now, may))
      k++;
    if (k == n[bank])
      seen[bank][n[bank]++] = now;
    most = n[bank] > most ? n[bank] : most;
  }
  return most;
}

static bool tells_banks(int wraps) {
  return wraps == 0 || wraps >= BANKS_BITS;
}

int bank_turns(const struct bank_lanes *x) {
  int apart = turns_of(x, false);
  return tells_banks(x->x_wraps) && tells_banks(x->y_wraps) && turns_of(x, true) == apart ? apart : 0;
}

bool bank_meets_by_rows(const struct bank_lanes *x) {
  struct bank_lanes alone = *x;
  alone.y = 0;
  return x->y != 0 && turns_of(&alone, false) == 1;
}

int bank_pad(const struct bank_lanes *x) {
  int words = x->bytes > BANK_BYTES ? x->bytes : BANK_BYTES;
  for (int pad = words; pad < BANKS * BANK_BYTES; pad += words) {
    struct bank_lanes padded = *x;
    long *step = bank_meets_by_rows(x) ? &padded.y : &padded.x;
    *step += *step < 0 ? -pad : pad;
    if (turns_of(&padded, false) == 1)
      return pad;
  }
  return 0;
}
