/* Fixed-width names.  NVRTC has no <stdint.h>, and cuda/std/cstdint costs more to compile than a whole rung. */
#pragma once

#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long int64_t;
#else
#include <stdint.h>
#endif

/* Values of K in a tile, the unit that a thread takes: 32 bytes of A, 32 of B, and four scales of each in one 32-bit word. */
constexpr int TILE_VALUES = 64;
/* Stored rows of B and SFB a batch, of which row 0 is the vector (kernels/problem.h). */
constexpr int PAD_ROWS = 128;
