// Concat.
#include "support/movement.hpp"

namespace mo::opset {

struct Concat {
  static constexpr std::string_view type = "Concat", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("inputs one after the other")
        .input_list("part", 1, Role::data)
        .attr<int64_t>("axis")
        .role(Role::axes);
  }

  static void infer(InferContext& c) {
    const auto axis_attr = c.attr<int64_t>("axis");
    ElementType t = ElementType::unknown;
    std::optional<Shape> out;
    size_t axis = 0;
    bool unknown_rank = false;
    for (size_t i = 0; i < c.inputs(); ++i) {
      if (t == ElementType::unknown) t = c.type(i);
      if (c.type(i) != ElementType::unknown && c.type(i) != t) common_type(c, {0, i});
      const Shape s = c.shape(i);
      if (!s.has_rank()) {
        unknown_rank = true;
      } else if (!out) {
        out = s;
        axis = normalize_axis(axis_attr, s.size());
      } else {
        require(s.size() == out->size(), "input ", i, " has shape ", s, "; expected rank ", out->rank());
        for (size_t k = 0; k < s.size(); ++k)
          (*out)[k] = k == axis ? (*out)[k] + s[k]
                                : same_dim((*out)[k], s[k],
                                           text("dimension ", k, " of the inputs before and of ", i));
      }
    }
    if (!out) return c.output(0, t, Shape::unknown());
    if (unknown_rank) (*out)[axis] = Dim((*out)[axis].min, -1);
    if (may_have_bounds(t, *out) && some_bounds(c))
      return output_intervals(c, 0, t, *out, intervals_of(c, *out, axis));
    c.output(0, t, *out);
  }

  static void symbols(SymbolsContext& c) {
    const Shape s = c.shape();
    if (!s.has_rank() || s.empty()) return;
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), s.size());
    Symbols dims = c.own_dims(), values;
    bool sized = true, valued = s.rank() == 1;
    for (size_t i = 0; i < c.inputs(); ++i) {
      if (!c.dims(i) || c.dims(i)->size() != s.size()) return;
      sized = sized && (*c.dims(i))[axis].is_number();
      for (size_t d = 0; d < s.size(); ++d) {
        const Symbol& e = (*c.dims(i))[d];
        if (d != axis && (i == 0 || e.is_number())) dims[d] = e;
      }
      valued = valued && c.values(i);
      if (valued) values.insert(values.end(), c.values(i)->begin(), c.values(i)->end());
    }
    if (sized && s[axis].is_static()) dims[axis] = Symbol::number(s[axis].value());
    c.output(0, dims);
    if (valued) c.output_values(0, values);
  }
  static void evaluate(EvalContext& c) {
    std::vector<Tensor> parts;
    for (size_t i = 0; i < c.inputs(); ++i) parts.push_back(c.input(i));
    const ElementType t = parts[0].type();
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), parts[0].rank());
    Dims dims = parts[0].dims();
    for (size_t i = 1; i < parts.size(); ++i) {
      Dims d = parts[i].dims();
      require(parts[i].type() == t && d.size() == dims.size(), "input ", i, " has shape ", Shape(d), " of ",
              name(parts[i].type()), " and input 0 ", Shape(dims), " of ", name(t));
      dims[axis] = detail::checked_add(dims[axis], d[axis]);
      d[axis] = dims[axis];
      require(d == dims, "input ", i, " has shape ", parts[i].shape(), " and input 0 ", parts[0].shape());
    }
    uint64_t bytes = 0;
    for (const Tensor& p : parts) bytes += p.bytes();
    if (bytes >= lazy_bytes && bits(t) >= 8) return c.output(0, lazy_joined(c.context(), parts, axis));
    if (is_packed(t))
      for (Tensor& p : parts) p = unpacked(c, p);
    const ElementType moved_type = parts[0].type();
    auto [out, data] = Tensor::create_bytes(c.context(), moved_type, dims);
    int64_t at = 0;
    for (const Tensor& p : parts) {
      run_copies({part(p.dims(), dims, axis, at)}, p.data(), data, width_of(moved_type));
      at += p.dim(axis);
    }
    c.output(0, is_packed(t) ? repacked(c, out, t) : out);
  }

 private:
  static Copy part(const Dims& in, const Dims& out, size_t axis, int64_t at) {
    const Dims to = dense_strides(out);
    return {in, dense_strides(in), to, 0, at * to[axis]};
  }
  static bool some_bounds(const InferContext& c) {
    bool all = true, some = false;
    for (size_t i = 0; i < c.inputs(); ++i) {
      if (!c.shape(i).is_static()) return false;
      all = all && c.value(i);
      some = some || intervals(c, i);
    }
    return some && !all;
  }
  static std::vector<Interval> intervals_of(const InferContext& c, const Shape& shape, size_t axis) {
    const Dims dims = shape.to_static();
    std::vector<Interval> list(static_cast<size_t>(count_of(dims)));
    int64_t at = 0;
    for (size_t i = 0; i < c.inputs(); ++i) {
      const Dims in = c.shape(i).to_static();
      const auto elements = intervals_or_unknown(c, i, static_cast<size_t>(count_of(in)));
      run_copies({part(in, dims, axis, at)}, elements.data(), list.data(), sizeof(Interval));
      at += in[axis];
    }
    return list;
  }
};

void register_concat(Registry& r) { r.operation<Concat>(); }

}  // namespace mo::opset
