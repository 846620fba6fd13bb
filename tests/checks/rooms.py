#!/usr/bin/env python3
"""rooms.py <source folder>: the rooms of core/ and apps/ include one another in one direction.

A file may include its own room and rooms that its room links, directly or through others (mo_add_room in
core/CMakeLists.txt and apps/CMakeLists.txt). What it prints: each include that no link covers, each circle, and the
picture of CONTRIBUTING.md where that is not the one of the CMake files. Before it looks at the sources it looks at
three small trees of its own, one of which is sound.
"""
import collections
import os
import re
import sys
import tempfile

ROOM = re.compile(r"^mo_add_room\((\w+)((?:\s+[^\s()]+)*)\s*\)", re.M)
INCLUDE = re.compile(r'^#include "((?:core|apps)/([\w-]+)/[^"]+)"', re.M)


def rooms_of(source):
    """The folder and the links of each room, in the order of the files: what is linked stands before."""
    rooms = {}
    for top in ("core", "apps"):
        path = os.path.join(source, top, "CMakeLists.txt")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as f:
            for name, links in ROOM.findall(f.read()):
                known = [link[3:] for link in links.split() if link.startswith("mo_")]
                rooms[name] = (os.path.join(top, name), known)
    return rooms


def includes_of(source, folder):
    """(file, what it includes, the room of that) for each include of core/ or apps/."""
    for path, _, files in os.walk(os.path.join(source, folder)):
        for name in sorted(files):
            if not name.endswith((".cpp", ".hpp", ".h", ".inc")):
                continue
            full = os.path.join(path, name)
            with open(full, encoding="utf-8") as f:
                for included, room in INCLUDE.findall(f.read()):
                    yield os.path.relpath(full, source), included, room


def circle_in(edges):
    """One circle as a list of rooms that ends where it begins; None when there is none."""
    state, path = {}, []

    def visit(room):
        state[room] = "open"
        path.append(room)
        for other in sorted(edges[room]):
            if state.get(other) == "open":
                return path[path.index(other):] + [other]
            if other not in state:
                found = visit(other)
                if found:
                    return found
        path.pop()
        state[room] = "done"
        return None

    for room in sorted(edges):
        if room not in state:
            found = visit(room)
            if found:
                return found
    return None


def problems_of(source):
    rooms = rooms_of(source)
    problems = []
    reach = {}
    for name, (_, links) in rooms.items():
        reach[name] = {name}
        for link in links:
            if link not in reach:
                problems.append(f"mo_{name} links mo_{link}, which is not a room or is added after it")
            reach[name] |= reach.get(link, {link})
    edges, example = collections.defaultdict(set), {}
    for name, (folder, _) in rooms.items():
        if not os.path.isdir(os.path.join(source, folder)):
            problems.append(f"there is no folder {folder} for mo_{name}")
        for file, included, room in includes_of(source, folder):
            if room == name:
                continue
            edges[name].add(room)
            example.setdefault((name, room), f"{file} includes {included}")
            if room not in reach[name]:
                problems.append(f"{file} includes {included}, but mo_{name} does not link mo_{room}")
    for top in ("core", "apps"):
        for folder in sorted(os.listdir(os.path.join(source, top))) if os.path.isdir(os.path.join(source, top)) else []:
            full = os.path.join(source, top, folder)
            if os.path.isdir(full) and folder not in rooms and folder != "mo-host":
                problems.append(f"the folder {top}/{folder} is not a room: mo_add_room({folder} ...)")
    circle = circle_in(edges)
    if circle:
        steps = "\n    ".join(example[pair] for pair in zip(circle, circle[1:]))
        problems.append("a circle: " + " -> ".join(circle) + "\n    " + steps)
    return problems


def picture_of(source):
    """A line per room: what it links, and nothing that another of its links brings."""
    rooms = rooms_of(source)
    width = max(len(folder) for folder, _ in rooms.values())
    lines = []
    for folder, links in rooms.values():
        lines.append(f"    {folder:<{width}}  {' '.join(rooms[link][0] for link in links)}".rstrip())
    return "\n".join(lines) + "\n"


def write(folder, files):
    for path, text in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as f:
            f.write(text)


def test_itself():
    sound = {
        "core/CMakeLists.txt": "mo_add_room(low)\nmo_add_room(high mo_low re2)\n",
        "core/low/a.hpp": "#pragma once\n",
        "core/high/b.cpp": '#include "core/low/a.hpp"\n',
    }
    circle = dict(sound, **{"core/low/a.hpp": '#include "core/high/b.hpp"\n', "core/high/b.hpp": "#pragma once\n"})
    unlinked = dict(sound, **{"core/CMakeLists.txt": "mo_add_room(low)\nmo_add_room(high)\n"})
    for files, expected in ((sound, []), (circle, ["a circle: high -> low -> high"]), (unlinked, ["does not link mo_low"])):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            found = problems_of(folder)
            missed = [e for e in expected if not any(e in f for f in found)]
            if missed or (not expected and found):
                sys.exit(f"rooms.py does not see what it has to: expected {expected}, found {found}")


def main():
    test_itself()
    source = sys.argv[1]
    problems = problems_of(source)
    picture = picture_of(source)
    if sys.argv[2:] == ["--picture"]:
        sys.stdout.write(picture)
    else:
        with open(os.path.join(source, "CONTRIBUTING.md"), encoding="utf-8") as f:
            if picture not in f.read():
                problems.append("CONTRIBUTING.md shows other rooms: put in what rooms.py <source folder> --picture prints")
    if problems:
        sys.exit("rooms: " + "\nrooms: ".join(problems))
    if not sys.argv[2:]:
        print(f"{len(rooms_of(source))} rooms link and include in one direction")


if __name__ == "__main__":
    main()
