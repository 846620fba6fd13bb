#include "support/gates.hpp"

#include "support/eliminate.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

constexpr int deepest_gate = 8;

bool is_last_axis(const Node& n, size_t input) {
  const auto axis = n.in_node(input).is("Const") ? n.in_port(input).value() : std::nullopt;
  return axis && axis->size() == 1 && (axis->integer(0) == 1 || axis->integer(0) == -1);
}

// Where the output begins among the columns of what is split.
std::optional<int64_t> split_offset(const OutPort& port) {
  const Node n = port.node();
  if (!is_last_axis(n, 1)) return std::nullopt;
  int64_t offset = 0;
  for (uint32_t i = 0; i < port.index(); ++i) {
    const Shape s = n.out_port(i).shape();
    if (s.rank() != 2 || !s[1].is_static()) return std::nullopt;
    offset += s[1].value();
  }
  return offset;
}

bool is_matrix(const OutPort& port) {
  const Shape s = port.shape();
  return s.rank() == 2 && s[1].is_static();
}

bool add_product(const Node& n, int64_t first, int64_t size, Gate& gate, Nodes& inside) {
  const OutPort data = n.in_port(0).get_source(), weights = n.in_port(1).get_source();
  const bool turned = n.attr<bool>("transpose_b", false);
  if (n.attr<bool>("transpose_a", false) || !weights.node().is("Const") || !is_matrix(data)) return false;
  if (weights.type() != ElementType::f32 && weights.type() != ElementType::f16) return false;
  const Shape w = weights.shape();
  if (!w.is_static() || w.size() != 2) return false;
  const Dim rows = w[turned ? 1 : 0], columns = w[turned ? 0 : 1];
  if (rows != data.shape()[1] || first + size > columns.value()) return false;
  inside.push_back(n);
  gate.key.insert(gate.key.end(), {static_cast<int64_t>(weights.node().id()), first});
  const Node joined = data.node();
  if (!joined.is("Concat")) {
    gate.parts.push_back({data, weights, 0, first, turned});
    return true;
  }
  const int64_t axis = joined.attr<int64_t>("axis");
  if (axis != 1 && axis != -1) return false;
  int64_t row = 0;
  for (const InPort& in : joined.in_ports()) {
    const OutPort source = in.get_source();
    if (!source || !is_matrix(source)) return false;
    gate.parts.push_back({source, weights, row, first, turned});
    row += source.shape()[1].value();
  }
  inside.push_back(joined);
  return true;
}

bool add_bias(const OutPort& port, int64_t first, int64_t size, Gate& gate) {
  const Tensor t = *port.value();
  if (!is_float(t.type()) || bits(t.type()) < 16 || t.rank() > 2 || (t.rank() == 2 && t.dim(0) != 1))
    return false;
  const auto count = static_cast<int64_t>(t.size());
  if (count != 1 && first + size > count) return false;
  for (int64_t i = 0; i < size; ++i)
    gate.bias[static_cast<size_t>(i)] += t.number(static_cast<size_t>(count == 1 ? 0 : first + i));
  gate.key.insert(gate.key.end(), {static_cast<int64_t>(port.node().id()), first});
  return true;
}

bool add_gate(const OutPort& port, int64_t first, int64_t size, Gate& gate, Nodes& inside, int depth) {
  const Node n = port.node();
  const std::string_view op = op_of(n);
  if (depth > deepest_gate) return false;
  if (op == "Const") return add_bias(port, first, size, gate);
  if (!is_matrix(port)) return false;
  if (op == "MatMul") return add_product(n, first, size, gate, inside);
  if (op == "Split" || op == "VariadicSplit") {
    const auto offset = split_offset(port);
    if (!offset || !add_gate(n.in_port(0).get_source(), first + *offset, size, gate, inside, depth + 1))
      return false;
  } else if (op == "Add") {
    for (const size_t i : {0U, 1U}) {
      const OutPort in = n.in_port(i).get_source();
      // What has fewer columns would be repeated.
      if (!in.node().is("Const") && (!is_matrix(in) || in.shape()[1] != port.shape()[1])) return false;
      if (!add_gate(in, first, size, gate, inside, depth + 1)) return false;
    }
  } else {
    return false;
  }
  inside.push_back(n);
  return true;
}

}  // namespace

std::optional<Gate> gate_at(const OutPort& port, int64_t size, Nodes& inside, const OutPort& piece) {
  Gate gate;
  gate.bias.assign(static_cast<size_t>(size), 0);
  const auto first = piece ? split_offset(piece) : std::optional<int64_t>(0);
  const OutPort& columns = piece ? piece : port;
  if (!first || !is_matrix(port) || !is_matrix(columns) || columns.shape()[1] != Dim(size))
    return std::nullopt;
  if (!add_gate(port, *first, size, gate, inside, 0)) return std::nullopt;
  return gate;
}

std::vector<OutPort> data_of(const std::vector<Gate>& gates) {
  std::vector<OutPort> list;
  for (const Gate& g : gates)
    for (const GatePart& p : g.parts)
      if (std::find(list.begin(), list.end(), p.data) == list.end()) list.push_back(p.data);
  return list;
}

Tensor gate_weights(Context c, const std::vector<Gate>& gates, const OutPort& from, int64_t size) {
  const int64_t width = from.shape()[1].value();
  const auto total = static_cast<size_t>(size * width);
  const ElementType type = gates.front().parts.front().weights.type();
  auto [t, data] = Tensor::create_bytes(c, type, {size * static_cast<int64_t>(gates.size()), width});
  std::vector<double> sum(total);
  for (size_t g = 0; g < gates.size(); ++g) {
    std::fill(sum.begin(), sum.end(), 0);
    for (const GatePart& p : gates[g].parts) {
      if (p.data != from) continue;
      const Tensor w = *p.weights.value();
      for (int64_t row = 0; row < size; ++row)
        for (int64_t i = 0; i < width; ++i) {
          const int64_t r = p.first_row + i, column = p.first_column + row;
          const int64_t at = p.turned ? column * w.dim(1) + r : r * w.dim(1) + column;
          sum[static_cast<size_t>(row * width + i)] += w.number(static_cast<size_t>(at));
        }
    }
    for (size_t i = 0; i < total; ++i) store_number(data, type, g * total + i, sum[i]);
  }
  return t;
}

Tensor gate_bias(Context c, const std::vector<Gate>& gates, int64_t size) {
  std::vector<double> all;
  for (const Gate& g : gates) all.insert(all.end(), g.bias.begin(), g.bias.end());
  const ElementType type =
      gates.front().parts.empty() ? ElementType::f32 : gates.front().parts.front().weights.type();
  return Tensor::filled(c, type, all, {size * static_cast<int64_t>(gates.size())});
}

bool have_same_rows(SymbolsOf& symbols, const Nodes& inside, const OutPort& a, const OutPort& b) {
  const Dim m = a.shape()[0], n = b.shape()[0];
  if (m.is_static() && n.is_static()) return m == n;
  const auto &of_a = symbols.dims(a), &of_b = symbols.dims(b);
  if (of_a && of_b && !of_a->empty() && !of_b->empty() && of_a->front() == of_b->front()) return true;
  for (const Node& joined : inside) {
    if (!joined.is("Concat")) continue;
    size_t found = 0;
    for (const InPort& in : joined.in_ports()) found += in.get_source() == a || in.get_source() == b ? 1 : 0;
    if (found >= 2) return true;
  }
  return false;
}

}  // namespace mo::builtin_passes
