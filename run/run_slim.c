#include "run/run_slim.h"

#include "base/shell.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- sources --- */

static void keep_files(const struct run *r, bool *keep) {
  for (size_t i = 0; i < r->n_variants; i++)
    for (size_t s = 0; s < r->n_sources && r->variants[i].file; s++)
      keep[s] = keep[s] || strcmp(r->sources[s].name, r->variants[i].file) == 0;
}

/* Calls visit for every line that an instruction refers to. */
static void lines_visit(struct run *r, void (*visit)(void *context, struct run_line *line), void *context) {
  for (size_t m = 0; m < r->n_modules; m++)
    for (size_t k = 0; k < r->modules[m].n_kernels; k++) {
      const struct run_kernel *kernel = &r->modules[m].kernels[k];
      for (size_t i = 0; i < kernel->n_sass; i++)
        for (size_t l = 0; l < kernel->sass[i].n_lines; l++)
          if (kernel->sass[i].lines[l].source >= 0)
            visit(context, &kernel->sass[i].lines[l]);
    }
}

static void keep_line(void *keep, struct run_line *line) {
  ((bool *)keep)[line->source] = true;
}

/* #include "NAME" or <NAME>, also from a folder beside it. */
static bool includes(const char *text, const char *name) {
  for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
    if (at > text + 1 && (strchr("\"<", at[-1]) || (at[-1] == '/' && at[-2] == '.')))
      return true;
  return false;
}

static void keep_included(const struct run *r, bool *keep) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < r->n_sources; i++)
      for (size_t s = 0; s < r->n_sources && keep[i]; s++)
        if (!keep[s] && includes(r->sources[i].text, r->sources[s].name))
          keep[s] = more = true;
  }
}

static void number_line(void *numbers, struct run_line *line) {
  line->source = ((const int *)numbers)[line->source];
}

void run_sources_used(struct run *r) {
  bool *keep = calloc(r->n_sources + 1, sizeof *keep);
  int *number = calloc(r->n_sources + 1, sizeof *number);
  size_t n = 0;
  keep_files(r, keep);
  lines_visit(r, keep_line, keep);
  keep_included(r, keep);
  for (size_t i = 0; i < r->n_sources; i++) {
    struct run_source source = r->sources[i];
    number[i] = (int)n;
    if (keep[i]) {
      r->sources[n++] = source;
    } else {
      free(source.name);
      free(source.text);
    }
  }
  r->n_sources = n;
  lines_visit(r, number_line, number);
  free(keep);
  free(number);
}

/* --- paths --- */

const char *run_path_hidden(const char *path) {
  return path[0] == '/' ? strrchr(path, '/') + 1 : path;
}

/* Replaces every `from` in *text. */
static void text_replace(char **text, const char *from, const char *to) {
  struct text out = {0};
  size_t n = strlen(from);
  const char *rest = *text;
  for (const char *at; (at = strstr(rest, from)); rest = at + n) {
    text_add_n(&out, rest, (size_t)(at - rest));
    text_add(&out, to);
  }
  text_add(&out, rest);
  free(*text);
  *text = text_take(&out);
}

/* The command has its words as a shell takes them. */
static void command_replace(char **command, const char *from, const char *to) {
  struct text typed = {0}, shown = {0};
  shell_word(&typed, from);
  shell_word(&shown, to);
  text_replace(command, text_str(&typed), text_str(&shown));
  text_replace(command, from, to); /* within --kernel=FILE */
  text_release(&typed);
  text_release(&shown);
}

static void path_hide(struct run *r, struct run_source *s) {
  char *hidden = str_copy(run_path_hidden(s->name));
  for (size_t i = 0; i < r->n_variants; i++)
    if (r->variants[i].file && strcmp(r->variants[i].file, s->name) == 0)
      text_replace(&r->variants[i].file, s->name, hidden);
  if (r->command)
    command_replace(&r->command, s->name, hidden);
  free(s->name);
  s->name = hidden;
}

void run_paths_hide(struct run *r) {
  for (size_t i = 0; i < r->n_sources; i++) {
    const char *name = r->sources[i].name;
    if (name[0] == '/' && !run_source_text(r, run_path_hidden(name)))
      path_hide(r, &r->sources[i]);
  }
}
