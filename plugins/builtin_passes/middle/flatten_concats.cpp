// Concats of Concats, of one input, and of inputs without elements:
//   Concat(a, Concat(b, c))  ->  Concat(a, b, c)
//   Concat(x)                ->  x
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FlattenConcats : public Elimination {
 public:
  FlattenConcats() : Elimination(wrap_type({"opset1::Concat"})) {
    id = "middle.flatten_concats";
    doc = "Concats of Concats become one; inputs without elements, and Concats of one input, are left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %a = ReLU@opset1 (%x)
      %inner = Concat@opset1 (%x, %a) {axis=-1}
      %b = Exp@opset1 (%x)
      %y = Concat@opset1 (%b, %inner) {axis=1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %a = ReLU@opset1 (%x)
      %b = Exp@opset1 (%x)
      %y = Concat@opset1 (%b, %x, %a) {axis=1}
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const Shape s = n.out_port().shape();
    if (!s.has_rank() || s.empty()) return {};
    const size_t axis = normalize_axis(n.attr<int64_t>("axis"), s.size());
    std::vector<OutPort> parts;
    std::string read_elsewhere;
    bool changed = false;
    for (const InPort& in : n.in_ports()) {
      const OutPort source = in.get_source();
      if (!source || source.shape().size() != s.size()) return {};
      const Node inner = source.node();
      if (source.shape()[axis] == Dim(0) && n.in_count() > 1) {
        changed = true;
      } else if (is_along(inner, axis, s.size()) && inner.out_port().destination_count() != 1) {
        parts.push_back(source);
        read_elsewhere = inner.name();
      } else if (is_along(inner, axis, s.size())) {
        for (const InPort& i : inner.in_ports()) parts.push_back(i.get_source());
        changed = true;
      } else {
        parts.push_back(source);
      }
    }
    if (parts.size() == 1) return parts.front();
    only_when(changed || read_elsewhere.empty(), "something else reads '", read_elsewhere,
              "', too, which would have to be there all the same");
    if (!changed || parts.empty()) return {};
    rebuild(n, parts);
    return {};
  }

 private:
  static bool is_along(const Node& n, size_t axis, size_t rank) {
    return n.is("opset1::Concat") && normalize_axis(n.attr<int64_t>("axis"), rank) == axis;
  }

  static void rebuild(const Node& n, const std::vector<OutPort>& parts) {
    while (n.in_count() > parts.size()) n.delete_input_port(n.in_count() - 1);
    while (n.in_count() < parts.size()) (void)n.add_input_port();
    for (size_t i = 0; i < parts.size(); ++i) n.in_port(i).set_source(parts[i]);
  }
};

void register_flatten_concats(Registry& r) { simplifying<FlattenConcats>(r, Stage::cut); }

}  // namespace mo::builtin_passes
