// GatherND: the last dimension of the indices holds coordinates of slices. opset5 makes one dimension of the
// batch dimensions, opset8 keeps them.
#include "support/movement.hpp"

namespace mo::opset {

namespace gathering_nd {

static Shape shape_of(const Shape& data, const Shape& indices, size_t batch, bool joined) {
  require_rank(data, "the data", 1, std::numeric_limits<int64_t>::max());
  require_rank(indices, "the indices", 1, std::numeric_limits<int64_t>::max());
  if (!data.has_rank() || !indices.has_rank()) return Shape::unknown();
  require(batch < std::min(data.size(), indices.size()), "attribute 'batch_dims' is ", batch,
          "; expected less than the ranks of data ", data, " and indices ", indices);
  Shape out;
  for (size_t i = 0; i < batch; ++i) {
    const Dim d = same_dim(data[i], indices[i], text("batch dimension ", i));
    if (joined && i > 0)
      out[0] = out[0] * d;
    else
      out.push_back(d);
  }
  for (size_t i = batch; i + 1 < indices.size(); ++i) out.push_back(indices[i]);
  const Dim k = indices.back();
  const auto rest = static_cast<int64_t>(data.size() - batch);
  require(k.min <= rest, "the indices have ", k, " coordinates but the data has only ", rest,
          " dimensions for them");
  if (!k.is_static()) return Shape::unknown();
  for (size_t i = batch + static_cast<size_t>(k.value()); i < data.size(); ++i) out.push_back(data[i]);
  return out;
}

// Copies one slice for each row of the indices.
static void move(const Dims& in, const Dims& shape, size_t batch, const Dims& indices, const void* data,
                 void* to, size_t elements, size_t width) {
  const Dims strides = dense_strides(in);
  const auto k = static_cast<size_t>(shape.back());
  int64_t batches = 1, inner = 1, batch_step = 1;
  for (size_t i = 0; i < batch; ++i) batches *= in[i];
  for (size_t i = batch + k; i < in.size(); ++i) inner *= in[i];
  for (size_t i = batch; i < in.size(); ++i) batch_step *= in[i];
  const size_t rows =
      k == 0 ? elements / static_cast<size_t>(std::max<int64_t>(inner, 1)) : indices.size() / k;
  const size_t per_batch = batches == 0 ? 0 : rows / static_cast<size_t>(batches);
  const size_t bytes = static_cast<size_t>(inner) * width;
  for (size_t row = 0; row < rows && bytes > 0; ++row) {
    int64_t at = static_cast<int64_t>(row / per_batch) * batch_step;
    for (size_t i = 0; i < k; ++i) {
      const int64_t size = in[batch + i];
      const int64_t p = indices[row * k + i];
      require(p >= -size && p < size, "index ", p, " is outside of ", -size, " to ", size - 1);
      at += (p < 0 ? p + size : p) * strides[batch + i];
    }
    std::memcpy(static_cast<char*>(to) + row * bytes,
                static_cast<const char*>(data) + static_cast<size_t>(at) * width, bytes);
  }
}

template <int Version>
struct GatherNd {
  static void schema(OpSchema& s) {
    s.doc("slices of the data at the coordinates in the last dimension of the indices")
        .input("data", Role::fixed)
        .input("indices", Role::fixed, integer_types)
        .outputs(1);
    s.attr<int64_t>("batch_dims", 0);
  }
  static void infer(InferContext& c) {
    const auto batch = static_cast<size_t>(int_attr(c, "batch_dims", 0));
    const Shape data = c.shape(0), indices = c.shape(1);
    const Shape out = shape_of(data, indices, batch, Version == 5);
    const ElementType t = c.type(0);
    const auto places = c.ints(1);
    if (places && may_have_bounds(t, out) && may_have_bounds(t, data) && bounds_wanted(c, {0})) {
      const auto from = *intervals(c, 0);
      std::vector<Interval> list(static_cast<size_t>(out.elements().value()));
      move(data.to_static(), indices.to_static(), batch, *places, from.data(), list.data(), list.size(),
           sizeof(Interval));
      return output_intervals(c, 0, t, out, list);
    }
    c.output(0, t, out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor given = c.input(0), data = in_bytes(c, given), indices = c.input(1);
    const auto batch = static_cast<size_t>(int_attr(c, "batch_dims", 0));
    const Dims dims = shape_of(data.shape(), indices.shape(), batch, Version == 5).to_static();
    const auto out = create_grown(c, data.type(), dims, data.bytes() + indices.bytes());
    move(data.dims(), indices.dims(), batch, indices.to_ints(), data.data(), out.second, out.first.size(),
         width_of(data.type()));
    c.output(0, of_type(c, out.first, given.type()));
  }
};

}  // namespace gathering_nd

void register_gather_nd(Registry& r) {
  r.operation<gathering_nd::GatherNd<5>>("GatherND", "opset5");
  r.operation<gathering_nd::GatherNd<8>>("GatherND", "opset8");
}

}  // namespace mo::opset
