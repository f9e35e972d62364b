#include "profiler/ceilings/bench.h"

#include "base/embed.h"
#include "base/stats.h"
#include "profiler/cuda/activity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_ceilings[];

enum { REPEATS_MAX = 32, MIB = 1 << 20, BUFFER_L2_MULTIPLE = 64, BUFFER_LEAST_L2 = 1 << 20 };

static const char *const files[BENCH_UNITS] = {"ceilings/memory.cu", "ceilings/latency.cu", "ceilings/rates.cu",
                                               "ceilings/atomics.cu"};
static const char header_name[] = "ceilings/stamp.cuh";

static const char *embedded_text(const char *name) {
  for (const struct embedded *f = profiler_embedded_ceilings; f->name; f++)
    if (strcmp(f->name, name) == 0)
      return f->data;
  return "";
}

int bench_compile(struct bench_code *out, const char *arch, const char *cache_folder, struct compile_tools *tools,
                  struct err *e) {
  char defines[3][32];
  snprintf(defines[0], sizeof defines[0], "-DPER_TURN=%d", BENCH_PER_TURN);
  snprintf(defines[1], sizeof defines[1], "-DPER_TURN_LONG=%d", BENCH_PER_TURN_LONG);
  snprintf(defines[2], sizeof defines[2], "-DPER_TURN_SHORT=%d", BENCH_PER_TURN_SHORT);
  const char *const options[] = {defines[0], defines[1], defines[2]};
  /* NVRTC finds a quoted include by the name it is given here. */
  struct rung_file header = {.name = (char *)"stamp.cuh", .text = (char *)embedded_text(header_name), .header = true};
  struct rung_set set = {.files = &header, .n_files = 1};
  struct compile_unit units[BENCH_UNITS];
  for (int i = 0; i < BENCH_UNITS; i++)
    units[i] = (struct compile_unit){files[i], embedded_text(files[i]), options, 3};
  struct compile_settings settings = {.arch = arch, .set = &set, .sass = true, .cache_folder = cache_folder};
  memset(out, 0, sizeof *out);
  return compile_all(&settings, units, BENCH_UNITS, out->units, tools, e);
}

void bench_code_release(struct bench_code *c) {
  for (int i = 0; i < BENCH_UNITS; i++)
    compiled_release(&c->units[i]);
}

static const struct run_kernel *kernel_in(const struct compiled *unit, const char *name) {
  for (size_t k = 0; unit->ok && k < unit->module.n_kernels; k++)
    if (strcmp(unit->module.kernels[k].name, name) == 0)
      return &unit->module.kernels[k];
  return NULL;
}

const struct run_kernel *bench_kernel(const struct bench_code *c, const char *name) {
  const struct run_kernel *found = NULL;
  for (int i = 0; i < BENCH_UNITS && !found; i++)
    found = kernel_in(&c->units[i], name);
  return found;
}

long bench_count(const struct run_kernel *k, const char *opcode) {
  size_t length = strlen(opcode);
  long n = 0;
  if (!k->n_sass)
    return -1;
  for (size_t i = 0; i < k->n_sass; i++) {
    const char *text = k->sass[i].text;
    if (*text == '@') /* a predicate */
      text += strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
    n += strncmp(text, opcode, length) == 0 && (!text[length] || strchr(". ", text[length]));
  }
  return n;
}

/* --- the device --- */

static int open_memory(struct bench *b, struct err *e) {
  size_t available = 0, total = 0;
  int rc = CU_CALL(&b->driver, e, cuMemGetInfo_v2, &available, &total);
  size_t l2 = b->gpu->l2_bytes > BUFFER_LEAST_L2 ? (size_t)b->gpu->l2_bytes : BUFFER_LEAST_L2;
  size_t wanted = l2 * BUFFER_L2_MULTIPLE;
  b->bytes = (wanted < available / 2 ? wanted : available / 2) / MIB / 64 * MIB * 64;
  if (!rc && !b->bytes)
    return err_set(
        e, ERR_MACHINE,
        "%.0f MB of the GPU's memory are free and ceilings needs 128 MB: end the processes that hold the rest",
        (double)available / 1e6);
  if (!rc && CU_CALL(&b->driver, e, cuMemAlloc_v2, &b->data, b->bytes))
    rc = err_context(e, "the buffer of %.1f MB", (double)b->bytes / 1e6);
  size_t stamps = ((size_t)b->gpu->sms + 2) * sizeof(struct bench_stamp);
  if (!rc)
    rc = CU_CALL(&b->driver, e, cuMemAlloc_v2, &b->stamps, stamps);
  if (!rc)
    rc = CU_CALL(&b->driver, e, cuMemAlloc_v2, &b->sink, 16);
  return rc;
}

/* --- launches --- */

static int load_function(struct bench *b, int unit, const struct run_kernel *k, struct bench_function *out,
                         struct err *e) {
  int rc = CU_CALL(&b->driver, e, cuModuleGetFunction, &out->f, b->modules[unit], k->name);
  /* What reads through the L1 is given all of it. */
  bool reads = !strncmp(k->name, "reread", 6) || !strncmp(k->name, "chase_l", 7);
  if (!rc && reads)
    rc = CU_CALL(&b->driver, e, cuFuncSetAttribute, out->f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 0);
  out->kernel = k->name;
  return rc;
}

static int find_function(struct bench *b, const char *kernel, CUfunction *out, struct err *e) {
  for (size_t i = 0; i < b->n_functions; i++)
    if (strcmp(b->functions[i].kernel, kernel) == 0) {
      *out = b->functions[i].f;
      return 0;
    }
  for (int i = 0; i < BENCH_UNITS; i++) {
    const struct run_kernel *k = kernel_in(&b->code->units[i], kernel);
    if (!k || b->n_functions == BENCH_FUNCTIONS_MAX)
      continue;
    int rc = load_function(b, i, k, &b->functions[b->n_functions], e);
    if (!rc)
      *out = b->functions[b->n_functions++].f;
    return rc;
  }
  for (int i = 0; i < BENCH_UNITS; i++)
    if (!b->code->units[i].ok)
      return err_set(e, ERR_COMPILE, "%s", b->code->units[i].error ? b->code->units[i].error : "it did not compile");
  return err_set(e, ERR_MACHINE, "sm_%d lacks the instruction", b->gpu->sm);
}

static int launch(struct bench *b, const struct bench_shot *shot, bool events, struct err *e) {
  struct bench_shot s = *shot;
  void *args[] = {&s.data, &s.n, &s.turns, &s.extra, &b->stamps, &b->sink};
  const struct driver_grid grid = {s.grid, s.block, s.smem};
  CUfunction f = NULL;
  int rc = find_function(b, s.kernel, &f, e);
  if (!rc && s.smem)
    rc = CU_CALL(&b->driver, e, cuFuncSetAttribute, f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)s.smem);
  if (!rc && events)
    rc = CU_CALL(&b->driver, e, cuEventRecord, b->events[0], b->stream);
  if (!rc)
    rc = driver_launch(&b->driver, f, &grid, b->stream, args, e);
  if (!rc && events)
    rc = CU_CALL(&b->driver, e, cuEventRecord, b->events[1], b->stream);
  if (!rc)
    rc = CU_CALL(&b->driver, e, cuStreamSynchronize, b->stream);
  return rc ? err_context(e, "%s", s.kernel) : 0;
}

int bench_open(struct bench *b, const struct bench_code *code, const struct gpu_probe *gpu, struct err *e) {
  memset(b, 0, sizeof *b);
  b->code = code;
  b->gpu = gpu;
  int rc = driver_open(&b->driver, gpu->index, &b->device, &b->context, &b->stream, e);
  for (int i = 0; i < 2 && !rc; i++)
    rc = CU_CALL(&b->driver, e, cuEventCreate, &b->events[i], CU_EVENT_DEFAULT);
  for (int i = 0; i < BENCH_UNITS && !rc; i++)
    if (code->units[i].ok)
      rc = CU_CALL(&b->driver, e, cuModuleLoadData, &b->modules[i], code->units[i].cubin);
  if (!rc)
    rc = open_memory(b, e);
  struct bench_shot fill = {
      .kernel = "fill", .grid = 4 * (unsigned)gpu->sms, .block = 1024, .data = b->data, .n = b->bytes};
  if (!rc)
    rc = launch(b, &fill, false, e);
  if (!rc)
    b->activity = cupti_load(&b->cupti, &b->why_not) == 0 && activity_open(&b->cupti, &b->why_not) == 0;
  return rc;
}

int bench_time_events(struct bench *b, const struct bench_shot *shot, double *time_s, struct err *e) {
  float ms = 0;
  int rc = launch(b, shot, true, e);
  if (!rc)
    rc = CU_CALL(&b->driver, e, cuEventElapsedTime_v2, &ms, b->events[0], b->events[1]);
  *time_s = 1e-3 * (double)ms;
  return rc;
}

/* The time of the last kernel since the last call; 0: there was none. */
static int last_time(struct bench *b, double *time_s, struct err *e) {
  const struct activity_record *records;
  size_t n = 0;
  bool whole;
  int rc = activity_take(&b->cupti, &records, &n, &whole, e);
  *time_s = n ? 1e-9 * (double)(records[n - 1].end_ns - records[n - 1].start_ns) : 0;
  return rc;
}

int bench_time(struct bench *b, const struct bench_shot *shot, double *time_s, struct err *e) {
  if (!b->activity)
    return bench_time_events(b, shot, time_s, e);
  int rc = last_time(b, time_s, e); /* what lies there is of an earlier launch */
  if (!rc)
    rc = launch(b, shot, false, e);
  if (!rc)
    rc = last_time(b, time_s, e);
  if (!rc && *time_s <= 0)
    rc = err_set(e, ERR_GPU, "%s: CUPTI left no record of the launch", shot->kernel);
  return rc;
}

int bench_time_middle(struct bench *b, const struct bench_shot *shot, int repeats, double *time_s, struct err *e) {
  double samples[REPEATS_MAX];
  int n = repeats < REPEATS_MAX ? repeats : REPEATS_MAX, rc = 0;
  struct stats stats;
  for (int i = 0; i < n && !rc; i++)
    rc = bench_time(b, shot, &samples[i], e);
  if (rc)
    return rc;
  stats_of(&stats, samples, (size_t)n, 0);
  *time_s = stats.middle;
  return 0;
}

int bench_stamps(struct bench *b, const struct bench_shot *shot, struct bench_stamp *out, size_t n, struct err *e) {
  memset(out, 0, n * sizeof *out);
  int rc = CU_CALL(&b->driver, e, cuMemcpyHtoD_v2, b->stamps, out, n * sizeof *out);
  if (!rc)
    rc = launch(b, shot, false, e);
  return rc ? rc : CU_CALL(&b->driver, e, cuMemcpyDtoH_v2, out, b->stamps, n * sizeof *out);
}

int bench_pace(struct bench *b, const struct bench_shot *shot, int repeats, struct bench_pace *out, struct err *e) {
  struct bench_stamp *stamps = calloc(shot->grid, sizeof *stamps);
  int rc = 0;
  *out = (struct bench_pace){0};
  for (int i = 0; i <= repeats && !rc; i++) {
    double cycles = 0, ns = 0;
    rc = bench_stamps(b, shot, stamps, shot->grid, e);
    for (unsigned s = 0; s < shot->grid && !rc; s++) {
      cycles += (double)stamps[s].cycles / shot->grid;
      ns += (double)stamps[s].ns / shot->grid;
    }
    if (i && (i == 1 || cycles < out->cycles))
      *out = (struct bench_pace){cycles, ns > 0 ? cycles / ns * 1e9 : 0};
  }
  free(stamps);
  return rc;
}
