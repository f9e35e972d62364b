#include "profiler/cli/commands.h"

extern const struct command command_profile, command_list, command_sol, command_report, command_doctor,
    command_annotate, command_diagnose, command_explain, command_project, command_diff, command_ceilings,
    command_history, command_tune, command_mma, command_new, command_attach, command_import, command_export,
    command_export_kernel, command_help, command_kit, command_merge;

const struct command *const commands[] = {
    &command_profile,
    &command_list,
    &command_sol,
    &command_report,
    &command_doctor,
    &command_diagnose,
    &command_annotate,
    &command_explain,
    &command_project,
    &command_diff,
    &command_ceilings,
    &command_history,
    &command_tune,
    &command_mma,
    &command_new,
    &command_attach,
    &command_merge,
    &command_import,
    &command_export,
    &command_export_kernel,
    &command_help,
    &command_kit,
    NULL,
};
