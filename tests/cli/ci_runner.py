"""ci_runner.py DOC github|gitlab FOLDER WHEELS CU13 [fork]: runs the recipe of docs/ci.md in the folder, each step by `bash -e` in an empty environment, as a
runner does: files carry variables and paths from step to step, a step after a failed one runs only `if: always()`.  pip finds WHEELS alone; CU13 stands for
what NVIDIA's wheels unpack.  gh is a stub that knows one comment.  Prints "step NAME: CODE"; exits with the first failure's code."""
import glob
import os
import re
import subprocess
import sys

GH = """#!/bin/sh
cd "$RUNNER"
case "$*" in
  *--paginate*) [ ! -f comment ] || echo 7 ;;
  *"--method POST repos/o/r/issues/5/comments -F body=@body.md"* | *"--method PATCH repos/o/r/issues/comments/7 -F body=@body.md"*)
    echo "$3" >>calls
    cp ../body.md comment ;;
  *) exit 9 ;;
esac
"""

# A venv takes seconds to make, most of them for its pip: the one that a run in the same folder has made before serves again, and its pip is that of this
# Python where there is one.
PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec "{python}" "$@"
[ -x "$3/bin/pip" ] && exit
"{python}" -m venv {options} "$3" || exit
[ -x "$3/bin/pip" ] || {{ sed "s,FOLDER,$3," "{pip}" >"$3/bin/pip" && chmod +x "$3/bin/pip"; }}
"""
# The pip of this Python, which installs into the venv that it is run in.
PIP = """#!/bin/sh
exec "FOLDER/bin/python" -m pip "$@"
"""


def github_steps(text):
    """(name, condition, environment, script) of each step with a `run:`, by the indentation of the recipe."""
    for step in re.split(r"^      - ", text, flags=re.M)[1:]:
        keys = dict(re.findall(r"^(?:        )?(name|if|env): (.*)$", step, re.M))
        block = re.search(r"^        run: (?:\|\n((?:          .*\n|\n)*)|(.*)\n)", step, re.M)
        if block:
            script = re.sub(r"^          ", "", block[1], flags=re.M) if block[1] else block[2]
            yield keys["name"], keys.get("if", ""), dict(re.findall(r'(\w+): "(.*?)"', keys.get("env", ""))), script


def gitlab_steps(text):
    """One shell runs all lines, and ends with the first that fails."""
    lines = re.findall(r"^    - (.*)$", text.split("  script:\n")[1].split("  artifacts:")[0], re.M)
    yield "script", "", {}, "\n".join(lines)


def may_run(condition, failed, fork):
    if fork and "head.repo.full_name == github.repository" in condition:
        return False
    return not failed or "always()" in condition


def unpack_nvidia(folder, cu13):
    """What pip would have installed beside the wheel."""
    for site in glob.glob(f"{folder}/**/site-packages", recursive=True):
        if os.path.isdir(f"{site}/nvfp4_prof") and not os.path.exists(f"{site}/nvidia/cu13"):
            os.makedirs(f"{site}/nvidia", exist_ok=True)
            os.symlink(cu13, f"{site}/nvidia/cu13")


def program(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def main():
    doc, form, folder, wheels, cu13, fork = sys.argv[1:7]
    folder = os.path.abspath(folder)
    text = open(doc, encoding="utf-8").read()
    recipe = re.search(r"```yaml\n# \.%s(.*?)```" % form, text, re.S)[1]
    runner = f"{folder}/runner"
    os.makedirs(f"{runner}/temp", exist_ok=True)
    os.makedirs(f"{runner}/bin", exist_ok=True)
    program(f"{runner}/bin/gh", GH)
    has_pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0
    program(f"{runner}/pip", PIP)
    program(f"{runner}/bin/python3", PYTHON.format(python=sys.executable, pip=f"{runner}/pip",
                                                   options="--without-pip --system-site-packages" if has_pip else ""))
    for name in ("path", "summary"):
        open(f"{runner}/{name}", "w", encoding="utf-8").close()
    environment = {"PATH": f"{runner}/bin:{os.path.dirname(sys.executable)}:/usr/bin:/bin", "HOME": runner, "LC_ALL": "C.UTF-8", "RUNNER": runner,
                   "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_FIND_LINKS": wheels, "NVFP4_LIBCUDA": "/nonexistent/libcuda.so.1"}
    if form == "github":
        environment.update(RUNNER_TEMP=f"{runner}/temp", GITHUB_PATH=f"{runner}/path", GITHUB_STEP_SUMMARY=f"{runner}/summary", GITHUB_REPOSITORY="o/r")
    else:  # the image is a Python of its own
        subprocess.run([f"{runner}/bin/python3", "-m", "venv", f"{runner}/image"], check=True)
        environment.update(PATH=f"{runner}/image/bin:{environment['PATH']}", CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main")
    failed = 0
    for name, condition, own, script in (github_steps if form == "github" else gitlab_steps)(recipe):
        if not may_run(condition, failed, fork):
            continue
        own = {key: "5" if "event.number" in value else "secret" for key, value in own.items()}
        paths = "".join(line + ":" for line in reversed(open(f"{runner}/path", encoding="utf-8").read().split()))
        # pip install and the next line stand in one script at GitLab's: what NVIDIA's wheels bring comes with the install there.
        done = 0
        for part in re.split(r"(?<=pip install nvfp4-prof\n)", script + "\n", maxsplit=1) if form == "gitlab" else [script]:
            if not done:
                done = subprocess.run(["bash", "-e", "-c", part], cwd=folder, env={**environment, **own, "PATH": paths + environment["PATH"]},
                                      stdin=subprocess.DEVNULL).returncode
            unpack_nvidia(runner, cu13)
        sys.stdout.flush()
        print(f"step {name}: {done}", flush=True)
        failed = failed or done
    sys.exit(failed)


main()
