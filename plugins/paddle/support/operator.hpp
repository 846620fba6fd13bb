// What conversions share: operands, attributes and results of an operator, whichever format it comes from.
//
//   static Ports concat(const Op& o) {
//     return {o.concat(o.all("0 X"), o.axis(o.in("0 X"), o.fixed_int("1 AxisTensor", "axis", 0)))};
//   }
//   void register_joining(Registry& r) {
//     convert<concat>(r, "concat", "concat(x, axis)", "Concat(x, axis)");
//   }
//
// Operands are named by their place in PIR and by their slot in ProgramDesc, with blanks between: "0 X". Attributes
// that one of the formats has as an operand are named by both. All operators share one traversal in the order of the
// program, so each finds what it reads converted, and shapes known.
#pragma once

#include <mo/build.hpp>
#include <mo/decline.hpp>

namespace mo::paddle {

class Op : public Build {
 public:
  Op(const Build& b, const SourceNode& n);
  const SourceNode& node() const { return n_; }
  using Build::node;
  bool is_pir() const { return is_pir_; }

  bool has(std::string_view slots) const { return find(slots).has_value(); }
  OutPort in(std::string_view slots) const;     // error when it is left out
  OutPort maybe(std::string_view slots) const;  // an empty port when it is left out
  Ports all(std::string_view slots) const;
  size_t outputs(std::string_view slots) const;  // how many ports belong to the slots

  int64_t integer(std::string_view names, int64_t fallback) const;
  using Build::integer;
  double real(std::string_view names, double fallback) const;
  bool flag(std::string_view names, bool fallback) const;
  std::string word(std::string_view names, std::string_view fallback) const;
  Ints ints(std::string_view names, const Ints& fallback = {}) const;
  using Build::ints;
  std::vector<double> reals(std::string_view names) const;
  bool has_attribute(std::string_view names) const;
  // Of an attribute that names a type; nothing when it is absent or leaves it open.
  std::optional<ElementType> type(std::string_view names) const;
  // What the program says that output 0 is; unknown where it says nothing.
  ElementType stated_type(size_t output = 0) const { return n_.out_port(output).type(); }

  // What an operand, or the attribute without it, says.
  std::optional<Ints> known(std::string_view slots, std::string_view names) const;
  std::optional<double> known_real(std::string_view slots, std::string_view names) const;
  // The same; an error where it is computed.
  Ints fixed(std::string_view slots, std::string_view names, const Ints& fallback = {}) const;
  int64_t fixed_int(std::string_view slots, std::string_view names, int64_t fallback) const;
  // The same as a list of i64.
  OutPort sizes(std::string_view slots, std::string_view names) const;

  Shape shape(const OutPort& x) const;
  int64_t rank(const OutPort& x) const;                  // errors of these: it is not known;
  int64_t dim_of(const OutPort& x, int64_t axis) const;  // --input_shape gives it
  std::optional<int64_t> find_dim(const OutPort& x, int64_t axis) const;
  int64_t axis(const OutPort& x, int64_t axis) const;  // from the front
  ElementType type_of(const OutPort& x) const;
  bool is_real(const OutPort& x) const;

  OutPort op1(std::string_view type, const Ports& inputs) const { return op(type, "opset1", inputs); }
  OutPort as_list(const OutPort& x) const;    // one dimension, i64
  OutPort as_scalar(const OutPort& x) const;  // no dimensions
  OutPort zeros_like(const OutPort& x) const { return broadcast(like(x, 0), shape_of(x)); }
  OutPort slice(const OutPort& x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1) const;
  OutPort power(const OutPort& x, double y) const { return op1("Power", {x, like(x, y)}); }
  OutPort times(const OutPort& x, double y) const { return y == 1 ? x : multiply(x, like(x, y)); }
  OutPort plus(const OutPort& x, double y) const { return y == 0 ? x : add(x, like(x, y)); }
  OutPort iota(const OutPort& count) const;  // 0, 1, … i64
  OutPort unsqueezed(const OutPort& x, const Ints& axes) const { return unsqueeze(x, list(axes)); }
  Node topk(const OutPort& x, const OutPort& k, int64_t axis, std::string_view mode, std::string_view sort,
            bool stable = false) const;

  // Results by slot, in the order of the node's ports: those that are not there are not read.
  struct Result {
    std::string_view slots;
    Ports ports;
  };
  Ports give(const std::vector<Result>& results) const;

 private:
  std::optional<size_t> find(std::string_view slots) const;
  std::optional<std::string> name_of(std::string_view names) const;
  SourceNode n_;
  std::vector<std::string> inputs_, outputs_;
  bool is_pir_;
};

using MakeResults = Ports (*)(const Op&);

namespace detail {
Ports finish(Build& b, const SourceNode& n, MakeResults make);
template <MakeResults Make>
Ports made(Build& b, const SourceNode& n) {
  return finish(b, n, Make);
}
void convert(Registry& r, MakeOperator make, std::string_view ops, std::string_view before,
             std::string_view after);
}  // namespace detail

// `ops`: names in either format, separated by blanks. The first one names the transformation:
// "paddle.front.add".
template <MakeResults Make>
void convert(Registry& r, std::string_view ops, std::string_view before, std::string_view after) {
  detail::convert(r, &detail::made<Make>, ops, before, after);
}

template <auto Extract>
void extract(Registry& r, std::string_view ops) {
  each_name(ops, [&](std::string_view op) { r.extractor<Extract>({"paddle", "", op}); });
}

}  // namespace mo::paddle
