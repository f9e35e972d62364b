// Threads that load code, launch it, wait and unload it, without end: storm SECONDS THREADS [keep].
// attach-storm compiles it and its cubins.
#include <cuda.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

static void check(CUresult r, const char *what) {
  if (r) {
    const char *name = "?";
    cuGetErrorName(r, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
  }
}
#define CHECK(call) check(call, #call)

static std::vector<std::string> images;
static std::atomic<long> loads, launches;

static void work(CUcontext context, int seed, double seconds, bool keep, bool unload) {
  CHECK(cuCtxSetCurrent(context));
  CUstream stream;
  CUdeviceptr data;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemAlloc(&data, 64 << 20));
  auto start = std::chrono::steady_clock::now();
  unsigned x = seed * 2654435761u + 1;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    x = x * 1664525u + 1013904223u;
    CUmodule module;
    CUfunction f;
    const std::string &image = images[x / 65536 % images.size()];
    CHECK(cuModuleLoadData(&module, image.data()));
    loads++;
    char name[32];
    snprintf(name, sizeof name, "trial_%d", (int)(x / 65536 % images.size()));
    CHECK(cuModuleGetFunction(&f, module, name));
    int n = 16 << 20, times = keep ? 20 : 1 + x / 4096 % 16;
    void *args[] = {&data, &n};
    for (int i = 0; i < times; i++, launches++)
      CHECK(cuLaunchKernel(f, 1024, 1, 1, 256, 1, 1, 0, stream, args, NULL));
    CHECK(cuStreamSynchronize(stream));
    if (unload)
      CHECK(cuModuleUnload(module));
  }
}

int main(int argc, char **argv) {
  double seconds = atof(argv[1]);
  int threads = atoi(argv[2]);
  for (int i = 0; i < 16; i++) {
    char name[64];
    snprintf(name, sizeof name, "storm-%d.cubin", i);
    FILE *file = fopen(name, "rb");
    std::string image;
    char buffer[65536];
    for (size_t n; file && (n = fread(buffer, 1, sizeof buffer, file));)
      image.append(buffer, n);
    if (file)
      fclose(file);
    if (!image.empty())
      images.push_back(image);
  }
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  std::vector<std::thread> all;
  for (int i = 0; i < threads; i++)
    all.emplace_back(work, context, i, seconds, i % 2 == 1, !(argc > 3 && !strcmp(argv[3], "keep")));
  for (auto &t : all)
    t.join();
  printf("%ld loads, %ld launches\n", loads.load(), launches.load());
}
