#include "kernels/frontmatter.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { FM_CONTINUATION = 5, FM_TAB = 8, FM_FILE_KEYS_MAX = 4096 };

/* The keys of a whole file as they were read, before variants inherit. */
struct fm_file {
  const char *name;
  struct rung_key *keys;
  size_t n;
  bool in_comment; /* within a block comment that began on an earlier line */
  bool in_code;    /* the first line of code is behind */
};

/* --- lines to keys --- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Bytes of the key that text begins with ("step" of "step: ..."), 0 where it begins with none. */
static size_t key_length(const char *text) {
  size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789");
  return text[n] == ':' && text[n + 1] != ':' ? n : 0;
}

static int line_continue(struct fm_file *f, int line, const char *text, struct err *e) {
  struct rung_key *last = &f->keys[f->n - 1];
  size_t had = strlen(last->value), more = strlen(text);
  if (had + more + 1 > FM_VALUE_MAX)
    return err_set(e, ERR_DATA, "%s:%d: %s: the value has more than %d bytes; shorten it", f->name, line, last->key,
                   FM_VALUE_MAX);
  char *joined = str_printf("%s%s%s", last->value, had ? " " : "", text);
  free(last->value);
  last->value = joined;
  return 0;
}

static int line_key(struct fm_file *f, int line, const char *text, size_t n_key, bool indented, struct err *e) {
  int rc = 0;
  char *value = str_copy(text + n_key + 1);
  struct rung_key k = {.key = strndup(text, n_key), .value = str_copy(str_trim(value)), .line = line};
  if (!fm_key_find(k.key)) {
    const char *nearest = fm_key_nearest(k.key);
    const char *colon = indented ? "; text that continues the value above must not begin with a word and a colon" : "";
    rc = nearest ? err_set(e, ERR_DATA, "%s:%d: %s: unknown key; did you mean '%s'?%s", f->name, line, k.key, nearest,
                           colon)
                 : err_set(e, ERR_DATA, "%s:%d: %s: unknown key; kernels/rung.h lists the keys%s", f->name, line, k.key,
                           colon);
    goto out;
  }
  if (f->n == FM_FILE_KEYS_MAX || strlen(k.value) > FM_VALUE_MAX) {
    rc = f->n == FM_FILE_KEYS_MAX ? err_set(e, ERR_DATA, "%s:%d: %s: more than %d keys in one file; split it", f->name,
                                            line, k.key, FM_FILE_KEYS_MAX)
                                  : err_set(e, ERR_DATA, "%s:%d: %s: the value has more than %d bytes; shorten it",
                                            f->name, line, k.key, FM_VALUE_MAX);
    goto out;
  }
  struct rung_key *kept = array_add(&f->keys, &f->n, sizeof *kept);
  *kept = k;
  k = (struct rung_key){0};
out:
  free(value);
  free(k.key);
  free(k.value);
  return rc;
}

/* text: what stands behind "//!". */
static int line_front(struct fm_file *f, int line, const char *text, struct err *e) {
  size_t indent = 0;
  for (; is_blank(*text); text++)
    indent += *text == '\t' ? FM_TAB : 1;
  if (!*text)
    return 0;
  size_t n_key = key_length(text);
  if (n_key)
    return line_key(f, line, text, n_key, indent >= FM_CONTINUATION, e);
  if (indent >= FM_CONTINUATION && f->n)
    return line_continue(f, line, text, e);
  return err_set(e, ERR_DATA,
                 "%s:%d: expected `//! key: value`; to continue the value above, indent by %d blanks or more, and "
                 "write an ordinary comment with //",
                 f->name, line, FM_CONTINUATION);
}

static int line_read(struct fm_file *f, int line, char *s, struct err *e) {
  s = str_trim(s);
  if (f->in_comment || (!f->in_code && strncmp(s, "/*", 2) == 0)) {
    const char *end = strstr(f->in_comment ? s : s + 2, "*/");
    f->in_comment = !end;
    f->in_code = end && end[2 + strspn(end + 2, " \t")];
    return 0;
  }
  if (!*s)
    return 0;
  if (strncmp(s, "//!", 3) == 0) {
    if (!f->in_code)
      return line_front(f, line, s + 3, e);
    /* Front matter that nobody reads would be worse than an error. */
    char *text = str_trim(s + 3);
    size_t n_key = key_length(text);
    text[n_key] = '\0';
    if (n_key && fm_key_find(text))
      return err_set(e, ERR_DATA, "%s:%d: %s: stands below the first line of code; move it to the top of the file",
                     f->name, line, text);
    return 0;
  }
  if (strncmp(s, "//", 2) != 0)
    f->in_code = true;
  return 0;
}

static int file_keys(struct fm_file *f, const char *text, struct err *e) {
  static const char mark[] = "\xef\xbb\xbf";
  if (strncmp(text, mark, sizeof mark - 1) == 0)
    text += sizeof mark - 1;
  int rc = 0;
  for (int line = 1; rc == 0 && *text; line++) {
    size_t n = strcspn(text, "\n");
    char *s = strndup(text, n);
    rc = line_read(f, line, s, e);
    free(s);
    text += n + (text[n] == '\n');
  }
  return rc;
}

/* One known key is enough: a word that is none is a fault of the front matter, and lines of prose
 * behind //! are another's comments. */
bool rung_described(const char *text) {
  for (const char *at = text; (at = strstr(at, "//!")); at += 3) {
    const char *key = at + 3 + strspn(at + 3, " \t");
    char *name = strndup(key, key_length(key));
    bool known = *name && fm_key_find(name);
    free(name);
    if (known)
      return true;
  }
  return false;
}

/* --- variants --- */

/* Bytes of NAME in "NAME = 32 in {...}". */
static size_t param_name_length(const char *value) {
  return strcspn(value, " \t=");
}

/* Keys of which a variant replaces the one that has the same name, and inherits the others. */
static bool key_named(const char *key) {
  return strcmp(key, "param") == 0 || strcmp(key, "let") == 0 || strcmp(key, "size") == 0 || strcmp(key, "buffer") == 0;
}

/* Whether the variant's own keys replace an inherited one. */
static bool keys_replace(const struct rung_key *own, size_t n, const struct rung_key *inherited) {
  for (size_t i = 0; i < n; i++) {
    if (strcmp(own[i].key, inherited->key) != 0)
      continue;
    if (!key_named(own[i].key))
      return true;
    size_t length = param_name_length(own[i].value);
    if (length == param_name_length(inherited->value) && memcmp(own[i].value, inherited->value, length) == 0)
      return true;
  }
  return false;
}

static int rung_add_key(struct rung *r, const struct rung_key *k, struct err *e) {
  if (r->n_keys == FM_KEYS_MAX)
    return err_set(e, ERR_DATA, "%s:%d: %s: more than %d keys in one variant; take some out", r->file, k->line, k->key,
                   FM_KEYS_MAX);
  struct rung_key *own = array_add(&r->keys, &r->n_keys, sizeof *own);
  *own = (struct rung_key){.key = str_copy(k->key), .value = str_copy(k->value), .line = k->line};
  return 0;
}

/* Puts the variant's own keys in force, then those that it inherits; an own key without a value
 * only takes the inherited one away. */
static int rung_gather(struct rung *r, const struct rung_key *own, size_t n_own, const struct rung *first,
                       struct err *e) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < n_own; i++) {
    const struct rung_key *k = &own[i];
    const struct fm f = {r, k};
    if (*k->value) {
      for (size_t j = 0; rc == 0 && j < i && !fm_key_find(k->key)->repeatable; j++)
        if (strcmp(own[j].key, k->key) == 0)
          rc = fm_error(e, &f, "given twice, first in line %d; keep one", own[j].line);
      if (rc == 0)
        rc = rung_add_key(r, k, e);
    } else if (!first || key_named(k->key) || strcmp(k->key, "problem") == 0 || strcmp(k->key, "id") == 0) {
      rc = fm_error(e, &f, "has no value; give it one or remove the line");
    }
  }
  for (size_t i = 0; rc == 0 && first && i < first->n_keys; i++)
    if (!keys_replace(own, n_own, &first->keys[i]))
      rc = rung_add_key(r, &first->keys[i], e);
  return rc;
}

static int rung_apply(struct rung *r, struct err *e) {
  for (enum fm_pass pass = FM_PROBLEM; pass < FM_PASSES; pass++) {
    for (size_t i = 0; i < r->n_keys; i++) {
      const struct fm_key *row = fm_key_find(r->keys[i].key);
      if (row->pass != pass || !row->parse)
        continue;
      const struct fm f = {r, &r->keys[i], row};
      char *value = str_copy(f.key->value);
      int rc = row->parse(&f, value, e);
      free(value);
      if (rc)
        return rc;
    }
  }
  return 0;
}

/* Steps call the library that host names, and no other. */
static int host_complete(const struct rung *r, struct err *e) {
  bool called = false;
  for (size_t i = 0; i < r->n_steps; i++) {
    const char *host = rung_call_host(r->steps[i].call);
    if (host && (!r->host || strcmp(host, r->host) != 0))
      return err_set(e, ERR_DATA, "%s:%d: step: %s is a call of %s; write `//! host: %s`", r->file,
                     fm_line(r, "step", i), r->steps[i].kernel, host, host);
    called |= host != NULL;
  }
  if (r->host && !called)
    return err_set(e, ERR_DATA, "%s:%d: host: no step calls it; write `//! step: call = NAME; args = LIST`", r->file,
                   fm_line(r, "host", 0));
  return 0;
}

static int rung_complete(const struct rung *r, struct err *e) {
  const char *missing = NULL, *remedy = NULL;
  int line = fm_line(r, "id", 0);
  if (!r->id) {
    missing = "id";
    remedy = "add a line `//! id: NAME`";
    line = r->keys[0].line;
  } else if (!r->ladder) {
    missing = "ladder";
    remedy = "add a line `//! ladder: NAME`";
  } else if (r->parent && !r->change) {
    missing = "change";
    remedy = "say in a phrase what it changes against its parent";
  } else if (!r->n_steps) {
    missing = "step";
    remedy = "add a line `//! step: kernel = NAME; grid = X, Y, Z; block = X, Y, Z`";
  }
  if (missing)
    return err_set(e, ERR_DATA, "%s:%d: %s: missing; %s", r->file, line, missing, remedy);
  int rc = fm_generic_complete(r, e);
  if (rc == 0)
    rc = host_complete(r, e);
  if (rc)
    return rc;
  if (r->side && !r->parent)
    return err_set(e, ERR_DATA, "%s:%d: side: a side step leaves a rung; name it with `//! parent: ID`", r->file,
                   fm_line(r, "side", 0));
  return 0;
}

int fm_parse(struct rung **rungs, size_t *n, const char *file, const char *text, struct err *e) {
  struct fm_file f = {.name = file};
  struct rung *made = NULL;
  size_t n_made = 0;
  int rc = file_keys(&f, text, e);
  if (rc == 0 && f.n == 0)
    rc = err_set(e, ERR_DATA,
                 "%s: no front matter; begin the file with `//! id: NAME`, `//! ladder: NAME` and `//! step: ...` "
                 "(nvfp4-prof new NAME writes an example); nvfp4-prof diagnose %s reads its code alone",
                 file, file);
  for (size_t begin = 0, end; rc == 0 && begin < f.n; begin = end) {
    bool has_id = false;
    for (end = begin; end < f.n && !(has_id && strcmp(f.keys[end].key, "id") == 0); end++)
      has_id |= strcmp(f.keys[end].key, "id") == 0;
    if (n_made == FM_LIST_MAX) {
      rc = err_set(e, ERR_DATA, "%s:%d: id: more than %d variants in one file; split it", file, f.keys[begin].line,
                   FM_LIST_MAX);
      break;
    }
    made = realloc(made, (n_made + 1) * sizeof *made);
    struct rung *r = &made[n_made++];
    *r = (struct rung){.file = file, .source = text, .writes_c = true};
    rc = rung_gather(r, f.keys + begin, end - begin, n_made > 1 ? &made[0] : NULL, e);
    if (rc == 0)
      rc = rung_apply(r, e);
    if (rc == 0)
      rc = rung_complete(r, e);
  }
  if (rc == 0) {
    *rungs = realloc(*rungs, (*n + n_made) * sizeof **rungs);
    memcpy(*rungs + *n, made, n_made * sizeof *made);
    *n += n_made;
    n_made = 0;
  }
  for (size_t i = 0; i < n_made; i++)
    rung_release(&made[i]);
  free(made);
  fm_keys_release(f.keys, f.n);
  return rc;
}
