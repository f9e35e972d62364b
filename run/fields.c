/* The run file and the device file, field by field: the order here is the order in JSON. */
#include "run/device.h"
#include "run/record.h"
#include "run/run.h"

const char *const record_origin_names[] = {
    [ORIGIN_MEASURED] = "measured",
    [ORIGIN_RECORDED] = "recorded",
    [ORIGIN_MODELLED] = "modelled",
    [ORIGIN_PUBLISHED] = "published",
    NULL,
};

const char *const record_verdict_names[] = {
    [VERDICT_PASS] = "pass",
    [VERDICT_WRONG] = "wrong",
    [VERDICT_OUT_OF_RANGE] = "out of range",
    [VERDICT_UNCHECKED] = "unchecked",
    [VERDICT_FAILED] = "failed",
    [VERDICT_SKIPPED] = "skipped",
    NULL,
};

const char *const record_ceiling_names[] = {
    [CEILING_DATASHEET] = "datasheet",
    [CEILING_DRIVER] = "driver",
    [CEILING_MEASURED] = "measured",
    [CEILING_PUBLISHED] = "published",
    NULL,
};

#define FIELDS(table) .fields = (table), .n = sizeof(table) / sizeof(table)[0]

static const struct field key_fields[] = {
    NEEDED(run_key, key),
    NEEDED(run_key, value),
};
static const struct record record_key = {sizeof(struct run_key), LAYOUT_BARE, FIELDS(key_fields)};

static const struct field shape_fields[] = {
    /* run/verify.c says which shapes there are. */
    FIELD(shape, m),
    FIELD(shape, k),
    FIELD(shape, l),
    TEXT(shape, sizes),
};
static const struct record record_shape = {sizeof(struct shape), LAYOUT_FLAT, FIELDS(shape_fields)};

static const struct field device_part_fields[] = {
    NEEDED(run_device, name),
    FIELD(run_device, uuid_hash),
    FIELD(run_device, chip),
    FIELD(run_device, sm),
    FIELD(run_device, sms),
    FIELD(run_device, warps_per_sm),
    FIELD(run_device, regs_per_sm),
    FIELD(run_device, smem_per_sm),
    FIELD(run_device, smem_optin),
    FIELD(run_device, l2_bytes),
    FIELD(run_device, memory_bytes),
    FIELD(run_device, clock_max_hz),
    FIELD(run_device, memory_clock_hz),
    FIELD(run_device, memory_bus_bits),
    FIELD(run_device, driver),
    FIELD(run_device, cuda_driver),
    FIELD(run_device, cupti),
    FIELD(run_device, nvrtc),
};
static const struct record record_device_part = {sizeof(struct run_device), LAYOUT_TALL, FIELDS(device_part_fields)};

static const struct field published_fields[] = {
    NEEDED(run_published, device), NEEDED(run_published, what),       NEEDED(run_published, source),
    FIELD(run_published, time_ns), FIELD(run_published, approximate),
};
static const struct record record_published = {sizeof(struct run_published), LAYOUT_FLAT, FIELDS(published_fields)};

static const struct field variant_fields[] = {
    NEEDED(run_variant, id),
    FIELD(run_variant, ladder),
    FIELD(run_variant, parent),
    FIELD(run_variant, change),
    FIELD(run_variant, predicts),
    FIELD(run_variant, accumulate),
    FIELD(run_variant, file),
    FIELD(run_variant, side),
    FIELD(run_variant, wrong),
    RECORDS(run_variant, published, n_published, record_published),
    RECORDS(run_variant, keys, n_keys, record_key),
};
const struct record record_variant = {sizeof(struct run_variant), LAYOUT_TALL, FIELDS(variant_fields)};

static const struct field source_fields[] = {
    NEEDED(run_source, name),
    NEEDED(run_source, text),
};
static const struct record record_source = {sizeof(struct run_source), LAYOUT_FLAT, FIELDS(source_fields)};

static const struct field line_fields[] = {
    FROM(run_line, source, -1),
    FIELD(run_line, line),
};
static const struct record record_line = {sizeof(struct run_line), LAYOUT_BARE, FIELDS(line_fields)};

static const struct field instruction_fields[] = {
    FIELD(run_instruction, offset),
    NEEDED(run_instruction, text),
    RECORDS(run_instruction, lines, n_lines, record_line),
};
static const struct record record_instruction = {sizeof(struct run_instruction), LAYOUT_BARE,
                                                 FIELDS(instruction_fields)};

static const struct field kernel_fields[] = {
    NEEDED(run_kernel, name),
    FIELD(run_kernel, registers),
    FIELD(run_kernel, smem_static),
    FIELD(run_kernel, local_bytes),
    FIELD(run_kernel, const_bytes),
    FROM(run_kernel, spill_store_bytes, -1),
    FROM(run_kernel, spill_load_bytes, -1),
    FIELD(run_kernel, max_threads),
    BULK_RECORDS(run_kernel, sass, n_sass, record_instruction),
    FIELD(run_kernel, sass_reason),
};
static const struct record record_kernel = {sizeof(struct run_kernel), LAYOUT_TALL, FIELDS(kernel_fields)};

static const struct field module_fields[] = {
    FIELD(run_module, key),
    FIELD(run_module, arch),
    FIELD(run_module, options),
    FIELD(run_module, compile_s),
    FIELD(run_module, cached),
    FIELD(run_module, cubin_bytes),
    RECORDS(run_module, kernels, n_kernels, record_kernel),
};
const struct record record_module = {sizeof(struct run_module), LAYOUT_TALL, FIELDS(module_fields)};

static const struct field launch_fields[] = {
    NEEDED(run_launch, kernel),   FIELD(run_launch, grid),        FIELD(run_launch, block),
    FIELD(run_launch, cluster),   FIELD(run_launch, smem_static), FIELD(run_launch, smem_dynamic),
    FIELD(run_launch, registers), FIELD(run_launch, local_bytes), FIELD(run_launch, blocks_per_sm),
};
static const struct record record_launch = {sizeof(struct run_launch), LAYOUT_FLAT, FIELDS(launch_fields)};

static const struct field check_fields[] = {
    CHOICE(run_check, verdict, record_verdict_names),
    FIELD(run_check, cause),
    FIELD(run_check, reason),
    FIELD(run_check, total),
    FIELD(run_check, failed),
    FIELD(run_check, max_error),
    FIELD(run_check, max_ratio),
    FIELD(run_check, row),
    FIELD(run_check, batch),
    MAYBE(run_check, got, got_present),
    FROM(run_check, want, -DBL_MAX),
};
static const struct record record_check = {sizeof(struct run_check), LAYOUT_FLAT, FIELDS(check_fields)};

static const struct field timing_fields[] = {
    BULK_ARRAY(run_timing, samples_ns, n),
    FIELD(run_timing, discarded),
    FIELD(run_timing, source),
    FIELD(run_timing, reason),
};
static const struct record record_timing = {sizeof(struct run_timing), LAYOUT_FLAT, FIELDS(timing_fields)};

static const struct field metric_fields[] = {
    NEEDED(run_metric, name),          NEEDED(run_metric, unit),  FIELD(run_metric, source),
    MAYBE(run_metric, value, present), FIELD(run_metric, reason),
};
static const struct record record_metric = {sizeof(struct run_metric), LAYOUT_FLAT, FIELDS(metric_fields)};

static const struct field sample_fields[] = {
    FIELD(run_sample, module),  FIELD(run_sample, kernel),  FIELD(run_sample, offset),
    NEEDED(run_sample, reason), FIELD(run_sample, samples), FIELD(run_sample, not_issued),
};
static const struct record record_sample = {sizeof(struct run_sample), LAYOUT_BARE, FIELDS(sample_fields)};

static const struct field sampling_fields[] = {
    FIELD(run_sampling, user),          FIELD(run_sampling, other),    FIELD(run_sampling, dropped),
    FIELD(run_sampling, period_cycles), FIELD(run_sampling, launches), FIELD(run_sampling, reason),
};
static const struct record record_sampling = {sizeof(struct run_sampling), LAYOUT_FLAT, FIELDS(sampling_fields)};

static const struct field count_fields[] = {
    FIELD(run_count, module),
    FIELD(run_count, kernel),
    FIELD(run_count, offset),
    FROM(run_count, executed, -1),
    FROM(run_count, threads, -1),
    FROM(run_count, global_sectors, -1),
    FROM(run_count, global_sectors_ideal, -1),
    FROM(run_count, shared_wavefronts, -1),
    FROM(run_count, shared_wavefronts_ideal, -1),
};
static const struct record record_count = {sizeof(struct run_count), LAYOUT_BARE, FIELDS(count_fields)};

static const struct field by_rank_fields[] = {
    FIELD(run_by_rank, rank),
    FIELD(run_by_rank, launches),
    FIELD(run_by_rank, gpu_time_ns),
};
static const struct record record_by_rank = {sizeof(struct run_by_rank), LAYOUT_BARE, FIELDS(by_rank_fields)};

static const struct field result_fields[] = {
    FIELD(run_result, variant),
    RECORD(run_result, shape, record_shape),
    FROM(run_result, module, -1),
    FIELD(run_result, path),
    RECORDS(run_result, params, n_params, record_key),
    FIELD(run_result, bytes_minimal),
    FIELD(run_result, bytes_contest),
    FIELD(run_result, bytes_declared),
    FIELD(run_result, flops),
    RECORDS(run_result, launches, n_launches, record_launch),
    RECORD(run_result, check, record_check),
    RECORD(run_result, timing, record_timing),
    RECORDS(run_result, metrics, n_metrics, record_metric),
    PART(run_result, sampling, record_sampling),
    BULK_RECORDS(run_result, samples, n_samples, record_sample),
    BULK_RECORDS(run_result, counts, n_counts, record_count),
    FIELD(run_result, counts_reason),
    RECORDS(run_result, by_rank, n_by_rank, record_by_rank),
};
const struct record record_result = {sizeof(struct run_result), LAYOUT_TALL, FIELDS(result_fields)};

static const struct field pass_set_fields[] = {
    FIELD(pass_set, set),
    FIELD(pass_set, sets),
};
static const struct record record_pass_set = {sizeof(struct pass_set), LAYOUT_FLAT, FIELDS(pass_set_fields)};

static const struct field idle_fields[] = {
    FIELD(run_idle, share),
    FIELD(run_idle, short_share),
};
static const struct record record_idle = {sizeof(struct run_idle), LAYOUT_FLAT, FIELDS(idle_fields)};

static const struct field process_fields[] = {
    FIELD(run_process, host),
    FIELD(run_process, pid),
    FIELD(run_process, launcher),
    FIELD(run_process, rank),
    FROM(run_process, ranks, -1),
    FROM(run_process, local_rank, -1),
    PART(run_process, pass_set, record_pass_set),
    FIELD(run_process, launches),
    FIELD(run_process, gpu_time_ns),
    PART(run_process, idle, record_idle),
};
static const struct record record_process = {sizeof(struct run_process), LAYOUT_FLAT, FIELDS(process_fields)};

static const struct field range_fields[] = {
    NEEDED(run_range, name),
    FIELD(run_range, launches),
    FIELD(run_range, gpu_time_ns),
    FIELD(run_range, collective_ns),
    RECORDS(run_range, by_rank, n_by_rank, record_by_rank),
};
static const struct record record_range = {sizeof(struct run_range), LAYOUT_FLAT, FIELDS(range_fields)};

static const struct field merged_rank_fields[] = {
    NEEDED(run_merged_rank, file),
    PART(run_merged_rank, process, record_process),
};
static const struct record record_merged_rank = {sizeof(struct run_merged_rank), LAYOUT_FLAT,
                                                 FIELDS(merged_rank_fields)};

static const struct field left_out_fields[] = {
    NEEDED(run_left_out, file),
    NEEDED(run_left_out, reason),
};
static const struct record record_left_out = {sizeof(struct run_left_out), LAYOUT_FLAT, FIELDS(left_out_fields)};

static const struct field merge_fields[] = {
    FIELD(run_merge, expected),
    RECORDS(run_merge, ranks, n_ranks, record_merged_rank),
    RECORDS(run_merge, left_out, n_left_out, record_left_out),
};
static const struct record record_merge = {sizeof(struct run_merge), LAYOUT_TALL, FIELDS(merge_fields)};

static const struct field run_fields[] = {
    FIELD(run, created),
    FIELD(run, command),
    NEEDED(run, tool),
    FIELD(run, git),
    FIELD(run, partial),
    FIELD(run, partial_reason),
    CHOICE(run, origin, record_origin_names),
    NEEDED(run, l2),
    NEEDED(run, inputs),
    FIELD(run, seed),
    FIELD(run, flush_bytes),
    RECORD(run, device, record_device_part),
    PART(run, process, record_process),
    PART(run, merge, record_merge),
    RECORDS(run, ranges, n_ranges, record_range),
    ARRAY(run, notes, n_notes),
    RECORDS(run, sources, n_sources, record_source),
    RECORDS(run, modules, n_modules, record_module),
    RECORDS(run, variants, n_variants, record_variant),
    RECORDS(run, results, n_results, record_result),
};
const struct record record_run = {sizeof(struct run), LAYOUT_TALL, FIELDS(run_fields), RUN_SCHEMA_NAME,
                                  RUN_SCHEMA_VERSION};

static const struct field ceiling_fields[] = {
    NEEDED(ceiling, name),   NEEDED(ceiling, unit), FIELD(ceiling, value), CHOICE(ceiling, kind, record_ceiling_names),
    NEEDED(ceiling, source),
};
static const struct record record_ceiling = {sizeof(struct ceiling), LAYOUT_FLAT, FIELDS(ceiling_fields)};

static const struct field curve_fields[] = {
    NEEDED(ceiling_curve, name),   NEEDED(ceiling_curve, x_unit), NEEDED(ceiling_curve, y_unit),
    NEEDED(ceiling_curve, source), ARRAY(ceiling_curve, x, n_x),  ARRAY(ceiling_curve, y, n_y),
};
static const struct record record_curve = {sizeof(struct ceiling_curve), LAYOUT_TALL, FIELDS(curve_fields)};

static const struct field device_fields[] = {
    NEEDED(device, id),
    NEEDED(device, name),
    ARRAY(device, cards, n_cards),
    FIELD(device, chip),
    NEEDED(device, arch),
    FIELD(device, sm),
    FIELD(device, sms),
    FIELD(device, warps_per_sm),
    FIELD(device, regs_per_sm),
    FIELD(device, smem_per_sm),
    FIELD(device, smem_optin),
    FIELD(device, clock_max_hz),
    FIELD(device, l2_bytes),
    RECORDS(device, ceilings, n_ceilings, record_ceiling),
    RECORDS(device, curves, n_curves, record_curve),
};
const struct record record_device = {sizeof(struct device), LAYOUT_TALL, FIELDS(device_fields), "nvfp4-prof/device/",
                                     1};
