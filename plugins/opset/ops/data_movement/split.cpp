// Split into equal parts, and VariadicSplit into parts of given lengths, of which one may be -1: what is
// left.
#include "support/movement.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace splitting {

static Movement part(const Dims& in, size_t axis, int64_t at, int64_t length) {
  Dims dims = in;
  dims[axis] = length;
  const Dims strides = dense_strides(in);
  return gathered(dims, strides, at * strides[axis]);
}
static void output_parts(const InferContext& c, size_t axis, const std::vector<Dim>& lengths) {
  Shape shape = c.shape(0);
  Dim at = 0;
  for (uint32_t i = 0; i < lengths.size(); ++i) {
    shape[axis] = lengths[i];
    output_moved(c, i, shape, [&](const Dims& dims) -> std::optional<Movement> {
      if (!at.is_static()) return std::nullopt;
      return part(dims, axis, at.value(), shape[axis].value());
    });
    at = at + lengths[i];
  }
}
static void output_values(const EvalContext& c, size_t axis, const Dims& lengths) {
  const Tensor in = c.input(0);
  int64_t at = 0;
  for (uint32_t i = 0; i < lengths.size(); ++i) {
    c.output(i, moved(c, in, part(in.dims(), axis, at, lengths[i])));
    at += lengths[i];
  }
}
static void require_outputs(const OpContext& c, int64_t n, std::string_view what) {
  require(n == c.outputs(), what, " ", n, " parts but the node has ", c.outputs(), " outputs");
}
// What every part may be when the axis is not known.
static Shape any_part(const Shape& in) {
  Shape out = in;
  for (Dim& d : out) d = Dim(0, d.max);
  return out;
}

static void symbols(const SymbolsContext& c) {
  const auto at = c.dims(0) ? places_of_input(c, 1) : std::nullopt;
  if (!at || at->size() != 1) return;
  const size_t axis = at->front();
  for (uint32_t i = 0; i < c.outputs(); ++i) {
    const Shape s = c.shape(i);
    if (s.size() != c.dims(0)->size()) return;
    Symbols dims = *c.dims(0);
    dims[axis] =
        dims[axis].is_number() && s[axis].is_static() ? Symbol::number(s[axis].value()) : c.own_dims(i)[axis];
    c.output(i, dims);
  }
}

}  // namespace splitting

struct Split {
  static constexpr std::string_view type = "Split", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("equal parts along an axis")
        .input("data", Role::data)
        .input("axis", Role::axes)
        .outputs(1, any_number)
        .attr<int64_t>("num_splits");
  }
  static void symbols(SymbolsContext& c) { splitting::symbols(c); }
  static void infer(InferContext& c) {
    const int64_t n = int_attr(c, "num_splits", 1);
    splitting::require_outputs(c, n, "attribute 'num_splits' asks for");
    const Shape in = c.shape(0);
    const auto axis_value = scalar_input(c, 1, "axis");
    if (!in.has_rank() || !axis_value) {
      Shape part = in;
      for (Dim& d : part) d = Dim(ceil_div(d, n).min, d.max);
      for (uint32_t i = 0; i < c.outputs(); ++i) c.output(i, c.type(0), part);
      return;
    }
    const size_t axis = normalize_axis(*axis_value, in.size());
    const Dim d = in[axis];
    require(!d.is_static() || d.value() % n == 0, "dimension ", axis, " of shape ", in,
            " cannot be split into ", n, " equal parts");
    const Dim part{ceil_div(Dim(d.min), n).value(), floor_div(d, n).max};
    require(part.is_unbounded() || part.min <= part.max, "dimension ", axis, " of shape ", in,
            " cannot be split into ", n, " equal parts");
    splitting::output_parts(c, axis, std::vector<Dim>(c.outputs(), part));
  }
  static void evaluate(EvalContext& c) {
    const int64_t n = int_attr(c, "num_splits", 1);
    splitting::require_outputs(c, n, "attribute 'num_splits' asks for");
    const Tensor in = c.input(0), axis_value = c.input(1);
    require(axis_value.size() == 1, "axis has shape ", axis_value.shape(), "; expected 1 elements");
    const size_t axis = normalize_axis(axis_value.integer(0), in.rank());
    require(in.dim(axis) % n == 0, "dimension ", axis, " of shape ", in.shape(), " cannot be split into ", n,
            " equal parts");
    splitting::output_values(c, axis, Dims(static_cast<size_t>(n), in.dim(axis) / n));
  }
};

struct VariadicSplit {
  static constexpr std::string_view type = "VariadicSplit", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("parts of given lengths along an axis")
        .input("data", Role::data)
        .input("axis", Role::axes)
        .input("split_lengths", Role::any)
        .takes_sizes()
        .outputs(1, any_number);
  }
  static void symbols(SymbolsContext& c) { splitting::symbols(c); }
  static void infer(InferContext& c) {
    const Dim count = vector_length(c, 2, "split_lengths");
    if (count.is_static()) splitting::require_outputs(c, count.value(), "split_lengths ask for");
    const Shape in = c.shape(0);
    const auto axis_value = scalar_input(c, 1, "axis");
    if (!in.has_rank() || !axis_value || !count.is_static()) {
      for (uint32_t i = 0; i < c.outputs(); ++i) c.output(i, c.type(0), splitting::any_part(in));
      return;
    }
    const size_t axis = normalize_axis(*axis_value, in.size());
    splitting::output_parts(c, axis, lengths(intervals_or_unknown(c, 2, c.outputs()), in[axis]));
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0), axis_value = c.input(1);
    require(axis_value.size() == 1, "axis has shape ", axis_value.shape(), "; expected 1 elements");
    const size_t axis = normalize_axis(axis_value.integer(0), in.rank());
    const Dims list = c.input(2).to_ints();
    splitting::require_outputs(c, static_cast<int64_t>(list.size()), "split_lengths ask for");
    splitting::output_values(c, axis,
                             Shape(lengths({list.begin(), list.end()}, Dim(in.dim(axis)))).to_static());
  }

 private:
  static std::vector<Dim> lengths(const std::vector<Interval>& list, const Dim& whole) {
    std::vector<Dim> parts;
    std::optional<size_t> rest;
    for (const Interval& v : list) {
      require(v.hi >= -1, "split_lengths hold ", v.hi, "; expected -1 or more");
      if (v == Interval(-1)) {
        require(!rest, "split_lengths hold more than one -1");
        rest = parts.size();
      }
      parts.push_back(v.contains(-1) ? any_dim : v.to_dim());
    }
    // Each part is what the others leave.
    for (size_t i = 0; i < parts.size(); ++i) {
      Dim others = 0;
      for (size_t k = 0; k < parts.size(); ++k)
        if (k != i) others = others + parts[k];
      require(whole.is_unbounded() || others.min <= whole.max, "split_lengths sum up to ", others + parts[i],
              " but the dimension is ", whole);
      const Dim left{others.is_unbounded() ? 0 : std::max<int64_t>(0, whole.min - others.max),
                     whole.is_unbounded() ? -1 : whole.max - others.min};
      const auto d = intersect(parts[i], left);
      require(d.has_value(), "split_lengths sum up to ", others + parts[i], " but the dimension is ", whole);
      parts[i] = *d;
    }
    return parts;
  }
};

void register_split(Registry& r) {
  r.operation<Split>();
  r.operation<VariadicSplit>();
}

}  // namespace mo::opset
