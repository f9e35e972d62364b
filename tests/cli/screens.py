"""Every command in a terminal: screens.py PROGRAM COLUMNS [NAME=VALUE...] -- ARGUMENTS: no line is wider, in ASCII where LC_ALL is C, no escape
where TERM is dumb.  Prints the faults."""
import fcntl, os, pty, re, struct, sys, termios

program, columns, cut = sys.argv[1], int(sys.argv[2]), sys.argv.index("--")
environment = dict(os.environ, **dict(pair.split("=", 1) for pair in sys.argv[3:cut]))
ready, go = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.read(ready, 1)  # until the terminal has its size
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.execve(program, [program, *sys.argv[cut + 1:]], environment)
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
text = seen.decode(errors="replace").replace("\r\n", "\n")
plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
faults = [f"{len(line)} columns: {line}" for line in plain.split("\n") if len(line) > columns]
if environment.get("LC_ALL") == "C":
    faults += [f"not ASCII: {line}" for line in plain.split("\n") if not line.isascii()]
if environment.get("TERM") == "dumb" and "\x1b" in text:
    faults.append("an escape on a dumb terminal")
elif "\x1b" in plain:
    faults.append("an escape that is no colour")
if not text.strip():
    faults.append("nothing is printed")
print("\n".join(faults[:5]))
sys.exit(bool(faults))
