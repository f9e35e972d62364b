/* The folder below TMPDIR in which attach keeps the library that it injects and what the program's processes record. */
#pragma once

#include "base/err.h"

#include <dirent.h>
#include <sys/types.h>

struct attach_folder {
  char *path;   /* NULL: there is none */
  DIR *entries; /* opened before memory can run out; its lock says that the folder is in use */
  pid_t pid;    /* whose it is: not a child's */
};

/* First removes what runs that were killed have left, unless their program is still running. */
int attach_folder_make(struct attach_folder *f, struct err *e);
/* In a process that becomes the program: the program holds the folder, too, should this one be killed. */
void attach_folder_hold(const struct attach_folder *f);
void attach_folder_remove(struct attach_folder *f);
