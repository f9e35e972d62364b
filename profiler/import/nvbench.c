#include "profiler/import/nvbench.h"

#include "base/file.h"
#include "base/name_index.h"
#include "base/text.h"
#include "base/warp.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_MAJOR = 1 };

static const char COLD_SAMPLES[] = "nv/json/bin:nv/cold/sample_times";

struct nvbench {
  const struct import_file *file;
  struct run *run;
  struct name_index ids;
  const char *device; /* name of the card that the first state ran on */
  json_t *devices;
  size_t elsewhere, without_samples, without_time;
};

bool nvbench_is(const struct import_file *file) {
  const char *s = file->text + strspn(file->text, " \t\r\n");
  return *s == '{' && strstr(s, "\"benchmarks\"") && strstr(s, "\"nvbench\"");
}

static const char *string_of(const json_t *o, const char *key) {
  return json_string_value(json_object_get(o, key));
}

/* --- a state's summaries --- */

/* The object of a list with that value of a key; NULL: there is none. */
static const json_t *object_with(const json_t *list, const char *key, const char *value) {
  const json_t *one;
  size_t i;
  json_array_foreach(list, i, one) {
    const char *own = string_of(one, key);
    if (own && strcmp(own, value) == 0)
      return one;
  }
  return NULL;
}

/* A value of a summary: nvbench writes all of them as strings. */
static const char *datum(const json_t *state, const char *tag, const char *name) {
  const json_t *summary = object_with(json_object_get(state, "summaries"), "tag", tag);
  return string_of(object_with(json_object_get(summary, "data"), "name", name), "value");
}

/* 0 where there is no such positive number. */
static double number_of(const json_t *state, const char *tag, const char *name) {
  const char *text = datum(state, tag, name);
  char *end;
  double v = text ? strtod(text, &end) : 0;
  return text && end != text && !*end && isfinite(v) && v > 0 ? v : 0;
}

/* --- times --- */

static const double ns_per_s = 1e9;
enum { SIDE_MAX = 1 << 28, VALUE_BYTES = 4 };

/* The last two names of the path, "FILE.json-bin/0.bin", in the JSON's folder: older nvbench wrote the path as it was given, and nothing
 * outside that folder is to be read. */
static char *path_beside(const char *json, const char *filename) {
  const char *folder_end = strrchr(json, '/'), *from = strrchr(filename, '/');
  while (from && from > filename && from[-1] != '/')
    from--;
  const char *name = from ? from : filename;
  if (strstr(name, ".."))
    return NULL;
  return folder_end ? str_printf("%.*s/%s", (int)(folder_end - json), json, name) : str_copy(name);
}

static int values_read(double *out_ns, const char *bytes, size_t n, const char *path, struct err *e) {
  for (size_t i = 0; i < n; i++) {
    const unsigned char *b = (const unsigned char *)bytes + VALUE_BYTES * i;
    uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    float seconds;
    memcpy(&seconds, &bits, sizeof seconds);
    if (!isfinite(seconds) || seconds <= 0)
      return err_set(e, ERR_DATA, "%s: sample %zu is not a time: the file is damaged, or not of this nvbench run", path,
                     i);
    out_ns[i] = seconds * ns_per_s;
  }
  return 0;
}

/* The n values of the side file that the JSON calls `filename`, which lies in a folder beside the JSON: little-endian float32, one a sample, in seconds,
 * which become nanoseconds.  NULL where no such file is.  ERR_DATA where it holds another number of values, or one that is no time. */
static int side_read(double **out_ns, const char *json, const char *filename, size_t n, struct err *e) {
  char *path = path_beside(json, filename), *bytes = NULL;
  size_t size = 0;
  int rc = 0;
  *out_ns = NULL;
  if (!path || !file_exists(path))
    goto out;
  rc = file_read_regular(path, SIDE_MAX, false, &bytes, &size, e);
  if (!rc && size != n * VALUE_BYTES)
    rc = err_set(e, ERR_DATA, "%s: holds %zu bytes, but the JSON names %zu samples of %d bytes: it is from another run",
                 path, size, n, VALUE_BYTES);
  if (rc)
    goto out;
  *out_ns = calloc(n + 1, sizeof **out_ns);
  rc = values_read(*out_ns, bytes, n, path, e);
out:
  free(bytes);
  free(path);
  return rc;
}

static int samples_fill(struct nvbench *b, const json_t *state, struct run_timing *t, struct err *e) {
  static const double samples_max = 1e8;
  const char *filename = datum(state, COLD_SAMPLES, "filename");
  double n = number_of(state, COLD_SAMPLES, "size");
  if (!filename || n < 1 || n > samples_max)
    return 0;
  int rc = side_read(&t->samples_ns, b->file->name, filename, (size_t)n, e);
  if (!rc && t->samples_ns)
    t->n = (size_t)n;
  return rc;
}

static void mean_fill(struct run_timing *t, double seconds) {
  t->samples_ns = malloc(sizeof *t->samples_ns);
  t->samples_ns[t->n++] = seconds * ns_per_s;
}

static int timing_fill(struct nvbench *b, const json_t *state, struct run_timing *t, struct err *e) {
  double cold = number_of(state, "nv/cold/time/gpu/mean", "value"),
         batch = number_of(state, "nv/batch/time/gpu/mean", "value");
  const char *skipped = string_of(state, "skip_reason");
  int rc = samples_fill(b, state, t, e);
  if (!rc && t->n == 0 && (cold > 0 || batch > 0)) {
    mean_fill(t, cold > 0 ? cold : batch);
    b->without_samples++;
  }
  if (rc)
    return rc;
  t->source = str_copy(cold > 0 || t->n > 1 ? "nvbench, cold, CUDA events" : "nvbench, batch, CUDA events");
  if (t->n == 0) {
    b->without_time++;
    t->reason = skipped ? str_printf("nvbench skipped it: %s", skipped)
                        : str_copy("nvbench's JSON has no GPU time of it (nv/cold/time/gpu/mean)");
  }
  return 0;
}

/* --- a state --- */

/* "copy T=F32 N=1048576" */
static char *id_of(const json_t *bench, const json_t *state) {
  struct text id = {0};
  const json_t *one;
  size_t i;
  text_add(&id, string_of(bench, "name"));
  json_array_foreach(json_object_get(state, "axis_values"), i, one) {
    const char *name = string_of(one, "name"), *value = string_of(one, "value");
    if (name && value)
      text_printf(&id, " %s=%s", name, value);
  }
  return text_take(&id);
}

static void params_fill(const json_t *state, struct run_result *r) {
  const json_t *axes = json_object_get(state, "axis_values"), *one;
  size_t i;
  r->params = calloc(json_array_size(axes) + 1, sizeof *r->params);
  json_array_foreach(axes, i, one) {
    const char *name = string_of(one, "name"), *value = string_of(one, "value");
    if (!name || !value)
      continue;
    struct run_key *k = &r->params[r->n_params++];
    *k = (struct run_key){str_copy(name), str_copy(value)};
  }
}

/* The same name and axes again are of a second device of the same kind, or of a benchmark that is listed twice. */
static void variant_add(struct nvbench *b, const json_t *bench, const json_t *state) {
  struct run_variant *v = &b->run->variants[b->run->n_variants++];
  char *id = id_of(bench, state);
  *v = (struct run_variant){.id = id, .ladder = str_copy("nvbench"), .change = str_copy("imported from nvbench")};
  v->keys = calloc(1, sizeof *v->keys);
  v->keys[v->n_keys++] = (struct run_key){str_copy("benchmark"), str_copy(string_of(bench, "name"))};
  for (int i = 2; name_index_find(&b->ids, v->id) != NAME_NEW; i++) {
    char *numbered = str_printf("%s (%d)", id, i);
    if (v->id != id)
      free(v->id);
    v->id = numbered;
  }
  if (v->id != id)
    free(id);
  *name_index_at(&b->ids, v->id) = (long)b->run->n_variants - 1;
}

static const char *device_name(const struct nvbench *b, const json_t *state) {
  json_int_t id = json_integer_value(json_object_get(state, "device"));
  const json_t *one;
  size_t i;
  json_array_foreach(b->devices, i, one) {
    if (json_integer_value(json_object_get(one, "id")) == id)
      return string_of(one, "name");
  }
  return NULL;
}

static int state_read(struct nvbench *b, const json_t *bench, const json_t *state, struct err *e) {
  const char *card = device_name(b, state);
  if (card && b->device && strcmp(card, b->device) != 0) {
    b->elsewhere++;
    return 0;
  }
  b->device = b->device ? b->device : card;
  struct run_result *r = &b->run->results[b->run->n_results++];
  *r = (struct run_result){.module = -1, .check = {.verdict = VERDICT_UNCHECKED}};
  r->variant = (int)b->run->n_variants;
  variant_add(b, bench, state);
  params_fill(state, r);
  int rc = timing_fill(b, state, &r->timing, e);
  double rate = number_of(state, "nv/cold/bw/global/bytes_per_second", "value"),
         mean = number_of(state, "nv/cold/time/gpu/mean", "value");
  r->bytes_minimal = r->bytes_declared = round(rate * mean);
  r->sampling.reason = str_copy("nvbench takes no samples of instructions");
  r->counts_reason = str_copy("nvbench counts no instructions");
  return rc;
}

/* --- the whole --- */

static size_t states_count(const json_t *benches) {
  const json_t *one;
  size_t i, n = 0;
  json_array_foreach(benches, i, one) {
    n += json_array_size(json_object_get(one, "states"));
  }
  return n;
}

static int benchmarks_read(struct nvbench *b, const json_t *benches, struct err *e) {
  size_t n = states_count(benches), i, j;
  const json_t *bench, *state;
  int rc = 0;
  if (n == 0)
    return err_set(e, ERR_DATA,
                   "%s: holds no state of any benchmark: it is a list (--list), or nothing was run; run with --json %s",
                   b->file->name, b->file->name);
  b->run->variants = calloc(n, sizeof *b->run->variants);
  b->run->results = calloc(n, sizeof *b->run->results);
  json_array_foreach(benches, i, bench) {
    if (!string_of(bench, "name"))
      return err_set(e, ERR_DATA, "%s: benchmarks[%zu] has no name; write it again with --json", b->file->name, i);
    json_array_foreach(json_object_get(bench, "states"), j, state) {
      rc = rc ? rc : state_read(b, bench, state, e);
    }
  }
  return rc;
}

static double positive(const json_t *o, const char *key) {
  double v = json_number_value(json_object_get(o, key));
  return v > 0 && v < 1e15 ? v : 0;
}

static void device_fill(struct nvbench *b) {
  const json_t *one = b->device ? object_with(b->devices, "name", b->device) : NULL;
  b->run->device = (struct run_device){
      .name = str_copy(one ? b->device : "an unnamed GPU"),
      .sm = (int)fmin(positive(one, "sm_version"), 99990) / 10,
      .sms = (int)fmin(positive(one, "number_of_sms"), 1e6),
      .warps_per_sm = (int)fmin(positive(one, "max_threads_per_sm"), 1e6) / WARP_LANES,
      .regs_per_sm = (long)positive(one, "registers_per_sm"),
      .smem_per_sm = (long)positive(one, "shared_memory_per_sm"),
      .l2_bytes = positive(one, "l2_cache_size"),
      .clock_max_hz = positive(one, "sm_default_clock_rate"),
      .memory_bytes = positive(one, "global_memory_size"),
      .memory_clock_hz = positive(one, "global_memory_bus_peak_clock_rate"),
      .memory_bus_bits = (int)fmin(positive(one, "global_memory_bus_width"), 1e6),
  };
}

static void note_counted(struct run *run, const char *what, size_t n, const char *remedy) {
  char *line = str_printf("%s: %zu%s", what, n, remedy);
  if (n)
    run_note(run, line);
  free(line);
}

static void notes_add(struct nvbench *b) {
  static const char bytes[] =
      "measured by nvbench: CUDA events, the L2 emptied before each launch; where a benchmark declares its bytes "
      "(add_global_memory_reads, add_global_memory_writes), % of SOL is their time at the DRAM bandwidth";
  static const char unchecked[] = "nvbench checks no results: the verdict is `unchecked`";
  run_note(b->run, bytes);
  run_note(b->run, unchecked);
  note_counted(b->run, "states without their samples", b->without_samples,
               "; their mean is used, and its noise is unknown: run with --jsonbin FILE.json, and keep the folder "
               "FILE.json-bin beside it");
  note_counted(b->run, "states on another kind of GPU, left out", b->elsewhere, "");
  note_counted(b->run, "states without a GPU time", b->without_time, "");
}

static int root_read(struct nvbench *b, json_t *root, struct err *e) {
  const json_t *version = json_object_get(json_object_get(json_object_get(root, "meta"), "version"), "json");
  json_int_t major = json_integer_value(json_object_get(version, "major"));
  if (major != FORM_MAJOR)
    return err_set(e, ERR_DATA,
                   "%s: is of nvbench's JSON version %d, and this tool reads version %d: update nvfp4-prof",
                   b->file->name, (int)major, FORM_MAJOR);
  b->devices = json_object_get(root, "devices");
  int rc = benchmarks_read(b, json_object_get(root, "benchmarks"), e);
  if (rc)
    return rc;
  device_fill(b);
  notes_add(b);
  return 0;
}

int import_nvbench(struct run *out, const struct import_file *file, struct run *counters, struct err *e) {
  struct nvbench b = {.file = file, .run = out};
  json_error_t at;
  memset(out, 0, sizeof *out);
  json_t *root = json_loads(file->text, 0, &at);
  int rc = root ? 0
                : err_set(e, ERR_DATA, "%s:%d:%d: %s: the file is not JSON, or is cut off; write it again with --json",
                          file->name, at.line, at.column, at.text);
  out->l2 = str_copy("as nvbench left it");
  out->inputs = str_copy("the program's");
  if (!rc)
    rc = root_read(&b, root, e);
  if (!rc && counters)
    rc = nvbench_join(out, counters, e);
  name_index_release(&b.ids);
  json_decref(root);
  return rc;
}
