"""The part of a recorded answer that the runtime defines, as the column "compared" of exceptions.tsv has it.

    out0                              this output; the others are not looked at
    out0[:1, 2:]                      a slice of it
    out0 in any order along -1        what is left open is the order along an axis
    out0 without its shape            the elements

Several are separated by "; "."""
import re

import numpy as np

PART = re.compile(r"(\w+)(?:\[([-\d:, ]+)\])?(?: in any order along (-?\d+)| (without its shape))?")


class Part:
    def __init__(self, text):
        found = PART.fullmatch(text)
        if not found:
            raise ValueError("no part of an answer: '%s'" % text)
        self.text, self.output = text, found.group(1)
        self.slices = tuple(self.slice(s) for s in found.group(2).split(",")) if found.group(2) else ()
        self.open_axis = None if found.group(3) is None else int(found.group(3))
        self.flat = bool(found.group(4))

    @staticmethod
    def slice(text):
        first, colon, last = text.strip().partition(":")
        if not colon:
            raise ValueError("'%s' is no slice" % text)
        return slice(int(first) if first else None, int(last) if last else None)

    def of(self, array):
        taken = array[self.slices]
        if self.slices and not taken.size:
            raise ValueError("'%s' is empty, the answer has the shape %s" % (self.text, list(array.shape)))
        if self.open_axis is not None:
            taken = np.sort(taken, axis=self.open_axis)
        return taken.ravel() if self.flat else taken


def parse(text):
    return [Part(p) for p in text.split("; ")]
