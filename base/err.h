/* Errors: a code for the program, a sentence for the user.
 *
 * A fallible function returns 0 or a negative enum err_code and takes a final `struct err *`, which it leaves
 * untouched on success. The caller owns the struct and may pass NULL where it wants only the code.
 * A caller that knows more puts it in front with err_context: "cuda-3-ptx: 7168x2048x4: cuModuleLoadData: ...".
 */
#pragma once

enum err_code {
  ERR_NONE = 0,
  ERR_USAGE = -1,   /* the user's flags or arguments: exit 2 */
  ERR_MACHINE = -2, /* this machine lacks what was asked for: exit 3 */
  ERR_IO = -3,      /* a file or folder could not be read or written: exit 3 */
  ERR_DATA = -4,    /* a file was read, and what it says is malformed: exit 2 */
  ERR_NOMEM = -5,   /* memory: exit 3 */
  ERR_COMPILE = -6, /* a kernel did not compile: exit 4 */
  ERR_GPU = -7,     /* a CUDA or CUPTI call failed: exit 3 */
};

struct err {
  enum err_code code;
  char text[2048]; /* one line unless it quotes a compiler's log; always NUL-terminated */
};

/* Sets code and text; returns code, so that `return err_set(e, ERR_IO, ...)` reads as it acts. */
int err_set(struct err *e, enum err_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " in front of the text that is there; returns the code that is there (ERR_DATA where e is NULL: a failure stays one). */
int err_context(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ERR_NOMEM, naming what could not be allocated. */
int err_nomem(struct err *e, const char *what);
