#include "support/layer.hpp"

namespace mo::caffe {

Layer::Layer(Graph graph, const Node& node) : graph_(graph), node_(node), name_(node.name()) {
  const auto bottoms = node_.find_native<std::vector<std::string>>("bottom");
  bottoms_ = bottoms ? bottoms->size() : 0;
}

OutPort Layer::in(size_t i) const {
  const OutPort p = i < bottoms_ ? node_.in_port(i).get_source() : OutPort();
  require(static_cast<bool>(p), "it reads ", bottoms_, " blobs; expected at least ", i + 1);
  return p;
}

Ports Layer::bottom_ports() const {
  Ports ports;
  for (size_t i = 0; i < bottoms_; ++i) ports.push_back(in(i));
  return ports;
}

Shape Layer::shape(const OutPort& p) const {
  graph_.infer_marked();
  return p.shape();
}

size_t Layer::rank(const OutPort& p) const {
  const Shape s = shape(p);
  require(
      s.has_rank(),
      "the number of dimensions of what it reads is not known; give the inputs shapes with --input_shape");
  return s.size();
}

int64_t Layer::dim(const OutPort& p, size_t axis) const {
  const Shape s = shape(p);
  require(s.has_rank() && axis < s.size() && s[axis].is_static(), "dimension ", axis, " of what it reads, ",
          s, ", is not known; give the inputs shapes with --input_shape");
  return s[axis].value();
}

size_t Layer::axis(int64_t given, const OutPort& p, std::string_view what) const {
  if (given >= 0) return static_cast<size_t>(given);
  return normalize_axis(given, rank(p), what);
}

bool Layer::is_set(std::string_view path) const { return node_.native(text(path, '?'), false); }

Ints Layer::integers(std::string_view path) const {
  const auto v = node_.find_native<mo_value>(path);
  if (!v) return {};
  if (v->kind == MO_VALUE_INT || v->kind == MO_VALUE_BOOL) return {v->u.i};
  return read_value<Ints>(context().host(), *v, path);
}

Reals Layer::reals(std::string_view path) const {
  const auto v = node_.find_native<mo_value>(path);
  if (!v) return {};
  if (v->kind == MO_VALUE_INT) return {static_cast<double>(v->u.i)};
  if (v->kind == MO_VALUE_FLOAT) return {v->u.f};
  return read_value<Reals>(context().host(), *v, path);
}

Tensor Layer::missing(size_t i, const Ints& dims, double filler) const {
  const bool has_file = graph_.attr<bool>("caffe_has_weights").value_or(false);
  if (!option<bool>(context(), "allow_missing_weights").value_or(false))
    fail(has_file
             ? text("the .caffemodel has no weights ", i, " for it; is it that of this network?")
             : std::string("there is only a .prototxt, no weights; give the .caffemodel with --input_model "
                           "and the .prototxt with --input_proto"),
         ", or inspect the network with --allow_missing_weights, which takes zeros");
  uint64_t count = 1;
  for (const int64_t d : dims) require(d >= 0, "weights ", i, " are missing, and their shape is not known");
  for (const int64_t d : dims)
    require(!__builtin_mul_overflow(count, static_cast<uint64_t>(d), &count) && count <= (uint64_t{1} << 28),
            "weights ", i, " of shape ", dims, " are too large to be made up");
  auto [tensor, data] = Tensor::create<float>(context(), dims);
  if (filler != 0) std::fill(data, data + count, static_cast<float>(filler));
  return tensor;
}

Tensor Layer::weights(size_t i) const {
  if (i >= blobs()) return missing(i, {-1}, 0);
  const auto value = node_.in_port(bottoms_ + i).value();
  require(value.has_value(), "weights ", i, " are no constant");
  return *value;
}

Tensor Layer::weights(size_t i, Ints dims, double filler) const {
  if (i >= blobs()) return missing(i, dims, filler);
  const Tensor held = weights(i);
  const auto count = static_cast<int64_t>(held.size());
  int64_t known = 1;
  int64_t* open = nullptr;
  bool fits = true;
  for (int64_t& d : dims) {
    if (d == -1)
      open = &d;
    else
      fits = fits && !__builtin_mul_overflow(known, d, &known);
  }
  if (open != nullptr && fits && known != 0 && count % known == 0) {
    *open = count / known;
    known = count;
  }
  require(fits && known == count, "weights ", i, " have shape ", held.dims(), ", expected ", dims);
  return held.dims() == dims ? held : held.reshaped(context(), dims);
}

Node Layer::with(std::string_view type, std::string_view opset, const Ports& inputs, uint32_t outputs) {
  const Node n = graph_.create_node(type, opset, text(name_, '/', type), inputs, outputs);
  made_.insert(n.id());
  return n;
}

OutPort Layer::constant(const Tensor& t) {
  const Node n = graph_.create_const(text(name_, "/const"), t);
  made_.insert(n.id());
  return n.out_port();
}

OutPort Layer::constant(const std::vector<float>& values, const Ints& dims) {
  return constant(Tensor::of<float>(context(), values, dims));
}

OutPort Layer::number(double value) {
  return constant(Tensor::scalar<float>(context(), static_cast<float>(value)));
}

OutPort Layer::list(const Ints& values) { return constant(Tensor::vector<int64_t>(context(), values)); }

OutPort Layer::integer_constant(int64_t value) { return constant(Tensor::scalar<int64_t>(context(), value)); }

OutPort Layer::linear(const OutPort& x, double factor, double shift) {
  const OutPort product = factor == 1 ? x : multiply(x, number(factor));
  return shift == 0 ? product : add(product, number(shift));
}

OutPort Layer::reshape(const OutPort& x, const Ints& dims) {
  return with("Reshape", "opset1", {x, list(dims)}).set("special_zero", true).out_port();
}

OutPort Layer::concat(const Ports& parts, int64_t axis) {
  if (parts.size() == 1) return parts.front();
  return with("Concat", "opset1", parts).set("axis", axis).out_port();
}

OutPort Layer::convert(const OutPort& x, ElementType type) {
  return with("Convert", "opset1", {x}).set("destination_type", type).out_port();
}

OutPort Layer::part(const OutPort& x, int64_t begin, int64_t end) {
  const Node n = with("StridedSlice", "opset1", {x, list({begin}), list({end}), list({1})});
  n.set("begin_mask", Ints{0}).set("end_mask", Ints{0});
  return n.out_port();
}

}  // namespace mo::caffe
