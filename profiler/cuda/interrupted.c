#include "profiler/cuda/interrupted.h"

volatile sig_atomic_t profile_interrupted;
