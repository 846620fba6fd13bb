// A call of an operator in an exported program, and how operators are registered. Each becomes operations of
// the operation sets in one traversal in the order of the program, so a call finds what it reads converted,
// and shapes and types known.
//
//   static Ports add(const Call& c) {
//     const auto [x, y] = c.promoted("self", "other");
//     return {c.b.add(x, c.is_given("alpha") ? c.b.multiply(y, c.scalar("alpha", y)) : y)};
//   }
//   void register_arithmetic(Registry& r) {
//     convert<add>(r, "aten.add.Tensor aten.add.Scalar", "add(x, y, alpha)", "Add(x, Multiply(y, alpha))");
//   }
//
// In-place operators come as those without the underscore, and writing into a view as the *_scatter operator
// that gives the new base: loader/aliases.hpp. An argument that the program leaves out, or that is None, is
// not given; its default stands in the converter. A result of another type than the program states is
// converted to the stated one.
#pragma once

#include <mo/build.hpp>

namespace mo::pytorch {

// Memory layouts, devices and the like never matter and are not there.
class Call {
 public:
  Call(Build& build, const SourceNode& node);

  Build& b;
  const SourceNode& node;
  std::string target() const { return node.native_op(); }  // "add.Tensor"

  bool is_given(std::string_view name) const { return is_port(name) || node.has_native(name); }

  // Tensors. Those of complex numbers have a last dimension of two: the real and the imaginary part.
  bool is_tensor(std::string_view name) const;          // and not a number, nor left out
  OutPort tensor(std::string_view name) const;          // error when it is left out
  OutPort find_tensor(std::string_view name) const;     // an empty port when it is left out
  Ports tensors(std::string_view name) const;           // a list, none of which may be None
  Ports optional_tensors(std::string_view name) const;  // a list, with empty ports where it has None
  bool is_complex(std::string_view name) const;         // of a list whether one is
  bool all_complex(std::string_view name) const;        // of a list whether all are
  // A converter that never asks which of its numbers are complex takes none, unless it says here that it does
  // the same to both parts: what it made is not used, and the operator declined.
  void does_same_to_parts() const { knows_complex_ = true; }
  bool overlooks_complex() const { return !complex_.empty() && !knows_complex_; }

  // Python numbers and the like: known ones. Sizes that are computed, but known by now, are known.
  int64_t integer(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t fallback) const;
  double number(std::string_view name) const;
  double number(std::string_view name, double fallback) const;
  std::optional<double> find_number(std::string_view name) const;
  bool flag(std::string_view name, bool fallback) const;
  std::string word(std::string_view name, std::string_view fallback = {}) const;
  // A list of integers. One number counts as a list of it.
  Ints ints(std::string_view name) const;
  Ints ints(std::string_view name, const Ints& fallback) const;
  // The same with `count` elements; a list of one stands for all, an empty one for the fallback.
  Ints spatial(std::string_view name, size_t count, int64_t fallback) const;
  std::vector<double> numbers(std::string_view name) const;
  // An element type; of complex numbers that of their parts.
  ElementType dtype(std::string_view name, ElementType fallback) const;
  // An axis within `rank`, never negative; of a scalar, which has rank 0, as of one dimension.
  size_t axis(std::string_view name, int64_t fallback, size_t rank) const;
  // Axes within `rank` in ascending order; all of them when the list is left out or empty.
  Ints axes(std::string_view name, size_t rank) const;

  // Numbers as ports, whether they are known or computed.
  OutPort size(std::string_view name) const;   // an integer, i64
  OutPort sizes(std::string_view name) const;  // a list of integers, i64
  // The same; -1 among those that are not computed is another number. A size that is computed is never -1.
  OutPort sizes(std::string_view name, int64_t for_open) const;
  OutPort size_list(std::string_view name) const;  // one integer, as a list
  // A number, or a tensor, as the type of x.
  OutPort scalar(std::string_view name, const OutPort& x) const;
  OutPort scalar(std::string_view name, ElementType type) const;

  // What torch computes in when tensors and numbers meet: see promotion.hpp.
  ElementType promoted_type(const std::vector<std::string_view>& names) const;
  // Tensors or numbers, as that type.
  OutPort as(std::string_view name, ElementType type) const;
  std::array<OutPort, 2> promoted(std::string_view x, std::string_view y) const;

  // What the program states of its results, of which there is one at least.
  size_t result_count() const;
  ElementType result_type(size_t i = 0) const;
  bool result_is_complex(size_t i = 0) const;
  // Sizes that the program fixes are known here, whatever the inputs are given.
  Shape result_shape(size_t i = 0) const;

  // Ranks and sizes of what is read; an error that says how to give them when they are not known.
  size_t rank(const OutPort& x) const;
  size_t rank(std::string_view name) const { return rank(tensor(name)); }
  int64_t dim(const OutPort& x, int64_t axis) const;
  // Elements of a list or a scalar whose values are known by now.
  std::optional<Ints> known(const OutPort& x) const;

  // A number of the type of x, also where that is not inferred yet.
  OutPort like(const OutPort& x, double value) const;
  OutPort convert_like(const OutPort& value, const OutPort& x) const;

  OutPort op1(std::string_view type, const Ports& inputs) const { return b.op(type, "opset1", inputs); }

 private:
  struct Argument {
    std::string name;
    size_t port;
    std::optional<size_t> element;  // of a list
  };
  bool is_port(std::string_view name) const;
  const Argument* find(std::string_view name) const;
  bool has_parts(std::string_view name) const;
  [[noreturn]] static void left_out(std::string_view name);

  std::vector<Argument> arguments_;
  std::vector<std::string> complex_;
  mutable bool knows_complex_ = false;
};

using ConvertCall = Ports (*)(const Call&);

// The traversal that all operators share.
constexpr std::string_view operators_group = "pytorch.front.operators";

// `ops`: names with their namespaces and overloads, separated by blanks. The first names the transformation:
// "pytorch.front.add.tensor" for "aten.add.Tensor".
void convert(Registry& r, ConvertCall make, std::string_view ops, std::string_view before,
             std::string_view after);

template <ConvertCall Make>
void convert(Registry& r, std::string_view ops, std::string_view before, std::string_view after) {
  convert(r, Make, ops, before, after);
}

}  // namespace mo::pytorch
