// Graphs before and after the change of layout, and what both compute.
#pragma once

#include "tests/plugins/builtin_passes/passes_lab.hpp"

#include "core/run/execute.hpp"

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
  std::vector<Numbers> values(core::Graph& g, const std::vector<Numbers>& inputs) {
    std::vector<core::TensorRef> given;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto type = g.out({g.parameters()[i], 0}).tensor.type;
      core::TensorRef t = core::make_tensor(type, inputs[i].dims);
      for (size_t k = 0; k < inputs[i].values.size(); ++k)
        store_number(t->buffer.get(), type, k, inputs[i].values[k]);
      given.push_back(std::move(t));
    }
    std::vector<Numbers> all;
    for (const core::TensorRef& r : core::execute(session, g, given)) {
      const Tensor t = Tensor::borrow(session.host(), r.get());
      all.push_back({t.dims(), {}});
      for (size_t i = 0; i < t.size(); ++i) all.back().values.push_back(t.number(i));
    }
    return all;
  }

  static size_t count(const core::Graph& g, std::string_view op) { return g.nodes_of(op).size(); }
};

// The text of a graph with one input, where Transposes stand around what needs channels first.
inline core::GraphPtr nhwc_graph(LayoutLab& lab, const std::string& text) {
  core::GraphPtr g = lab.graph(text);
  g->set_attribute("layout", std::string("NHWC"));
  return g;
}

inline Numbers random_numbers(const std::vector<int64_t>& dims, uint32_t seed) {
  std::mt19937 random(seed);
  Numbers n{dims, {}};
  int64_t count = 1;
  for (const int64_t d : dims) count *= d;
  for (int64_t i = 0; i < count; ++i) n.values.push_back(static_cast<double>(random() % 2001) / 500 - 2);
  return n;
}

}  // namespace mo::test
