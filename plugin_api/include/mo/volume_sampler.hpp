// mo/volume_sampler.hpp: volumes read at places from -1 to 1, which GridSample of the IR does not do: the corners
// around each place are gathered and weighted.
//
//   return {VolumeSampler(b, b.in(0), b.in(1), "linear", "zeros", false).result()};
#ifndef MO_VOLUME_SAMPLER_HPP
#define MO_VOLUME_SAMPLER_HPP

#include <mo/build.hpp>

namespace mo {

// [N, C, D, H, W] at [N, D', H', W', 3]. Computed in f32. [session]
class VolumeSampler {
 public:
  // Of x at the places of `grid`, in the format's words: modes linear and nearest, padding zeros, border or
  // reflection.
  VolumeSampler(const Build& b, const OutPort& x, const OutPort& grid, std::string_view mode,
                std::string_view padding, bool align_corners)
      : b_(b), data_(x), type_(ElementType::f32), mode_(mode), padding_(padding), aligned_(align_corners) {
    require(mode_ == "linear" || mode_ == "nearest", "attribute 'mode' is '", mode_,
            "', expected linear or nearest for volumes");
    require(padding_ == "zeros" || padding_ == "border" || padding_ == "reflection",
            "attribute 'padding_mode' is '", padding_, "', expected zeros, border or reflection");
    const OutPort numbers = b.convert(grid, type_), shape = b.shape_of(x);
    flat_ = b.reshape(b.convert(x, type_), b.concat({b.part(shape, 0, 2), b.list({-1})}));
    // The last dimension of the grid counts from the innermost one of the volume.
    for (int64_t d = 0; d < 3; ++d) {
      size_.push_back(b.convert(b.squeeze(b.dim(x, 2 + d), {0}), type_));
      const Node g = b.node("Gather", "opset8", {numbers, b.integer(2 - d), b.integer(-1)});
      g.set("batch_dims", 0);
      place_.push_back(place(g.out_port(), size_.back()));
    }
    const OutPort grid_shape = b.shape_of(grid);
    out_ = b.concat({b.part(shape, 0, 2), b.part(grid_shape, 1, 4)});
    places_ = b.concat({b.part(grid_shape, 0, 1), b.list({-1})});
  }

  OutPort result() const {
    OutPort sum;
    const int corners = mode_ == "nearest" ? 1 : 8;
    for (int corner = 0; corner < corners; ++corner) {
      OutPort weight, index, inside;
      for (size_t d = 0; d < 3; ++d) {
        const bool upper = ((corner >> d) & 1) != 0;
        OutPort at;
        if (mode_ == "nearest") {
          const Node r = b_.node("Round", "opset5", {place_[d]});
          r.set("mode", "half_to_even");
          at = r.out_port();
        } else {
          const OutPort lower = b_.op("Floor", "opset1", {place_[d]});
          const OutPort share = op("Subtract", place_[d], lower);
          at = upper ? op("Add", lower, number(1)) : lower;
          const OutPort factor = upper ? share : op("Subtract", number(1), share);
          weight = weight ? op("Multiply", weight, factor) : factor;
        }
        const OutPort kept = clipped(at, size_[d]), same = op("Equal", kept, at);
        inside = inside ? op("LogicalAnd", inside, same) : same;
        index = index ? op("Add", op("Multiply", index, size_[d]), kept) : kept;
      }
      const Node g =
          b_.node("Gather", "opset8", {flat_, listed(b_.convert(index, ElementType::i64)), b_.integer(2)});
      g.set("batch_dims", 1);
      OutPort value = g.out_port();
      if (weight) value = op("Multiply", value, by_channel(weight));
      if (padding_ == "zeros") value = b_.select(by_channel(inside), value, number(0));
      sum = sum ? op("Add", sum, value) : value;
    }
    const OutPort y = b_.reshape(sum, out_);
    if (data_.type() == type_) return y;
    return data_.type() == ElementType::unknown ? b_.op("ConvertLike", "opset1", {y, data_})
                                                : b_.convert(y, data_.type());
  }

 private:
  OutPort op(std::string_view t, const OutPort& l, const OutPort& r) const {
    return b_.op(t, "opset1", {l, r});
  }
  OutPort number(double v) const { return b_.constant(Tensor::filled(b_.context(), type_, {v}, {})); }
  OutPort listed(const OutPort& x) const { return b_.reshape(x, places_); }
  OutPort by_channel(const OutPort& x) const { return b_.unsqueeze(listed(x), b_.list({1})); }
  OutPort clipped(const OutPort& at, const OutPort& size) const {
    return op("Minimum", op("Maximum", at, number(0)), op("Subtract", size, number(1)));
  }

  // -1 to 1 becomes places of elements.
  OutPort place(const OutPort& g, const OutPort& size) const {
    const OutPort moved = op("Add", g, number(1)), half = number(0.5), one = number(1);
    OutPort at = aligned_ ? op("Multiply", moved, op("Multiply", op("Subtract", size, one), half))
                          : op("Subtract", op("Multiply", moved, op("Multiply", size, half)), half);
    if (padding_ == "zeros") return at;
    if (padding_ == "border") return clipped(at, size);
    // There and back again between the ends.
    const OutPort low = number(aligned_ ? 0 : -0.5), span = aligned_ ? op("Subtract", size, one) : size;
    const OutPort way = b_.op("Abs", "opset1", {op("Subtract", at, low)});
    const OutPort whole = op("Maximum", span, number(1e-6));
    const OutPort turn = op("FloorMod", way, op("Multiply", whole, number(2)));
    const OutPort back = op("Subtract", op("Multiply", whole, number(2)), turn);
    return clipped(op("Add", op("Minimum", turn, back), low), size);
  }

  const Build& b_;
  OutPort data_;
  ElementType type_;
  std::string mode_, padding_;
  bool aligned_ = false;
  OutPort flat_, out_, places_;
  std::vector<OutPort> size_, place_;
};

}  // namespace mo

#endif
