#!/usr/bin/env python3
"""rooms.py <source folder>: the rooms of core/ and apps/ include one another in one direction.

A file may include its own room and rooms that its room links, directly or through others (mo_add_room in
core/CMakeLists.txt and apps/CMakeLists.txt). The folders of the program, apps/mo-host, are rooms, too, without
libraries of their own: beside them lies main.cpp and nothing else. What it prints: each include that no link covers,
each circle, and the picture of CONTRIBUTING.md where that is not the one of the sources. Before it looks at the
sources it looks at small trees of its own, one of which is sound.
"""
import collections
import os
import re
import sys
import tempfile

ROOM = re.compile(r"^mo_add_room\((\w+)((?:\s+[^\s()]+)*)\s*\)", re.M)
PROGRAM = os.path.join("apps", "mo-host")
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


def program_rooms(source):
    """The rooms of each room of the program, and one include for each pair; those of main.cpp are those of ""."""
    edges, example = {"": set()}, {}
    top = os.path.join(source, PROGRAM)
    for path, _, files in os.walk(top):
        room = os.path.relpath(path, top).split(os.sep)[0].strip(".")
        edges.setdefault(room, set())
        for name in sorted(files):
            if not name.endswith((".cpp", ".hpp")):
                continue
            with open(os.path.join(path, name), encoding="utf-8") as f:
                for other in re.findall(r'^#include "apps/mo-host/([\w-]+)/', f.read(), re.M):
                    if other != room:
                        edges[room].add(other)
                        example.setdefault((room, other), f"{os.path.relpath(os.path.join(path, name), source)} includes {other}/")
    return edges, example


def circle_in(edges):
    """One circle as a list of rooms that ends where it begins; None when there is none."""
    state, path = {}, []

    def visit(room):
        state[room] = "open"
        path.append(room)
        for other in sorted(edges.get(room, ())):
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
    for some, examples in ((edges, example), program_rooms(source)):
        circle = circle_in(some)
        if circle:
            steps = "\n    ".join(examples[pair] for pair in zip(circle, circle[1:]))
            problems.append("a circle: " + " -> ".join(circle) + "\n    " + steps)
    top = os.path.join(source, PROGRAM)
    for name in sorted(os.listdir(top)) if os.path.isdir(top) else []:
        if name.endswith((".cpp", ".hpp")) and name != "main.cpp":
            problems.append(f"{PROGRAM}/{name} is in no room: beside the folders there lies main.cpp alone")
    return problems


def from_below(edges):
    """The rooms of the program, what a room stands on before it; and of each what nothing else under it stands on."""
    rows, reach = [], {}

    def visit(room):
        if room in reach:
            return
        for other in sorted(edges[room]):
            visit(other)
        below = {o for other in edges[room] for o in reach[other]}
        reach[room] = below | edges[room]
        rows.append((room, sorted(edges[room] - below)))

    for room in sorted(edges):
        visit(room)
    return [row for row in rows if row[0]]


def picture_of(source):
    """A line per room: what it links, and nothing that another of its links brings."""
    rooms = rooms_of(source)
    width = max(len(folder) for folder, _ in rooms.values())
    lines = []
    for folder, links in rooms.values():
        lines.append(f"    {folder:<{width}}  {' '.join(rooms[link][0] for link in links)}".rstrip())
    return "\n".join(lines) + "\n"


def picture_of_program(source):
    rows = from_below(program_rooms(source)[0])
    width = max(len(room) for room, _ in rows)
    return "".join(f"    {room:<{width}}  {' '.join(below)}".rstrip() + "\n" for room, below in rows)


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
    program = {"apps/mo-host/main.cpp": '#include "apps/mo-host/up/a.hpp"\n',
               "apps/mo-host/up/a.hpp": '#include "apps/mo-host/down/b.hpp"\n', "apps/mo-host/down/b.hpp": "\n"}
    turns = {"apps/mo-host/down/c.cpp": '#include "apps/mo-host/up/a.hpp"\n'}
    cases = ((sound, []), (circle, ["a circle: high -> low -> high"]), (unlinked, ["does not link mo_low"]),
             (sound | program, []), (sound | program | turns, ["a circle: up -> down -> up"]),
             (sound | program | {"apps/mo-host/d.cpp": "\n"}, ["d.cpp is in no room"]))
    for files, expected in cases:
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
    if problems:
        sys.exit("rooms: " + "\nrooms: ".join(problems))
    pictures = [picture_of(source), picture_of_program(source)]
    if sys.argv[2:] == ["--picture"]:
        sys.stdout.write("\n".join(pictures))
    else:
        with open(os.path.join(source, "CONTRIBUTING.md"), encoding="utf-8") as f:
            text = f.read()
            if any(picture not in text for picture in pictures):
                problems.append("CONTRIBUTING.md shows other rooms: put in what rooms.py <source folder> --picture prints")
    if problems:
        sys.exit("rooms: " + "\nrooms: ".join(problems))
    if not sys.argv[2:]:
        print(f"{len(rooms_of(source))} rooms link and include in one direction")


if __name__ == "__main__":
    main()
