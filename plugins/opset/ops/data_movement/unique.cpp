// Unique: the different elements, or slices along an axis; where each comes first, which of them each element
// is, and how often they occur. NaNs count as equal, and come last in their order.
#include "support/movement.hpp"

#include <numeric>

namespace mo::opset {

namespace uniqueness {

template <class T>
int compare(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b))
      return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

// Slices k = 0, 1, … of a tensor, of which element j is at k * step + offsets[j].
struct Slices {
  size_t count, step;
  Dims offsets;
};
static Slices slices_of(const Dims& dims, std::optional<size_t> axis) {
  if (!axis) return {static_cast<size_t>(count_of(dims)), 1, {0}};
  Slices s{static_cast<size_t>(dims[*axis]), static_cast<size_t>(dense_strides(dims)[*axis]), {}};
  const auto inner = static_cast<int64_t>(s.step);
  if (count_of(dims) == 0) return s;
  for (int64_t i = 0; i < count_of(dims) / dims[*axis]; ++i)
    s.offsets.push_back(i / inner * inner * dims[*axis] + i % inner);
  return s;
}

struct Groups {
  std::vector<size_t> first, number_of, counts;  // number_of: by slice
};
template <class E>
Groups grouped(const void* data, const Slices& s, bool sorted) {
  const auto order = [&](size_t a, size_t b) {
    for (const int64_t o : s.offsets)
      if (const int r = compare(E::get(data, a * s.step + static_cast<size_t>(o)),
                                E::get(data, b * s.step + static_cast<size_t>(o)));
          r != 0)
        return r;
    return 0;
  };
  std::vector<size_t> slices(s.count);
  std::iota(slices.begin(), slices.end(), size_t{0});
  std::stable_sort(slices.begin(), slices.end(), [&](size_t a, size_t b) { return order(a, b) < 0; });
  Groups g{{}, std::vector<size_t>(s.count), {}};
  for (size_t i = 0; i < s.count; ++i) {
    if (i == 0 || order(slices[i - 1], slices[i]) != 0) {
      g.first.push_back(slices[i]);
      g.counts.push_back(0);
    }
    ++g.counts.back();
    g.number_of[slices[i]] = g.first.size() - 1;
  }
  if (sorted) return g;
  std::vector<size_t> by_place(g.first.size()), place(g.first.size());
  std::iota(by_place.begin(), by_place.end(), size_t{0});
  std::sort(by_place.begin(), by_place.end(), [&](size_t a, size_t b) { return g.first[a] < g.first[b]; });
  Groups r{{}, std::move(g.number_of), {}};
  for (size_t i = 0; i < by_place.size(); ++i) {
    r.first.push_back(g.first[by_place[i]]);
    r.counts.push_back(g.counts[by_place[i]]);
    place[by_place[i]] = i;
  }
  for (size_t& n : r.number_of) n = place[n];
  return r;
}

static Tensor numbers(const EvalContext& c, ElementType type, const std::vector<size_t>& list) {
  const auto out = Tensor::create_bytes(c.context(), type, {static_cast<int64_t>(list.size())});
  for (size_t i = 0; i < list.size(); ++i) store_number(out.second, type, i, static_cast<double>(list[i]));
  return out.first;
}

// How many different slices of `elements` elements there are among `slices`.
static Dim different(const Dim& slices, ElementType type, const Dim& elements) {
  const int64_t least = std::min<int64_t>(slices.min, 1);
  const int width = type == ElementType::boolean ? 1 : bits(type);
  int64_t most = slices.max;
  constexpr int64_t most_bits = 16;  // beyond, nobody gains from knowing the number of values
  if (width > 0 && !elements.is_unbounded() && elements.max <= most_bits / width) {
    const int64_t values = int64_t{1} << (width * elements.max);
    most = slices.is_unbounded() ? values : std::min(most, values);
  }
  return {least, most};
}

}  // namespace uniqueness

struct Unique {
  static constexpr std::string_view type = "Unique", opset = "opset10";
  static void schema(OpSchema& s) {
    s.doc("data, [axis]: different elements or slices, first places, numbers, counts")
        .input("data", Role::fixed)
        .optional_input("axis", Role::any)
        .outputs(4);
    s.attr<bool>("sorted", true);
    s.attr<ElementType>("index_element_type", ElementType::i64);
    s.attr<ElementType>("count_element_type", ElementType::i64);
  }
  static void infer(InferContext& c) {
    const ElementType index = index_type_attr(c, "index_element_type");
    const ElementType count = index_type_attr(c, "count_element_type");
    const ElementType t = c.type(0);
    const Shape in = c.shape(0);
    const auto give = [&](const Shape& values, const Dim& groups, const Dim& slices) {
      c.output(0, t, values);
      c.output(1, index, {groups});
      c.output(2, index, {slices});
      c.output(3, count, {groups});
    };
    if (!c.has(1)) {
      const Dim n = in.elements(), groups = uniqueness::different(n, t, 1);
      return give({groups}, groups, n);
    }
    const auto axis_value = scalar_input(c, 1, "axis");
    if (!in.has_rank()) return give(in, any_dim, any_dim);
    require(!in.empty(), "the data is a scalar, which has no axis");
    const auto with_axis = [&](size_t axis) {
      Shape slice = in;
      slice.erase(axis);
      return uniqueness::different(in[axis], t, slice.elements());
    };
    if (axis_value) {
      const size_t axis = normalize_axis(*axis_value, in.size());
      Shape values = in;
      values[axis] = with_axis(axis);
      return give(values, values[axis], in[axis]);
    }
    Shape values = in;
    Dim groups = with_axis(0), slices = in[0];
    for (size_t i = 0; i < in.size(); ++i) {
      const Dim d = with_axis(i);
      values[i] = in.size() == 1 ? d : unite(in[i], d);
      groups = unite(groups, d);
      slices = unite(slices, in[i]);
    }
    give(values, groups, slices);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    std::optional<size_t> axis;
    if (c.has(1)) axis = normalize_axis(c.input(1).to_ints().at(0), in.rank());
    const auto slices = uniqueness::slices_of(in.dims(), axis);
    uniqueness::Groups groups;
    for_element(in.type(), [&](auto e) {
      groups = uniqueness::grouped<decltype(e)>(in.data(), slices, c.attr<bool>("sorted"));
    });
    Dims dims = axis ? in.dims() : Dims{static_cast<int64_t>(slices.count)};
    std::vector<Dims> lists;
    for (const int64_t d : dims) {
      lists.emplace_back(static_cast<size_t>(d));
      std::iota(lists.back().begin(), lists.back().end(), int64_t{0});
    }
    const Dims from = dims;
    const size_t a = axis.value_or(0);
    lists[a].assign(groups.first.begin(), groups.first.end());
    dims[a] = static_cast<int64_t>(groups.first.size());
    const auto out = Tensor::create_bytes(c.context(), in.type(), dims);
    if (count_of(dims) > 0) run_lists(lists, from, in.data(), out.second, width_of(in.type()));
    const ElementType index = index_type_attr(c, "index_element_type");
    c.output(0, out.first);
    c.output(1, uniqueness::numbers(c, index, groups.first));
    c.output(2, uniqueness::numbers(c, index, groups.number_of));
    c.output(3, uniqueness::numbers(c, index_type_attr(c, "count_element_type"), groups.counts));
  }
};

void register_unique(Registry& r) { r.operation<Unique>(); }

}  // namespace mo::opset
