/* Other owners of CUPTI in the program, as far as they can be told from outside. */
#include "profiler/attach/inside/inject.h"

#include <link.h>
#include <string.h>

static int is_proton(struct dl_phdr_info *info, size_t size, void *found) {
  const char *slash = strrchr(info->dlpi_name, '/');
  (void)size;
  *(bool *)found = *(bool *)found || strcmp(slash ? slash + 1 : info->dlpi_name, "libproton.so") == 0;
  return 0;
}

void others_note(void) {
  bool proton = false;
  dl_iterate_phdr(is_proton, &proton);
  if (proton)
    inject_note(
        "the program has loaded Proton (triton.profiler), and CUPTI has one subscriber per process: under attach proton.start "
        "raises a RuntimeError (cuptiSubscribe, error 39); run the program without Proton, or Proton without attach");
}
