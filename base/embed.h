/* Files carried inside the binary.  CMake's embed_files() makes one table a room, closed by an entry whose name is NULL. */
#pragma once

#include <stddef.h>

struct embedded {
  const char *name; /* relative to the room: "cuda/2-intrinsics.cu" */
  const char *data; /* NUL-terminated */
  size_t n;         /* bytes before the NUL */
};
