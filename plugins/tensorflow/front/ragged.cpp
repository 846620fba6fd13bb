// A ragged tensor, which TensorFlow has as values and their rows, becomes dense: each row gets its values by their
// places, and the default behind its end.
//   RaggedTensorToTensor(shape, values, default, splits)
//     ->   Gather(Concat(values, default), Select(range < length, begin + range, count))
#include "support/build.hpp"

namespace mo::tensorflow {

namespace ragged {

static OutPort math(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  return b.op(type, "opset1", {l, r});
}

// Where each of the rows begins, and the end of the last one. `ids` has the row of each value, in order.
static OutPort splits_of(const Build& b, const OutPort& ids, const OutPort& rows) {
  const OutPort end = b.reshape(b.add(rows, b.list({1})), b.list({}));
  const OutPort row = b.unsqueeze(b.range(b.integer(0), end, 1), b.list({1}));
  const OutPort before = math(b, "Less", b.unsqueeze(ids, b.list({0})), row);
  return b.reduce("ReduceSum", b.convert(before, ElementType::i64), b.list({1}), false);
}

}  // namespace ragged

// From the innermost rows outwards: what has been made dense is a list of values for the rows around it.
static Ports ragged_to_dense(Build& b, const SourceNode& n) {
  using namespace ragged;
  const auto types = n.native<std::vector<std::string>>("row_partition_types");
  require(!types.empty() && n.in_count() == types.size() + 3, "it has ", n.in_count() - 3,
          " partitions of rows, but attribute 'row_partition_types' has ", types.size());
  const auto partition = [&](size_t i) {
    return b.reshape(b.convert(b.in(3 + i), ElementType::i64), Ints{-1});
  };
  std::vector<OutPort> splits;
  size_t first = 0;
  std::optional<OutPort> rows;
  if (types[0] == "FIRST_DIM_SIZE") {
    rows = partition(0);
    first = 1;
  }
  for (size_t i = first; i < types.size(); ++i) {
    if (types[i] == "ROW_SPLITS") {
      splits.push_back(partition(i));
    } else {
      require(types[i] == "VALUE_ROWIDS" && rows, "attribute 'row_partition_types' has '", types[i],
              "' where ROW_SPLITS or, behind FIRST_DIM_SIZE, VALUE_ROWIDS is expected");
      splits.push_back(splits_of(b, partition(i), *rows));
    }
    if (types[i] == "VALUE_ROWIDS") rows = b.shape_of(partition(i));
  }
  const auto shape = b.ints(0);
  require(shape.has_value(), "the shape is not constant");
  const auto wanted = [&](size_t axis) { return axis < shape->size() ? (*shape)[axis] : -1; };

  OutPort dense = b.in(1);
  for (size_t level = splits.size(); level-- != 0;) {
    const OutPort begins = b.part(splits[level], INT64_MIN, -1);
    const OutPort lengths = b.subtract(b.part(splits[level], 1, INT64_MAX), begins);
    const int64_t width = wanted(level + 1);
    const OutPort size = width >= 0
                             ? b.integer(width)
                             : b.reduce("ReduceMax", b.concat({lengths, b.list({0})}), b.list({0}), false);
    const OutPort range = b.unsqueeze(b.range(b.integer(0), size, 1), b.list({0}));
    const OutPort inside = math(b, "Less", range, b.unsqueeze(lengths, b.list({1})));
    const OutPort place = b.add(b.unsqueeze(begins, b.list({1})), range);
    const OutPort element = b.part(b.shape_of(dense), 1, INT64_MAX);
    const OutPort filled =
        b.concat({dense, b.unsqueeze(b.broadcast(b.in(2), element, "bidirectional"), b.list({0}))});
    dense = b.gather(filled, b.select(inside, place, b.dim(dense, 0)), 0);
  }
  if (wanted(0) >= 0) {
    const OutPort element = b.part(b.shape_of(dense), 1, INT64_MAX), count = b.dim(dense, 0);
    const OutPort missing = math(b, "Maximum", b.subtract(b.list({wanted(0)}), count), b.list({0}));
    dense = b.concat({dense, b.broadcast(b.in(2), b.concat({missing, element}), "bidirectional")});
    dense = b.part(dense, 0, wanted(0));
  }
  return {dense};
}

void register_ragged(Registry& r) {
  replace<ragged_to_dense>(r, {"RaggedTensorToTensor", "RaggedTensorToTensor(shape, values, default, splits)",
                               "Gather(Concat(values, default), places)"});
}

}  // namespace mo::tensorflow
