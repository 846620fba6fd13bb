"""table.py SOURCE OUT: OUT/all.lcov by rooms, as a table; OUT/files.tsv and OUT/never_reached.txt."""

import collections
import os
import subprocess
import sys


def room_of(path):
    """core/graph, apps/mo-host/convert, plugins/onnx/loader; a plugin without rooms is one."""
    parts = path.split("/")
    depth = 3 if parts[:2] == ["apps", "mo-host"] or parts[0] == "plugins" else 2
    return "/".join(parts[: min(depth, len(parts) - 1)])


def read(lcov, source):
    """{path: ({line: most often reached}, {line: (names, reached)})}"""
    files = {}
    lines = functions = counts = None
    for row in open(lcov, encoding="utf-8"):
        kind, _, rest = row.rstrip("\n").partition(":")
        if kind == "SF":
            lines, functions = files.setdefault(os.path.relpath(rest, source), ({}, {}))
            counts = {}
        elif kind == "FN":
            line, name = rest.split(",", 1)
            counts[name] = int(line)
        elif kind == "FNDA":
            count, name = rest.split(",", 1)
            names, reached = functions.get(counts[name], (set(), 0))
            functions[counts[name]] = (names | {name}, reached + int(count))
        elif kind == "DA":
            line, count = map(int, rest.split(",")[:2])
            lines[line] = max(lines.get(line, 0), count)
    return {path: found for path, found in files.items() if not path.startswith("..")}


def demangled(names):
    names = [n.rpartition(":")[2] for n in names]
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.split("\n")


def ranges(numbers):
    out = []
    for n in numbers:
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def main():
    source, out = sys.argv[1:]
    files = read(os.path.join(out, "all.lcov"), source)
    rooms = collections.defaultdict(lambda: [0, 0])
    with open(os.path.join(out, "files.tsv"), "w") as table, open(os.path.join(out, "never_reached.txt"), "w") as never:
        for path, (lines, functions) in sorted(files.items()):
            reached = sum(count > 0 for count in lines.values())
            for total in (rooms[room_of(path)], rooms[path.split("/")[0] + ", all"]):
                total[0] += reached
                total[1] += len(lines)
            table.write(f"{path}\t{reached}\t{len(lines)}\n")
            missed = [line for line, count in sorted(lines.items()) if count == 0]
            if not missed:
                continue
            never.write(f"{path}: lines {ranges(missed)}\n")
            unused = [(line, min(names)) for line, (names, count) in sorted(functions.items()) if count == 0]
            for (line, _), name in zip(unused, demangled([name for _, name in unused])):
                never.write(f"  {line}: {name[:160]}\n")
    print(f"{'room':34} {'lines':>7} {'reached':>8}")
    for room, (reached, all_lines) in sorted(rooms.items()):
        print(f"{room:34} {all_lines:7} {100 * reached / max(all_lines, 1):7.1f}%")
    print(f"never reached: {os.path.join(out, 'never_reached.txt')}")


main()
