#include "base/demangle.h"

#include "base/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *convert_fn(const char *, char *, size_t *, int *);

/* libstdc++ refuses names of over 1024 characters (2048 components, two a character: DEMANGLE_RECURSION_LIMIT in libiberty), as those of CUTLASS's kernels are. */
enum { LONGEST = 1024, CUTS = 96, DEPTH_MOST = 48 };

/* The readable name up to its last comma, whose argument may be cut in two, and all brackets that are open there closed. */
static char *with_dots(char *readable) {
  char *comma = strrchr(readable, ',');
  size_t open = 0;
  for (char *c = readable; comma && c < comma; c++)
    open += *c == '<' ? 1 : *c == '>' && open > 0 ? (size_t)-1 : 0;
  if (!comma || open > DEPTH_MOST)
    return readable;
  char closed[DEPTH_MOST + 1];
  memset(closed, '>', open);
  closed[open] = 0;
  *comma = 0;
  char *out = str_printf("%s, ...%s()", readable, closed);
  free(readable);
  return out;
}

/* Of a name that is too long its beginning is enough to know it by.  Where an argument ends is not known without reading the name, so that ends are tried: an E
 * closes what is open, and v v stand for the return type and the parameters. */
static char *convert_beginning(convert_fn *convert, const char *name) {
  char cut[LONGEST + 1];
  for (size_t n = LONGEST - DEPTH_MOST - 2; n > LONGEST - DEPTH_MOST - 2 - CUTS; n--)
    for (size_t depth = 1; depth <= DEPTH_MOST; depth++) {
      memcpy(cut, name, n);
      memset(cut + n, 'E', depth);
      memcpy(cut + n + depth, "vv", 3);
      char *readable = convert(cut, NULL, NULL, NULL);
      if (readable)
        return with_dots(readable);
    }
  return NULL;
}

char *demangle(const char *name) {
  convert_fn *convert = NULL;
  void *library = strncmp(name, "_Z", 2) == 0 ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
  void *address = library ? dlsym(library, "__cxa_demangle") : NULL;
  memcpy(&convert, &address, sizeof address);
  char *out = convert ? convert(name, NULL, NULL, NULL) : NULL;
  if (convert && !out && strlen(name) > LONGEST)
    out = convert_beginning(convert, name);
  return out ? out : str_copy(name);
}
