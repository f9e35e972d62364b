/* Which line of source or which launch a first advice names, and which causes stand beside it. */
#include "analysis/model/code_place.h"
#include "reports/text/diagnose.h"
#include "unit/answered.h"

/* Of the line with a tenth of the samples or more: where it is, what came to it, and its text. */
static void the_line_of_a_brief(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  static const struct rule rule = {.name = "made", .title = "a made cause"};
  static struct advice advice = {.rule = &rule, .told.sentence = "what is wrong", .told.remedy = "do this"};
  struct run_source sources[] = {{(char *)"/p/k.cu", (char *)"one\n  two;\n"},
                                 {(char *)"/p/lost.cu", (char *)""},
                                 {(char *)"/usr/local/cuda/include/cuda_fp16.hpp", (char *)"\n\nheader();\n"}};
  static const struct {
    struct run_line chain[3]; /* innermost first */
    size_t n;
    uint64_t samples; /* of 100 */
    const char *want;
  } rows[] = {
      {{{0, 2}}, 1, 10, "\n  hottest line (most time, whatever the cause): /p/k.cu:2: two;\n"},
      {{{0, 2}}, 1, 9, NULL},
      {{{1, 2}}, 1, 50, "\n  hottest line (most time, whatever the cause): /p/lost.cu:2 (text not found)\n"},
      {{{1, 2}, {0, 1}},
       2,
       50,
       "\n  hottest line (most time, whatever the cause): /p/lost.cu:2 (text not found) in k.cu:1\n"},
      {{{2, 3}, {0, 2}},
       2,
       50,
       "\n  hottest line (most time, whatever the cause): /p/k.cu:2 with cuda_fp16.hpp:3 inlined: two;\n"},
      {{{2, 3}},
       1,
       50,
       "\n  hottest line (most time, whatever the cause): /usr/local/cuda/include/cuda_fp16.hpp:3: header();\n"},
      {{{-1, 7}, {-1, 45}},
       2,
       50,
       "\n  most time, whatever the cause: line 45 of a file that the run does not name, with line 7 inlined\n"},
      {{{2, 3}, {-1, 45}},
       2,
       50,
       "\n  most time, whatever the cause: line 45 of a file that the run does not name with cuda_fp16.hpp:3 inlined\n"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run_instruction inst = {.lines = (struct run_line *)rows[i].chain, .n_lines = rows[i].n};
    struct run_kernel kernel = {.sass = &inst, .n_sass = 1};
    struct hot_kernel hot_kernel = {.kernel = &kernel};
    struct code_place place;
    struct answered x;
    struct diagnosis d = {.items = &advice, .n = 1};
    struct text out = {0};
    begin(&x);
    x.m.run.sources = sources;
    x.m.run.n_sources = sizeof sources / sizeof *sources;
    find(&x, a1);
    d.finding = findings_at(&x.findings, "a1", TWO);
    code_place_of(&place, &x.m.run, &inst);
    struct hot_line line = {
        .source = place.line->source, .line = place.line->line, .samples = rows[i].samples, .waits = rows[i].samples};
    struct hot_inst hot_inst = {.samples = rows[i].samples, .waits = rows[i].samples, .line = place.line};
    d.hot = (struct hot){.run = &x.m.run,
                         .kernels = &hot_kernel,
                         .n_kernels = 1,
                         .insts = &hot_inst,
                         .n_insts = 1,
                         .lines = &line,
                         .n_lines = 1,
                         .samples = 100};
    const struct report_diagnosis shown = {&x.findings, d.finding, &d};
    report_brief_term(&shown, 1, &out);
    if (rows[i].want)
      has(&out, rows[i].want);
    else
      lacks(&out, "line");
    text_release(&out);
    end(&x);
  }
}

/* Causes that the model does not tell apart from the first stand beside it: 90 % of what it saves. */
static void what_saves_as_much(void **state) {
  static const struct rule causes[] = {{.name = "made", .title = "a made cause"},
                                       {.name = "one", .title = "another"},
                                       {.name = "two", .title = "a second"},
                                       {.name = "three", .title = "a third"}};
  static const struct {
    double saves_us[4];
    int unpriced, behind; /* which has no number, which stands behind for a reason; 0: none */
    const char *want;     /* NULL: nothing */
  } cases[] = {{{10, 9.1, 8.9, 8}, 0, 0, "\n  may save as much: another [one]\n"},
               {{10, 9.9, 9.8, 1}, 0, 0, "\n  may save as much: another [one]; a second [two]\n"},
               {{10, 9.9, 9.8, 9.7}, 1, 2, "\n  may save as much: a third [three]\n"},
               {{10, 8.9, 8, 7}, 0, 0, NULL},
               {{0, 0, 0, 0}, 0, 0, NULL}};
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct advice items[4];
    struct answered x;
    struct text out = {0};
    for (int k = 0; k < 4; k++)
      items[k] = (struct advice){.rule = &causes[k],
                                 .told.sentence = "what is wrong",
                                 .told.remedy = "do this",
                                 .price.saves_s = cases[i].saves_us[k] * 1e-6,
                                 .told.unpriced = k && k == cases[i].unpriced,
                                 .behind = k && k == cases[i].behind ? "of another" : NULL};
    struct diagnosis d = {.items = items, .n = 4};
    begin(&x);
    find(&x, a1);
    d.finding = findings_at(&x.findings, "a1", TWO);
    report_brief_term(&(struct report_diagnosis){&x.findings, d.finding, &d}, 1, &out);
    if (cases[i].want)
      has(&out, cases[i].want);
    else
      lacks(&out, "as much");
    text_release(&out);
    end(&x);
  }
}

/* What the remedy changes has its line, though another has all samples. */
static void the_line_of_a_remedy(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  static const struct rule rule = {.name = "made", .title = "a made cause"};
  static struct run_line lines[] = {{0, 2}, {-1, 45}};
  struct run_source source = {(char *)"/p/k.cu", (char *)"one\n  two;\n"};
  static const char *const want[] = {"\n  line: /p/k.cu:2: two;\n",
                                     "\n  line 45 of a file that the run does not name\n"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct run_instruction inst = {.lines = &lines[i], .n_lines = 1};
    struct advice advice = {
        .rule = &rule, .told.sentence = "what is wrong", .told.remedy = "do this", .told.at = &inst};
    struct hot_line hottest = {.source = 0, .line = 1, .samples = 100, .waits = 100};
    struct diagnosis d = {.items = &advice, .n = 1};
    struct answered x;
    struct text out = {0};
    begin(&x);
    x.m.run.sources = &source;
    x.m.run.n_sources = 1;
    find(&x, a1);
    d.finding = findings_at(&x.findings, "a1", TWO);
    d.hot = (struct hot){.run = &x.m.run, .lines = &hottest, .n_lines = 1, .samples = 100};
    const struct report_diagnosis shown = {&x.findings, d.finding, &d};
    report_brief_term(&shown, 1, &out);
    has(&out, want[i]);
    text_release(&out);
    report_brief_json(&shown, 1, &out);
    has(&out, "\"line_of\": \"remedy\"");
    text_release(&out);
    end(&x);
  }
}

/* Of too small a grid no line of the kernel is named, hot as it may be, but the launch. */
static void the_launch_of_a_remedy(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  static const struct rule rule = {.name = "small-grid", .flags = RULE_BY_LAUNCH, .title = "a small grid"};
  static const struct run_launch launch = {.grid = {19, 1, 1}, .block = {256, 1, 1}};
  struct run_source source = {(char *)"/p/k.cu", (char *)"one\n  two;\n"};
  struct advice advice = {
      .rule = &rule, .told.sentence = "what is wrong", .told.remedy = "do this", .price.saves_s = 1e-6};
  struct hot_line hottest = {.source = 0, .line = 1, .samples = 100, .waits = 100};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  x.m.run.sources = &source;
  x.m.run.n_sources = 1;
  find(&x, a1);
  struct finding f = *findings_at(&x.findings, "a1", TWO);
  f.launch = &launch;
  struct diagnosis d = {.finding = &f, .items = &advice, .n = 1};
  d.hot = (struct hot){.run = &x.m.run, .lines = &hottest, .n_lines = 1, .samples = 100};
  const struct report_diagnosis shown = {&x.findings, &f, &d};
  report_brief_term(&shown, 1, &out);
  has(&out, "\n  launch: <<<19, 256>>>\n");
  lacks(&out, "line");
  text_release(&out);
  report_brief_json(&shown, 1, &out);
  has(&out, "\"line\": \"<<<19, 256>>>\"");
  has(&out, "\"line_of\": \"launch\"");
  x.answer.first = &d;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nlaunch    <<<19, 256>>>\n");
  lacks(&out, "\nhottest");
  text_release(&out);
  x.answer.first = NULL;
  end(&x);
}

static void nothing_beside_a_read(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, a1);
  x.answer.at_read = true;
  x.answer.mean.of_read = value_of(0.951);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "do        nothing: a pure read of the same bytes takes 95 % of this time, and");
  text_release(&out);
  end(&x);
}

/* Its time is of other launches than shares and savings are. */
static void launches_that_are_unlike(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, a1);
  struct finding *at = (struct finding *)findings_at(&x.findings, "a1", ONE);
  at->bounds.unlike = true;
  at->bounds.whole = value_of(40e-6);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "launches  its launches take 50.0 µs; shares and savings are of those that");
  assert_true(strstr(text_str(&out), "launches  ") < strstr(text_str(&out), "how close "));
  text_release(&out);
  end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_line_of_a_brief),   cmocka_unit_test(what_saves_as_much),
      cmocka_unit_test(the_line_of_a_remedy),  cmocka_unit_test(the_launch_of_a_remedy),
      cmocka_unit_test(nothing_beside_a_read), cmocka_unit_test(launches_that_are_unlike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
