# Included by the file that scripts/release writes for cpack -G DEB, which sets MAINTAINER, VERSION, MACHINE (x86_64, aarch64) and STAGE: what lies there as a
# Debian package.
# The program is linked against a glibc of its own choosing, so that what it depends on is known.  dpkg-shlibdeps goes by the symbols of the glibc that is
# installed: on Debian 12 it says libc6 (>= 2.34) of a program that starts with 2.28.  By those of Debian 11 it says 2.27; tests/release/made.sh asks it so.
set(CPACK_PACKAGE_NAME nvfp4-prof)
set(CPACK_PACKAGE_VERSION ${VERSION})
set(CPACK_PACKAGE_FILE_NAME nvfp4-prof-${VERSION}-${MACHINE})
set(CPACK_PACKAGE_DESCRIPTION "profiler for CUDA kernels")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "profiler and roofline for memory-bound CUDA kernels")
set(CPACK_PACKAGE_VENDOR nvfp4-prof)
set(CPACK_INSTALLED_DIRECTORIES "${STAGE};/")
set(CPACK_PACKAGING_INSTALL_PREFIX "/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.28)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
if(MACHINE STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "nvfp4-prof measures kernels on NVIDIA GPUs, counts with CUPTI, reads their
SASS, and says which bound holds and what to do about it. It attaches to any
program, reads Nsight Compute's reports, and explains a ladder of NVFP4 GEMV
kernels step by step.
.
It opens NVIDIA's driver, CUPTI and NVRTC at run time and contains none of
them; without a GPU it analyses recorded runs.")
