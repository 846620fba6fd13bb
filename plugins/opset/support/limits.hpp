// What the runtime asks of an operation beyond its specification, stated beside the operation's schema and
// looked at when a layer is written:
//
//   static void ir_attrs(const Node& n, IrAttributes&) {
//     check_limits(n, {{"axes count from the start", "2023.3", "ngraph/core/src/op/normalize_l2.cpp:90",
//     axes_from_start}});
//   }
//
// A breach is an error that names layer, limit and release. Where a transformation can write the operation in
// another way, it has done so before.
#pragma once

#include <mo/sdk.hpp>

namespace mo::opset {

struct Limit {
  std::string_view what;    // what holds of each layer
  std::string_view last;    // the last release that asks for it; "" = the newest one still does
  std::string_view source;  // the file of OpenVINO it was read from; of 2021.4 unless it says another release
  bool (*holds)(const Node&);
};

// Of the release that --target names. Fails with the first limit that is broken.
void check_limits(const Node&, std::initializer_list<Limit>);

// The integers of an input that is a constant or known; nothing where they are not, or not connected.
std::optional<std::vector<int64_t>> known_ints(const Node&, size_t input);
// Of an input that is known no element is below 0.
bool counts_from_start(const Node&, size_t input);
template <size_t input>
bool from_start(const Node& n) {
  return counts_from_start(n, input);
}
template <size_t input>
bool is_i64(const Node& n) {
  return !n.is_in_port_connected(input) || n.in_port(input).type() == ElementType::i64;
}
template <size_t input>
bool is_list(const Node& n) {
  return !n.is_in_port_connected(input) || n.in_port(input).shape().rank() != 0;
}
template <size_t input>
bool is_connected(const Node& n) {
  return n.is_in_port_connected(input);
}
// Whether the inputs that are connected have one of the types.
bool have_types(const Node&, std::initializer_list<size_t> inputs, std::initializer_list<ElementType> types);
template <size_t... inputs>
bool are_i32_or_i64(const Node& n) {
  return have_types(n, {inputs...}, {ElementType::i32, ElementType::i64});
}
// All of them the same.
template <size_t... inputs>
bool are_all_i32_or_all_i64(const Node& n) {
  return have_types(n, {inputs...}, {ElementType::i32}) || have_types(n, {inputs...}, {ElementType::i64});
}
template <size_t input>
bool is_common_float(const Node& n) {
  return have_types(n, {input}, {ElementType::f32, ElementType::f16, ElementType::bf16});
}
// A rank that is not known is no breach.
template <size_t input, int64_t least>
bool rank_from(const Node& n) {
  const Shape s = n.in_port(input).shape();
  return !s.has_rank() || s.rank() >= least;
}

}  // namespace mo::opset
