/* Launches, summed by kernel and geometry: a row takes all grids that are alike to the first (run/geometry.h). */
#include "profiler/attach/inside/inject.h"
#include "profiler/attach/records/collective.h"

#include "base/mix64.h"
#include "base/name_index.h"
#include "run/geometry.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 * KERNELS_MAX }; /* of the open hash table: never more than a quarter full */
static uint16_t slots[SLOTS];     /* index into injection.kernels, plus 1 */

static uint64_t key_hash(const struct kernel_key *key, uint32_t device) {
  uint64_t hash = hash_bytes(HASH_START, key->name, strlen(key->name));
  hash = hash_bytes(hash, key->block, sizeof key->block);
  hash = hash_bytes(hash, &key->smem_dynamic, sizeof key->smem_dynamic);
  hash = hash_bytes(hash, &key->range, sizeof key->range);
  return hash_bytes(hash, &device, sizeof device);
}

static bool key_same(const struct kernel *k, const struct kernel_key *key, uint32_t device) {
  return k->device == device && k->key.smem_dynamic == key->smem_dynamic && k->key.range == key->range &&
         memcmp(k->key.block, key->block, sizeof key->block) == 0 && grids_alike(k->key.grid, key->grid) &&
         strcmp(k->key.name, key->name) == 0;
}

/* What was asked for last, by the name's address and the exact grid: a name is compared sooner than
 * it is looked up, and each launch asks.  Where code was unloaded another kernel's name may have
 * the address. */
enum { RECENT = 1024 };
static struct recent {
  struct kernel_key key;
  uint32_t device;
  struct kernel *k;
} recents[RECENT];

static bool is_recent(const struct recent *r, const struct kernel_key *key, uint32_t device) {
  return r->k && r->key.name == key->name && r->device == device && r->key.smem_dynamic == key->smem_dynamic &&
         r->key.range == key->range && memcmp(r->key.grid, key->grid, sizeof key->grid) == 0 &&
         memcmp(r->key.block, key->block, sizeof key->block) == 0 && strcmp(r->k->key.name, key->name) == 0;
}

static struct recent *recent_of(const struct kernel_key *key) {
  uint64_t at = (uint64_t)(uintptr_t)key->name >> 3 ^ (uint64_t)key->grid[0] * 31 ^ (uint64_t)key->grid[1] * 131;
  return &recents[at % RECENT];
}

static struct kernel *kernel_find(const struct kernel_key *key, uint32_t device) {
  uint64_t hash = key_hash(key, device);
  size_t at = hash % SLOTS;
  for (; slots[at]; at = (at + 1) % SLOTS) {
    struct kernel *k = &injection.kernels[slots[at] - 1];
    if (k->hash == hash && key_same(k, key, device))
      return k;
  }
  if (injection.n_kernels == KERNELS_MAX)
    return NULL;
  char *name = str_copy(key->name);
  if (!name)
    return NULL;
  struct kernel *k = &injection.kernels[injection.n_kernels++];
  slots[at] = (uint16_t)injection.n_kernels;
  *k = (struct kernel){.key = *key, .hash = hash, .device = device};
  k->key.name = name;
  focus_add(&injection.focus);
  return k;
}

struct kernel *kernel_of(const struct kernel_key *key, uint32_t device) {
  struct recent *recent = recent_of(key);
  if (!is_recent(recent, key, device))
    *recent = (struct recent){*key, device, kernel_find(key, device)};
  struct kernel *k = recent->k;
  uint64_t blocks = blocks_in_grid(key->grid);
  if (k && (blocks < k->blocks_least || k->blocks_most == 0))
    k->blocks_least = blocks;
  if (k && blocks > k->blocks_most)
    k->blocks_most = blocks;
  return k;
}

int kernel_range(const int16_t ranges[NVTX_RANGES]) {
  return injection.by_range ? ranges[0] + 1 : 0;
}

size_t focus_index(const struct kernel *k) {
  return (size_t)(k - injection.kernels);
}

struct focus_kernel *focus_of(const struct kernel *k) {
  return &injection.focus.kernels[focus_index(k)];
}

/* Launches that were counted, or that have not run yet, have no time: they are put at the mean of the others. */
void focus_tell(void) {
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct kernel *k = &injection.kernels[i];
    struct focus_kernel *focus = &injection.focus.kernels[i];
    uint64_t timed = k->launches - k->disturbed;
    focus->mean_s = timed ? 1e-9 * k->total_ns / (double)timed : 0;
    uint64_t launches = k->launches - k->in_graphs;
    focus->total_s = focus->mean_s * (double)(launches > focus->asked ? launches : focus->asked);
    focus->barred = !injection.focus.set.named &&
                    (k->elsewhere || kernel_is_collective(k->key.name) || (k->launches && k->launches == k->in_graphs));
  }
}

/* Which of the kept durations gives way need only be even, and the same in every run. */
static uint64_t random_next(void) {
  static uint64_t state;
  return mix64_next(&state);
}

void kernel_time(struct kernel *k, double ns) {
  stretches_add(&k->stretches, ns);
  if (k->n_samples == k->cap_samples && k->cap_samples < RESERVOIR_MAX) {
    size_t cap = k->cap_samples ? 2 * k->cap_samples : 16;
    double *grown = realloc(k->samples_ns, cap * sizeof *grown);
    if (!grown)
      return;
    k->samples_ns = grown;
    k->cap_samples = cap;
  }
  if (k->n_samples < k->cap_samples) {
    k->samples_ns[k->n_samples++] = ns;
    return;
  }
  uint64_t seen = k->launches - k->disturbed; /* this one included */
  uint64_t at = random_next() % (seen ? seen : 1);
  if (at < RESERVOIR_MAX)
    k->samples_ns[at] = ns;
}
