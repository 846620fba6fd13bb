// Random graphs through the text form and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "apps/views/text.hpp"

namespace mo::app {
namespace {

class RandomGraph {
 public:
  RandomGraph(unsigned seed, std::shared_ptr<core::GraphSpace> space)
      : random_(seed), space_(std::move(space)) {}

  core::GraphPtr graph(int depth = 2) {
    const core::GraphPtr g = core::Graph::create(space_, string());
    fill(depth, [&](std::string_view key, core::Attribute a) { g->set_attribute(key, std::move(a)); });
    const unsigned size = below(8);
    for (unsigned i = 0; i < size; ++i) node(*g, depth);
    rewire(*g);
    if (size > 2 && one_in(2)) g->remove_node(below(size));
    g->take_marked();
    for (core::NodeId n : g->nodes())
      if (one_in(4)) g->mark(n);
    return g;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }

  std::string string() {
    static const std::vector<std::string> pieces = {
        "conv", "a-b",  "/", "ü",  "\"", "\\", "\n", "\t", "%0",    " ",   "{}",
        "\xff", "\x01", "_", "rt", "1",  "#",  ".",  "日", "graph", "...", std::string(1, '\0')};
    std::string s;
    for (unsigned n = below(4); n != 0; --n) s += pieces[below(static_cast<unsigned>(pieces.size()))];
    return s;
  }

  int64_t integer() {
    const int64_t some[] = {0, 1, -1, 42, INT64_MAX, INT64_MIN};
    return one_in(2) ? some[below(6)] : static_cast<int64_t>(random_());
  }

  double real() {
    const double some[] = {0, -0.0, 1, 1e300, 5e-324, 0.1, -std::numeric_limits<double>::infinity()};
    return one_in(2) ? some[below(7)] : std::bit_cast<double>(random_());
  }

  ElementType type() { return element_types[below(static_cast<unsigned>(element_types.size()))].type; }

  Bound bound() {
    const int64_t low = int64_t{below(9)} - 4;
    switch (below(5)) {
      case 0:
        return {};
      case 1:
        return {low};
      case 2:
        return Bound::at_least(low);
      case 3:
        return Bound::at_most(low);
      default:
        return {low, low + below(9)};
    }
  }

  Dim dim() {
    const int64_t low = below(5);
    switch (below(5)) {
      case 0:
        return any_dim;
      case 1:
        return {low, -1};
      case 2:
        return {0, low};
      case 3:
        return {low, low + below(9)};
      default:
        return low;
    }
  }

  Shape shape() {
    if (one_in(6)) return Shape::unknown();
    Shape s;
    for (unsigned n = below(8); n != 0; --n) s.push_back(dim());
    return s;
  }

  core::TensorRef tensor() {
    ElementType t = type();
    if (t == ElementType::unknown) t = ElementType::f32;
    std::vector<int64_t> dims;
    for (unsigned n = below(4); n != 0; --n) dims.push_back(below(5));
    if (t == ElementType::string) return strings(dims);
    const core::TensorRef made = core::make_tensor(t, dims);
    const bool alike = one_in(3);
    const auto byte = static_cast<std::byte>(below(256));
    for (uint64_t i = 0; i < made->bytes; ++i) {
      made->buffer[i] = alike ? byte : static_cast<std::byte>(below(256));
      if (t == ElementType::boolean && !one_in(50)) made->buffer[i] &= std::byte{1};
    }
    return made;
  }

  core::TensorRef strings(const std::vector<int64_t>& dims) {
    int64_t count = 1;
    for (int64_t d : dims) count *= d;
    std::string offsets, content;
    const auto put = [&](int64_t v) {
      const auto i = static_cast<int32_t>(v);
      offsets.append(reinterpret_cast<const char*>(&i), 4);
    };
    put(count);
    put(0);
    for (int64_t i = 0; i < count; ++i) {
      content += string();
      put(static_cast<int64_t>(content.size()));
    }
    std::string bytes = offsets + content;
    if (one_in(10)) bytes = "no strings";
    return core::make_tensor_from_bytes(ElementType::string, dims, bytes);
  }

  template <class F>
  auto list(F item) {
    std::vector<decltype(item())> items;
    for (unsigned n = below(4); n != 0; --n) items.push_back(item());
    return items;
  }

  core::Attribute attribute(int depth) {
    switch (below(depth > 0 ? 17 : 15)) {
      case 0:
        return integer();
      case 1:
        return real();
      case 2:
        return one_in(2);
      case 3:
        return string();
      case 4:
        return type();
      case 5:
        return core::shape_attribute(shape());
      case 6:
        return tensor();
      case 7:
        return core::Bytes{string()};
      case 8:
        return list([&] { return integer(); });
      case 9:
        return list([&] { return real(); });
      case 10:
        return list([&] { return static_cast<uint8_t>(one_in(2)); });
      case 11:
        return list([&] { return string(); });
      case 12:
        return list([&] { return type(); });
      case 13:
        return list([&] { return shape(); });
      case 14:
        return list([&] { return tensor(); });
      case 15:
        return graph(depth - 1);
      default:
        return list([&] { return graph(depth - 1); });
    }
  }

  template <class Set>
  void fill(int depth, Set set) {
    for (unsigned n = below(4); n != 0; --n) {
      const std::string key = string();
      if (!key.empty()) set(key, attribute(depth));
    }
  }

  void node(core::Graph& g, int depth) {
    const char* ops[] = {"Parameter", "Result", "Const", "Relu", "odd op", "graph", "rt", "hex"};
    const core::NodeId n =
        g.add_node(ops[below(8)], one_in(2) ? "opset1" : string(), string(), below(4), below(4));
    fill(depth, [&](std::string_view key, core::Attribute a) { g.set_attribute(n, key, std::move(a)); });
    fill(depth, [&](std::string_view key, core::Attribute a) { g.set_rt_info(n, key, std::move(a)); });
    if (one_in(3)) g.set_native(n, random_());
    for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i) {
      const core::PortRef p{n, i};
      core::TensorState state;
      if (one_in(2)) state.shape = shape();
      if (one_in(2)) state.type = type();
      if (one_in(3)) {
        state.value = tensor();
        if (one_in(2)) {
          state.type = state.value->type;
          state.shape = core::shape_of(*state.value);
        }
      }
      state.from_shape = one_in(3);
      if (one_in(4)) state.bounds = list([&] { return bound(); });
      g.set_tensor(p, state);
      core::TensorNames names;
      for (const std::string& s : list([&] { return string(); })) names.push_back(space_->symbols.intern(s));
      g.set_tensor_names(p, names);
      fill(depth,
           [&](std::string_view key, core::Attribute a) { g.set_port_attribute(p, key, std::move(a)); });
    }
  }

  void rewire(core::Graph& g) {
    for (unsigned times = 2 * static_cast<unsigned>(g.size()); times != 0; --times) {
      const core::NodeId from = below(g.end_id()), to = below(g.end_id());
      const auto outputs = static_cast<unsigned>(g.node(from).outputs.size());
      const auto inputs = static_cast<unsigned>(g.node(to).inputs.size());
      if (outputs != 0 && inputs != 0) g.connect({from, below(outputs)}, {to, below(inputs)});
    }
  }

  std::mt19937_64 random_;
  std::shared_ptr<core::GraphSpace> space_;
};

// Comparison.

bool same(const core::Graph& a, const core::Graph& b);

struct SameValue {
  bool operator()(const core::TensorRef& a, const core::TensorRef& b) const {
    return (!a && !b) || (a && b && core::equal_contents(*a, *b));
  }
  bool operator()(const core::GraphPtr& a, const core::GraphPtr& b) const { return same(*a, *b); }
  bool operator()(double a, double b) const {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
  }
  bool operator()(const std::shared_ptr<const Shape>& a, const std::shared_ptr<const Shape>& b) const {
    return *a == *b;
  }
  template <class T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), *this);
  }
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a == b;
  }
  template <class T, class U>
  bool operator()(const T&, const U&) const {
    return false;
  }
};

bool same(const core::AttributeMap& a, const core::AttributeMap& b) {
  return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                    [](const core::AttributeMap::Item& x, const core::AttributeMap::Item& y) {
                      return x.first == y.first && std::visit(SameValue(), x.second, y.second);
                    });
}

bool same(const core::TensorState& a, const core::TensorState& b) {
  return a.shape == b.shape && a.type == b.type && a.from_shape == b.from_shape && a.bounds == b.bounds &&
         SameValue()(a.value, b.value);
}

// Living nodes correspond by order. Both graphs are of one space, so symbols can be compared.
bool same(const core::Graph& a, const core::Graph& b) {
  const std::vector<core::NodeId> nodes_a = a.nodes(), nodes_b = b.nodes();
  if (a.name() != b.name() || !same(a.attributes(), b.attributes()) || nodes_a.size() != nodes_b.size())
    return false;
  std::vector<core::NodeId> partner(a.end_id(), core::no_node);
  for (size_t i = 0; i < nodes_a.size(); ++i) partner[nodes_a[i]] = nodes_b[i];
  const auto same_port = [&](core::PortRef p, core::PortRef q) {
    return p.port == q.port && (p ? partner[p.node] : core::no_node) == q.node;
  };
  for (size_t i = 0; i < nodes_a.size(); ++i) {
    const core::NodeRecord &x = a.node(nodes_a[i]), &y = b.node(nodes_b[i]);
    if (x.op != y.op || x.opset != y.opset || x.name != y.name ||
        a.marked(nodes_a[i]) != b.marked(nodes_b[i]) || x.native != y.native ||
        !same(x.attributes, y.attributes) || !same(x.rt_info, y.rt_info) ||
        x.inputs.size() != y.inputs.size() || x.outputs.size() != y.outputs.size())
      return false;
    for (size_t p = 0; p < x.inputs.size(); ++p)
      if (!same_port(x.inputs[p].source, y.inputs[p].source)) return false;
    for (uint32_t p = 0; p < x.outputs.size(); ++p) {
      const core::OutSlot &s = x.outputs[p], &t = y.outputs[p];
      const auto to_a = a.destinations({nodes_a[i], p}), to_b = b.destinations({nodes_b[i], p});
      if (!same(s.tensor, t.tensor) || s.names != t.names || !same(s.attributes, t.attributes) ||
          !std::equal(to_a.begin(), to_a.end(), to_b.begin(), to_b.end(), same_port))
        return false;
    }
  }
  return true;
}

TEST(TextProperty, RandomGraphsComeBack) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto space = std::make_shared<core::GraphSpace>();
    const core::GraphPtr g = RandomGraph(seed, space).graph();
    const std::string text = to_text(*g);
    core::GraphPtr back;
    ASSERT_NO_THROW(back = parse_text(text, space)) << text;
    ASSERT_TRUE(same(*g, *back)) << "seed " << seed << "\n" << text;
    ASSERT_EQ(to_text(*back), text);
  }
}

// Whatever is done to a text, it parses or is refused with a message.
TEST(TextProperty, DamagedTextsAreRefusedPolitely) {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto space = std::make_shared<core::GraphSpace>();
    const std::string whole = to_text(*RandomGraph(seed, space).graph());
    for (int round = 0; round < 20; ++round) {
      std::string text = whole;
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 8);
          break;
        case 1:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
        default:
          text.resize(at);
      }
      try {
        parse_text(text, space);
      } catch (const Error& e) {
        EXPECT_EQ(std::string_view(e.what()).substr(0, 5), "line ") << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace mo::app
