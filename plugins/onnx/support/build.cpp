#include "support/build.hpp"

namespace mo::onnx {

OutPort Build::in(size_t i) const {
  const OutPort source = i < origin_.in_count() ? origin_.in_port(i).get_source() : OutPort();
  require(static_cast<bool>(source), "input ", i, " is not connected");
  return source;
}

bool Build::is_empty(size_t i) const {
  const Shape s = in(i).shape();
  return s.rank() == 1 && s[0] == Dim(0);
}

std::optional<Ints> Build::ints(size_t i) const {
  const auto t = constant(i);
  return t ? std::optional(t->to_ints()) : std::nullopt;
}

std::optional<std::vector<double>> Build::floats(size_t i) const {
  const auto t = constant(i);
  return t ? std::optional(t->to_floats<double>()) : std::nullopt;
}

OutPort Build::like(const OutPort& x, double value) const { return like(x, {value}, {}); }

OutPort Build::like(const OutPort& x, const std::vector<double>& values, const Ints& dims) const {
  const ElementType type = x.type();
  if (type != ElementType::unknown) return constant(Tensor::filled(context(), type, values, dims));
  return op("ConvertLike", "opset1",
            {constant(Tensor::filled(context(), ElementType::f32, values, dims)), x});
}

OutPort Build::convert(const OutPort& x, ElementType type) const {
  require(static_cast<bool>(x), "an input that the operator needs is left out");
  if (x.type() == type) return x;
  const Node n = node("Convert", "opset1", {x});
  n.set("destination_type", type);
  return n.out_port();
}

OutPort Build::reshape(const OutPort& x, const OutPort& shape, bool special_zero) const {
  const Node n = node("Reshape", "opset1", {x, shape});
  n.set("special_zero", special_zero);
  return n.out_port();
}

// The dimensions that Reshape with special_zero gives `have`; nothing when they do not fit.
static std::optional<Ints> resolve(const Ints& have, Ints wanted) {
  int64_t total = 1, rest = 1;
  for (const int64_t d : have) total *= d;
  std::optional<size_t> open;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && i < have.size()) wanted[i] = have[i];
    if (wanted[i] == -1)
      open = i;
    else
      rest *= wanted[i];
  }
  if (open) {
    if (rest == 0 || total % rest != 0) return std::nullopt;
    wanted[*open] = total / rest;
    rest = total;
  }
  return rest == total ? std::optional(wanted) : std::nullopt;
}

OutPort Build::reshape(const OutPort& x, const Ints& shape) const {
  if (const auto value = x.value()) {
    const auto dims = resolve(value->dims(), shape);
    require(dims.has_value(), "a constant of shape ", value->shape(), " cannot take shape ", shape);
    return constant(value->reshaped(context(), *dims));
  }
  const bool zero = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return reshape(x, list(shape), zero);
}

OutPort Build::concat(const Ports& parts, int64_t axis) const {
  if (parts.size() == 1) return parts.front();
  const Node n = node("Concat", "opset1", parts);
  n.set("axis", axis);
  return n.out_port();
}

OutPort Build::reduce(std::string_view type, const OutPort& x, const OutPort& axes, bool keep) const {
  const bool newer = type == "ReduceL1" || type == "ReduceL2";
  const Node n = node(type, newer ? "opset4" : "opset1", {x, axes});
  n.set("keep_dims", keep);
  return n.out_port();
}

OutPort Build::part(const OutPort& x, int64_t begin, int64_t end) const {
  const Node n =
      node("StridedSlice", "opset1",
           {x, list({begin == INT64_MIN ? 0 : begin}), list({end == INT64_MAX ? 0 : end}), list({1})});
  n.set("begin_mask", Ints{begin == INT64_MIN ? 1 : 0});
  n.set("end_mask", Ints{end == INT64_MAX ? 1 : 0});
  return n.out_port();
}

OutPort Build::dim(const OutPort& x, int64_t axis) const {
  const Shape s = x.shape();
  if (s.has_rank() && axis < s.rank() && axis >= -s.rank()) {
    const Dim d = s[normalize_axis(axis, s.size())];
    if (d.is_static()) return list({d.value()});
  }
  const OutPort all = shape_of(x);
  return axis == -1 ? part(all, -1, INT64_MAX) : part(all, axis, axis + 1);
}

OutPort Build::rank(const OutPort& x) const {
  const Shape s = x.shape();
  if (s.has_rank()) return integer(s.rank());
  return reshape(shape_of(shape_of(x)), list({}));
}

OutPort Build::range(const OutPort& from, const OutPort& to, int64_t step) const {
  const Node n = node("Range", "opset4", {from, to, integer(step)});
  n.set("output_type", ElementType::i64);
  return n.out_port();
}

OutPort Build::axes(const OutPort& x, int64_t first, int64_t end) const {
  const Shape s = x.shape();
  if (s.has_rank()) {
    Ints known;
    const int64_t last = end < 0 ? s.rank() + end : std::min(end, s.rank());
    for (int64_t a = first < 0 ? s.rank() + first : first; a < last; ++a) known.push_back(a);
    return list(known);
  }
  const auto bound = [&](int64_t b) {
    if (b >= 0 && b != INT64_MAX) return integer(b);
    return b == INT64_MAX ? rank(x) : op("Add", "opset1", {rank(x), integer(b)});
  };
  return range(bound(first), bound(end), 1);
}

OutPort Build::to_matrix(const OutPort& x, int64_t axis) const {
  if (axis == 0) return reshape(x, list({1, -1}));
  if (axis == 1) return reshape(x, list({0, -1}), true);
  const auto product = [&](int64_t begin, int64_t end) {
    return reduce("ReduceProd", part(shape_of(x), begin, end), list({0}), true);
  };
  if (axis > 0) return reshape(x, concat({product(INT64_MIN, axis), list({-1})}));
  return reshape(x, concat({list({-1}), product(axis, INT64_MAX)}));
}

OutPort as_scalar(const Build& b, const OutPort& x) {
  if (const auto value = x.value()) {
    if (value->rank() == 0) return x;
    return b.constant(value->reshaped(b.context(), {}));
  }
  const Shape s = x.shape();
  return s.has_rank() && s.empty() ? x : b.reshape(x, b.list({}));
}

std::string front_id(std::string_view domain, std::string_view op) {
  std::string id = "onnx.front.";
  for (const char c : domain) id += c;
  if (!domain.empty()) id += '.';
  const auto upper = [&](size_t i) { return i < op.size() && op[i] >= 'A' && op[i] <= 'Z'; };
  for (size_t i = 0; i < op.size(); ++i) {
    const bool starts = upper(i) && i != 0 && (!upper(i - 1) || (i + 1 < op.size() && !upper(i + 1)));
    if (starts) id += '_';
    id += static_cast<char>(upper(i) ? op[i] - 'A' + 'a' : op[i]);
  }
  return id;
}

void require_outputs(const Node& n, const Ports& made) {
  for (size_t i = 0, end = n.out_count(); i < end; ++i)
    if (i >= made.size() || !made[i])
      require(!n.is_out_port_connected(i), "output ", i, " is read, but the operator ",
              i >= made.size() ? text("has only ", made.size()) : "does not make it here");
}

Ports bypass(const Node& n, const OutPort& source) {
  require_outputs(n, {source});
  n.out_port().get_connection().set_source(source, Names::merge);
  n.remove();
  return {};
}

}  // namespace mo::onnx
