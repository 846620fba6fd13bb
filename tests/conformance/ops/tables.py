"""Small cases as rows of text for tests/plugins/opset/value_tables_test.cpp, which says how to read them."""
import os

import numpy as np

import case as core

ROWS = 6            # of each type and version
TRIES = 40
MOST_BYTES = 900    # of a row, unless no case is that small


def numbers(type_, value):
    flat = np.asarray(value).reshape(-1)
    if type_ == "boolean":
        return ["true" if v else "false" for v in flat]
    if flat.dtype.kind in "iu":
        return [str(int(v)) for v in flat]
    return ["nan" if np.isnan(v) else ("-" if v < 0 else "") + "inf" if np.isinf(v) else _float(type_, v) for v in flat]


def _float(type_, v):
    """Inputs must come back exactly; that also does for expected values."""
    text = repr(float(v)) if type_ == "f64" else str(np.float16(v)) if type_ == "f16" else str(np.float32(v))
    return text[:-2] if text.endswith(".0") else text


def tensor(type_, value, digits=None):
    value = np.asarray(value)
    head = "%s[%s] " % (type_, ",".join(map(str, value.shape)))
    if type_ in ("u1", "u4", "i4"):
        return head + 'hex "%s"' % core.constant_bytes(type_, value).hex()
    if digits and value.dtype.kind == "f":
        with np.errstate(all="ignore"):
            value = np.array([float("%.*g" % (digits, v)) for v in value.reshape(-1)]).astype(value.dtype).reshape(value.shape)
    return head + "{%s}" % ",".join(numbers(type_, value))


def attribute(value):
    if isinstance(value, core.Ty):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, float) or isinstance(value, np.floating):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        kind = "floats" if isinstance(value, core.Floats) else "strings" if isinstance(value, core.Strings) else "ints"
        if not value:
            return kind + "[]"
        return "[%s]" % ",".join(attribute(float(v) if kind == "floats" else v) for v in value)
    return str(int(value))


def row(c):
    """The lines of a case; see the head of a table."""
    lines = ["%s@opset%d {%s}" % (c.type, c.opset, ", ".join("%s=%s" % (k, attribute(v)) for k, v in c.attrs.items()))]
    for i in c.inputs:
        lines.append("  %s %s" % ("const" if i.const or i.structural else "param", tensor(i.type, i.value)))
    for want, kind in zip(c.want, c.out_types):
        lines.append("  gives %s" % tensor(kind, want, 7))
    if c.rtol or c.atol:
        lines.append("  within %g %g" % (c.rtol or 0, c.atol or 0))
    if c.loose:
        lines.append("  loose")
    return "\n".join(lines) + "\n"


def shape_of(c):
    """What rows of one operation should differ in: attributes, number and types of inputs."""
    return (tuple((k, attribute(v)) for k, v in c.attrs.items() if isinstance(v, (bool, str))), len(c.inputs),
            tuple(i.type for i in c.inputs), any(i.value.size == 0 for i in c.inputs))


def choose(key, seed, count):
    """A few small cases which differ."""
    found = []
    for index in range(max(TRIES, 2 * count)):
        c = core.make(key, seed, index, small=True)
        if not c.table or c.graph is not None or c.check is not None:
            continue
        c.compute()
        found.append((row(c), shape_of(c)))
    small = [f for f in found if len(f[0]) <= MOST_BYTES] or sorted(found, key=lambda f: len(f[0]))[:1]
    chosen, seen = [], set()
    for again in (False, True):                  # first what differs, then what is left
        for text, kind in sorted(small, key=lambda f: len(f[0]) // 150) if again else small:
            if len(chosen) < count and text not in chosen and (again or not seen & set(_features(kind))):
                chosen.append(text)
                seen |= set(_features(kind)) if not again else set()
    return chosen


def _features(kind):
    return [kind]


HEAD = """# Made by tests/conformance/ops/run --write-tables; expected values come from ir_check or numpy, never from mo-host.
# An operation with its attributes; inputs ("param": a test may know less of it; "const": a shape, axes and the like);
# what it "gives"; "within" a relative and an absolute tolerance that are not the usual ones of the type; "loose": the
# specification itself asks for other shapes than those of all instances.
"""


def write(keys, seed, folder, count=ROWS):
    os.makedirs(folder, exist_ok=True)
    families, total = {}, 0
    for key in keys:
        rows = choose(key, seed, count)
        if rows:
            families.setdefault(core.GENERATORS[key][0], []).extend(rows)
    for family, rows in sorted(families.items()):
        text = HEAD + "\n" + "\n".join(rows)
        total += len(text)
        with open(os.path.join(folder, family + ".txt"), "w") as file:
            file.write(text)
        print("%-14s %5d rows %8d bytes" % (family, len(rows), len(text)))
    print("%d bytes" % total)
    return 0
