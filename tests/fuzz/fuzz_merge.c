/* Run files as the ranks of a program, whatever they hold: merged, spread and mapped.  A merged run is read as one. */
#include "analysis/story/ranks.h"
#include "fuzz/fuzz.h"
#include "run/run_merge.h"
#include "run/verify.h"

static void ranks_seen(const struct run *r) {
  struct ranks ranks;
  struct ranks_map map;
  ranks_make(&ranks, r);
  ranks_map_make(&map, &ranks);
  ranks_map_release(&map);
  ranks_release(&ranks);
}

/* The same file as three ranks, of which the last is a second process of the second. */
static int load(struct run *r, const char *text, size_t n, int file) {
  struct err e = {0};
  int rc = fuzz_checked(run_load_text(r, "fuzz.json", text, n, &e), &e);
  if (rc == 0 && file > 0 && r->process.rank < 1000)
    r->process.rank++;
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static const char *const files[] = {"0", "1", "2"};
  char *text = fuzz_text(data, n);
  struct run_merging *m = run_merging_new();
  struct run r = {0}, out = {0};
  struct err e = {0};
  int rc = load(&r, text, n, 0);
  if (rc)
    goto out;
  ranks_seen(&r);
  for (int i = 0; i < 3; i++) {
    run_release(&r);
    fuzz_require(load(&r, text, n, i) == 0);
    if (fuzz_checked(run_merging_add(m, &r, files[i], &e), &e))
      goto out;
  }
  if (fuzz_checked(run_merging_match(m, &e), &e))
    goto out;
  for (const char *file; (file = run_merging_next(m));) {
    run_release(&r);
    fuzz_require(load(&r, text, n, file[0] - '0') == 0);
    fuzz_require(run_merging_take(m, &r, &e) == 0);
  }
  run_merging_end(m, &out);
  fuzz_checked(run_verify(&out, &e), &e); /* a name of the file's own may be one that a number was added to */
  ranks_seen(&out);
out:
  run_merging_free(m);
  run_release(&out);
  run_release(&r);
  free(text);
  return 0;
}
