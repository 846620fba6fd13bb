// A Gather that takes all there is in the order it has:
//   Gather(x [2,3], {0, 1, 2}, axis 1)  ->  x
// and one that takes a whole part out of a Concat:
//   Gather(Concat(a [1], b [1]), {1})   ->  b
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveGathers : public Elimination {
 public:
  RemoveGathers() : Elimination(wrap_type({"Gather"}, {any_input(), constant(), constant()})) {
    id = "middle.remove_gathers";
    doc = "a Gather of everything, or of one part of a Concat, is left out";
    before = R"(
      %x = Parameter -> f32[2,3]
      %all = Const -> i64[3] {0,1,2}
      %axis = Const -> i64[] {1}
      %g = Gather@opset1 (%x, %all, %axis)
      %y = ReLU@opset1 (%g)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort x = source_of(n, 0);
    const Shape s = x.shape();
    const auto indices = constant_ints(n, 1), axis = constant_ints(n, 2);
    if (!s.has_rank() || !indices || indices->empty() || !axis || axis->size() != 1 ||
        n.attr<int64_t>("batch_dims", 0) != 0 || n.in_port(1).shape().rank() != 1)
      return {};
    const auto rank = static_cast<int64_t>(s.size());
    if (axis->front() < -rank || axis->front() >= rank) return {};
    const size_t at = normalize_axis(axis->front(), s.size());
    if (!s[at].is_static()) return of_open_size(*indices, at);
    const int64_t size = s[at].value();
    int64_t first = indices->front();
    if (first < 0) first += size;
    for (size_t i = 0; i < indices->size(); ++i) {
      const int64_t index = (*indices)[i] < 0 ? (*indices)[i] + size : (*indices)[i];
      if (index == first + static_cast<int64_t>(i) && index >= 0 && index < size) continue;
      if (i == 0 || static_cast<int64_t>(indices->size()) != size) return {};
      decline("it takes element ", index, " of dimension ", at, " behind element ", (*indices)[i - 1],
              "; taking all of them in order would change nothing");
    }
    const auto count = static_cast<int64_t>(indices->size());
    return first == 0 && count == size ? x : part(x.node(), at, first, count);
  }

 private:
  static OutPort of_open_size(const std::vector<int64_t>& indices, size_t axis) {
    for (size_t i = 0; i < indices.size(); ++i)
      if (indices[i] != static_cast<int64_t>(i)) return {};
    decline("the size of dimension ", axis,
            " is not known: it may have more than the elements that are taken");
  }

  static OutPort part(const Node& concat, size_t axis, int64_t first, int64_t count) {
    if (!concat.is("opset1::Concat")) return {};
    const size_t rank = concat.out_port().shape().size();
    if (normalize_axis(concat.attr<int64_t>("axis"), rank) != axis) return {};
    int64_t at = 0;
    for (const InPort& in : concat.in_ports()) {
      const Shape s = in.shape();
      if (s.size() != rank || !s[axis].is_static()) return {};
      if (at == first && s[axis].value() == count) return in.get_source();
      at += s[axis].value();
      if (at > first) return {};
    }
    return {};
  }
};

void register_remove_gathers(Registry& r) { simplifying<RemoveGathers>(r, Stage::remove); }

}  // namespace mo::builtin_passes
