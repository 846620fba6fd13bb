"""Compiles what the manual shows: every block ```cpp or ```c of the files given, with the public headers alone.

All blocks of a file become one source for each language, in their order; each block of C++ has a namespace of its own.
A comment of HTML in front of a block says what it needs:

  <!-- snippet: continues -->              it goes on where the block before ended, in the same namespace
  <!-- snippet: inside(PARAMETERS) -->     statements: the body of a function with these parameters
  <!-- snippet: alone -->                  a source of its own, as it stands

Everything of <mo/sdk.hpp> is there already, and in C <mo/plugin.h> and <string.h>.
Usage: snippets.py INCLUDE_FOLDER OUTPUT_FOLDER FILE...   prints the sources that were written, one a line.
"""

import pathlib
import re
import sys

MARK = re.compile(r"<!-- snippet: (continues|alone|inside\((.*)\)) -->")


class Block:
    def __init__(self, language, line, mark, parameters):
        self.language, self.line, self.mark, self.parameters = language, line, mark, parameters
        self.text = []


def blocks_of(path):
    blocks, block, mark = [], None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line.startswith("```"):
                block = None
            else:
                block.text.append(line)
            continue
        found = MARK.fullmatch(line.strip())
        if found:
            mark = found
        elif line.strip() in ("```cpp", "```c"):
            kind = "" if mark is None else "inside" if mark.group(2) is not None else mark.group(1)
            block = Block(line.strip()[3:], number, kind, mark.group(2) if mark else None)
            blocks.append(block)
            mark = None
        elif line.strip():
            if mark is not None or line.startswith("<!-- snippet"):
                sys.exit(f"{path}:{number}: a mark of a snippet stands in front of no snippet, or is none")
            if re.match(r"```\s*(c\+\+|cc|C|Cpp|CPP)\b", line):
                sys.exit(f"{path}:{number}: blocks that are compiled begin with ```cpp or ```c")
    return blocks


def source_of(path, blocks, language):
    head = ["#include <mo/sdk.hpp>"] if language == "cpp" else ["#include <mo/plugin.h>", "#include <string.h>"]
    body = []
    for i, b in enumerate(blocks):
        lines = [f'#line {b.line + 1} "{path}"']
        includes = [t for t in b.text if t.startswith("#include")]
        head += [t for t in includes if t not in head]
        lines += ["" if t.startswith("#include") else t for t in b.text]
        if b.mark == "inside":
            lines = [f"[[maybe_unused]] static void snippet_{i}({b.parameters}) {{"
                     if language == "cpp" else f"void snippet_{i}({b.parameters});\nvoid snippet_{i}({b.parameters}) {{",
                     *lines, "}"]
        if language == "cpp":
            # What a block defines is used by a reader, not here.
            lines = [f"namespace snippet_{group_of(blocks, i)} {{", *lines, "}"]
        body += lines
    return "\n".join(head + body) + "\n"


def group_of(blocks, i):
    while blocks[i].mark == "continues":
        i -= 1
    return i


def main():
    out = pathlib.Path(sys.argv[2])
    for name in sys.argv[3:]:
        path = pathlib.Path(name)
        blocks = blocks_of(path)
        stem = re.sub(r"\W", "_", name)
        for language in ("cpp", "c"):
            own = [b for b in blocks if b.language == language]
            if own and own[0].mark == "continues":
                sys.exit(f"{path}:{own[0].line}: there is nothing that this snippet continues")
            together = [b for b in own if b.mark != "alone"]
            sources = [source_of(path, together, language)] if together else []
            sources += ["\n".join([f'#line {b.line + 1} "{path}"', *b.text]) + "\n" for b in own if b.mark == "alone"]
            for i, text in enumerate(sources):
                file = out / f"{stem}_{i}.{language}"
                file.write_text(text, encoding="utf-8")
                print(file, len(own))


main()
