// ReverseSequence: the first elements of each sequence of a batch the other way round, as many as its length
// says.
#include "support/movement.hpp"

namespace mo::opset {

namespace sequences {

struct Axes {
  size_t batch, sequence;
};
static Axes axes_of(const OpContext& c, size_t rank) {
  const Axes a{normalize_axis(c.attr<int64_t>("batch_axis"), rank, "attribute 'batch_axis'"),
               normalize_axis(c.attr<int64_t>("seq_axis"), rank, "attribute 'seq_axis'")};
  require(a.batch != a.sequence, "attributes 'batch_axis' and 'seq_axis' both name dimension ", a.batch);
  return a;
}
static Movement movement(const Dims& dims, const Axes& a, const Dims& lengths) {
  const Dims strides = dense_strides(dims);
  Movement m{dims, {}};
  for (size_t b = 0; b < lengths.size(); ++b) {
    const int64_t n = lengths[b], size = dims[a.sequence];
    require(n >= 0 && n <= size, "length ", b, " is ", n, "; expected 0 to ", size);
    Copy turned{dims, strides, strides, static_cast<int64_t>(b) * strides[a.batch], 0};
    turned.to_start = turned.from_start;
    turned.counts[a.batch] = 1;
    Copy rest = turned;
    turned.counts[a.sequence] = n;
    turned.from_start += std::max<int64_t>(n - 1, 0) * strides[a.sequence];
    turned.from[a.sequence] = -strides[a.sequence];
    rest.counts[a.sequence] = size - n;
    rest.from_start += n * strides[a.sequence];
    rest.to_start = rest.from_start;
    m.copies.push_back(std::move(turned));
    m.copies.push_back(std::move(rest));
  }
  return m;
}

}  // namespace sequences

struct ReverseSequence {
  static constexpr std::string_view type = "ReverseSequence", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, and how many elements of each sequence are turned round")
        .input("data", Role::data)
        .input("lengths", Role::any, number_types)
        .keeps_shape()
        .outputs(1);
    s.attr<int64_t>("batch_axis", 0).role(Role::axes).attr<int64_t>("seq_axis", 1).role(Role::axes);
  }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    const Shape lengths = c.shape(1);
    require_rank(out, "the data", 2, std::numeric_limits<int64_t>::max());
    require_rank(lengths, "the lengths", 1);
    if (!out.has_rank()) return c.output(0, c.type(0), out);
    const sequences::Axes a = sequences::axes_of(c, out.size());
    if (lengths.has_rank())
      out[a.batch] = same_dim(out[a.batch], lengths[0], "the batches of the data and of the lengths");
    const auto known = c.ints(1);
    if (known)
      for (const int64_t n : *known) {
        Dim& size = out[a.sequence];
        require(n >= 0 && (size.is_unbounded() || n <= size.max), "a length is ", n, "; expected 0 to ",
                size);
        size = Dim(std::max(size.min, n), size.max);
      }
    output_moved(c, 0, out, [&](const Dims& dims) -> std::optional<Movement> {
      if (!known) return std::nullopt;
      return sequences::movement(dims, a, *known);
    });
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0), lengths = c.input(1);
    const sequences::Axes a = sequences::axes_of(c, in.rank());
    require(lengths.rank() == 1 && lengths.dim(0) == in.dim(a.batch), "lengths have shape ", lengths.shape(),
            " for data of shape ", in.shape());
    c.output(0, moved(c, in, sequences::movement(in.dims(), a, lengths.to_ints())));
  }
};

void register_reverse_sequence(Registry& r) { r.operation<ReverseSequence>(); }

}  // namespace mo::opset
