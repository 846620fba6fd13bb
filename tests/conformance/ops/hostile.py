"""Cases made hostile: one number of the model is replaced by one that no operation can mean."""
import json
import os
import re
import shutil

import numpy as np

HUGE = [0, -1, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 40, 2 ** 62, 2 ** 63 - 1, -2 ** 31, -2 ** 63]
TEXTS = ["", "nan", "1e400", "99999999999999999999", "-", "true", "f32", ",", "1,,2"]


def spoil_list(value, g):
    """An attribute's text with one number changed, or with numbers too many or too few."""
    parts = value.split(",")
    what = g.integers(0, 6)
    if what == 0:
        return TEXTS[g.integers(0, len(TEXTS))]
    if what == 1:
        return ",".join(parts + [str(HUGE[g.integers(0, len(HUGE))])])
    if what == 2 and len(parts) > 1:
        return ",".join(parts[:-1])
    parts[g.integers(0, len(parts))] = str(HUGE[g.integers(0, len(HUGE))])
    return ",".join(parts)


def spoil_attribute(text, g):
    """An attribute of the operation, a shape, or a place in the .bin."""
    places = [m for m in re.finditer(r' ([A-Za-z_-]+)="([^"]*)"', text)
              if m.group(1) not in ("name", "precision", "type", "names")]
    data = [m for m in places if text.rfind("<data", 0, m.start()) > text.rfind("<port", 0, m.start())]
    m = (data or places)[g.integers(0, len(data or places))]
    return text[:m.start(2)] + spoil_list(m.group(2), g) + text[m.end(2):]


def spoil_constant(path, g):
    """Bytes of a constant: an axis, a size, a step."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    if len(content) < 8:
        return False
    value = np.array([HUGE[g.integers(0, len(HUGE))]], np.int64).tobytes()
    at = int(g.integers(0, len(content) // 8)) * 8
    content[at:at + 8] = value
    with open(path, "wb") as file:
        file.write(content)
    return True


def spoil(entry, variant, seed):
    """A copy of a case with one thing changed; its folder."""
    g = np.random.default_rng([seed, variant, entry["index"], len(entry["folder"])])
    folder = "%s-h%d" % (entry["folder"], variant)
    shutil.copytree(entry["folder"], folder)
    xml = os.path.join(folder, "m.xml")
    if g.integers(0, 3) == 0 and os.path.exists(os.path.join(folder, "m.bin")) and \
            spoil_constant(os.path.join(folder, "m.bin"), g):
        return dict(entry, folder=folder)
    with open(xml, encoding="utf-8") as file:
        text = file.read()
    with open(xml, "w", encoding="utf-8") as file:
        file.write(spoil_attribute(text, g))
    return dict(entry, folder=folder)


def verdict(result):
    """"" for an answer or an orderly error."""
    if result is None:
        return "no answer"
    if result.get("ok"):
        return ""
    error = str(result.get("error", ""))
    orderly = re.match(r"error MO0(2|3|4|5|7)\d\d: ", error)
    return "" if orderly else error or json.dumps(result)
