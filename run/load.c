/* Run files and lines of JSON to runs: inflated, parsed, verified. */
#include "base/cxx_name.h"
#include "base/demangle.h"
#include "base/file.h"
#include "base/text.h"
#include "run/gunzip.h"
#include "run/record.h"
#include "run/run.h"
#include "run/verify.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char run_remedy[] = "the file is cut short or damaged: profile again, or restore it";

/* In files of before the id of a program's kernel has the first 120 characters of its name, which the key `kernel` has whole: what tells it from others may stand behind. */
static void id_make_whole(struct run_variant *v) {
  enum { CUT = 120 };
  static const char dots[] = "...";
  const char *kernel = run_variant_key(v, "kernel"), *range = run_variant_key(v, "range"), *rest;
  const size_t before = range ? strlen(range) + 1 : 0;
  if (!kernel || strlen(v->id) < before + CUT || strncmp(v->id + before + CUT, dots, sizeof dots - 1) != 0)
    return;
  size_t n;
  char *whole = demangle(kernel);
  const char *bare = cxx_bare(whole, &n, &rest);
  if (n > CUT && strncmp(bare, v->id + before, CUT) == 0) {
    char *id = str_printf("%.*s%.*s%s", (int)before, v->id, (int)n, bare, v->id + before + CUT + sizeof dots - 1);
    free(v->id);
    v->id = id;
  }
  free(whole);
}

static int parse(struct run *r, const struct record_text *t, struct err *e) {
  size_t blank = strspn(t->json, " \t\r\n");
  memset(r, 0, sizeof *r);
  if (blank < t->n && !strchr("{[", t->json[blank])) /* an array is told by the parser what it should be */
    return err_set(e, ERR_DATA,
                   "%s: not a run file, which begins with '{': nvfp4-prof import reads Nsight Compute's and nvbench's "
                   "files, diagnose reads .cu, .cubin and .ptx",
                   t->name);
  int rc = record_parse(&record_run, r, t, e);
  if (rc)
    return rc;
  rc = run_verify(r, e);
  if (rc) {
    err_context(e, "%s", t->name);
    run_release(r);
  }
  for (size_t i = 0; i < r->n_variants; i++)
    id_make_whole(&r->variants[i]);
  return rc;
}

int run_load_text(struct run *r, const char *name, const char *json, size_t n, struct err *e) {
  return parse(r, &(struct record_text){name, json, n, run_remedy, false}, e);
}

/* Puts the inflated text in the place of the gzip data. */
static int text_inflate(char **text, size_t *n, struct err *e) {
  char *packed = *text;
  int rc = gunzip(packed, *n, RUN_FILE_MAX, text, n, e);
  if (rc == 0)
    free(packed);
  return rc;
}

char *run_file_beside(const char *path) {
  char *packed = file_exists(path) || gzip_wanted(path) ? NULL : str_printf("%s.gz", path);
  if (packed && file_exists(packed))
    return packed;
  free(packed);
  return NULL;
}

static int load_at(struct run *r, const char *path, bool outline, struct err *e) {
  char *json = NULL;
  size_t n = 0;
  struct stat st;
  if (stat(path, &st) == 0 && st.st_size > RUN_FILE_MAX)
    return err_set(e, ERR_DATA, "%s: %lld bytes, more than the %d that a run may have", path, (long long)st.st_size,
                   RUN_FILE_MAX);
  int rc = file_read(path, RUN_FILE_MAX, &json, &n, e);
  if (rc == 0 && gunzip_is(json, n) && (rc = text_inflate(&json, &n, e)))
    err_context(e, "%s", path);
  if (rc == 0)
    rc = parse(r, &(struct record_text){path, json, n, run_remedy, outline}, e);
  free(json);
  return rc;
}

static int load(struct run *r, const char *path, bool outline, struct err *e) {
  char *packed = run_file_beside(path);
  memset(r, 0, sizeof *r);
  int rc = load_at(r, packed ? packed : path, outline, e);
  free(packed);
  return rc;
}

int run_load(struct run *r, const char *path, struct err *e) {
  return load(r, path, false, e);
}

int run_load_outline(struct run *r, const char *path, struct err *e) {
  return load(r, path, true, e);
}

int run_result_from_line(struct run_result *out, const char *line, struct err *e) {
  const struct record_text t = {"a worker's result", line, strlen(line), "the line is cut short or damaged", false};
  int rc = record_parse(&record_result, out, &t, e);
  if (rc)
    return rc;
  rc = run_result_verify(out, e);
  if (rc) {
    err_context(e, "%s", t.name);
    run_result_release(out);
  }
  return rc;
}
