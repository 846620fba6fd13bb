// Rows of a table that sparse places choose, and their sums, means, or sums over roots of counts, as
// tf.nn.embedding_lookup_sparse and safe_embedding_lookup_sparse write them. What is looked up once for all
// that is equal is looked up for each:
//   SparseSegmentSum(Gather(table, Unique(ids).0), Unique(ids).1, rows)  ->  SparseSegmentSum(table, ids,
//   rows)
// and where empty rows are filled first, with the number of a row of the table or, by Select, with zeros:
//   Select(empty, 0, SparseSegmentSum(table, values, places[:, 0])), ... = SparseFillEmptyRows(places,
//   values, shape)
//     ->  EmbeddingSegmentsSum(table, values, places[:, 0], shape[0])
// Numbers below zero, which are dropped before that (SparseRetain), choose a row of zeros behind the table
// instead: so no shape depends on data.
#include "support/build.hpp"

#include <algorithm>

namespace mo::tensorflow {

namespace {

bool lookup_is_op(const Node& n, std::initializer_list<std::string_view> ops) {
  const std::string op = n.op_name();
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}
OutPort lookup_source(const Node& n, size_t i) {
  return i < n.in_count() ? n.in_port(i).get_source() : OutPort();
}
// What makes the port, when it is one of these operators.
Node lookup_maker(const OutPort& port, std::initializer_list<std::string_view> ops) {
  return port && lookup_is_op(port.node(), ops) ? port.node() : Node();
}
bool lookup_is_ints(const OutPort& port, const Ints& wanted) {
  const auto value = port && port.node().is("Const") ? port.value() : std::nullopt;
  return value && is_integer(value->type()) && value->to_ints() == wanted;
}

// Rows of a list or a matrix.
bool lookup_takes_rows(const Node& gather) {
  return gather && gather.in_count() > 2 && lookup_is_ints(lookup_source(gather, 2), {0}) &&
         gather.attr<int64_t>("batch_dims", 0) == 0;
}

// x in x[:, 0], whatever integers it becomes.
OutPort lookup_first_column(OutPort port) {
  if (const Node c = lookup_maker(port, {"Convert"})) port = lookup_source(c, 0);
  const Node slice = lookup_maker(port, {"StridedSlice"});
  if (!slice || slice.in_count() < 4) return {};
  const SourceNode s(slice);
  const auto value = [&](size_t i) {
    const OutPort p = lookup_source(slice, i);
    const auto t = p ? p.value() : std::nullopt;
    return t ? t->to_ints() : Ints();
  };
  const Ints begin = value(1), end = value(2), stride = value(3);
  if (begin.size() != 2 || end.size() != 2 || stride != Ints{1, 1} || begin[1] != 0) return {};
  const auto mask = [&](const char* name) { return s.native<int64_t>(name, 0); };
  if (mask("shrink_axis_mask") != 2 || mask("new_axis_mask") != 0 || mask("ellipsis_mask") != 0) return {};
  const bool from_first = (mask("begin_mask") & 1) != 0 || begin[0] == 0;
  return from_first && (mask("end_mask") & 1) != 0 ? lookup_source(slice, 0) : OutPort();
}

// A condition that says of each row what `of` says of it.
bool lookup_repeats_rows(OutPort port, const OutPort& of) {
  for (int depth = 0; depth < 4 && port != of; ++depth) {
    const Node n = lookup_maker(port, {"Tile", "Reshape", "ExpandDims", "Broadcast"});
    port = n ? lookup_source(n, 0) : OutPort();
    if (!port) return false;
    if (n.is("Reshape") && !lookup_is_ints(lookup_source(n, 1), {-1, 1})) return false;
    if (n.is("ExpandDims") && !lookup_is_ints(lookup_source(n, 1), {1}) &&
        !lookup_is_ints(lookup_source(n, 1), {-1}))
      return false;
  }
  return port == of;
}

// The values before those below zero were dropped, together with their places.
struct LookupRetained {
  OutPort places, values;
};
std::optional<LookupRetained> lookup_before_retaining(const OutPort& places, const OutPort& values) {
  const Node p = lookup_maker(places, {"Gather"}), v = lookup_maker(values, {"Gather"});
  if (!lookup_takes_rows(p) || !lookup_takes_rows(v) || lookup_source(p, 1) != lookup_source(v, 1))
    return std::nullopt;
  const Node list = lookup_maker(lookup_source(p, 1), {"Reshape"});
  if (!list || !lookup_is_ints(lookup_source(list, 1), {-1})) return std::nullopt;
  const Node where = lookup_maker(lookup_source(list, 0), {"Where"});
  const Node kept = where ? lookup_maker(lookup_source(where, 0), {"GreaterEqual"}) : Node();
  if (!kept || lookup_source(kept, 0) != lookup_source(v, 0) || !lookup_is_ints(lookup_source(kept, 1), {0}))
    return std::nullopt;
  return LookupRetained{lookup_source(p, 0), lookup_source(v, 0)};
}

// A row of zeros behind the others.
OutPort lookup_with_zeros(const Build& b, const OutPort& table) {
  const OutPort row =
      b.op("Broadcast", "opset3",
           {b.like(table, 0), b.concat({b.list({1}), b.part(b.shape_of(table), 1, INT64_MAX)})});
  return b.concat({table, row});
}

class EmbeddingLookup {
 public:
  EmbeddingLookup(Graph g, const Node& sum) : graph_(g), sum_(sum), rows_(lookup_source(sum, 2)) {
    table_ = lookup_source(sum, 0);
    ids_ = lookup_source(sum, 1);
  }

  // Whether equal ids were looked up only once.
  bool skip_unique() {
    const Node unique = lookup_maker(ids_, {"Unique", "UniqueV2"});
    const Node gather = lookup_maker(table_, {"Gather"});
    if (!unique || !lookup_takes_rows(gather) || ids_.index() != 1 ||
        lookup_source(gather, 1) != OutPort(unique, 0))
      return false;
    if (unique.is("UniqueV2") && !lookup_is_ints(lookup_source(unique, 1), {}) &&
        !lookup_is_ints(lookup_source(unique, 1), {0}))
      return false;
    table_ = lookup_source(gather, 0);
    ids_ = lookup_source(unique, 0);
    sum_.in_port(0).set_source(table_);
    sum_.in_port(1).set_source(ids_);
    return true;
  }

  void combine() {
    const Node fill = lookup_maker(ids_, {"SparseFillEmptyRows"});
    if (!fill || ids_.index() != 1 || fill.in_count() < 4 || lookup_first_column(rows_) != OutPort(fill, 0))
      return;
    const Node select = zeros_for(OutPort(fill, 2)), last = select ? select : sum_;
    const Build b(graph_, last);
    const OutPort y = made(b, fill, static_cast<bool>(select));
    y.set_shape(table_.type(), Shape::unknown());
    if (select) sum_.out_port().get_connection().set_source(y);
    replace_node(last, {y});
  }

 private:
  // The Select that puts zeros where `empty` says, when nothing else reads more of the sum than its shape.
  Node zeros_for(const OutPort& empty) const {
    Node select;
    for (const InPort& reader : sum_.out_port().get_destinations()) {
      const Node n = reader.node();
      if (lookup_is_op(n, {"ShapeOf", "ZerosLike"}) || n == select) continue;
      if (!lookup_is_op(n, {"Select", "SelectV2"}) || reader.index() != 2 || select) return {};
      if (!lookup_repeats_rows(lookup_source(n, 0), empty) || !is_zeros(lookup_source(n, 1))) return {};
      select = n;
    }
    return select;
  }
  bool is_zeros(const OutPort& port) const {
    if (const Node like = lookup_maker(port, {"ZerosLike"})) return lookup_source(like, 0) == sum_.out_port();
    const auto value = port && port.node().is("Const") ? port.value() : std::nullopt;
    if (!value || !is_float(value->type()) || value->size() != 1) return false;
    return value->to_floats<double>().front() == 0;
  }

  OutPort made(const Build& b, const Node& fill, bool zeros) const {
    OutPort places = lookup_source(fill, 0), values = lookup_source(fill, 1), table = table_;
    const auto all = zeros ? lookup_before_retaining(places, values) : std::nullopt;
    OutPort ids = b.convert(all ? all->values : values, ElementType::i64);
    if (all) places = all->places;
    const OutPort rows = take(b, b.convert(places, ElementType::i64), 1);
    const OutPort count = take(b, b.convert(lookup_source(fill, 2), ElementType::i64), 0);
    OutPort kept;
    if (all) {
      kept = b.op("GreaterEqual", "opset1", {ids, b.integer(0)});
      ids = b.select(kept, ids, take(b, b.shape_of(table), 0));
      table = lookup_with_zeros(b, table);
    }
    const auto sum = [&](const OutPort& of, const OutPort& which, bool filled) {
      Ports inputs{of, which, rows, count};
      if (filled && !zeros) inputs.push_back(b.convert(lookup_source(fill, 3), ElementType::i64));
      return b.op("EmbeddingSegmentsSum", "opset3", inputs);
    };
    const OutPort y = sum(table, ids, true);
    const std::string op = sum_.op();
    if (op == "SparseSegmentSum") return y;
    // Of ones, and of nothing for what is dropped.
    const OutPort counted = b.like(table_, {1, 0}, {2, 1});
    const OutPort which = all ? b.select(kept, b.integer(0), b.integer(1)) : b.multiply(ids, b.integer(0));
    OutPort sizes = b.op("Maximum", "opset1", {sum(counted, which, false), b.like(table_, 1)});
    if (op == "SparseSegmentSqrtN") sizes = b.op("Sqrt", "opset1", {sizes});
    const Shape s = table_.shape();
    if (s.rank() != 2) {
      const OutPort ones =
          b.op("Broadcast", "opset3",
               {b.integer(1), b.op("Subtract", "opset1", {b.reshape(b.rank(table_), {1}), b.list({1})})});
      sizes = b.reshape(sizes, b.concat({b.list({-1}), ones}));
    }
    return b.divide(y, sizes);
  }
  static OutPort take(const Build& b, const OutPort& x, int64_t axis) {
    return b.op("Gather", "opset1", {x, b.integer(0), b.integer(axis)});
  }

  Graph graph_;
  Node sum_;
  OutPort table_, ids_, rows_;
};

}  // namespace

class FuseEmbeddingLookups : public FrontReplacementOp {
 public:
  FuseEmbeddingLookups() {
    id = "tf.front.fuse_embedding_lookups";
    doc = "rows of a table that sparse places choose are combined by one operation";
    before =
        "Select(empty, 0, SparseSegmentSum(Gather(table, u), i, places[:, 0])), u, i = Unique(values), "
        "places, "
        "values, empty = SparseFillEmptyRows(places, values, shape)";
    after = "EmbeddingSegmentsSum(table, values, places[:, 0], shape[0])";
    frameworks = {"tf"};
    ops = {"SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"};
    force_clean_up = true;
    for (const char* earlier : {"identity", "identity_n", "read_variable_op", "gather", "resource_gather"})
      run_after.push_back(text("tf.front.", earlier));
    for (const char* later : {"unique", "unique_v2", "where", "sparse_fill_empty_rows", "sparse_segment_sum",
                              "sparse_segment_mean", "sparse_segment_sqrt_n", "strided_slice", "select",
                              "zeros_like", "expand_dims"})
      run_before.push_back(text("tf.front.", later));
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    if (n.in_count() < 3 || n.out_count() != 1) return;
    EmbeddingLookup lookup(g, n);
    lookup.skip_unique();
    lookup.combine();
  }
};

void register_fuse_embedding_lookups(Registry& r) { r.transformation<FuseEmbeddingLookups>(); }

}  // namespace mo::tensorflow
