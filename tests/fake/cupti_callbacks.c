/* The fake CUPTI's callbacks: one subscriber, told of launches and of loaded code by the target (target.c), as the driver tells CUPTI. */
#include "fake/fake.h"

#include "profiler/cuda/library.h"

#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
  CUpti_CallbackFunc function;
  void *context;
  atomic_int launches, graphs, modules, made, contexts, loads, unloads; /* enabled */
  _Atomic uint32_t correlation; /* of the launch that was last told of: its number (fake.h), as every launch is */
} subscriber;

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *out, CUpti_CallbackFunc function, void *context) {
  subscriber.function = function;
  subscriber.context = context;
  *out = (CUpti_SubscriberHandle)(void *)&subscriber;
  return fake_value(__func__, 0);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle handle) {
  (void)handle;
  subscriber.function = NULL;
  return fake_value(__func__, 0);
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
  (void)handle;
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel)
    subscriber.launches = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch)
    subscriber.graphs = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData)
    subscriber.loads = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuModuleUnload)
    subscriber.unloads = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
    subscriber.modules = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
    subscriber.made = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING)
    subscriber.contexts = (int)enable;
  return fake_value(__func__, 0);
}

static char contexts[8]; /* their addresses stand for contexts, one after the other */
static size_t current;

static CUcontext context_current(void) {
  return (CUcontext)(void *)&contexts[current % sizeof contexts];
}

/* Whether more than one thread of the program has launched, loaded or unloaded by now, the calling one included. */
static bool threads_are_several(void) {
  static atomic_long first;
  static atomic_bool several;
  long none = 0, me = syscall(SYS_gettid);
  if (!atomic_compare_exchange_strong(&first, &none, me) && none != me)
    atomic_store(&several, true);
  return atomic_load(&several);
}

void fake_tell_launch(const char *name, unsigned blocks, int done) {
  struct {
    CUfunction f;
    unsigned grid[3], block[3], smem;
    CUstream stream;
  } params = {.grid = {blocks, 1, 1}, .block = {1, 1, 1}};
  threads_are_several();
  subscriber.correlation += !done;
  CUpti_CallbackData data = {.callbackSite = done ? CUPTI_API_EXIT : CUPTI_API_ENTER,
                             .context = context_current(),
                             .symbolName = name,
                             .functionParams = &params,
                             .correlationId = subscriber.correlation};
  if (subscriber.function && subscriber.launches)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &data);
}

void fake_tell_graph(bool enter) {
  subscriber.correlation += enter;
  CUpti_CallbackData data = {.callbackSite = enter ? CUPTI_API_ENTER : CUPTI_API_EXIT,
                             .context = context_current(),
                             .correlationId = subscriber.correlation};
  if (subscriber.function && subscriber.graphs)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, &data);
}

void fake_tell_context_made(void) {
  CUpti_ResourceData data = {.context = context_current()};
  if (subscriber.function && subscriber.made)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &data);
}

bool fake_context_gone;

void fake_tell_context_gone(void) {
  CUpti_ResourceData data = {.context = context_current()};
  if (subscriber.function && subscriber.contexts)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
                        &data);
  fake_context_gone = true;
  current++;
}

pthread_mutex_t fake_module_lock = PTHREAD_MUTEX_INITIALIZER;

void fake_tell_module(const void *cubin, size_t bytes) {
  CUpti_ModuleResourceData module = {.moduleId = 1, .cubinSize = bytes, .pCubin = cubin};
  CUpti_ResourceData data = {.resourceDescriptor = &module};
  pthread_mutex_lock(&fake_module_lock);
  if (subscriber.function && subscriber.modules)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
  pthread_mutex_unlock(&fake_module_lock);
}

/* --- calls that CUPTI cannot bear beside each other --- */

_Atomic int fake_in_code;
static atomic_int sampling, flushing;
static const uint64_t rest_ns = 100000000;
static _Atomic uint64_t changed_ns; /* when code had come or gone last, once some has gone */

static void refuse(const char *what) {
  fprintf(stderr, "the fake CUPTI: %s\n", what);
  abort();
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void fake_tell_code(bool unloads, bool done) {
  CUpti_CallbackData data = {.callbackSite = done ? CUPTI_API_EXIT : CUPTI_API_ENTER, .context = context_current()};
  fake_in_code -= done;
  if (done && (unloads || changed_ns))
    changed_ns = now_ns();
  if (subscriber.function && (unloads ? subscriber.unloads : subscriber.loads))
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_DRIVER_API,
                        unloads ? CUPTI_DRIVER_TRACE_CBID_cuModuleUnload : CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData,
                        &data);
  fake_in_code += !done;
  if (!done && sampling)
    refuse("code is loaded or unloaded while PC sampling is called for");
  if (!done && fake_samples_on() && (unloads || threads_are_several()))
    refuse("code is unloaded, or loaded by one of several threads, while PC samples are taken");
}

void fake_sampling_enter(void) {
  if (sampling++ || flushing)
    refuse("PC sampling is called for by two threads, or beside a flush");
  if (fake_in_code)
    refuse("PC sampling is called for while code is loaded or unloaded");
}

void fake_sampling_begin(void) {
  if (changed_ns && now_ns() - changed_ns < rest_ns)
    refuse("PC sampling begins less than 0.1 s after code was loaded or unloaded, in a program that unloads");
}

void fake_sampling_leave(void) {
  sampling--;
}

void fake_flush_enter(void) {
  flushing++;
  if (sampling)
    refuse("activity is flushed while PC sampling is called for");
}

void fake_flush_leave(void) {
  flushing--;
}
