/* Device descriptions: the shipped ones, those of a run's own card, and files. */
#include "base/embed.h"
#include "base/file.h"
#include "run/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const struct embedded run_embedded_devices[];

static const char scratch[] = "./test_run_device.tmp.json";
static const struct device zero;

static void loaded(struct device *d, const char *id) {
  struct err e = {0};
  if (device_load(d, id, &e))
    fail_msg("%s", e.text);
}

static double ceiling_of(const struct device *d, const char *name, enum ceiling_kind kind) {
  const struct ceiling *c = device_ceiling(d, name, kind);
  return c ? c->value : -1;
}

static void test_ids_are_the_embedded_files(void **state) {
  (void)state;
  char id[DEVICE_ID_MAX];
  size_t n = 0, embedded = 0;
  while (run_embedded_devices[embedded].name)
    embedded++;
  for (; device_id(n, id); n++) {
    struct device d;
    loaded(&d, id);
    assert_string_equal(d.id, id);
    for (size_t c = 0; c < d.n_ceilings; c++) {
      assert_true(d.ceilings[c].value > 0);
      assert_true(strlen(d.ceilings[c].source) > 0);
      assert_ptr_equal(device_ceiling(&d, d.ceilings[c].name, d.ceilings[c].kind), &d.ceilings[c]);
    }
    device_release(&d);
    assert_memory_equal(&d, &zero, sizeof d);
  }
  assert_int_equal(n, embedded);
  assert_true(n >= 2);
}

static void test_b200(void **state) {
  (void)state;
  struct device d;
  loaded(&d, "B200");
  assert_string_equal(d.chip, "GB100");
  assert_string_equal(d.arch, "sm_100a");
  assert_int_equal(d.sms, 148);
  assert_true(d.l2_bytes == 132644864 && d.clock_max_hz == 1.965e9);
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DATASHEET) == 7.68e12);
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DRIVER) == 3996e6 * 2 * 7680 / 8);
  assert_null(device_ceiling(&d, "dram_bw", CEILING_MEASURED));
  assert_int_equal(device_best(&d, "dram_bw")->kind, CEILING_PUBLISHED); /* before the driver's 7.67e12 */
  assert_true(device_best(&d, "dram_bw")->value == 7.26e12);
  assert_true(device_best(&d, "rate_hfma2")->value == 64);
  assert_true(device_best(&d, "dram_latency_cycles")->value == 860);
  assert_null(device_best(&d, "rate_unheard_of"));
  device_release(&d);
}

static void test_b300(void **state) {
  (void)state;
  struct device d;
  loaded(&d, "b300");
  assert_int_equal(d.sm, 103);
  assert_true(ceiling_of(&d, "dram_load_bw", CEILING_PUBLISHED) == 7.41e12);
  assert_null(device_ceiling(&d, "dram_bw", CEILING_MEASURED));
  assert_string_equal(ceiling_kind_name(device_best(&d, "dram_bw")->kind), "published");
  device_release(&d);
}

static void test_h200(void **state) {
  (void)state;
  struct device d;
  loaded(&d, "h200");
  assert_int_equal(d.sms, 132);
  assert_int_equal(d.sm, 90);
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DATASHEET) == 4.8e12);
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DRIVER) == 4.8143e12); /* 3201 MHz x 2 x 6016 bit / 8, to six digits */
  /* By slope; a read that the launch and the ramp are counted in is slower. */
  assert_true(device_best(&d, "dram_bw")->value > 4.6e12 && device_best(&d, "dram_bw")->value < 4.8e12);
  assert_int_equal(device_best(&d, "dram_bw")->kind, CEILING_MEASURED);
  assert_true(ceiling_of(&d, "rate_issue", CEILING_DATASHEET) == 4);
  /* Whatever was measured beside a datasheet's figure does not beat it (a clock read has its error), and comes near it. */
  for (size_t i = 0; i < d.n_ceilings; i++) {
    const struct ceiling *sheet = device_ceiling(&d, d.ceilings[i].name, CEILING_DATASHEET);
    if (sheet && d.ceilings[i].kind == CEILING_MEASURED)
      assert_true(d.ceilings[i].value > 0.95 * sheet->value && d.ceilings[i].value < 1.001 * sheet->value);
  }
  assert_int_equal(d.n_curves, 3);
  assert_string_equal(d.curves[2].name, "latency");
  device_release(&d);
  assert_string_equal(ceiling_kind_name(CEILING_DATASHEET), "datasheet");
  assert_string_equal(ceiling_kind_name(CEILING_DRIVER), "driver");
  assert_string_equal(ceiling_kind_name(CEILING_MEASURED), "measured");
}

static void test_unknown(void **state) {
  (void)state;
  struct device d;
  struct err e = {0};
  assert_int_equal(device_load(&d, "b400", &e), ERR_USAGE);
  struct text says = {0};
  char id[DEVICE_ID_MAX];
  text_add(&says, "unknown device 'b400'; known: ");
  for (size_t i = 0; device_id(i, id); i++)
    text_printf(&says, "%s%s", i ? ", " : "", id);
  text_add(&says, "; or give the path of a device .json");
  assert_string_equal(e.text, text_str(&says));
  text_release(&says);
  assert_memory_equal(&d, &zero, sizeof d);
  assert_int_equal(device_load(&d, "", &e), ERR_USAGE);
  assert_int_equal(device_load(&d, "missing.json", &e), ERR_IO);
  assert_non_null(strstr(e.text, "missing.json"));
  assert_int_equal(device_load(&d, "b400", NULL), ERR_USAGE);
}

static void test_file(void **state) {
  (void)state;
  struct device d, back;
  struct err e = {0};
  loaded(&d, "b200");
  assert_int_equal(device_save(&d, scratch, &e), 0);
  loaded(&back, scratch);
  assert_string_equal(back.name, d.name);
  assert_int_equal(back.n_ceilings, d.n_ceilings);
  assert_string_equal(back.ceilings[3].source, d.ceilings[3].source);
  assert_true(back.regs_per_sm == 65536 && back.smem_per_sm == 233472);
  device_release(&back);
  device_release(&d);
  unlink(scratch);
}

static void file_refused(const char *json, const char *words) {
  struct device d;
  struct err e = {0};
  assert_int_equal(file_write(scratch, json, strlen(json), &e), 0);
  assert_int_equal(device_load(&d, scratch, &e), ERR_DATA);
  if (!strstr(e.text, words))
    fail_msg("\"%s\" is not in \"%s\"", words, e.text);
  assert_memory_equal(&d, &zero, sizeof d);
  unlink(scratch);
}

static void test_file_refused(void **state) {
  (void)state;
  file_refused("{", "test_run_device.tmp.json:1:2: ");
  file_refused("{", "; correct it, or restore it");
  file_refused("{\"schema\": \"nvfp4-prof/run/1\"}", "is not nvfp4-prof/device/1: this is another kind of file");
  file_refused("{\"schema\": \"nvfp4-prof/device/2\"}", "reads up to 1: update nvfp4-prof");
  file_refused("{\"schema\": \"nvfp4-prof/device/1\"}", "id: missing");
}

/* A device with one curve, whose x and y are given. */
static void curve_written(char out[512], const char *x, const char *y) {
  snprintf(out, 512,
           "{\"schema\": \"nvfp4-prof/device/1\", \"id\": \"c\", \"name\": \"C\", \"arch\": \"sm_90\", \"sm\": 90, "
           "\"sms\": 1, \"warps_per_sm\": 64, \"regs_per_sm\": 1, \"smem_per_sm\": 1, \"smem_optin\": 1, "
           "\"clock_max_hz\": 1, \"l2_bytes\": 1, \"ceilings\": [], \"curves\": [{\"name\": \"read_bw\", "
           "\"x_unit\": \"B\", \"y_unit\": \"B/s\", \"source\": \"s\", \"x\": [%s], \"y\": [%s]}]}",
           x, y);
}

static void test_curves(void **state) {
  (void)state;
  char json[512];
  struct device d;
  struct err e = {0};
  curve_written(json, "1, 2", "30, 20");
  assert_int_equal(file_write(scratch, json, strlen(json), &e), 0);
  loaded(&d, scratch);
  assert_int_equal(d.n_curves, 1);
  assert_true(d.curves[0].n_x == 2 && d.curves[0].x[1] == 2 && d.curves[0].y[0] == 30);
  device_release(&d);
  curve_written(json, "1, 2, 3", "30, 20");
  file_refused(json, "curves[0]: 3 values of x and 2 of y; correct it, or restore it");
  curve_written(json, "1", "");
  file_refused(json, "curves[0]: 1 values of x and 0 of y");
}

static const struct run_device card = {
    .name = "NVIDIA H200 NVL",
    .chip = "GH100",
    .sm = 90,
    .sms = 130,
    .l2_bytes = 1e6,
    .memory_clock_hz = 1e9,
    .memory_bus_bits = 8192,
};

static void test_card_of_a_known_kind(void **state) {
  (void)state;
  struct device d;
  struct err e = {0};
  assert_int_equal(device_from_run(&d, &card, &e), 0);
  assert_string_equal(d.id, "h200");
  assert_string_equal(d.name, "NVIDIA H200 NVL");
  assert_string_equal(d.arch, "sm_90a");
  assert_int_equal(d.sms, 130);          /* the card's */
  assert_int_equal(d.warps_per_sm, 64);  /* it did not say: the kind's */
  assert_true(d.clock_max_hz == 1.98e9); /* likewise */
  assert_true(d.l2_bytes == 1e6);
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DRIVER) == 1e9 * 2 * 1024);
  assert_string_equal(device_ceiling(&d, "dram_bw", CEILING_DRIVER)->source,
                      "driver of this card: 1000 MHz x 2 x 8192 bit / 8");
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DATASHEET) == 4.8e12);
  assert_true(ceiling_of(&d, "rate_ffma", CEILING_DATASHEET) == 128);
  device_release(&d);
}

static void test_card_of_an_unknown_kind(void **state) {
  (void)state;
  static const char *const names[] = {"NVIDIA GH200 480GB", "NVIDIA B200X", "NVIDIA RTX 5080", ""};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct run_device r = card;
    struct device d;
    struct err e = {0};
    r.name = (char *)names[i];
    r.chip = NULL;
    assert_int_equal(device_from_run(&d, &r, &e), 0);
    assert_string_equal(d.name, names[i]);
    assert_string_equal(d.arch, "sm_90");
    assert_null(d.chip);
    assert_int_equal(d.n_ceilings, 1);
    assert_true(device_best(&d, "dram_bw")->value == 1e9 * 2 * 1024);
    device_release(&d);
  }
  struct run_device r = card;
  struct device d;
  r.name = "NVIDIA RTX 5080";
  r.memory_bus_bits = 0;
  assert_int_equal(device_from_run(&d, &r, NULL), 0);
  assert_string_equal(d.id, "nvidia-rtx-5080");
  assert_null(device_best(&d, "dram_bw"));
  device_release(&d);
  r.name = NULL;
  assert_int_equal(device_from_run(&d, &r, NULL), ERR_DATA);
}

static void test_name_of_a_known_kind(void **state) {
  (void)state;
  static const char *const names[] = {"NVIDIA B200", "b200", "nvidia b200 180GB", "tray 2, B200"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct run_device r = {.name = (char *)names[i]};
    struct device d;
    assert_int_equal(device_from_run(&d, &r, NULL), 0);
    assert_string_equal(d.id, "b200");
    assert_true(ceiling_of(&d, "dram_bw", CEILING_DRIVER) == 7.67232e12);
    device_release(&d);
  }
}

/* Names as drivers give them. */
static void test_cards_of_each_description(void **state) {
  (void)state;
  static const char *const cards[][2] = {
      {"NVIDIA A100-SXM4-40GB", "a100-40"},
      {"NVIDIA A100-PCIE-40GB", "a100-40"},
      {"NVIDIA A100-SXM4-80GB", "a100-80"},
      {"NVIDIA A100 80GB PCIe", "a100-80-pcie"},
      {"NVIDIA H100 80GB HBM3", "h100"},
      {"NVIDIA H100 PCIe", "h100-pcie"},
      {"NVIDIA H200", "h200"},
      {"NVIDIA L40S", "l40s"},
      {"NVIDIA GeForce RTX 4090", "rtx-4090"},
      {"NVIDIA GeForce RTX 5090", "rtx-5090"},
      {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000"},
      {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000"},
      {"NVIDIA B200", "b200"},
      {"NVIDIA GB200", "gb200"},
      {"NVIDIA B300 SXM6 AC", "b300"},
  };
  char id[DEVICE_ID_MAX];
  for (size_t i = 0, k = 0; device_id(i, id); i++, k = 0) {
    while (k < sizeof cards / sizeof cards[0] && strcmp(cards[k][1], id) != 0)
      k++;
    if (k == sizeof cards / sizeof cards[0])
      fail_msg("%s has no row of a name that drivers give it", id);
  }
  for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
    struct run_device r = {.name = (char *)cards[i][0]};
    struct device d;
    struct text how = {0};
    assert_int_equal(device_from_run(&d, &r, NULL), 0);
    assert_string_equal(d.id, cards[i][1]);
    assert_true(device_names(&d, cards[i][0]));
    assert_false(device_names(&d, "NVIDIA L4"));
    assert_false(device_differs(&r, &how)); /* it says nothing of itself */
    text_release(&how);
    device_release(&d);
  }
}

/* Every description gives a chip's SMs and clock, and a bandwidth of DRAM; the driver's figure is within 8 % of the data sheet's. */
static void test_every_description_is_whole(void **state) {
  (void)state;
  char id[DEVICE_ID_MAX];
  for (size_t i = 0; device_id(i, id); i++) {
    struct device d;
    loaded(&d, id);
    assert_true(d.sm >= 80 && d.sms > 50 && d.clock_max_hz > 1e9 && d.l2_bytes > 3e7);
    const struct ceiling *sheet = device_ceiling(&d, "dram_bw", CEILING_DATASHEET),
                         *driver = device_ceiling(&d, "dram_bw", CEILING_DRIVER);
    assert_true(sheet || driver);
    if (sheet && driver)
      assert_true(driver->value > 0.92 * sheet->value && driver->value < 1.08 * sheet->value);
    assert_non_null(device_best(&d, "rate_issue"));
    assert_non_null(device_best(&d, "rate_ffma"));
    device_release(&d);
  }
}

/* The two memories of the H200: what was measured with one holds for the other by the ratio of their buses. */
static void test_the_memory_that_the_driver_tells(void **state) {
  (void)state;
  struct run_device narrow = {.name = (char *)"NVIDIA H200", .memory_clock_hz = 3201e6, .memory_bus_bits = 6016};
  struct run_device wide = narrow;
  struct device a, b;
  struct text how = {0};
  wide.memory_bus_bits = 6144;
  assert_int_equal(device_from_run(&a, &narrow, NULL), 0);
  assert_int_equal(device_from_run(&b, &wide, NULL), 0);
  double ratio = ceiling_of(&b, "dram_bw", CEILING_MEASURED) / ceiling_of(&a, "dram_bw", CEILING_MEASURED);
  assert_true(fabs(ratio - 6144.0 / 6016) < 1e-5);
  assert_non_null(strstr(device_ceiling(&b, "dram_load_bw", CEILING_MEASURED)->source,
                         "times 1.021, as this card's memory has 3201 MHz and 6144 bit; nvfp4-prof ceilings"));
  assert_null(strstr(device_ceiling(&a, "dram_load_bw", CEILING_MEASURED)->source, "times"));
  assert_true(ceiling_of(&a, "l2_bw", CEILING_MEASURED) == ceiling_of(&b, "l2_bw", CEILING_MEASURED));
  assert_true(ceiling_of(&a, "dram_bw", CEILING_DATASHEET) == ceiling_of(&b, "dram_bw", CEILING_DATASHEET));
  assert_false(device_differs(&narrow, &how));
  assert_true(device_differs(&wide, &how));
  assert_string_equal(text_str(&how),
                      "memory of 3201 MHz and 6144 bit (4.917 TB/s), but 4.814 TB/s in the description h200");
  text_release(&how);
  device_release(&a);
  device_release(&b);
}

static void test_a_name_alone_makes_no_chip(void **state) {
  (void)state;
  struct run_device r = {.name = (char *)"NVIDIA B200", .sm = 103, .sms = 152};
  struct text how = {0};
  assert_true(device_differs(&r, &how));
  assert_string_equal(text_str(&how), "152 SMs, but 148 in the description b200; compute capability 10.3, but 10.0 in "
                                      "the description b200");
  text_release(&how);
  r.name = (char *)"NVIDIA L4";
  assert_false(device_differs(&r, &how));
  r.name = NULL;
  assert_false(device_differs(&r, &how));
}

/* 0 is what a card did not say: then what is known of its kind stands. */
static void test_what_a_card_says(void **state) {
  (void)state;
  struct run_device r = {.name = (char *)"NVIDIA H200"};
  struct device known, d;
  loaded(&known, "h200");
  assert_int_equal(device_from_run(&d, &r, NULL), 0);
  assert_int_equal(d.sm, known.sm);
  assert_int_equal(d.sms, known.sms);
  assert_int_equal(d.warps_per_sm, known.warps_per_sm);
  assert_true(known.sm > 1 && known.sms > 1 && known.warps_per_sm > 1);
  assert_true(d.regs_per_sm == known.regs_per_sm && d.smem_per_sm == known.smem_per_sm);
  assert_true(d.smem_optin == known.smem_optin && d.clock_max_hz == known.clock_max_hz);
  assert_true(d.l2_bytes == known.l2_bytes && d.l2_bytes > 1);
  assert_string_equal(d.chip, known.chip);
  device_release(&d);
  r.sm = r.sms = r.warps_per_sm = r.memory_bus_bits = 1;
  r.regs_per_sm = r.smem_per_sm = r.smem_optin = 1;
  r.clock_max_hz = r.l2_bytes = 1;
  r.memory_clock_hz = 4e6;
  assert_int_equal(device_from_run(&d, &r, NULL), 0);
  assert_true(d.sm == 1 && d.sms == 1 && d.warps_per_sm == 1);
  assert_true(d.regs_per_sm == 1 && d.smem_per_sm == 1 && d.smem_optin == 1);
  assert_true(d.clock_max_hz == 1 && d.l2_bytes == 1);
  assert_true(ceiling_of(&d, "dram_bw", CEILING_DRIVER) == 1e6);
  assert_string_equal(device_ceiling(&d, "dram_bw", CEILING_DRIVER)->source,
                      "driver of this card: 4 MHz x 2 x 1 bit / 8");
  device_release(&d);
  device_release(&known);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ids_are_the_embedded_files),
      cmocka_unit_test(test_b200),
      cmocka_unit_test(test_b300),
      cmocka_unit_test(test_h200),
      cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_file),
      cmocka_unit_test(test_file_refused),
      cmocka_unit_test(test_curves),
      cmocka_unit_test(test_card_of_a_known_kind),
      cmocka_unit_test(test_what_a_card_says),
      cmocka_unit_test(test_card_of_an_unknown_kind),
      cmocka_unit_test(test_name_of_a_known_kind),
      cmocka_unit_test(test_cards_of_each_description),
      cmocka_unit_test(test_every_description_is_whole),
      cmocka_unit_test(test_the_memory_that_the_driver_tells),
      cmocka_unit_test(test_a_name_alone_makes_no_chip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
