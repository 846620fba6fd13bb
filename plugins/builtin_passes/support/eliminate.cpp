#include "support/eliminate.hpp"

namespace mo::builtin_passes {

bool eliminate(const OutPort& gone, const OutPort& heir) {
  const Node to = heir.node();
  if (has_result_consumers(gone) && (to.out_count() != 1 || to.is("Const"))) return false;
  return replace_output_update_name(gone, heir);
}

OutPort source_of(const Node& n, uint32_t i) {
  const Context c = n.context();
  mo_port source{};
  const mo_status status = c.graph().source(c.get(), mo_port{n.id(), i, MO_PORT_IN}, &source);
  if (status == MO_INVALID_ARGUMENT) return {};  // it has no such input
  c.check(status);
  return {c, source};
}

std::string_view op_of(const Node& n) {
  const Context c = n.context();
  mo_str op{}, opset{};
  c.check(c.graph().opset(c.get(), n.id(), &opset));
  if (opset.size != 0 && !is_operation_set(view(opset))) return {};
  c.check(c.graph().op(c.get(), n.id(), &op));
  return view(op);
}

bool is_constant(const OutPort& p) {
  if (!p) return false;
  const Context c = p.context();
  mo_str op{};
  c.check(c.graph().op(c.get(), p.abi().node, &op));
  return view(op) == "Const";
}

// Nothing of what has no numbers.
static std::optional<Tensor> numbers_of(const OutPort& p) {
  if (!is_constant(p)) return std::nullopt;
  auto value = p.value();
  if (!value || value->size() == 0) return std::nullopt;
  const ElementType type = value->type();
  if (bits(type) < (is_float(type) ? 16 : 8) || type == ElementType::boolean) return std::nullopt;
  return value;
}

// Needs no other one of weights that are not in memory.
static double first_of(Context c, const Tensor& t) {
  constexpr size_t small = 4096;  // are in memory anyway
  if (t.bytes() <= small) return t.number(0);
  auto [first, data] = Tensor::create_bytes(c, t.type(), {1});
  t.read(c, 0, first.bytes(), data);
  return first.number(0);
}

std::optional<double> first_number(const OutPort& p) {
  const auto value = numbers_of(p);
  return value ? std::optional(first_of(p.context(), *value)) : std::nullopt;
}

static bool has_only(const Tensor& t, double number) {
  for (size_t i = 0, count = t.size(); i < count; ++i)
    if (t.number(i) != number) return false;
  return true;
}

bool is_uniform(const OutPort& p, double number) {
  const Context c = p.context();
  const auto value = numbers_of(p);
  if (!value || first_of(c, *value) != number) return false;
  if (value->bytes() <= piece_bytes) return has_only(*value, number);
  // What is large, and may be computed when it is read, comes in pieces.
  const auto width = static_cast<size_t>(bits(value->type())) / 8, most = piece_bytes / width;
  for (size_t i = 0, n = 0; i < value->size(); i += n) {
    n = std::min(most, value->size() - i);
    auto [piece, data] = Tensor::create_bytes(c, value->type(), {static_cast<int64_t>(n)});
    value->read(c, i * width, n * width, data);
    if (!has_only(piece, number)) return false;
  }
  return true;
}

bool keeps_shape(const OutPort& x, const OutPort& other) {
  const Shape s = x.shape(), o = other.shape();
  if (!s.has_rank() || !o.has_rank() || o.size() > s.size()) return false;
  for (size_t i = 0; i < o.size(); ++i) {
    const Dim d = o[o.size() - 1 - i];
    if (d != Dim(1) && (!d.is_static() || d != s[s.size() - 1 - i])) return false;
  }
  return true;
}

void Elimination::take_out(const Node& n) {
  const OutPort port = heir(n);
  if (!port || eliminate(n.out_port(), port)) return;
  decline("it is an output of the model, and '", port.node().name(), "' cannot be called by its name");
}

}  // namespace mo::builtin_passes
