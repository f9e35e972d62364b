/* The fake CUPTI's callbacks: one subscriber, told of launches and of loaded code by the target (target.c), as the driver tells CUPTI. */
#include "fake/fake.h"

#include "profiler/cuda/library.h"

#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>

static struct {
  CUpti_CallbackFunc function;
  void *context;
  int launches, graphs, modules, contexts; /* enabled */
  uint32_t correlation; /* of the launch that was last told of: its number (fake.h), as every launch is */
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
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
    subscriber.modules = (int)enable;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING)
    subscriber.contexts = (int)enable;
  return fake_value(__func__, 0);
}

static char contexts[8]; /* their addresses stand for contexts, one after the other */
static size_t current;

static CUcontext context_current(void) {
  return (CUcontext)(void *)&contexts[current % sizeof contexts];
}

void fake_tell_launch(const char *name, unsigned blocks, int done) {
  struct {
    CUfunction f;
    unsigned grid[3], block[3], smem;
    CUstream stream;
  } params = {.grid = {blocks, 1, 1}, .block = {1, 1, 1}};
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

bool fake_context_gone;

void fake_tell_context_gone(void) {
  CUpti_ResourceData data = {.context = context_current()};
  if (subscriber.function && subscriber.contexts)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
                        &data);
  fake_context_gone = true;
  current++;
}

void fake_tell_module(const void *cubin, size_t bytes) {
  CUpti_ModuleResourceData module = {.moduleId = 1, .cubinSize = bytes, .pCubin = cubin};
  CUpti_ResourceData data = {.resourceDescriptor = &module};
  if (subscriber.function && subscriber.modules)
    subscriber.function(subscriber.context, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
}
