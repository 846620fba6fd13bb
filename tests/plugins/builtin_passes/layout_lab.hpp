// Graphs before and after the change of layout, and what both compute.
#pragma once

#include "tests/plugins/builtin_passes/passes_lab.hpp"

#include "core/infer/execute.hpp"

#include <random>

namespace mo::test {

inline const std::vector<std::string> layout_passes = {"middle.change_layout", "middle.move_transposes",
                                                       "middle.reshape_transposes"};

struct Numbers {
  std::vector<int64_t> dims;
  std::vector<double> values;
};

// Dimension i of the result is dimension order[i] of `x`.
inline Numbers transposed(const Numbers& x, const std::vector<size_t>& order) {
  Numbers y;
  std::vector<int64_t> strides(x.dims.size(), 1);
  for (size_t i = x.dims.size(); i-- > 1;) strides[i - 1] = strides[i] * x.dims[i];
  for (const size_t i : order) y.dims.push_back(x.dims[i]);
  y.values.resize(x.values.size());
  std::vector<int64_t> at(order.size(), 0);
  for (double& v : y.values) {
    int64_t from = 0;
    for (size_t i = 0; i < order.size(); ++i) from += at[i] * strides[order[i]];
    v = x.values[static_cast<size_t>(from)];
    for (size_t i = order.size(); i-- > 0;) {
      if (++at[i] < y.dims[i]) break;
      at[i] = 0;
    }
  }
  return y;
}

inline std::vector<size_t> first_order(size_t rank) {
  std::vector<size_t> order{0, rank - 1};
  for (size_t i = 1; i + 1 < rank; ++i) order.push_back(i);
  return order;
}

class LayoutLab : public PassesLab {
 public:
  // For the Parameters, in their order and of their types.
  static std::vector<core::TensorRef> tensors(const core::Graph& g, const std::vector<Numbers>& inputs) {
    std::vector<core::TensorRef> given;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto type = g.out({g.parameters()[i], 0}).tensor.type;
      core::TensorRef t = core::make_tensor(type, inputs[i].dims);
      for (size_t k = 0; k < inputs[i].values.size(); ++k)
        store_number(t->buffer.get(), type, k, inputs[i].values[k]);
      given.push_back(std::move(t));
    }
    return given;
  }

  std::vector<Numbers> values(core::Graph& g, const std::vector<Numbers>& inputs) {
    std::vector<Numbers> all;
    for (const core::TensorRef& r : core::execute(session, g, tensors(g, inputs))) {
      const Tensor t = Tensor::borrow(session.host(), r.get());
      all.push_back({t.dims(), {}});
      for (size_t i = 0; i < t.size(); ++i) all.back().values.push_back(t.number(i));
    }
    return all;
  }

  static size_t count(const core::Graph& g, std::string_view op) { return g.nodes_of(op).size(); }
};

inline Numbers random_numbers(const std::vector<int64_t>& dims, uint32_t seed) {
  std::mt19937 random(seed);
  Numbers n{dims, {}};
  int64_t count = 1;
  for (const int64_t d : dims) count *= d;
  for (int64_t i = 0; i < count; ++i) n.values.push_back(static_cast<double>(random() % 2001) / 500 - 2);
  return n;
}

// What results are made of, as formulas.
class Former {
 public:
  Former(LayoutLab& lab, const core::Graph& g) : lab_(lab), graph_(g) {}
  std::string of_results() const {
    std::string s;
    for (const core::NodeId r : graph_.results()) s += (s.empty() ? "" : "; ") + of(graph_.source({r, 0}));
    return s;
  }

 private:
  std::string of(core::PortRef p) const {
    const std::string op(graph_.symbols().text(graph_.node(p.node).op));
    if (op == "Parameter") return std::string(graph_.name(p.node));
    if (op == "Const") return constant(graph_.out(p).tensor);
    std::string s = op;
    if (const auto* axis = graph_.attribute(p.node, "axis")) s += text('@', std::get<int64_t>(*axis));
    s += "(";
    for (uint32_t i = 0; i < graph_.node(p.node).inputs.size(); ++i)
      s += (i == 0 ? "" : ", ") + of(graph_.source({p.node, i}));
    return s + ")" + (p.port == 0 ? "" : text(':', p.port));
  }
  // Integers are written out, of others the shape.
  std::string constant(const core::TensorState& state) const {
    if (!is_integer(state.type)) return text(state.shape);
    const Tensor t = Tensor::borrow(lab_.session.host(), state.value.get());
    std::string s;
    for (const int64_t v : t.to_ints()) s += (s.empty() ? "" : " ") + std::to_string(v);
    return "{" + s + "}";
  }
  LayoutLab& lab_;
  const core::Graph& graph_;
};

// What the passes make of a graph. The numbers stay, and a second run finds nothing to do.
inline std::string formula_after(const std::string& text, const std::vector<std::string>& passes) {
  LayoutLab lab;
  const auto before = lab.graph(text), g = lab.graph(text);
  lab.run(*g, passes);
  std::vector<Numbers> inputs;
  uint32_t seed = 0;
  for (const core::NodeId p : before->parameters()) {
    std::vector<int64_t> dims;
    for (const Dim& d : before->out({p, 0}).tensor.shape) dims.push_back(d.is_static() ? d.value() : 3);
    inputs.push_back(random_numbers(dims, seed++));
  }
  const auto expected = lab.values(*before, inputs), got = lab.values(*g, inputs);
  EXPECT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < std::min(expected.size(), got.size()); ++i) {
    EXPECT_EQ(expected[i].dims, got[i].dims);
    EXPECT_THAT(got[i].values, testing::Pointwise(testing::DoubleNear(1e-4), expected[i].values));
  }
  const std::string once = app::to_text(*g);
  lab.run(*g, passes);
  EXPECT_EQ(app::to_text(*g), once);
  return Former(lab, *g).of_results();
}

// The text of a graph with one input, where Transposes stand around what needs channels first.
inline core::GraphPtr nhwc_graph(LayoutLab& lab, const std::string& text) {
  core::GraphPtr g = lab.graph(text);
  g->set_attribute("layout", std::string("NHWC"));
  return g;
}

}  // namespace mo::test
