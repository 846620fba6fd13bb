"""A node whose shapes are being inferred: what its ports say and take meanwhile."""
import ctypes as C

import numpy as np

from . import abi
from .utils import Error


class Inferring:
    def __init__(self, args):
        self.node, self.args = args.node, args
        self.shapes, self.values, self.types = {}, {}, {}
        self._keep = []

    def input(self, i):
        if i >= self.args.n_inputs or not self.args.inputs[i]:
            return None
        return self.args.inputs[i].contents

    def waits(self):
        """Of an input not even the rank is known: the Model Optimizer's functions are not made for that."""
        return any(self.args.inputs[i] and self.args.inputs[i].contents.shape.rank < 0 for i in range(self.args.n_inputs))

    def _type(self, i):
        if i in self.types:
            return self.types[i]
        first = next((self.args.inputs[k].contents.type for k in range(self.args.n_inputs) if self.args.inputs[k]), 0)
        return first

    def output(self, i):
        """What was said of an output so far."""
        d = abi.Desc(size=C.sizeof(abi.Desc))
        shape = self.shapes.get(i)
        if i in self.values:
            shape = self.values[i].shape
        d.shape = abi.shape_of(None if shape is None else list(shape))
        d.type = self._type(i)
        if i in self.values:
            handle = abi.tensor_of(self.values[i])
            self._keep.append(handle)
            d.value = handle
        self._keep.append(d.shape)
        return d

    def set(self, i, shape, value):
        if value is not None:
            if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
                self.shapes[i] = value.shape
                return
            self.values[i] = np.asarray(value)
        elif shape is not None:
            dims = list(np.ma.array(shape)) if isinstance(shape, np.ma.MaskedArray) else list(shape)
            for d in dims:
                if d is not None and d is not np.ma.masked and not isinstance(d, (int, float, np.number)):
                    raise Error('a shape has the dimension {!r}, which is no number', d)
            self.shapes[i] = dims
            self.values.pop(i, None)

    def set_type(self, i, kind):
        self.types[i] = abi.type_number(kind)

    def tell(self):
        try:
            for i in range(self.args.n_outputs):
                if i in self.values:
                    value = self.values[i]
                    kind = abi.TYPES.get(self._type(i))
                    if i in self.types or kind is not None and np.dtype(kind).kind == value.dtype.kind == 'f' or value.dtype == np.float64:
                        value = value.astype(kind if kind is not None else np.float32)
                    handle = abi.tensor_of(value)
                    self._keep.append(handle)
                    abi.infer.set_value(i, handle)
                elif i in self.shapes:
                    s = abi.shape_of(self.shapes[i])
                    abi.infer.set_output(i, self._type(i), C.byref(s))
        finally:
            for k in self._keep:
                if isinstance(k, int):
                    abi.release(k)
            self._keep = []
