"""The part of a recorded answer that the runtime defines, as the column "compared" of exceptions.tsv has it.

    out0                              this output; the others are not looked at
    out0[:1, 2:]                      a slice of it
    out0 with out1 in any order along -1
                                      pairs of elements of the two, of which the order along an axis is left open; those
                                      of the second differ from one another, as indices do
    out0 without its shape            the elements

Several are separated by "; "."""
import re

import numpy as np

PART = re.compile(r"(\w+)(?:\[([-\d:, ]+)\])?(?: with (\w+) in any order along (-?\d+)| (without its shape))?")


class Part:
    def __init__(self, text):
        found = PART.fullmatch(text)
        if not found:
            raise ValueError("no part of an answer: '%s'" % text)
        self.text, self.output = text, found.group(1)
        self.slices = tuple(self.slice(s) for s in found.group(2).split(",")) if found.group(2) else ()
        self.partner = found.group(3)
        self.open_axis = None if found.group(4) is None else int(found.group(4))
        self.flat = bool(found.group(5))

    @staticmethod
    def slice(text):
        first, colon, last = text.strip().partition(":")
        if not colon:
            raise ValueError("'%s' is no slice" % text)
        return slice(int(first) if first else None, int(last) if last else None)

    def of(self, outputs):
        """[the arrays to compare] of {output: array}."""
        missing = {self.output, self.partner or self.output} - outputs.keys()
        if missing:
            raise ValueError("no output %s among %s" % (", ".join(sorted(missing)), ", ".join(sorted(outputs))))
        array = outputs[self.output]
        taken = array[self.slices]
        if self.slices and not taken.size:
            raise ValueError("'%s' is empty, the answer has the shape %s" % (self.text, list(array.shape)))
        if self.partner:
            indices = outputs[self.partner]
            if indices.shape != taken.shape:
                raise ValueError("%s has the shape %s, %s %s" % (self.output, list(taken.shape), self.partner, list(indices.shape)))
            order = np.argsort(indices, axis=self.open_axis)
            return [np.take_along_axis(a, order, self.open_axis) for a in (taken, indices)]
        return [taken.ravel() if self.flat else taken]


def parse(text):
    return [Part(p) for p in text.split("; ")]
