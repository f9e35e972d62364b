/* The user's interruption, as every phase and every wait sees it. */
#pragma once

#include <signal.h>

/* Set by the caller's signal handler to the signal's number; what measures then stops, keeps what it has and marks it partial. */
extern volatile sig_atomic_t profile_interrupted;
