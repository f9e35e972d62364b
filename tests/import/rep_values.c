/* Prints every value of a report, "launch<TAB>metric<TAB>value" a line: rep_values FILE.  For referee.py. */
#include "profiler/import/ncu_rep.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  struct import_file file = {argc > 1 ? argv[1] : ""};
  struct ncu_file out = {0};
  struct ncu_source code = {0};
  struct err e = {0};
  char *text = NULL, *note = NULL;
  int rc = import_file_read(&text, &file.n, file.name, &e);
  file.text = text;
  if (!rc)
    rc = ncu_rep_parse(&out, &code, &note, &file, &e);
  for (size_t i = 0; i < out.n && !rc; i++) {
    const struct ncu_launch *l = &out.launches[i];
    for (size_t j = 0; j < l->n; j++) {
      if (l->metrics[j].cell)
        printf("%zu\t%s\t%s\n", i, l->names->names[j], l->metrics[j].cell->text);
      else
        printf("%zu\t%s\t%.17g\n", i, l->names->names[j], l->metrics[j].number);
    }
  }
  if (rc)
    fprintf(stderr, "%s\n", e.text);
  ncu_release(&out);
  ncu_source_release(&code);
  free(note);
  free(text);
  return rc != 0;
}
