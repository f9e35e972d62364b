/* The user, as every phase and every wait sees him: what he asks to end, and what he is shown. */
#pragma once

#include <signal.h>
#include <stddef.h>

/* Set by the caller's signal handler to the signal's number; what measures then stops, keeps what it has and marks it partial. */
extern volatile sig_atomic_t profile_interrupted;

/* Told what is being done, and how far it is (total 0: unknown). */
typedef void progress_told(const char *phase, size_t done, size_t total, const char *what);
