# A toolchain file: zig as the C compiler, for a machine and glibc that need not be this one's.  scripts/release sets the environment:
#   NVFP4_ZIG         folder with the programs zig-cc, zig-ar and zig-ranlib
#   NVFP4_ZIG_TARGET  x86_64-linux-gnu.2.28
string(REGEX MATCH "^[^-]+" machine "$ENV{NVFP4_ZIG_TARGET}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${machine})
set(CMAKE_C_COMPILER $ENV{NVFP4_ZIG}/zig-cc)
set(CMAKE_C_COMPILER_TARGET $ENV{NVFP4_ZIG_TARGET})
set(CMAKE_AR $ENV{NVFP4_ZIG}/zig-ar)
set(CMAKE_RANLIB $ENV{NVFP4_ZIG}/zig-ranlib)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
