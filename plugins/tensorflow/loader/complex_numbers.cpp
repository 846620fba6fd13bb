#include "loader/complex_numbers.hpp"

#include <array>

namespace mo::tensorflow {

namespace {

bool contains(const auto& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Made for them, or the same for each number of a pair, with shapes that line up: the added dimension is the
// last one. Variables and constants have it from the loader.
bool is_right_for_pairs(std::string_view op) {
  constexpr std::array known = {std::string_view("Complex"),
                                std::string_view("Real"),
                                std::string_view("Imag"),
                                std::string_view("Conj"),
                                std::string_view("ComplexAbs"),
                                std::string_view("Add"),
                                std::string_view("AddV2"),
                                std::string_view("AddN"),
                                std::string_view("Sub"),
                                std::string_view("Neg"),
                                std::string_view("Gather"),
                                std::string_view("Identity"),
                                std::string_view("RefIdentity"),
                                std::string_view("Snapshot"),
                                std::string_view("StopGradient"),
                                std::string_view("PreventGradient"),
                                std::string_view("CheckNumerics"),
                                std::string_view("CheckNumericsV2"),
                                std::string_view("DebugIdentity"),
                                std::string_view("DebugIdentityV2"),
                                std::string_view("DebugIdentityV3"),
                                std::string_view("Print"),
                                std::string_view("VarHandleOp"),
                                std::string_view("VariableV2"),
                                std::string_view("Variable"),
                                std::string_view("ReadVariableOp"),
                                std::string_view("Assign"),
                                std::string_view("AssignAdd"),
                                std::string_view("AssignSub")};
  return contains(known, op);
}

bool is_complex(const AttrValue& v) {
  const auto complex = [](int64_t number) {
    const DataType t = data_type(static_cast<uint64_t>(number));
    return t == DataType::complex64 || t == DataType::complex128;
  };
  return v.kind == AttrValue::type && std::any_of(v.integers.begin(), v.integers.end(), complex);
}

}  // namespace

bool needs_complex_arithmetic(TensorflowModel& model, const NodeDef& n, const Scope& scope) {
  constexpr std::array attributes = {std::string_view("T"), std::string_view("Tparams"),
                                     std::string_view("SrcT"), std::string_view("dtype"),
                                     std::string_view("element_dtype")};
  if (!n.bodies.empty() || is_right_for_pairs(n.op)) return false;
  const auto states = [&](std::string_view name) {
    if (!contains(attributes, name)) return false;
    const auto value = Attributes(model, n, scope).find(name);
    return value && !value->list && is_complex(*value);
  };
  for (const auto& [name, value] : n.made)
    if (states(name)) return true;
  for (const wire::Field& f : wire::Message(n.bytes))
    if (f.number == field::node::attr && states(parse_entry(f.bytes()).first)) return true;
  return false;
}

}  // namespace mo::tensorflow
