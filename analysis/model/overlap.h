/* How bounds add up: warps that take turns at the SM's issue slots and pipes, at memory, and in waits that no one shares.
 *
 * The largest bound is the least time; it is reached only where everything else hides behind it.  With few warps it does not: a closed
 * queueing network of n customers (the warps of a scheduler), two stations (work, memory) and a delay (latency) gives the mean, by exact mean
 * value analysis (Reiser and Lavenberg, "Mean-value analysis of closed multichain queuing networks", J. ACM 27(2), 1980).  Its assumption is
 * exponential service; nothing is fitted, and as n grows the time falls to the largest bound.
 */
#ifndef ANALYSIS_MODEL_OVERLAP_H
#define ANALYSIS_MODEL_OVERLAP_H

/* Seconds until n customers (n > 0; below 1: fewer warps than schedulers) have each done their part of the work.  work_s: the time the SMs' side
 * needs when it never idles; memory_s: likewise; delay_s: what one customer waits in all. */
double overlap_seconds(double n, double work_s, double memory_s, double delay_s);

#endif
