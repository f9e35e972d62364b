"""Spack recipe (package.py).  Not built with spack yet: it runs the commands of scripts/build with spack's dependencies."""
from spack.package import CMakePackage, depends_on, join_path, license, variant, version


class Nvfp4Prof(CMakePackage):
    """Profiler and roofline for memory-bound CUDA kernels."""

    license("Apache-2.0")
    version("main", branch="main")  # of a release: its archive's url and sha256

    variant("charts", default=True, description="gnuplot, for charts")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("jansson~shared")
    depends_on("zlib-api")
    depends_on("xxhash")
    depends_on("cuda@13:", type=("build", "run"))
    depends_on("gnuplot", type="run", when="+charts")

    generator = "Ninja"

    def cmake_args(self):
        cuda = self.spec["cuda"].prefix
        return [
            self.define("BUILD_TESTING", False),
            self.define("CUDA_INCLUDE", cuda.include),
            self.define("CUPTI_INCLUDE", cuda.include),
            self.define("JANSSON_LIBRARY", join_path(self.spec["jansson"].prefix.lib, "libjansson.a")),
        ]

    def setup_run_environment(self, env):
        env.set("NVFP4_CUDA_HOME", self.spec["cuda"].prefix)
