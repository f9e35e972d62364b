/* new: a commented file to start from, which compiles and passes as it is. */
#include "base/embed.h"

#include "base/file.h"
#include "profiler/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"problem", "KIND", "generic (default): sizes and buffers of your own; gemv: a rung of the NVFP4 ladders"},
    {"force", NULL, "overwrite a file that is there"},
    {NULL, NULL, NULL},
};

static int template_find(const struct embedded **out, const char *problem, struct err *e) {
  char file[48];
  snprintf(file, sizeof file, "templates/%.16s.cu", problem);
  for (*out = profiler_embedded_templates; (*out)->name; ++*out)
    if (strcmp((*out)->name, file) == 0)
      return 0;
  return err_set(e, ERR_USAGE, "--problem %s: must be generic or gemv", problem);
}

/* "dir/my-kernel" or "dir/my-kernel.cu": the file's path and the id, which are the caller's. */
static int name_split(char **path, char **id, const char *name, struct err *e) {
  enum { ID_MAX = 64 };
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  size_t n = strcmp(base, ".cu") == 0 ? 0 : strlen(base) - (str_ends(base, ".cu") ? 3 : 0);
  if (n == 0 || n > ID_MAX || strspn(base, "abcdefghijklmnopqrstuvwxyz0123456789.-") < n)
    return err_set(e, ERR_USAGE, "new %s: the name is the variant's id: use at most %d of a-z, 0-9, '.' and '-'", name,
                   ID_MAX);
  *id = str_printf("%.*s", (int)n, base);
  *path = str_printf("%.*s.cu", (int)(base - name + (long)n), name);
  return 0;
}

static void fill_in(struct text *out, const char *text, const char *id) {
  static const char slot[] = "@NAME@";
  for (const char *at; (at = strstr(text, slot)); text = at + strlen(slot)) {
    text_add_n(out, text, (size_t)(at - text));
    text_add(out, id);
  }
  text_add(out, text);
}

/* An existing file is never touched: O_EXCL, so that nobody comes between look and write. */
static int write_new(const char *path, const struct text *text, bool force, struct err *e) {
  if (force)
    return file_write(path, text_str(text), text->n, e);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return errno == EEXIST
               ? err_set(e, ERR_USAGE, "%s is there already; choose another name, or overwrite it with --force", path)
               : err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
  bool whole = write(fd, text_str(text), text->n) == (ssize_t)text->n;
  int why = errno;
  if (close(fd) == 0 && whole)
    return 0;
  unlink(path);
  return err_set(e, ERR_IO, "%s: %s", path, strerror(why));
}

static int tell(const char *path, struct err *e) {
  struct text out = {0};
  text_printf(&out,
              "%s written. Next:\n  nvfp4-prof --kernel %s            check it, time it, count\n"
              "  nvfp4-prof --kernel %s --watch    do so whenever it is saved\n"
              "  nvfp4-prof tune --kernel %s       search its params\n",
              path, path, path, path);
  return cli_print_words(&out, e);
}

static int new_command(const struct args *a, struct err *e) {
  struct text text = {0};
  const struct embedded *from = NULL;
  char *path = NULL, *id = NULL;
  int rc = 0;
  const char *problem = args_get(a, "problem") ? args_get(a, "problem") : "generic";
  if (a->n_rest != 1)
    return err_set(e, ERR_USAGE, "new takes one name: nvfp4-prof new my-kernel");
  rc = template_find(&from, problem, e);
  if (!rc)
    rc = name_split(&path, &id, a->rest[0], e);
  if (!rc)
    fill_in(&text, from->data, id);
  if (!rc)
    rc = write_new(path, &text, args_has(a, "force"), e);
  if (!rc)
    rc = tell(path, e);
  text_release(&text);
  free(path);
  free(id);
  return rc;
}

COMMAND_ROW(150, new) = {
    .name = "new",
    .arguments = "NAME [--problem KIND]",
    .summary = "write a commented file to start a kernel of your own from",
    .needs = "nothing",
    .examples = "new my-kernel\n"
                "new my-rung --problem gemv\n",
    .options = option_rows,
    .run = new_command,
};
