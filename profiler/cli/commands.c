#include "profiler/cli/commands.h"

#include "command_rows.h"

#define COMMAND_DECLARED(number, id) extern const struct command command_##id;
COMMAND_ROWS(COMMAND_DECLARED)

#define COMMAND_ELEMENT(number, id) &command_##id,
const struct command *const commands[] = {COMMAND_ROWS(COMMAND_ELEMENT) NULL};
