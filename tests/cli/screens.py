"""Commands in a terminal: screens.py PROGRAM, on stdin a line of arguments for each, which is run at 60 columns, at 80 with LC_ALL=C and at 120 with
TERM=dumb: no line is wider, in ASCII where LC_ALL is C, no escape where TERM is dumb.  Prints the faults."""
import fcntl, os, pty, re, shlex, struct, sys, termios

SETTINGS = ((60, {"TERM": "xterm"}), (80, {"LC_ALL": "C"}), (120, {"TERM": "dumb"}))


def printed(arguments, columns, environment):
    ready, go = os.pipe()
    pid, terminal = pty.fork()
    if pid == 0:
        os.read(ready, 1)  # until the terminal has its size
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execve(sys.argv[1], [sys.argv[1], *arguments], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.write(go, b".")
    seen = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the program has ended
            break
        if not block:
            break
        seen += block
    os.waitpid(pid, 0)
    for descriptor in (terminal, ready, go):
        os.close(descriptor)
    return seen.decode(errors="replace").replace("\r\n", "\n")


def faults(text, columns, environment):
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    found = [f"{len(line)} columns: {line}" for line in plain.split("\n") if len(line) > columns and not line.startswith("next ")]
    if environment.get("LC_ALL") == "C":
        found += [f"not ASCII: {line}" for line in plain.split("\n") if not line.isascii()]
    if environment.get("TERM") == "dumb" and "\x1b" in text:
        found.append("an escape on a dumb terminal")
    elif "\x1b" in plain:
        found.append("an escape that is no colour")
    if not text.strip():
        found.append("nothing is printed")
    return found[:5]


failed = 0
for line in sys.stdin:
    for columns, setting in SETTINGS:
        environment = {**os.environ, **setting}
        found = faults(printed(shlex.split(line), columns, environment), columns, environment)
        failed += bool(found)
        if found:
            print(f"nvfp4-prof {line.strip()} at {columns} columns, {setting}:", *found, sep="\n    ")
sys.exit(failed > 0)
