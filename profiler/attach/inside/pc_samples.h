/* PC samples of the program's kernels, taken without serialising them.
 *
 * The Range Profiler and PC sampling exclude each other, and once the former has run in a process,
 * CUPTI gives samples no PC (seen on an H200, CUPTI 13.0, 2026-11-21).  So sampling comes before
 * counters: from the first launch that is to be counted until each chosen kernel has enough
 * samples, or after so many launches or seconds.  Code that is loaded meanwhile has its turn
 * (inject.h).  Of two runs the first samples every launch, the second none (outside/two_runs.c).
 * Activity goes on: a kernel took 94.2 us with and without sampling, and its samples fell on the
 * same instructions with and without activity.
 */
#pragma once

#include "profiler/attach/inside/inject.h"
#include "profiler/cuda/stall_reasons.h"

/* Before a launch and not with the lock held; chosen: it is to be counted; last: its kernel has
 * no other, so that sampling ends.  True: it is sampled. A graph's launch is none of a chosen
 * kernel: the samples of a graph that was instantiated before sampling began have no PC (seen
 * there, too), so that nothing is gained by beginning with one. */
bool samples_launch(CUcontext context, bool chosen, bool last);
/* Whether the calling thread's launch waited there for sampling, or the program since the last
 * launch, because it loaded code. */
bool samples_held_launch(void);
/* Whether samples are being taken, or may be at the end of their time. */
bool samples_going(void);
/* Of this library, beside the one that calls. */
size_t samples_threads(void);
/* False: samples will not be taken any more, so that launches may be counted. */
bool samples_may_go(void);
/* The calling thread is about to load code, or to unload it: sampling is interrupted, and goes on
 * once none has come or gone for 0.1 s.  With PC sampling on, cuLaunchKernel in one thread beside
 * loads and unloads in others ended in a SIGSEGV in CUPTI (an H100, CUPTI 13.0, 2026-11-25). */
void samples_code_changes(bool unloads);
/* It has done so. */
void samples_code_changed(void);
/* The context is about to be destroyed, by the thread that calls. */
void samples_context_gone(CUcontext context);
void samples_end(void);
void samples_print(struct text *out); /* with the lock held */

/* --- sampled.c: samples added up by code, instruction and reason; all with the lock held --- */

int sampled_open(void); /* ERR_NOMEM */
void sampled_add(const CUpti_PCSamplingPCData *pc, const struct stall_reasons *reasons);
uint64_t sampled_user(void); /* samples that found a place */
uint64_t sampled_lost(void); /* that found none */
/* Whether a chosen kernel was sampled of which activity has told no time yet. */
bool sampled_untimed(void);
/* Whether each chosen kernel launched meanwhile has so many, or will when its launches end. */
bool sampled_enough(double wanted, double samples_a_ns);
void sampled_print(struct text *out, const struct stall_reasons *reasons);
