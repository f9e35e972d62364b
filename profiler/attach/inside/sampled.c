/* Where the samples fell: a table of bounded size, by code, instruction and reason. */
#include "profiler/attach/inside/pc_samples.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_MAX = 256, HITS_MAX = 1 << 17 };

struct sampled_function { /* kernels of one name may come from several cubins: a compiler's trials, say */
  char *name;
  uint64_t crc;
  uint64_t samples;
};

struct sampled_pc {
  uint32_t offset;
  uint16_t function, reason; /* indices */
  uint64_t samples, not_issued;
};

static struct {
  struct sampled_function functions[FUNCTIONS_MAX];
  size_t n_functions;
  struct sampled_pc *hits; /* an open hash table; an empty place has no samples */
  size_t n_hits;
  uint64_t user, lost; /* samples that found a place; that found none */
} sampled;

int sampled_open(void) {
  sampled.hits = calloc(HITS_MAX, sizeof *sampled.hits);
  return sampled.hits ? 0 : ERR_NOMEM;
}

uint64_t sampled_lost(void) {
  return sampled.lost;
}

uint64_t sampled_user(void) {
  return sampled.user;
}

/* -1: there is no room. */
static int function_of(const char *name, uint64_t crc) {
  for (size_t i = 0; i < sampled.n_functions; i++)
    if (sampled.functions[i].crc == crc && strcmp(sampled.functions[i].name, name) == 0)
      return (int)i;
  char *copy = sampled.n_functions < FUNCTIONS_MAX ? str_copy(name) : NULL;
  if (!copy)
    return -1;
  sampled.functions[sampled.n_functions] = (struct sampled_function){.name = copy, .crc = crc};
  return (int)sampled.n_functions++;
}

static struct sampled_pc *hit_of(uint16_t function, uint32_t offset, uint16_t reason) {
  /* Offsets are multiples of 16; the multiplier is Knuth's, of the golden ratio. */
  uint32_t at = ((offset / 16 * 64 + reason) * 256 + function) * 2654435769u >> 15;
  for (; sampled.hits[at].samples || sampled.hits[at].not_issued; at = (at + 1) % HITS_MAX) {
    struct sampled_pc *h = &sampled.hits[at];
    if (h->function == function && h->offset == offset && h->reason == reason)
      return h;
  }
  if (sampled.n_hits == HITS_MAX / 2)
    return NULL;
  sampled.n_hits++;
  sampled.hits[at] = (struct sampled_pc){.offset = offset, .function = function, .reason = reason};
  return &sampled.hits[at];
}

void sampled_add(const CUpti_PCSamplingPCData *pc, const struct stall_reasons *reasons) {
  int function = pc->functionName ? function_of(pc->functionName, pc->cubinCrc) : -1;
  for (size_t i = 0; i < pc->stallReasonCount; i++) {
    const CUpti_PCSamplingStallReason *stall = &pc->stallReason[i];
    const struct stall_reason *r =
        stall->samples ? stall_reasons_find(reasons, stall->pcSamplingStallReasonIndex) : NULL;
    if (!r)
      continue;
    struct sampled_pc *h = function < 0 ? NULL : hit_of((uint16_t)function, (uint32_t)pc->pcOffset, (uint16_t)r->base);
    /* CUPTI counts each reason twice: all of its samples, and those without an issue. */
    if (h && r->not_issued) {
      h->not_issued += stall->samples;
    } else if (h) {
      h->samples += stall->samples;
      sampled.functions[function].samples += stall->samples;
      sampled.user += stall->samples;
    } else if (!r->not_issued) {
      sampled.lost += stall->samples;
    }
  }
}

bool sampled_untimed(void) {
  for (size_t i = 0; i < injection.n_kernels; i++)
    if (injection.focus.kernels[i].chosen && injection.kernels[i].sampled && injection.kernels[i].total_ns <= 0)
      return true;
  return false;
}

/* Kernels that come seldom are not waited for where the others have what counters are to cover: a buffer that is filled between benchmarks. */
bool sampled_enough(double wanted, double samples_a_ns) {
  bool any = false, lacks = false;
  double all_s = 0, lacks_s = 0;
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct kernel *k = &injection.kernels[i];
    uint64_t timed = k->launches - k->disturbed, has = 0;
    double mean_ns = timed ? k->total_ns / (double)timed : 0;
    const struct focus_kernel *focus = &injection.focus.kernels[i];
    if (!focus->chosen || !focus_comes(&injection.focus, i) || (!k->sampled && focus->asked < 2))
      continue; /* a kernel of the program's start may never come again, and of one that came once nothing is known */
    any = true;
    for (size_t j = 0; j < sampled.n_functions; j++)
      has += strcmp(sampled.functions[j].name, k->key.name) == 0 ? sampled.functions[j].samples : 0;
    all_s += focus->recent_s;
    if ((double)has < wanted && (double)k->sampled * mean_ns * samples_a_ns < wanted) {
      lacks = true;
      lacks_s += focus->recent_s;
    }
  }
  if (lacks)
    return !injection.focus.set.named && lacks_s < (1 - injection.focus.set.coverage) * all_s;
  return any || (double)sampled.user >= wanted; /* none: those that run come from graphs */
}

static uint64_t launches_of(const char *name) {
  uint64_t n = 0;
  for (size_t i = 0; i < injection.n_kernels; i++)
    if (strcmp(injection.kernels[i].key.name, name) == 0)
      n += injection.kernels[i].sampled;
  return n;
}

void sampled_print(struct text *out, const struct stall_reasons *reasons) {
  for (size_t i = 0; i < sampled.n_functions; i++) {
    const struct sampled_function *f = &sampled.functions[i];
    attach_record_print(out, RECORD_FUNCTION,
                        &(struct function_record){f->name, module_number(f->crc), launches_of(f->name), f->samples});
  }
  for (size_t i = 0; sampled.hits && i < HITS_MAX; i++) {
    const struct sampled_pc *h = &sampled.hits[i];
    if (h->samples || h->not_issued)
      attach_record_print(
          out, RECORD_PC,
          &(struct pc_record){h->function, h->offset, reasons->all[h->reason].name, h->samples, h->not_issued});
  }
}
