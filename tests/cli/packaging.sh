#!/usr/bin/env bash
# The recipes of docs/packaging say what CMakeLists.txt and pyproject.toml say: version, options, what is needed to build and to run.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
what="the recipes"
"$python" - "$root" <<'PY' >said 2>&1 || bad "$(tail -n 1 said)"
import ast, re, sys

root = sys.argv[1]
read = lambda name: open(f"{root}/{name}", encoding="utf-8").read()
cmake, project, conda, spack = map(read, ("CMakeLists.txt", "pyproject.toml", "docs/packaging/conda.yaml", "docs/packaging/spack.py"))
ast.parse(spack)
version = re.search(r"^project\(nvfp4-prof VERSION ([0-9.]+)", cmake, re.M).group(1)
assert f'set version = "{version}"' in conda, f"conda.yaml is not of version {version}"
least = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", cmake).group(1)
assert f"cmake >={least}" in conda and f'"cmake@{least}:"' in spack, f"CMake {least} is not what a recipe asks for"
known = set(re.findall(r"(?:option|find_library|find_path)\((\w+)", cmake)) | {"BUILD_TESTING", "CMAKE_BUILD_TYPE"}
given = set(re.findall(r"-D(\w+)=", conda)) | set(re.findall(r'define\("(\w+)"', spack))
assert given <= known, f"CMakeLists.txt has no {sorted(given - known)}"
host = re.search(r"^  host: \[(.*)\]$", conda, re.M).group(1)
for library in {name.lower() for name in re.findall(r"find_path\((\w+)_INCLUDE", cmake)} - {"cuda", "cupti"}:
    assert f" {library}," in host and f'depends_on("{library}' in spack, f"{library} is not in every recipe"
python = re.search(r'requires-python = ">=([0-9.]+)"', project).group(1)
assert f"python >={python}" in conda, f"conda.yaml does not ask for Python {python}"
runs = re.search(r"^  run: \[(.*?)\]$", conda, re.M | re.S).group(1)
wheels = re.findall(r'"nvidia-cuda-(\w+)>=([0-9.]+),<14",$', project.split("dependencies = [", 1)[1], re.M)
assert len(wheels) == 6, wheels
for name, first in wheels:
    name = {"runtime": "cudart"}.get(name, name)
    assert re.search(rf"cuda-{name}(-dev)?(_\{{\{{ target_platform \}}\}})? >={first}[,\"\]]?", runs), f"conda.yaml does not run with cuda-{name} {first}"
licence = re.search(r'license = "(.*)"', project).group(1)
assert f"license: {licence}" in conda and f'license("{licence}")' in spack, "another licence"
PY
finish
