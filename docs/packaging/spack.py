"""Spack recipe (package.py of nvfp4-prof in a repository of recipes).  There is no archive to fetch yet: `spack dev-build nvfp4-prof@main` in a clone.

Tried with Spack 0.22 on Debian 12, every dependency external; of Spack 1 only the names were looked up (2026-11-25)."""
from spack.package import depends_on, license, variant, version

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
except ImportError:  # Spack before 1.0
    from spack.package import CMakePackage, generator


class Nvfp4Prof(CMakePackage):
    """Profiler and roofline for memory-bound CUDA kernels."""

    license("Apache-2.0")
    version("main", branch="main")  # of a release: its archive's url and sha256

    variant("charts", default=True, description="gnuplot, for charts")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("jansson~shared")
    depends_on("zlib-api")
    depends_on("xxhash")
    depends_on("cuda@13:", type=("build", "run"))
    depends_on("gnuplot", type="run", when="+charts")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False), self.define("NVFP4_RELEASE", True), self.define("CUDA_INCLUDE", self.spec["cuda"].prefix.include)]

    def setup_run_environment(self, env):
        env.set("NVFP4_CUDA_HOME", self.spec["cuda"].prefix)
