/* The kernels of our own that run beside the rungs: the L2 flush, and empty kernels. */
#include "profiler/measure/session.h"

#include <stdio.h>

/* The flush reads without keeping: the lines it brings in are clean, so nothing is left to be written back later.
 *
 * An empty kernel ends at once, since it is given no buffer, but is allocated its number of registers: the branch that is never taken holds
 * r - 12 values at a time, and __maxnreg__ keeps ptxas from rounding up to the next step of occupancy.  Asked of ptxas 13.0 for sm_80,
 * sm_90a and sm_100a, every one of them gets r, but 14 where r is 16. */
static const char own_source[] =
    "extern \"C\" __global__ void nvfp4_prof_flush(const uint4 *p, unsigned long long n, unsigned *sink) {\n"
    "  unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;\n"
    "  unsigned x = 0;\n"
    "  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  for (; i + 3 * stride < n; i += 4 * stride) {\n"
    "    uint4 a = __ldcg(p + i), b = __ldcg(p + i + stride), c = __ldcg(p + i + 2 * stride), d = __ldcg(p + i + 3 * stride);\n"
    "    x ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;\n"
    "  }\n"
    "  for (; i < n; i += stride) { uint4 a = __ldcg(p + i); x ^= a.x ^ a.y ^ a.z ^ a.w; }\n"
    "  if (x == 0x9e3779b9u) *sink = x;\n" /* the buffer is zero, so never; the compiler cannot know */
    "}\n"
    "#define EMPTY(r) extern \"C\" __global__ void __maxnreg__(r) nvfp4_prof_empty_##r(volatile unsigned *p) { \\\n"
    "  if (p) { unsigned v[r - 12]; \\\n"
    "    _Pragma(\"unroll\") for (int i = 0; i < r - 12; i++) v[i] = p[i]; \\\n"
    "    _Pragma(\"unroll\") for (int i = 0; i < r - 12; i++) p[r - i] = v[i]; } }\n"
    "EMPTY(16) EMPTY(24) EMPTY(32) EMPTY(40) EMPTY(48) EMPTY(56) EMPTY(64) EMPTY(72) EMPTY(80) EMPTY(88) EMPTY(96)\n"
    "EMPTY(104) EMPTY(112) EMPTY(120) EMPTY(128) EMPTY(136) EMPTY(144) EMPTY(152) EMPTY(160) EMPTY(168) EMPTY(176)\n"
    "EMPTY(184) EMPTY(192) EMPTY(200) EMPTY(208) EMPTY(216) EMPTY(224) EMPTY(232) EMPTY(240) EMPTY(248) EMPTY(255)\n";
const struct compile_unit session_own_unit = {"nvfp4-prof.cu", own_source, NULL, 0};

int session_register_class(int registers) {
  enum { LEAST = 16, MOST = 255, STEP = 8 }; /* a warp's registers are allocated by 256, so a thread's by 8 */
  int rounded = (registers + STEP - 1) / STEP * STEP;
  return rounded < LEAST ? LEAST : rounded > MOST ? MOST : rounded;
}

int session_empty_kernel(struct session *s, int registers, CUfunction *f, struct err *e) {
  char name[32];
  snprintf(name, sizeof name, "nvfp4_prof_empty_%d", session_register_class(registers));
  int rc = CU_CALL(&s->driver, e, cuModuleGetFunction, f, s->own_module, name);
  if (!rc)
    rc = CU_CALL(&s->driver, e, cuFuncSetAttribute, *f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                 (int)s->gpu->smem_optin);
  if (!rc && s->gpu->sm >= 90)
    rc = CU_CALL(&s->driver, e, cuFuncSetAttribute, *f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  return rc ? err_context(e, "kernel %s", name) : 0;
}
