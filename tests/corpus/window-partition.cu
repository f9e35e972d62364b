//! problem:   generic
//! id:        window-partition-any
//! ladder:    window-partition
//! size:      N = 16M
//! param:     IMAGES = 32
//! param:     SIDE = 56
//! param:     CHANNELS = 128
//! param:     WINDOW = 7
//! param:     SHIFT = 3
//! buffer:    image = fp16[IMAGES * SIDE * SIDE * CHANNELS]; init = random
//! buffer:    window = fp16[IMAGES * SIDE * SIDE * CHANNELS]
//! output:    window
//! step:      kernel = partition; grid = IMAGES * SIDE * SIDE * CHANNELS / 256; block = 256; args = image, window, SIDE, SIDE, CHANNELS, WINDOW, SHIFT
//! reference: kernel = partition_plain; grid = SIDE, SIDE, IMAGES; block = CHANNELS; args = image, window
//! note:      tokens of a Swin layer, rolled by half a window and cut into windows

//! id:        window-partition
//! parent:    window-partition-any
//! change:    extents are known to the compiler
//! predicts:  time < 0.8x
//! step:      kernel = partition_layer; grid = IMAGES * SIDE * SIDE * CHANNELS / 256; block = 256; args = image, window

typedef unsigned short half_bits;

// the element of the image that becomes element i of the windows
__device__ __forceinline__ unsigned source(unsigned i, unsigned height, unsigned width, unsigned channels, unsigned window, unsigned shift) {
  unsigned c = i % channels, t = i / channels;
  unsigned in_x = t % window;
  t /= window;
  unsigned in_y = t % window;
  t /= window;
  unsigned at_x = t % (width / window);
  t /= width / window;
  unsigned at_y = t % (height / window), image = t / (height / window);
  unsigned x = (at_x * window + in_x + shift) % width, y = (at_y * window + in_y + shift) % height;
  return ((image * height + y) * width + x) * channels + c;
}

extern "C" __global__ void partition(const half_bits *image, half_bits *windows, int height, int width, int channels,
                                     int window, int shift) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  windows[i] = image[source(i, height, width, channels, window, shift)];
}

extern "C" __global__ void partition_layer(const half_bits *image, half_bits *windows) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  windows[i] = image[source(i, SIDE, SIDE, CHANNELS, WINDOW, SHIFT)];
}

extern "C" __global__ void partition_plain(const half_bits *image, half_bits *windows) {
  int x = (blockIdx.x + SIDE - SHIFT) % SIDE, y = (blockIdx.y + SIDE - SHIFT) % SIDE, per_row = SIDE / WINDOW;
  int at = (blockIdx.z * per_row + y / WINDOW) * per_row + x / WINDOW;
  int token = (at * WINDOW + y % WINDOW) * WINDOW + x % WINDOW;
  windows[token * CHANNELS + threadIdx.x] = image[((blockIdx.z * SIDE + blockIdx.y) * SIDE + blockIdx.x) * CHANNELS + threadIdx.x];
}
