"""Shapes as the Model Optimizer has them since 2022.1: masked arrays, masked where a dimension is not known."""
import numpy as np

dynamic_dimension = np.ma.masked
dynamic_dimension_value = np.iinfo(np.int64).min // 2 + 1


def shape_array(value, dtype=np.int64):
    if isinstance(value, np.ma.MaskedArray):
        value = value.filled(dynamic_dimension_value) if value.dtype.kind in 'iu' else value
    if value is np.ma.masked or value is None:
        value = dynamic_dimension_value
    elif not isinstance(value, (list, tuple)) and np.ndim(value) == 0:
        pass
    else:
        value = [dynamic_dimension_value if v is np.ma.masked or v is None else v for v in value]
    return np.ma.masked_equal(np.asarray(value, dtype=np.int64), dynamic_dimension_value).astype(dtype)


def is_fully_defined(value):
    if value is None:
        return False
    if isinstance(value, np.ma.MaskedArray):
        return not np.ma.is_masked(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return not any(v is np.ma.masked for v in np.asarray(value, dtype=object).reshape(-1))
    return value is not np.ma.masked


def shape_insert(shape, pos, obj):
    items = [d for d in shape]
    pos = pos if pos >= 0 else len(items) + pos
    new = list(obj) if isinstance(obj, (list, tuple, np.ndarray)) else [obj]
    return shape_array(items[:pos] + new + items[pos:])


def shape_delete(shape, obj):
    gone = [obj] if isinstance(obj, (int, np.integer)) else list(obj)
    items = [d for d in shape]
    gone = {g if g >= 0 else len(items) + g for g in gone}
    return shape_array([d for k, d in enumerate(items) if k not in gone])


def unmask_shape(value):
    if not isinstance(value, np.ma.MaskedArray):
        return value
    return tuple(-1 if v is np.ma.masked else int(v) for v in value)


def compatible_dims(a, b):
    return a is np.ma.masked or b is np.ma.masked or a == b


def compatible_shapes(a, b):
    return len(a) == len(b) and all(compatible_dims(x, y) for x, y in zip(a, b))


def strict_compare_tensors(a, b):
    if a is None or b is None:
        return a is b
    a, b = shape_array(a), shape_array(b)
    return a.shape == b.shape and bool(np.all(np.ma.getmaskarray(a) == np.ma.getmaskarray(b))) and bool(np.ma.allequal(a, b))


def mo_array(value, dtype=None):
    if isinstance(value, np.ma.MaskedArray):
        return value if dtype is None else value.astype(dtype)
    return np.array(value, dtype=dtype)


def int64_array(value):
    return np.array(value, dtype=np.int64)


def float32_array(value):
    return np.array(value, dtype=np.float32)


float_array = float32_array


def float16_array(value):
    return np.array(value, dtype=np.float16)


def clarify_values(dim1, dim2):
    return dim2 if dim1 is np.ma.masked else dim1


def find_common_shape(a, b):
    return shape_array([clarify_values(x, y) for x, y in zip(a, b)])


def undefined_shape_of_rank(rank):
    return shape_array([np.ma.masked] * rank)


def mark_input_bins(*args, **kwargs):
    pass


def tf_window_op_pad_infer(*args, **kwargs):
    from .utils import Error
    raise Error('tf_window_op_pad_infer is not available; the operations of the library infer their padding')
