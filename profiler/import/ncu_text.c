/* What ncu prints without --csv, as it stands in logs and issues:
 *
 *   NAME (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0
 *     Section: GPU Speed Of Light Throughput
 *     ----------------------- ----------- ------------
 *     Metric Name             Metric Unit Metric Value
 *     ----------------------- ----------- ------------
 *     Elapsed Cycles                cycle    4,205,684
 *     ----------------------- ----------- ------------
 *
 * The dashes say where the columns stand.  Everything else is passed over.  With --print-summary per-kernel a launch stands for all of a kernel,
 *
 *   NAME (64, 1, 1)x(256, 1, 1), Device 0, CC 8.0, Invocations 14
 *
 * and the last of five columns, Metric Name, Metric Unit, Minimum, Maximum and Average, is its value.
 */
#include "profiler/import/ncu.h"

#include <string.h>

enum { COLUMN_NAME, COLUMN_UNIT, COLUMN_VALUE, COLUMNS = COLUMN_VALUE + 1, DASHES_MAX = 5 };

struct reader {
  struct ncu_file *file;
  struct ncu_launch *launch; /* NULL: none yet */
  const char *section;
  size_t line;
  size_t from[COLUMNS], to[COLUMNS]; /* of the table: bytes of a line */
  enum { OUTSIDE, BEFORE_HEAD, HEAD, ROWS } state;
};

static const char CONTEXT[] = ", Context ", DEVICE[] = ", Device ", INVOCATIONS[] = ", Invocations ";

bool ncu_text_is(const char *text) {
  bool table = strstr(text, "Metric Name") && strstr(text, "Metric Unit") && strstr(text, "-----");
  return table && ((strstr(text, "Metric Value") && strstr(text, CONTEXT)) ||
                   (strstr(text, "Average") && strstr(text, DEVICE) && strstr(text, INVOCATIONS)));
}

static const char *find_in(const char *line, size_t n, const char *what) {
  return memmem(line, n, what, strlen(what));
}

/* A line of nothing but columns of dashes: name, unit, and the value, which is the last. */
static bool dashes_read(struct reader *r, const char *line, size_t n) {
  size_t columns = 0, from[DASHES_MAX] = {0}, to[DASHES_MAX] = {0};
  for (size_t i = 0; i < n;) {
    if (line[i] == ' ') {
      i++;
      continue;
    }
    if (line[i] != '-' || columns == DASHES_MAX)
      return false;
    from[columns] = i;
    while (i < n && line[i] == '-')
      i++;
    to[columns++] = i;
  }
  if (columns != COLUMNS && columns != DASHES_MAX)
    return false;
  for (int i = 0; i < COLUMNS; i++) {
    size_t at = i == COLUMN_VALUE ? columns - 1 : (size_t)i;
    r->from[i] = from[at];
    r->to[i] = i == COLUMN_UNIT ? from[COLUMN_UNIT + 1] : to[at];
  }
  return true;
}

static int extents_read(struct reader *r, const char *line, size_t name_end, struct err *e) {
  const char *close = line + name_end; /* behind "(256, 1, 1)" of the block */
  const char *times = NULL, *open = NULL;
  for (const char *c = close; c > line && !times; c--)
    if (strncmp(c, ")x(", 3) == 0)
      times = c;
  for (const char *c = times; c && c > line && !open; c--)
    open = *c == '(' ? c : NULL;
  int rc = 0;
  size_t end = name_end;
  if (open) {
    struct csv_cell grid = {NULL, r->line, (size_t)(open - line) + 1};
    struct csv_cell block = {NULL, r->line, (size_t)(times - line) + 3};
    grid.text = ncu_name_keep(r->file, open, (size_t)(times + 1 - open));
    block.text = ncu_name_keep(r->file, times + 2, (size_t)(close - times - 2));
    rc = ncu_extent_parse(r->launch->grid, r->file->name, &grid, e);
    if (!rc)
      rc = ncu_extent_parse(r->launch->block, r->file->name, &block, e);
    end = (size_t)(open - line);
  }
  while (end > 0 && line[end - 1] == ' ')
    end--;
  size_t begin = strspn(line, " \t");
  if (!rc && begin >= end)
    return err_set(e, ERR_DATA, "%s:%zu:1: the launch names no kernel", r->file->name, r->line);
  if (!rc)
    r->launch->kernel = ncu_name_keep(r->file, line + begin, end - begin);
  return rc;
}

static int launch_read(struct reader *r, const char *line, size_t n, const char *context, struct err *e) {
  ncu_launch_add(r->file, &r->launch);
  r->section = "";
  r->state = OUTSIDE;
  int rc = extents_read(r, line, (size_t)(context - line), e);
  const char *capability = rc ? NULL : find_in(context, n - (size_t)(context - line), ", CC ");
  if (capability) {
    capability += strlen(", CC ");
    r->launch->capability = ncu_name_keep(r->file, capability, strspn(capability, "0123456789."));
  }
  return rc;
}

/* A cell without the blanks around it; a value may begin left of its column, where it is wider. */
static void cell_read(struct reader *r, const char *line, size_t n, int column, struct csv_cell *out) {
  size_t from = r->from[column], to = column == COLUMN_NAME   ? r->from[COLUMN_UNIT]
                                      : column == COLUMN_UNIT ? r->to[column]
                                                              : n;
  to = to < n ? to : n;
  from = from < to ? from : to;
  if (column == COLUMN_VALUE)
    while (from > 0 && line[from - 1] != ' ')
      from--;
  while (from < to && line[from] == ' ')
    from++;
  while (to > from && (line[to - 1] == ' ' || line[to - 1] == '\r'))
    to--;
  *out = (struct csv_cell){ncu_name_keep(r->file, line + from, to - from), r->line, from + 1};
}

static void metric_read(struct reader *r, const char *line, size_t n) {
  struct csv_cell cells[COLUMNS];
  for (int i = 0; i < COLUMNS; i++)
    cell_read(r, line, n, i, &cells[i]);
  if (cells[0].text[0])
    ncu_metric_add(r->launch, ncu_label_name(r->file, r->section, cells[0].text), ncu_cell_keep(r->file, &cells[1]),
                   ncu_cell_keep(r->file, &cells[2]));
}

static int line_read(struct reader *r, const char *line, size_t n, struct err *e) {
  static const char section[] = "Section: ";
  const char *context = find_in(line, n, CONTEXT), *named = find_in(line, n, section);
  if (!context && find_in(line, n, INVOCATIONS))
    context = find_in(line, n, DEVICE);
  if (context)
    return launch_read(r, line, n, context, e);
  if (named && r->launch) {
    named += sizeof section - 1;
    size_t length = n - (size_t)(named - line);
    while (length > 0 && (named[length - 1] == ' ' || named[length - 1] == '\r'))
      length--;
    r->section = ncu_name_keep(r->file, named, length);
    r->state = OUTSIDE;
    return 0;
  }
  size_t seen = n && line[n - 1] == '\r' ? n - 1 : n;
  if (dashes_read(r, line, seen)) {
    r->state = r->state == OUTSIDE ? BEFORE_HEAD : r->state == HEAD ? ROWS : OUTSIDE;
    return 0;
  }
  if (r->state == BEFORE_HEAD)
    r->state = find_in(line, n, "Metric Name") ? HEAD : OUTSIDE;
  if (r->state == ROWS && r->launch)
    metric_read(r, line, n);
  return 0;
}

int ncu_text_read(struct ncu_file *f, const char *text, struct err *e) {
  struct reader r = {.file = f, .section = "", .line = 1};
  int rc = 0;
  for (const char *line = text; *line && !rc; r.line++) {
    size_t n = strcspn(line, "\n");
    rc = line_read(&r, line, n, e);
    line += n + (line[n] == '\n');
  }
  return rc;
}
