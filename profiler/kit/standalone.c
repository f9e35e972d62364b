#include "profiler/kit/standalone.h"

#include "base/array.h"
#include "base/embed.h"
#include "base/template.h"
#include "kernels/problem.h"
#include "profiler/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_kit[];

/* --- what one file cannot hold --- */

static int check_rung(const struct rung_plan *p, struct err *e) {
  const struct rung *r = p->rung;
  if (!p->runnable)
    return err_set(e, ERR_USAGE, "%s does not run there: %s", r->id, p->reason);
  const char *why = r->generic        ? "is of a problem of your own, whose file is complete already"
                    : r->host         ? "calls a library"
                    : !r->writes_c    ? "computes no C"
                    : p->n_tensormaps ? "needs a tensor map, which the driver makes at run time"
                    : r->sf_blocked   ? "takes scales in a layout other than the stored one"
                    : p->n_setups     ? "has a set-up of its own"
                    : r->wrong        ? "is wrong on purpose"
                                      : NULL;
  for (size_t i = 0; i < p->n_resets && !why; i++)
    why = p->resets[i].fill_buffer ? NULL : "launches another kernel before each repetition";
  return why ? err_set(e, ERR_USAGE, "export-kernel: %s %s, so one file cannot hold it; choose another rung", r->id,
                       why)
             : 0;
}

/* --- the source, each header once, where it is first included --- */

struct sources {
  const struct rung_set *set;
  bool *taken; /* by index into set->files */
  struct slots *slots;
};

/* The header of the set that a line includes, "" where it includes none: a name between quotes. */
static void quoted_include(const char *line, char name[128]) {
  name[0] = '\0';
  line += strspn(line, " \t");
  if (strncmp(line, "#include", 8) == 0)
    sscanf(line + 8, " \"%127[^\"\n]\"", name);
}

static int source_add(struct sources *s, const char *name, const char *text, struct err *e);

static int header_add(struct sources *s, const char *from, const char *name, struct err *e) {
  for (size_t i = 0; i < s->set->n_files; i++) {
    if (!s->set->files[i].header || strcmp(s->set->files[i].name, name) != 0)
      continue;
    if (s->taken[i])
      return 0;
    s->taken[i] = true;
    return source_add(s, name, s->set->files[i].text, e);
  }
  return err_set(e, ERR_DATA, "%s includes \"%s\", which is not among the rungs' headers", from, name);
}

/* First what it includes, then itself without those lines, its front matter and `#pragma once`. */
static int source_add(struct sources *s, const char *name, const char *text, struct err *e) {
  struct text own = {0};
  int rc = 0;
  for (const char *line = text; *line && !rc;) {
    char header[128];
    size_t n = strcspn(line, "\n");
    n += line[n] == '\n';
    quoted_include(line, header);
    if (header[0])
      rc = header_add(s, name, header, e);
    else if (strncmp(line, "//!", 3) != 0 && strncmp(line, "#pragma once", 12) != 0)
      text_add_n(&own, line, n);
    line += n;
  }
  if (!rc) {
    struct slots *item = slot_item(s->slots, "sources");
    slot_text(item, "name", name);
    slot_text(item, "text", text_str(&own) + strspn(text_str(&own), "\n"));
  }
  text_release(&own);
  return rc;
}

static int sources_fill(struct slots *slots, const struct standalone *s, struct err *e) {
  struct sources c = {s->set, calloc(s->set->n_files + 1, sizeof(bool)), slots};
  int rc = source_add(&c, s->plan->rung->file, s->plan->rung->source, e);
  free(c.taken);
  return rc;
}

/* --- the launch --- */

static void dims_text(struct slots *s, const char *name, const unsigned dims[RUNG_DIMS]) {
  slot_printf(s, name, "%u, %u, %u", dims[0], dims[1], dims[2]);
}

static void arg_text(struct text *out, const struct plan_arg *a) {
  switch (a->kind) {
  case ARG_BUFFER:
  case ARG_TENSORMAP:
    text_printf(out, ", gemv_detail::pointer{%s}", a->name);
    break;
  case ARG_INT:
    text_printf(out, ", int(%lld)", a->value);
    break;
  case ARG_INT64:
    text_printf(out, ", %lldLL", a->value);
    break;
  case ARG_FLOAT:
    text_printf(out, ", float(%.17g)", a->real);
    break;
  case ARG_DOUBLE:
    text_printf(out, ", double(%.17g)", a->real);
    break;
  }
}

static void launch_fill(struct slots *slots, const struct rung_plan *p) {
  for (size_t i = 0; i < p->n_steps; i++) {
    const struct plan_launch *l = &p->steps[i];
    struct slots *s = slot_item(slots, "steps");
    slot_text(s, "kernel", l->kernel);
    dims_text(s, "grid", l->grid);
    dims_text(s, "block", l->block);
    slot_printf(s, "smem", "%u", l->smem);
    slot_text(s, "cluster", NULL);
    if (l->cluster[0])
      dims_text(s, "cluster", l->cluster);
    slot_text(s, "args", NULL);
    for (size_t j = 0; j < l->n_args; j++)
      arg_text(slot_open(s, "args"), &l->args[j]);
  }
}

static size_t buffer_bytes(const struct rung_plan *p, const char *name) {
  const struct problem_buffer *b = problem_buffer_find(name);
  for (size_t i = 0; i < p->n_scratch; i++)
    if (strcmp(p->scratch[i].name, name) == 0)
      return p->scratch[i].bytes;
  return b ? b->bytes(p->shape) : 0;
}

static void memory_fill(struct slots *slots, const struct rung_plan *p) {
  slot_list(slots, "scratch");
  for (size_t i = 0; i < p->n_scratch; i++) {
    struct slots *s = slot_item(slots, "scratch");
    slot_text(s, "name", p->scratch[i].name);
    slot_printf(s, "bytes", "%zu", p->scratch[i].bytes);
    slot_printf(s, "fill", "%d", p->scratch[i].fill);
  }
  slot_list(slots, "resets");
  for (size_t i = 0; i < p->n_resets; i++) {
    struct slots *s = slot_item(slots, "resets");
    slot_text(s, "buffer", p->resets[i].fill_buffer);
    slot_printf(s, "byte", "%d", p->resets[i].fill_byte);
    slot_printf(s, "bytes", "%zu", buffer_bytes(p, p->resets[i].fill_buffer));
  }
}

/* --- all of it --- */

static void options_fill(struct slots *slots, const struct rung_plan *p) {
  size_t n;
  char **options = compile_options(p, &n);
  slot_list(slots, "defines");
  slot_text(slots, "options", NULL);
  for (size_t i = 0; i < n; i++) {
    const char *equals = strchr(options[i], '=');
    if (strncmp(options[i], "-D", 2) == 0 && equals) {
      struct slots *s = slot_item(slots, "defines");
      slot_printf(s, "name", "%.*s", (int)(equals - options[i] - 2), options[i] + 2);
      slot_text(s, "value", equals + 1);
    } else {
      text_printf(slot_open(slots, "options"), " %s", options[i]);
    }
  }
  array_free(options, n);
}

int standalone_text(struct text *out, const struct standalone *s, struct err *e) {
  const struct rung_plan *p = s->plan;
  char shape[SHAPE_TEXT_MAX];
  struct slots slots = {0};
  int rc = check_rung(p, e);
  if (rc)
    return rc;
  slot_text(&slots, "id", p->rung->id);
  slot_text(&slots, "version", s->version);
  slot_text(&slots, "shape", shape_text(p->shape, shape));
  slot_text(&slots, "arch", s->arch);
  slot_text(&slots, "file", s->file);
  slot_printf(&slots, "sms", "%d", s->sms);
  slot_printf(&slots, "m", "%ld", p->shape.m);
  slot_printf(&slots, "k", "%ld", p->shape.k);
  slot_printf(&slots, "l", "%ld", p->shape.l);
  slot_printf(&slots, "eps", "%a", problem_eps(p->shape, p->rung->accumulate));
  launch_fill(&slots, p);
  memory_fill(&slots, p);
  options_fill(&slots, p);
  rc = sources_fill(&slots, s, e);
  if (!rc)
    rc = template_fill(out, profiler_embedded_kit, "templates/standalone.txt", &slots, e);
  slots_release(&slots);
  return rc;
}
