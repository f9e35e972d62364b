/* The rules that read SASS, exact counts or samples: estimates worked out beside each. */
#include "unit/made_diagnosis.h"

/* --- instructions --- */

static void sequences(void **state) {
  (void)state;
  static const char *const division[] = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT", NULL};
  static const char *const conversion[] = {"I2F.S8 R4, R2", "EXIT", NULL};
  static const char *const separate[] = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "EXIT", NULL};
  static const double each[] = {1e5, 1e5, 1, 1}, twice[] = {1e5, 1e5, 2e5, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, division, each);
  set(r, "pipe_xu", 6e5); /* three a division: half */
  saves(&d, "integer-division", 50);
  release(&d);
  r = made(&d);
  code(&d, conversion, each);
  set(r, "pipe_xu", 2e5);
  saves(&d, "conversions", 50);
  assert_null(diagnosis_find(&d.diagnosis, "integer-division"));
  release(&d);
  r = made(&d);
  code(&d, separate, twice);
  set(r, "pipe_fma", 4e5);
  saves(&d, "non-fused-fp", 25);
  release(&d);
}

static void decoding(void **state) {
  (void)state;
  static const double spent[] = {31.2, 12.7}; /* four rows that share B take 15.6, eight take 12.8 */
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    set(r, "pipe_alu", 16e5);
    r->bytes_minimal = 1e6;
    r->flops = 2 * 32 * 8 * 16e5 / spent[i];
    if (i) {
      silent(&d, "decode-cost");
      continue;
    }
    assert_string_equal(
        saves(&d, "decode-cost", 50)->told.sentence,
        "31.2 ALU instructions per 8 elements; the leanest known kernel takes 19.9, with B shared by 4 rows 15.6");
    release(&d);
  }
}

/* A loop of a thousand instructions is 16 KB, one of two is not. */
static void instruction_cache(void **state) {
  (void)state;
  enum { LARGE = 1000 };
  static struct run_instruction large[LARGE];
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    static const char *const lines[] = {"FFMA R6, R2, R3, R6", "EXIT", NULL};
    static const double executed[] = {1, 1};
    code(&d, lines, executed);
    for (size_t k = 0; k < LARGE; k++)
      large[k] =
          (struct run_instruction){.offset = (uint32_t)(16 * k), .text = (char *)(k + 1 < LARGE ? lines[0] : lines[1])};
    if (i == 0) {
      d.kernel.sass = large;
      d.kernel.n_sass = LARGE;
    }
    set(r, "stall_selected", 16e6);
    set(r, "stall_wait", 0);
    set(r, "stall_no_instruction", 16e6);
    if (i) {
      silent(&d, "instruction-cache");
      continue;
    }
    saves(&d, "instruction-cache", 50);
    release(&d);
  }
}

/* --- loads --- */

/* 16 bytes a thread, 320 warps: 163,840 B; DRAM needs 1 us x 1 TB/s.  Of what the L1 delivers DRAM read all, or a tenth. */
static void loads_in_flight(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};
  static const double executed[] = {32e3, 32e3, 1};
  static const double delivered[] = {1e3, 10e3}, kept = 16.0 / 128;
  static const char *const says[] = {
      "warps wait for loads 100 % of their time, with 16 B in flight per thread: 0.16 MiB on the whole chip, where 0.95 MiB keep DRAM busy",
      "warps wait for loads 100 % of their time, with 16 B in flight per thread: 0.16 MiB on the chip, 16 KiB of it from DRAM, which 0.95 MiB keep busy"};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    made_ceiling(&d.m, "l1_latency_cycles", 1000, CEILING_MEASURED);
    made_ceiling(&d.m, "l2_latency_cycles", 1000, CEILING_MEASURED);
    made_ceiling(&d.m, "dram_latency_cycles", 1000, CEILING_MEASURED);
    set(r, "stall_long_scoreboard", 32e6);
    set(r, "l2_sectors", 1);
    set(r, "l2_sectors_hit", 0);
    set(r, "l2_read_bytes", 0); /* no bytes, no ramp */
    set(r, "l1_load_bytes", delivered[i]);
    set(r, "dram_read_bytes", 1e3);
    assert_string_equal(saves(&d, "long-scoreboard", 100 * (1 - kept))->told.sentence, says[i]);
    release(&d);
  }
}

/* --- atomics --- */

/* 1,000 sectors are 1 us; the L1 takes 50.  What counts is where the samples stand. */
static void atomics_by_their_samples(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]",
                                      "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "EXIT", NULL};
  static const double executed[] = {1000, 1000, 1000};
  static const uint64_t at_red[] = {19, 40000};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    static struct run_sample samples[2];
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    made_ceiling(&d.m, "red_scattered", 1e9, CEILING_MEASURED);
    samples[0] = (struct run_sample){.offset = 0, .reason = (char *)"long_scoreboard", .samples = 43902};
    samples[1] = (struct run_sample){.offset = 16, .reason = (char *)"lg_throttle", .samples = at_red[i]};
    r->samples = samples;
    r->n_samples = 2;
    set(r, "l1_wavefronts", 5e5);
    set(r, "l2_atomic_sectors", 1000);
    diagnose(&d);
    const struct advice *a = diagnosis_find(&d.diagnosis, "atomics");
    assert_int_equal(a != NULL, i);
    assert_true(!a || strstr(a->told.sentence, "few addresses; 48 % of warp samples wait for atomics"));
    release(&d);
  }
}

/* 24e6 of 32e6 cycles queue, and no sample says for what: 75 us of atomics, of which one a block, 80 of 60,000, remain. */
static void atomics_without_samples(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  made_ceiling(&d.m, "red_scattered", 1e9, CEILING_MEASURED);
  set(r, "l2_atomic_sectors", 60000);
  set(r, "stall_lg_throttle", 24e6);
  saves(&d, "atomics", 100 * (1 - 80.0 / 60000));
  release(&d);
}

/* --- block scales --- */

/* 2000 x 1024: 1,024,000 bytes of A and 128,000 of its scales.  Each thread has a row, so that a load of one scale a lane touches 32 sectors. */
struct made_scales {
  struct made_diagnosis d;
  struct run_instruction sass[7];
  struct run_kernel kernel;
  struct run_module module;
  struct run_count counts[3];
  struct run_key step;
};

static struct run_result *made_with_scales(struct made_scales *m) {
  static const char *const lines[] = {"LDC.64 R2, c[0x0][0x210]",
                                      "LDC.64 R4, c[0x0][0x220]",
                                      "LDC.64 R6, c[0x0][0x228]",
                                      "LDG.E.128 R8, desc[UR4][R2.64]",
                                      "LDG.E.U8 R12, desc[UR4][R4.64]",
                                      "LDG.E.U8 R13, desc[UR4][R6.64]",
                                      "EXIT"};
  struct run_result *r = made(&m->d);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    m->sass[i] = (struct run_instruction){.offset = (uint32_t)(16 * i), .text = (char *)lines[i]};
  m->kernel = (struct run_kernel){.name = (char *)"gemv", .sass = m->sass, .n_sass = 7};
  m->module = (struct run_module){.kernels = &m->kernel, .n_kernels = 1};
  m->d.m.run.modules = &m->module;
  m->d.m.run.n_modules = 1;
  m->step = (struct run_key){(char *)"step", (char *)"kernel = gemv; grid = 1; block = 32"};
  m->d.m.variants[0].keys = &m->step;
  m->d.m.variants[0].n_keys = 1;
  m->counts[0] = (struct run_count){.offset = 48, .executed = 2000, .threads = 64000, .global_sectors = 32000};
  m->counts[1] = (struct run_count){.offset = 64, .executed = 4000, .threads = 128000, .global_sectors = 128000};
  m->counts[2] = (struct run_count){.offset = 80, .executed = 4000, .threads = 128000, .global_sectors = 4000};
  for (int i = 0; i < 3; i++) /* as if it were the least: the rule on all loads keeps out */
    m->counts[i].global_sectors_ideal = m->counts[i].global_sectors;
  r->launches->kernel = m->kernel.name;
  r->shape = (struct shape){2000, 1024, 1};
  r->module = 0;
  r->counts = m->counts;
  r->n_counts = 3;
  set(r, "l1_wavefronts", 620e3);
  return r;
}

static void scales_in_pieces(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  /* 128,000 sectors where 4,000 hold them: 124,000 of 620,000 cycles of the L1 go. */
  const struct advice *a = saves(&m.d, "scale-loads", 20);
  assert_string_equal(
      a->told.sentence,
      "loads of A's scales touch 32.0 times the sectors they need, 78 % of all sectors; 32 B per request, "
      "where A has 512 B");
  assert_float_equal(a->told.evidence[0].value.v, 0.4, 1e-12); /* 4000 of 10000 requests */
  release(&m.d);
  made_with_scales(
      &m); /* a load of B whose lanes are all off is told, and asks for nothing: 128,000 of 160,000 sectors */
  m.counts[2].threads = m.counts[2].global_sectors = m.counts[2].global_sectors_ideal = 0;
  assert_string_equal(
      saves(&m.d, "scale-loads", 20)->told.sentence,
      "loads of A's scales touch 32.0 times the sectors they need, 80 % of all sectors; 32 B per request, "
      "where A has 512 B");
  release(&m.d);
  set(made_with_scales(&m), "shared_wavefronts", 558e3); /* of 62,000 cycles for global memory no more can go */
  saves(&m.d, "scale-loads", 10);
  release(&m.d);
}

static void scales_that_cost_nothing(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  m.counts[1].global_sectors = 4000; /* lanes along K: whole sectors, each once */
  silent(&m.d, "scale-loads");
  set(made_with_scales(&m), "inst_executed", 40e6); /* 1 ms of issue: 3,750 requests are nothing of it */
  silent(&m.d, "scale-loads");
}

static void scales_that_cannot_be_told(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  m.step.value = (char *)"kernel = other; grid = 1; block = 32";
  silent(&m.d, "scale-loads");
  made_with_scales(&m);
  m.sass[1].text = (char *)"IADD3 R4, R2, c[0x0][0x220], RZ"; /* the address is of two pointers */
  silent(&m.d, "scale-loads");
  made_with_scales(&m);
  m.counts[1].threads = 64000; /* half of the scales came another way */
  silent(&m.d, "scale-loads");
  made_with_scales(&m);
  m.counts[2].global_sectors = -1;
  silent(&m.d, "scale-loads");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences),
      cmocka_unit_test(decoding),
      cmocka_unit_test(instruction_cache),
      cmocka_unit_test(loads_in_flight),
      cmocka_unit_test(atomics_by_their_samples),
      cmocka_unit_test(atomics_without_samples),
      cmocka_unit_test(scales_in_pieces),
      cmocka_unit_test(scales_that_cost_nothing),
      cmocka_unit_test(scales_that_cannot_be_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
