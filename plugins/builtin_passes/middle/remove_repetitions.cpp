// What is done twice and is its own inverse, or has no effect the second time:
//   Negative(Negative(x)), LogicalNot(LogicalNot(x)), Reverse(Reverse(x, 1), 1)  ->  x
//   ReLU(ReLU(x))  ->  ReLU(x)
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveRepetitions : public Elimination {
 public:
  RemoveRepetitions()
      : Elimination(any_of({twice("Negative"), twice("LogicalNot"), twice("Reverse"),
                            twice("ReverseSequence"), twice("ReLU"), twice("Abs"), twice("Floor"),
                            twice("Ceiling"), twice("Round"), twice("Sign")})) {
    id = "middle.remove_repetitions";
    doc = "what undoes itself, or does nothing the second time, is left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %a = Negative@opset1 (%x)
      %b = Negative@opset1 (%a)
      %c = ReLU@opset1 (%b)
      %d = ReLU@opset1 (%c)
      %y = Exp@opset1 (%d)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %d = ReLU@opset1 (%x)
      %y = Exp@opset1 (%d)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort source = source_of(n, 0);
    const Node inner = source.node();
    if (inner.opset() != n.opset()) return {};
    if (n.is("Negative") || n.is("LogicalNot")) return source_of(inner, 0);
    if (n.is("Reverse") || n.is("ReverseSequence")) {
      only_when(turns_alike(n, inner), "'", inner.name(), "' turns something else around than it does");
      return source_of(inner, 0);
    }
    only_when(!n.is("Round") || n.attr<std::string>("mode", "") == inner.attr<std::string>("mode", ""), "'",
              inner.name(), "' rounds by another rule");
    return source;
  }

 private:
  static Pattern twice(const char* op) { return wrap_type({op}, {wrap_type({op})})->variadic(); }

  static bool turns_alike(const Node& a, const Node& b) {
    for (const char* name : {"batch_axis", "seq_axis"})
      if (a.attr<int64_t>(name, 0) != b.attr<int64_t>(name, 0)) return false;
    if (a.attr<std::string>("mode", "") != b.attr<std::string>("mode", "")) return false;
    const OutPort x = source_of(a, 1), y = source_of(b, 1);
    if (x == y) return true;
    if (!x || !y) return false;
    if (!x.node().is("Const") || !y.node().is("Const")) return false;
    const auto v = x.value(), w = y.value();
    return v && w && v->dims() == w->dims() && v->to_ints() == w->to_ints();
  }
};

void register_remove_repetitions(Registry& r) { simplifying<RemoveRepetitions>(r, Stage::remove); }

}  // namespace mo::builtin_passes
