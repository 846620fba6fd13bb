// GraphDefs of up to four operators that read one another: whatever their attributes, shapes and constants,
// they are refused with a message or become operations that can be inferred and folded. The bytes choose;
// what they choose from is what plugins register.
#include <algorithm>
#include <array>
#include <set>

#include "../plugins/tensorflow/graph_def.hpp"
#include "one_model.hpp"

namespace mo::test {
namespace {

const std::vector<std::string>& operators() {
  static const std::vector<std::string> list = [] {
    std::set<std::string> all;
    const auto is_ours = [](const std::string& framework) { return framework == "tf"; };
    for (const core::Extractor* e : fuzz_session().registry().extractors())
      if (is_ours(e->framework)) all.insert(e->op);
    for (const core::Transformation* t : fuzz_session().registry().transformations())
      if (std::any_of(t->frameworks.begin(), t->frameworks.end(), is_ours))
        for (const std::string& op : t->ops)
          if (op.starts_with("::")) all.insert(op.substr(2));
    return std::vector<std::string>(all.begin(), all.end());
  }();
  return list;
}

constexpr std::array attributes = {
    "T",
    "Tidx",
    "Tindices",
    "Tshape",
    "Tdim",
    "SrcT",
    "DstT",
    "Tout",
    "U",
    "dtype",
    "out_type",
    "output_type",
    "N",
    "axis",
    "num",
    "num_split",
    "batch_dims",
    "keep_dims",
    "data_format",
    "padding",
    "strides",
    "ksize",
    "dilations",
    "explicit_paddings",
    "rates",
    "ksizes",
    "block_size",
    "squeeze_dims",
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "mode",
    "align_corners",
    "axes",
    "half_pixel_centers",
    "transpose_a",
    "transpose_b",
    "adj_x",
    "adj_y",
    "equation",
    "epsilon",
    "is_training",
    "alpha",
    "k",
    "sorted",
    "exclusive",
    "reverse",
    "cell_clip",
    "use_peephole",
    "forget_bias",
    "depth_radius",
    "min",
    "max",
    "num_bits",
    "narrow_range",
    "seq_dim",
    "batch_dim",
    "method",
    "extrapolation_value",
    "pad_per_class",
    "clip_boxes",
    "element_shape",
    "shape",
    "shapes",
    "output_types",
    "output_shapes",
    "Tin",
    "body",
    "cond",
    "then_branch",
    "else_branch",
    "branches",
    "f",
    "value",
    "_output_shapes",
    "frame_name",
    "is_constant",
    "element_dtype",
    "pad_to_max_output_size",
    "maxval",
    "seed",
    "shrink_axis_mask",
    "round_mode",
    "src_format",
    "dst_format",
    "Targmax",
    "include_batch_in_index",
    "merge_repeated",
    "tolerance",
    "bias",
    "beta",
    "out_idx",
    "combiner",
    "top_paths",
    "parallel_iterations",
    "Index",
    "index_type",
    "Tk",
    "Tmultiples",
};
constexpr std::array words = {"NHWC",         "NCHW",      "NDHWC",   "NCDHW",     "SAME",
                              "VALID",        "EXPLICIT",  "REFLECT", "SYMMETRIC", "bilinear",
                              "nearest",      "MIN_FIRST", "SCALED",  "ij,jk->ik", "...i,i->...",
                              "HALF_TO_EVEN", "truncate",  "f",       "g",         "again",
                              "MIN_COMBINED", "HWNC",      "sum",     ""};
constexpr std::array types = {TfType::f32,       TfType::f32,    TfType::i32,  TfType::i64,
                              TfType::boolean,   TfType::f64,    TfType::half, TfType::u8,
                              TfType::complex64, TfType::string, TfType::bf16, TfType::variant,
                              TfType::resource};

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  uint8_t next() { return at_ == end_ ? 0 : *at_++; }
  size_t below(size_t n) { return next() % n; }
  template <class List>
  auto one_of(const List& list) {
    return list[below(list.size())];
  }
  // Mostly small; now and then one of those that overflow.
  int64_t number() {
    const uint8_t b = next();
    if (b < 200) return b % 8;
    if (b < 240) return -int64_t{b % 8};
    constexpr std::array<int64_t, 8> extremes = {INT64_MAX,        INT64_MIN,        INT32_MAX, INT32_MIN,
                                                 int64_t{1} << 32, int64_t{1} << 40, -65536,    65536};
    return extremes[b % 8];
  }
  std::vector<int64_t> numbers(size_t most) {
    std::vector<int64_t> list(below(most + 1));
    for (int64_t& v : list) v = number();
    return list;
  }
  std::vector<int64_t> dims() {
    std::vector<int64_t> list(below(6));
    for (int64_t& d : list) d = static_cast<int64_t>(below(5));
    return list;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

template <class T>
TfTensor converted(TfType type, const std::vector<int64_t>& dims, const std::vector<int64_t>& values) {
  std::vector<T> list;
  for (const int64_t v : values) list.push_back(static_cast<T>(v));
  return tf_tensor(type, dims, list);
}

TfTensor tensor_of(Bytes& b) {
  const auto dims = b.dims();
  size_t count = 1;
  for (const int64_t d : dims) count *= static_cast<size_t>(d);
  std::vector<int64_t> values(std::min<size_t>(count, 64));
  for (int64_t& v : values) v = b.number();
  values.resize(count);
  switch (b.below(6)) {
    case 0:
      return converted<int64_t>(TfType::i64, dims, values);
    case 1:
    case 2:
      return converted<int32_t>(TfType::i32, dims, values);
    case 3:
      return converted<uint8_t>(TfType::boolean, dims, values);
    case 4:
      return {b.one_of(types), dims, {}, Wire().text(8, "word").bytes};
    default:
      return converted<float>(TfType::f32, dims, values);
  }
}

TfAttribute attribute_of(Bytes& b) {
  const std::string name = b.one_of(attributes);
  switch (b.below(12)) {
    case 0:
    case 1:
      return tf_int(name, b.number());
    case 2:
      return tf_float(name, static_cast<float>(b.number()) / 4);
    case 3:
      return tf_text(name, b.one_of(words));
    case 4:
      return tf_tensor_value(name, tensor_of(b));
    case 5:
      return tf_bool(name, b.below(2) == 0);
    case 6:
      return tf_type(name, b.one_of(types));
    case 7: {
      std::vector<int64_t> dims = b.dims();
      for (int64_t& d : dims)
        if (d == 4) d = -1;
      return tf_shape(name, dims);
    }
    case 8:
      return tf_function(name, b.one_of(words));
    case 9: {
      std::vector<TfType> list(b.below(5));
      for (TfType& t : list) t = b.one_of(types);
      return tf_types(name, list);
    }
    default:
      return tf_ints(name, b.numbers(8));
  }
}

// Two functions of two values for calls, branches and loops.
void add_functions(GraphDef& g) {
  TfFunction f{"f",
               {{"a", TfType::f32}, {"b", TfType::f32}},
               {{"c", TfType::f32}, {"d", TfType::f32}},
               {"s:z:0", "b"},
               {}};
  f.node("AddV2", "s", {"a", "b"}, {tf_type("T", TfType::f32)});
  TfFunction less{"g", {{"a", TfType::f32}, {"b", TfType::f32}}, {{"c", TfType::boolean}}, {"s:z:0"}, {}};
  less.node("Less", "s", {"a", "b"}, {tf_type("T", TfType::f32)});
  TfFunction again{"again", {{"a", TfType::f32}}, {{"c", TfType::f32}}, {"s:output:0"}, {}};
  again.node("PartitionedCall", "s", {"a"},
             {tf_function("f", "again"), tf_types("Tin", {TfType::f32}), tf_types("Tout", {TfType::f32})});
  g.function(f).function(less).function(again);
}

std::string input_of(Bytes& b, GraphDef& g, const std::string& name, const std::vector<std::string>& before) {
  switch (b.below(6)) {
    case 0:
      g.node("Placeholder", name, {}, {tf_type("dtype", b.one_of(types))});
      return name;
    case 1: {
      std::vector<int64_t> dims = b.dims();
      for (int64_t& d : dims)
        if (d == 4) d = -1;
      g.placeholder(name, b.one_of(types), dims);
      return name;
    }
    case 2:
      if (!before.empty()) return before[b.below(before.size())] + (b.below(4) == 0 ? ":1" : "");
      [[fallthrough]];
    default:
      g.constant(name, tensor_of(b));
      return name;
  }
}

std::string model_of(Bytes& b) {
  GraphDef g;
  std::vector<std::string> made;
  for (size_t count = 1 + b.below(4), k = 0; k < count; ++k) {
    const std::string op = operators()[(size_t{b.next()} * 256 + b.next()) % operators().size()];
    const std::string name = "op" + std::to_string(k);
    std::vector<std::string> inputs;
    for (size_t n = b.below(7), i = 0; i < n; ++i)
      inputs.push_back(input_of(b, g, name + "/x" + std::to_string(i), made));
    std::vector<TfAttribute> given;
    if (b.below(4) != 0) given.push_back(tf_type("T", b.one_of(types)));
    if (b.below(2) != 0) given.push_back(tf_int("N", static_cast<int64_t>(inputs.size())));
    for (size_t n = b.below(6); n > 0; --n) given.push_back(attribute_of(b));
    g.node(op, name, inputs, given);
    made.push_back(name);
  }
  add_functions(g);
  return g.bytes();
}

}  // namespace
}  // namespace mo::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::test::Bytes bytes(data, size);
  const std::string model = mo::test::model_of(bytes);
  if (const char* keep = std::getenv("MO_FUZZ_MODEL")) mo::test::write_file(keep, model);
  mo::test::convert_or_refuse(reinterpret_cast<const uint8_t*>(model.data()), model.size(), "tf");
  return 0;
}
