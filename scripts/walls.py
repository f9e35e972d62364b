#!/usr/bin/env python3
"""What scripts/walls checks; see there."""
import os
import re
import subprocess
import sys
from pathlib import Path

GPU_HEADER = re.compile(r"(cuda|cupti|nvrtc|nvml|nvperf)[^/]*\.h$")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)')
LOUD = "exit printf puts putchar perror stdin stdout stderr".split()
# What a room's library may not ask of libc.  analysis is pure; only profiler/cli prints or exits.
FORBIDDEN = {
    "-": [],
    "quiet": [s for s in LOUD if s != "stdin"],
    "pure": LOUD + """fopen fopen64 open open64 openat fread fwrite mkdir stat system popen time clock clock_gettime gettimeofday localtime
        getenv dlopen rand random""".split(),
}

LINES_MAX = 8000  # of a room's C

faults = []


def fault(text):
    faults.append(text)


class Room:
    def __init__(self, folder, kind, seen, symbols):
        self.folder, self.kind, self.symbols = folder, kind, symbols
        self.seen = [] if seen == "-" else seen.split()
        self.library = "lib" + folder.replace("/", "-") + ".a"


def rooms_read(path):
    rooms = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or cells[3] not in FORBIDDEN:
            fault(f"{path.name}:{number}: folder, kind, rooms, and one of {', '.join(FORBIDDEN)}; a tab between")
            continue
        rooms[cells[0]] = Room(*cells)
    for room in rooms.values():
        if room.seen == ["all"]:
            room.seen = [other for other in rooms if other != room.folder]
        for other in room.seen:
            if other not in rooms:
                fault(f"{path.name}: {room.folder} may include {other}, which is no room")
    return rooms


def room_of(rooms, name):
    """The room that a file, named from the root of the tree, stands in."""
    folder = name.rpartition("/")[0]
    return rooms.get(folder)


def check_names_and_sizes(rooms):
    """A file's name says what it is without its folder, and a room is small enough to be known."""
    named, lines = {}, {}
    for room in rooms:
        for path in Path(room).glob("*.[ch]"):
            named.setdefault(path.stem, {}).setdefault(room, []).append(path.as_posix())
            lines[room] = lines.get(room, 0) + len(path.read_text().splitlines())
    for stem, places in named.items():
        if len(places) > 1:
            fault(f"two files are called {stem}: {' '.join(sorted(min(files) for files in places.values()))}")
    for room, count in lines.items():
        if count > LINES_MAX:
            fault(f"{room}: {count} lines of C; a room has {LINES_MAX} at most")


def check_include(rooms, name, line, quote, header):
    """The file of the tree that is included, None for others."""
    room = room_of(rooms, name)
    if GPU_HEADER.match(header) and not name.startswith("profiler/"):
        fault(f"{name}:{line}: only profiler may include {header}")
    if quote != '"':
        return None
    if "../" in header:
        fault(f'{name}:{line}: name {header} from the root of the tree: "room/file.h"')
        return None
    if "/" not in header:
        return None
    other = room_of(rooms, header)
    if not other:
        fault(f"{name}:{line}: {header} is in no room of cmake/rooms.tsv")
    elif other is not room and other.folder not in room.seen:
        fault(f"{name}:{line}: {room.folder} may not include {other.folder} ({header})")
    return header


def circles(edges):
    """Strongly connected sets of more than one node (Tarjan), without recursion."""
    index, low, stack, on, found, count = {}, {}, [], set(), [], 0
    for root in sorted(edges):
        if root in index:
            continue
        todo = [(root, iter(sorted(edges.get(root, ()))))]
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        on.add(root)
        while todo:
            node, rest = todo[-1]
            follow = next((n for n in rest if n not in index or n in on), None)
            if follow is None:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = []
                    while not circle or circle[-1] != node:
                        circle.append(stack.pop())
                        on.discard(circle[-1])
                    if len(circle) > 1:
                        found.append(sorted(circle))
            elif follow in index:
                low[node] = min(low[node], index[follow])
            else:
                index[follow] = low[follow] = count
                count += 1
                stack.append(follow)
                on.add(follow)
                todo.append((follow, iter(sorted(edges.get(follow, ())))))
    return found


def walls_of_includes(rooms):
    """Walls, and headers that include each other in a circle."""
    edges = {}
    for folder in sorted({room.split("/")[0] for room in rooms}):
        for path in sorted(Path(folder).rglob("*.[ch]")):
            name = path.as_posix()
            if not room_of(rooms, name):
                fault(f"{name}: stands in no room of cmake/rooms.tsv")
                continue
            for number, text in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(text)
                header = match and check_include(rooms, name, number, *match.groups())
                if header:
                    edges.setdefault(name, set()).add(header)
    for circle in circles(edges):
        fault(f"a circle of includes: {' '.join(circle)}")


def nm(path):
    """(member, kind, symbol) of each global symbol of a library or object."""
    listed = subprocess.run(["nm", "-A", "-g", str(path)], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        match = re.match(r"(?:.*[:/])?([^:/]+):[0-9a-f ]{16} ([A-Za-z]) ([^@\s]+)", line)
        if match:
            yield match.groups()


def walls_of_symbols(rooms, build):
    defined, asked = {}, []
    for room in rooms.values():
        library = build / room.library
        objects = [library] if library.exists() else []
        if room.kind != "room":  # the program, and what attach injects: their objects are in no library
            objects = sorted(build.glob(f"CMakeFiles/*.dir/{room.folder}/*.o"))
            objects = [o for o in objects if Path(room.folder, o.name.removesuffix(".o")).exists()]  # not of sources that are gone
        elif not objects:
            fault(f"{library} is not there: what {room.folder} calls was not looked at")
        for path in objects:
            for member, kind, symbol in nm(path):
                place = f"{room.folder}/{member.removesuffix('.o').removesuffix('.c')}"
                if kind == "U":
                    asked.append((room, place, symbol))
                elif kind in "TDBRC":
                    defined.setdefault(symbol, set()).add(place)
    for symbol, places in sorted(defined.items()):
        if len(places) > 1 and symbol != "main":
            fault(f"{symbol} is defined in two places: {' '.join(sorted(places))}")
    edges = {}
    for room, place, symbol in asked:
        if symbol in FORBIDDEN[room.symbols]:
            fault(f"{room.folder}: calls or names {symbol}, which it may not")
        for other in defined.get(symbol, ()):
            if other != place:
                edges.setdefault(place, set()).add(other)
    for circle in circles(edges):
        fault(f"a circle of calls: {' '.join(circle)}")


def main():
    build = Path(sys.argv[2]).resolve() if sys.argv[2] else None
    os.chdir(sys.argv[1])
    rooms = rooms_read(Path("cmake/rooms.tsv"))
    check_names_and_sizes(rooms)
    walls_of_includes(rooms)
    if build:
        walls_of_symbols(rooms, build)
    for text in sorted(set(faults)):
        print(text, file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
