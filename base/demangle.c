#include "base/demangle.h"

#include "base/text.h"

#include <dlfcn.h>
#include <string.h>

char *demangle(const char *name) {
  char *(*convert)(const char *, char *, size_t *, int *) = NULL;
  void *library = strncmp(name, "_Z", 2) == 0 ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
  void *address = library ? dlsym(library, "__cxa_demangle") : NULL;
  memcpy(&convert, &address, sizeof address);
  char *out = convert ? convert(name, NULL, NULL, NULL) : NULL;
  return out ? out : str_copy(name);
}
