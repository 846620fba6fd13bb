#include "support/operator.hpp"

#include <algorithm>
#include <array>

namespace mo::paddle {

namespace {

bool has_name(std::string_view names, std::string_view name) {
  bool found = false;
  each_name(names, [&](std::string_view n) { found = found || n == name; });
  return found;
}

// VarType.Type.
ElementType type_of_number(int64_t number) {
  switch (number) {
    case 0:
      return ElementType::boolean;
    case 1:
      return ElementType::i16;
    case 2:
      return ElementType::i32;
    case 3:
      return ElementType::i64;
    case 4:
      return ElementType::f16;
    case 5:
      return ElementType::f32;
    case 6:
      return ElementType::f64;
    case 20:
      return ElementType::u8;
    case 21:
      return ElementType::i8;
    case 22:
      return ElementType::bf16;
    default:
      return ElementType::unknown;
  }
}

ElementType type_of_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, int64_t>, 10> names{{{"bool", 0},
                                                                        {"int16", 1},
                                                                        {"int32", 2},
                                                                        {"int64", 3},
                                                                        {"float16", 4},
                                                                        {"float32", 5},
                                                                        {"float64", 6},
                                                                        {"uint8", 20},
                                                                        {"int8", 21},
                                                                        {"bfloat16", 22}}};
  for (const auto& [known, number] : names)
    if (known == name) return type_of_number(number);
  return ElementType::unknown;
}

bool is_whole(ElementType t) { return is_integer(t) || t == ElementType::boolean; }

}  // namespace

Op::Op(const Build& b, const SourceNode& n)
    : Build(b),
      n_(n),
      inputs_(n.native<std::vector<std::string>>("input_slots")),
      outputs_(n.native<std::vector<std::string>>("output_slots")),
      is_pir_(n.native("is_pir", false)) {}

std::optional<size_t> Op::find(std::string_view slots) const {
  std::optional<size_t> found;
  each_name(slots, [&](std::string_view slot) {
    const auto at = std::find(inputs_.begin(), inputs_.end(), slot);
    if (!found && at != inputs_.end()) found = static_cast<size_t>(at - inputs_.begin());
  });
  return found;
}

OutPort Op::in(std::string_view slots) const {
  const auto i = find(slots);
  require(i.has_value(), "its operand ", slots, " is left out, but it needs one");
  return Build::in(*i);
}

OutPort Op::maybe(std::string_view slots) const {
  const auto i = find(slots);
  return i ? Build::in(*i) : OutPort();
}

Ports Op::all(std::string_view slots) const {
  Ports ports;
  const auto first = find(slots);
  if (!first) return ports;
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i] == inputs_[*first]) ports.push_back(Build::in(i));
  return ports;
}

size_t Op::outputs(std::string_view slots) const {
  return static_cast<size_t>(std::count_if(outputs_.begin(), outputs_.end(),
                                           [&](const std::string& s) { return has_name(slots, s); }));
}

std::optional<std::string> Op::name_of(std::string_view names) const {
  std::optional<std::string> found;
  each_name(names, [&](std::string_view name) {
    if (!found && n_.has_native(name)) found = std::string(name);
  });
  return found;
}

bool Op::has_attribute(std::string_view names) const { return name_of(names).has_value(); }

int64_t Op::integer(std::string_view names, int64_t fallback) const {
  const auto name = name_of(names);
  if (!name) return fallback;
  const auto list = ints(names);
  require(list.size() == 1, "attribute '", *name, "' is ", list, ", expected one number");
  return list.front();
}

double Op::real(std::string_view names, double fallback) const {
  const auto name = name_of(names);
  if (!name) return fallback;
  const auto list = reals(names);
  require(list.size() == 1, "attribute '", *name, "' is ", list, ", expected one number");
  return list.front();
}

bool Op::flag(std::string_view names, bool fallback) const {
  const auto name = name_of(names);
  return name ? n_.native(*name, fallback) : fallback;
}

std::string Op::word(std::string_view names, std::string_view fallback) const {
  const auto name = name_of(names);
  return name ? n_.native(*name, std::string(fallback)) : std::string(fallback);
}

Ints Op::ints(std::string_view names, const Ints& fallback) const {
  const auto name = name_of(names);
  if (!name) return fallback;
  const Lent lent(context());
  const auto v = n_.find_native<mo_value>(*name);
  if (v->kind == MO_VALUE_INT || v->kind == MO_VALUE_BOOL) return {v->u.i};
  return read_value<Ints>(context().host(), *v, *name);
}

std::vector<double> Op::reals(std::string_view names) const {
  const auto name = name_of(names);
  if (!name) return {};
  const Lent lent(context());
  const auto v = n_.find_native<mo_value>(*name);
  if (v->kind == MO_VALUE_INT || v->kind == MO_VALUE_BOOL) return {static_cast<double>(v->u.i)};
  if (v->kind == MO_VALUE_FLOAT) return {v->u.f};
  if (v->kind == MO_VALUE_INTS) {
    const Ints list = read_value<Ints>(context().host(), *v, *name);
    return {list.begin(), list.end()};
  }
  return read_value<std::vector<double>>(context().host(), *v, *name);
}

std::optional<ElementType> Op::type(std::string_view names) const {
  const auto name = name_of(names);
  if (!name) return std::nullopt;
  ElementType found = ElementType::unknown;
  {
    const Lent lent(context());
    const auto v = n_.find_native<mo_value>(*name);
    if (v->kind == MO_VALUE_INT)
      found = type_of_number(v->u.i);
    else if (v->kind == MO_VALUE_STRING)
      found = type_of_name(view(v->u.s));
  }
  return found == ElementType::unknown ? std::nullopt : std::optional(found);
}

std::optional<Ints> Op::known(std::string_view slots, std::string_view names) const {
  if (!has(slots)) {
    if (!has_attribute(names)) return std::nullopt;
    return ints(names);
  }
  Ints list;
  for (const OutPort& p : all(slots)) {
    graph().infer_marked();
    const auto value = p.value();
    if (!value) return std::nullopt;
    const Ints some = value->to_ints();
    list.insert(list.end(), some.begin(), some.end());
  }
  return list;
}

std::optional<double> Op::known_real(std::string_view slots, std::string_view names) const {
  if (!has(slots)) return has_attribute(names) ? std::optional(real(names, 0)) : std::nullopt;
  graph().infer_marked();
  const auto value = in(slots).value();
  if (!value || value->size() != 1) return std::nullopt;
  return value->number(0);
}

Ints Op::fixed(std::string_view slots, std::string_view names, const Ints& fallback) const {
  if (!has(slots) && !has_attribute(names)) return fallback;
  auto list = known(slots, names);
  require(list.has_value(), "its operand ", slots, " (", names,
          ") is computed, but the operation of the IR has it as an attribute",
          hint("give the model fixed input shapes with --input_shape, or make it a constant"));
  return std::move(*list);
}

int64_t Op::fixed_int(std::string_view slots, std::string_view names, int64_t fallback) const {
  const Ints list = fixed(slots, names, {fallback});
  require(list.size() == 1, "its operand ", slots, " (", names, ") is ", list, ", expected one number");
  return list.front();
}

OutPort Op::as_list(const OutPort& x) const { return reshape(convert(x, ElementType::i64), Ints{-1}); }

OutPort Op::as_scalar(const OutPort& x) const {
  const Shape s = shape(x);
  return s.has_rank() && s.size() == 0 ? x : reshape(x, list({}));
}

OutPort Op::sizes(std::string_view slots, std::string_view names) const {
  if (!has(slots)) return list(ints(names));
  Ports parts;
  for (const OutPort& p : all(slots)) parts.push_back(as_list(p));
  return concat(parts);
}

Shape Op::shape(const OutPort& x) const {
  graph().infer_marked();
  return x.shape();
}

int64_t Op::rank(const OutPort& x) const {
  const Shape s = shape(x);
  require(s.has_rank(), "the number of dimensions of what it reads is not known",
          hint("give the inputs shapes with --input_shape"));
  return s.rank();
}

std::optional<int64_t> Op::find_dim(const OutPort& x, int64_t axis) const {
  const Shape s = shape(x);
  if (!s.has_rank() || axis >= s.rank() || axis < -s.rank()) return std::nullopt;
  const Dim d = s[normalize_axis(axis, s.size())];
  return d.is_static() ? std::optional(d.value()) : std::nullopt;
}

int64_t Op::dim_of(const OutPort& x, int64_t axis) const {
  const auto found = find_dim(x, axis);
  require(found.has_value(), "dimension ", axis, " of what it reads, ", shape(x), ", is not known",
          hint("give the inputs shapes with --input_shape"));
  return *found;
}

int64_t Op::axis(const OutPort& x, int64_t axis) const {
  return static_cast<int64_t>(normalize_axis(axis, static_cast<size_t>(rank(x)), "an axis"));
}

ElementType Op::type_of(const OutPort& x) const {
  graph().infer_marked();
  return x.type();
}

bool Op::is_real(const OutPort& x) const { return !is_whole(type_of(x)); }

OutPort Op::slice(const OutPort& x, int64_t axis, int64_t begin, int64_t end, int64_t step) const {
  return op("Slice", "opset8", {x, list({begin}), list({end}), list({step}), list({axis})});
}

OutPort Op::iota(const OutPort& count) const {
  const Node n =
      node("Range", "opset4", {integer(0), as_scalar(convert(count, ElementType::i64)), integer(1)});
  n.set("output_type", ElementType::i64);
  return n.out_port();
}

Node Op::topk(const OutPort& x, const OutPort& k, int64_t axis, std::string_view mode, std::string_view sort,
              bool stable) const {
  const Node n = node("TopK", stable ? "opset11" : "opset3", {x, k}, 2);
  n.set("axis", axis).set("mode", std::string(mode)).set("sort", std::string(sort));
  n.set("index_element_type", ElementType::i64);
  if (stable) n.set("stable", true);
  return n;
}

Ports Op::give(const std::vector<Result>& results) const {
  Ports ports(outputs_.size());
  for (const Result& r : results) {
    size_t used = 0;
    for (size_t i = 0; i < outputs_.size(); ++i)
      if (has_name(r.slots, outputs_[i]) && used < r.ports.size()) ports[i] = r.ports[used++];
  }
  return ports;
}

namespace detail {

// Indices and flags get the type that the program says: operations have others. Some programs say that numbers of
// boxes or flags are floats, which they are not.
Ports finish(Build& b, const SourceNode& n, MakeResults make) {
  const Op o(b, n);
  Ports ports = make(o);
  b.graph().infer_marked();
  const size_t count = std::min(ports.size(), n.out_count());
  for (size_t i = 0; i < count; ++i) {
    if (!ports[i]) continue;
    const ElementType said = n.out_port(i).type(), made = ports[i].type();
    if (said == ElementType::unknown || made == ElementType::unknown || said == made) continue;
    if (is_whole(said)) ports[i] = b.convert(ports[i], said);
  }
  return ports;
}

void convert(Registry& r, MakeOperator make, std::string_view ops, std::string_view before,
             std::string_view after) {
  r.transformation<GroupedReplacement>(make, OperatorGroupText{"paddle", "paddle.front.operators", ops,
                                                               ops.substr(0, ops.find(' ')), before, after});
}

}  // namespace detail

}  // namespace mo::paddle
