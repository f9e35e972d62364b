/* C++'s names for people. */
#pragma once

/* The name as it was written, or a copy where it is no mangled one or the machine has no libstdc++.so.6, whose demangler is used; of a name longer than 1024 characters, which
 * libstdc++ refuses, its beginning, with dots in the place of the rest.  The caller's to
 * free.  NULL where memory ran out. */
char *demangle(const char *name);
