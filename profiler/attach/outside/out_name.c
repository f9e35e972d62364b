/* What a process's run file is called. */
#include "profiler/attach/outside/composing.h"

#include "base/text.h"

#include <string.h>
#include <sys/stat.h>

enum { PROGRAMS_MAX = 1000 };

/* One rank of one is alone with its file. */
static bool is_one_of_many(const struct process_record *p) {
  return p->launcher && p->size != 1;
}

/* What ranks and processes are put before. */
static const char *ending_of(const char *pattern) {
  const char *dot = strrchr(pattern, '.'), *slash = strrchr(pattern, '/');
  dot = dot && (!slash || dot > slash + 1) ? dot : pattern + strlen(pattern);
  return dot - pattern > 5 && strncmp(dot - 5, ".json", 5) == 0 ? dot - 5 : dot; /* run.json.gz */
}

/* The pattern filled in, rank and process put before its ending where asked for; program 2, 3, ...: one that the process became by exec. */
static char *name_fill(const char *pattern, const struct process_record *p, bool rank, bool process, int program) {
  struct text t = {0};
  const char *dot = ending_of(pattern);
  for (const char *c = pattern;; c++) {
    if (rank && c == dot)
      text_printf(&t, ".%ld", p->rank);
    if (process && c == dot)
      text_printf(&t, ".%ld", p->pid);
    if (program > 1 && c == dot)
      text_printf(&t, ".%d", program);
    if (!*c)
      break;
    if (c[0] == '%' && c[1] == 'p')
      text_printf(&t, "%ld", p->pid), c++;
    else if (c[0] == '%' && c[1] == 'r')
      text_printf(&t, "%ld", p->launcher ? p->rank : 0), c++;
    else
      text_add_n(&t, c, 1);
  }
  return text_take(&t);
}

/* Another process wrote it since: a rank that no variable tells from this one. */
static bool is_new(const char *path, const struct timespec *since) {
  struct stat st;
  return stat(path, &st) == 0 && (st.st_mtim.tv_sec > since->tv_sec ||
                                  (st.st_mtim.tv_sec == since->tv_sec && st.st_mtim.tv_nsec > since->tv_nsec));
}

char *out_name(const char *pattern, const struct process_record *p, bool several, const struct timespec *since) {
  bool has_rank = strstr(pattern, "%r"), has_process = strstr(pattern, "%p"), ranked = is_one_of_many(p);
  bool rank = ranked && !has_rank;
  char *name = name_fill(pattern, p, rank, several && !ranked && !has_process, 1);
  for (int program = 1; name && is_new(name, since) && program < PROGRAMS_MAX; program++) {
    free(name);
    name = name_fill(pattern, p, rank, !has_process, program);
  }
  return name;
}

char *out_glob(const char *pattern) {
  struct text t = {0};
  const char *ending = ending_of(pattern);
  bool filled = strstr(pattern, "%r") || strstr(pattern, "%p");
  for (const char *c = pattern; *c; c++) {
    if (c == ending && !filled)
      text_add(&t, ".*");
    if (c[0] == '%' && (c[1] == 'r' || c[1] == 'p'))
      text_add(&t, "*"), c++;
    else
      text_add_n(&t, c, 1);
  }
  if (!*ending && !filled)
    text_add(&t, ".*");
  return text_take(&t);
}
