// Plugins that are wrong in one respect each, as their authors would not notice: they load, and convert the
// model they were made for. One library has them all; MO_MUTANT names the one that it is, and with "right:"
// before the name it is the same without the mistake. tests/abi/mutants_test.cpp has the table of what
// `plugin check` says of each.
#pragma once

#include <mo/sdk.hpp>

namespace mutants {

inline constexpr std::string_view opset = "org.example.mutants";

struct Mutant {
  std::string_view name;
  void (*add)(mo::Registry&, bool wrong);
};

inline bool has_numbers(mo::ElementType t) { return mo::is_float(t) || mo::is_integer(t); }

// y[i] = f(x[i]), in the type of x.
template <class F>
void for_each_number(mo::EvalContext& c, F f) {
  const mo::Tensor x = c.input(0);
  auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
  for (size_t i = 0, n = x.size(); i < n; ++i) mo::store_number(data, x.type(), i, f(x, i));
  c.output(0, y);
}

// What most of them are beside their mistake: one input of numbers, one output of its type and shape.
struct Plain {
  static constexpr std::string_view type = "Mutant", opset = mutants::opset;
  static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(mo::InferContext& c) {
    require_numbers(c);
    c.output(0, c.type(0), c.shape(0));
  }
  static void require_numbers(mo::InferContext& c) {
    c.require(c.type(0) == mo::ElementType::unknown || (has_numbers(c.type(0)) && mo::bits(c.type(0)) >= 8),
              "the input has type ", mo::name(c.type(0)), "; expected numbers of whole bytes");
  }
};

template <template <bool> class Op>
void add_operation(mo::Registry& r, bool wrong) {
  if (wrong)
    r.operation<Op<true>>();
  else
    r.operation<Op<false>>();
}

// Each in the file of its name.
extern const Mutant always_f32, axis_from_the_end, bytes_as_unsigned, changes_numbers, halves_as_floats,
    hidden_state, optional_input, order_cycle, stride_ignored, swapped_sizes, swaps_height_and_width,
    undeclared_attribute, undefined_operation, unknown_framework, unknown_order, wrong_formula, wrong_layout;

}  // namespace mutants
