/* The injection library's file, carried in the binary: a GPU node needs nothing but the one program. */
#include "profiler/attach/outside/composing.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        "attach_image_begin:\n"
        ".incbin \"" NVFP4_INJECT "\"\n"
        "attach_image_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const unsigned char attach_image_begin[], attach_image_end[];

const void *attach_image(size_t *bytes) {
  *bytes = (size_t)(attach_image_end - attach_image_begin);
  return attach_image_begin;
}
