#include "support/expressions.hpp"

#include "support/eliminate.hpp"
#include "support/fuse_transposes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mo::builtin_passes {

namespace {

constexpr int deepest_expression = 7;

bool has_op(const Node& n, std::string_view op) { return op_of(n) == op && n.out_count() == 1; }

// Either input, and the number beside it.
std::optional<std::pair<OutPort, double>> with_number(const Node& n, bool commutes) {
  if (n.in_count() != 2) return std::nullopt;
  if (const auto v = number_beside(n, 1)) return std::pair(n.in_port(0).get_source(), *v);
  if (!commutes) return std::nullopt;
  if (const auto v = number_beside(n, 0)) return std::pair(n.in_port(1).get_source(), *v);
  return std::nullopt;
}

void add_factor(const OutPort& port, Product& product, Nodes& inside, int depth);

bool add_factors(const Node& n, Product& product, Nodes& inside, int depth) {
  const std::string_view op = op_of(n);
  if (op == "Multiply" && n.in_count() == 2) {
    for (const size_t i : {0U, 1U}) {
      const OutPort in = n.in_port(i).get_source();
      if (const auto v = number_beside(n, i))
        product.scale *= *v;
      else
        add_factor(in, product, inside, depth + 1);
    }
    return true;
  }
  if (op == "Divide")
    if (const auto by = with_number(n, false); by && by->second != 0) {
      product.scale /= by->second;
      add_factor(by->first, product, inside, depth + 1);
      return true;
    }
  if (op == "Negative") {
    product.scale = -product.scale;
    add_factor(n.in_port(0).get_source(), product, inside, depth + 1);
    return true;
  }
  return false;
}

void add_factor(const OutPort& port, Product& product, Nodes& inside, int depth) {
  const Node n = port.node();
  if (depth < deepest_expression && n.out_count() == 1 && port.destination_count() == 1 &&
      add_factors(n, product, inside, depth)) {
    inside.push_back(n);
    return;
  }
  product.factors.push_back(port);
}

std::optional<Polynomial> times(const Polynomial& a, const Polynomial& b) {
  Polynomial p{};
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) {
      if (a[i] == 0 || b[j] == 0) continue;
      if (i + j >= p.size()) return std::nullopt;
      p[i + j] += a[i] * b[j];
    }
  return p;
}

std::optional<Polynomial> polynomial_at(const OutPort& port, const OutPort& x, Nodes& inside, int depth);

std::optional<Polynomial> polynomial_of_node(const Node& n, const OutPort& x, Nodes& inside, int depth) {
  const std::string_view op = op_of(n);
  const auto input = [&](size_t i) -> std::optional<Polynomial> {
    const OutPort source = n.in_port(i).get_source();
    if (source.node().is("Const")) {
      const auto v = number_beside(n, i);
      return v ? std::optional(Polynomial{*v, 0, 0, 0}) : std::nullopt;
    }
    return polynomial_at(source, x, inside, depth + 1);
  };
  if (op == "Negative") {
    const auto a = input(0);
    return a ? times(*a, {-1, 0, 0, 0}) : std::nullopt;
  }
  if (op == "Power") {
    const auto power = number_beside(n, 1);
    if (!power || (*power != 1 && *power != 2 && *power != 3)) return std::nullopt;
    const auto a = input(0);
    auto p = a;
    for (int i = 1; p && i < static_cast<int>(*power); ++i) p = times(*p, *a);
    return p;
  }
  if (op != "Add" && op != "Subtract" && op != "Multiply" && op != "Divide") return std::nullopt;
  const auto b = input(1);
  const auto a = b ? input(0) : std::nullopt;
  if (!a) return std::nullopt;
  if (op == "Multiply") return times(*a, *b);
  if (op == "Divide") {
    const bool number = (*b)[0] != 0 && (*b)[1] == 0 && (*b)[2] == 0 && (*b)[3] == 0;
    return number ? times(*a, {1 / (*b)[0], 0, 0, 0}) : std::nullopt;
  }
  Polynomial p;
  for (size_t i = 0; i < p.size(); ++i) p[i] = op == "Add" ? (*a)[i] + (*b)[i] : (*a)[i] - (*b)[i];
  return p;
}

std::optional<Polynomial> polynomial_at(const OutPort& port, const OutPort& x, Nodes& inside, int depth) {
  if (port == x) return Polynomial{0, 1, 0, 0};
  const Node n = port.node();
  if (depth >= deepest_expression || n.out_count() != 1) return std::nullopt;
  const size_t mark = inside.size();
  auto p = polynomial_of_node(n, x, inside, depth);
  if (p)
    inside.push_back(n);
  else
    inside.resize(mark);
  return p;
}

}  // namespace

bool is_about(const Polynomial& value, const Polynomial& wanted) {
  for (size_t i = 0; i < value.size(); ++i)
    if (wanted[i] == 0 ? std::abs(value[i]) > 1e-6 : !is_about(value[i], wanted[i])) return false;
  return true;
}

std::optional<double> single_number(const OutPort& port) {
  if (!is_constant(port)) return std::nullopt;
  const auto t = port.value();
  if (!t || t->size() != 1 || t->type() == ElementType::string || bits(t->type()) < 8) return std::nullopt;
  return t->number(0);
}

std::optional<double> number_beside(const Node& n, size_t i) {
  const OutPort port = source_of(n, static_cast<uint32_t>(i));
  const auto v = single_number(port);
  if (!v) return std::nullopt;
  const OutPort other = source_of(n, static_cast<uint32_t>(1 - i));
  const Shape mine = port.shape(), its = other ? other.shape() : Shape::unknown();
  if (mine.empty() || (its.has_rank() && its.size() >= mine.size())) return v;
  return std::nullopt;
}

double as_written(double value) {
  const auto single = static_cast<float>(value);
  if (static_cast<double>(single) != value) return value;
  const std::string shortest = text(single);
  double read = value;
  std::from_chars(shortest.data(), shortest.data() + shortest.size(), read);
  return read;
}

std::optional<Node> only_reader_of(const OutPort& port) {
  const Context c = port.context();
  mo_port reader{};
  uint64_t count = 0;
  c.check(c.graph().destinations(c.get(), port.abi(), &reader, 1, &count));
  return count == 1 ? std::optional(Node(c, reader.node)) : std::nullopt;
}

std::optional<Node> made_by(const OutPort& port, std::string_view op) {
  if (!port) return std::nullopt;
  const Node n = port.node();
  return has_op(n, op) ? std::optional(n) : std::nullopt;
}

std::optional<Node> exchange_of_last_two(const OutPort& port) {
  const auto turn = made_by(port, "Transpose");
  if (!turn || !turn->in_node(1).is("Const")) return std::nullopt;
  const auto order = turn->in_port(1).value()->to_ints();
  const size_t rank = order.size();
  if (rank < 2) return std::nullopt;
  for (size_t d = 0; d < rank; ++d) {
    const size_t from = d + 2 < rank ? d : d + 2 == rank ? d + 1 : d - 1;
    if (order[d] != static_cast<int64_t>(from)) return std::nullopt;
  }
  return turn;
}

Product product_of(const Node& root, Nodes& inside) {
  Product product;
  if (root.out_count() != 1 || !add_factors(root, product, inside, 0)) product.factors = {root.out_port()};
  return product;
}

std::optional<Polynomial> polynomial_of(const OutPort& port, const OutPort& x, Nodes& inside) {
  return polynomial_at(port, x, inside, 0);
}

bool look_through_line(LineStep& line, Nodes& inside) {
  const Node n = line.x.node();
  const std::string_view op = op_of(n);
  const bool sum = op == "Add", difference = op == "Subtract", product = op == "Multiply";
  if (op == "Negative") {
    line.scale = -line.scale;
    line.x = n.in_port(0).get_source();
    inside.push_back(n);
    return true;
  }
  if (!sum && !difference && !product && op != "Divide") return false;
  const auto found = with_number(n, sum || product);
  if (!found && difference)
    if (const auto from = number_beside(n, 0)) {
      line.offset += line.scale * *from;
      line.scale = -line.scale;
      line.x = n.in_port(1).get_source();
      inside.push_back(n);
      return true;
    }
  if (!found || (op == "Divide" && found->second == 0)) return false;
  const double v = found->second;
  if (sum || difference)
    line.offset += line.scale * (sum ? v : -v);
  else
    line.scale = product ? line.scale * v : line.scale / v;
  line.x = found->first;
  inside.push_back(n);
  return true;
}

std::optional<OutPort> squared(const OutPort& port, Nodes& inside) {
  const Node n = port.node();
  if (n.out_count() != 1 || n.in_count() != 2) return std::nullopt;
  const OutPort a = n.in_port(0).get_source(), b = n.in_port(1).get_source();
  const std::string_view op = op_of(n);
  const bool is_square = (op == "Multiply" && a == b) || (op == "Power" && number_beside(n, 1) == 2.0);
  if (!is_square) return std::nullopt;
  inside.push_back(n);
  return a;
}

std::optional<OutPort> under_root(const OutPort& port, Nodes& inside) {
  const Node n = port.node();
  const bool root = has_op(n, "Sqrt") || (has_op(n, "Power") && number_beside(n, 1) == 0.5);
  if (!root) return std::nullopt;
  inside.push_back(n);
  return n.in_port(0).get_source();
}

std::optional<OutPort> under_inverse_root(const OutPort& port, Nodes& inside) {
  const Node n = port.node();
  const size_t mark = inside.size();
  inside.push_back(n);
  if (has_op(n, "Power") && number_beside(n, 1) == -0.5) return n.in_port(0).get_source();
  const bool inverse = (has_op(n, "Divide") && number_beside(n, 0) == 1.0) ||
                       (has_op(n, "Power") && number_beside(n, 1) == -1.0);
  if (inverse)
    if (const auto x = under_root(n.in_port(n.is("Divide") ? 1 : 0).get_source(), inside)) return x;
  // Sqrt(1 / x)
  if (has_op(n, "Sqrt")) {
    const Node inner = n.in_node(0);
    if (has_op(inner, "Divide") && number_beside(inner, 0) == 1.0) {
      inside.push_back(inner);
      return inner.in_port(1).get_source();
    }
  }
  inside.resize(mark);
  return std::nullopt;
}

std::optional<Quotient> quotient_of(const Node& root, Nodes& inside) {
  if (root.out_count() != 1 || root.in_count() != 2) return std::nullopt;
  const OutPort a = root.in_port(0).get_source(), b = root.in_port(1).get_source();
  if (root.is("Divide")) return Quotient{a, b};
  if (!root.is("Multiply")) return std::nullopt;
  for (const bool turned : {false, true}) {
    const OutPort inverse = turned ? a : b;
    const Node n = inverse.node();
    const bool power = has_op(n, "Power") && number_beside(n, 1) == -1.0;
    if (!power && !(has_op(n, "Divide") && number_beside(n, 0) == 1.0)) continue;
    inside.push_back(n);
    return Quotient{turned ? b : a, n.in_port(power ? 0 : 1).get_source()};
  }
  return std::nullopt;
}

std::optional<Reduction> kept_reduction(const OutPort& port, std::string_view op, Nodes& inside) {
  Node n = port.node();
  std::optional<std::vector<int64_t>> back;
  const size_t mark = inside.size();
  if (has_op(n, "Unsqueeze") && n.in_node(1).is("Const")) {
    back = n.in_port(1).value()->to_ints();
    inside.push_back(n);
    n = n.in_node(0);
  }
  const auto fits = [&]() -> std::optional<Reduction> {
    if (!has_op(n, op) || n.in_count() != 2 || !n.in_node(1).is("Const")) return std::nullopt;
    if (n.attr<bool>("keep_dims", false) == back.has_value()) return std::nullopt;
    Reduction r{n.in_port(0).get_source(), n.in_port(1).get_source(), {}};
    r.list = r.axes.value()->to_ints();
    const Shape s = r.x.shape();
    if (r.list.empty() || (!s.has_rank() && back)) return std::nullopt;
    const auto normal = [&](std::vector<int64_t> axes) {
      if (s.has_rank())
        for (int64_t& a : axes) a = a < 0 ? a + s.rank() : a;
      std::sort(axes.begin(), axes.end());
      return axes;
    };
    if (back && normal(*back) != normal(r.list)) return std::nullopt;
    r.list = normal(r.list);
    return r;
  };
  auto r = fits();
  if (r)
    inside.push_back(n);
  else
    inside.resize(mark);
  return r;
}

OutPort axes_list(const Graph& g, const Node& origin, const OutPort& axes) {
  if (axes.shape().rank() == 1) return axes;
  return g.create_ints(origin.name() + "/axes", axes.value()->to_ints()).out_port();
}

bool has_constant(const Node& n) {
  return n.in_count() == 2 && (is_constant(source_of(n, 1)) || is_constant(source_of(n, 0)));
}

Nodes nodes_above(const Node& start, const std::vector<std::string_view>& through, size_t steps) {
  constexpr size_t most_readers = 4, most_nodes = 24;
  Nodes found, level{start};
  for (size_t step = 0; step < steps && !level.empty(); ++step) {
    Nodes next;
    for (const Node& n : level) {
      if (n.out_count() != 1) continue;
      const auto readers = n.out_port().get_destinations();
      if (readers.size() > most_readers) continue;
      for (const InPort& in : readers) {
        const Node reader = in.node();
        const std::string_view op = op_of(reader);
        if (std::find(through.begin(), through.end(), op) == through.end()) continue;
        if (std::find(found.begin(), found.end(), reader) != found.end() || found.size() >= most_nodes)
          continue;
        found.push_back(reader);
        next.push_back(reader);
      }
    }
    level = std::move(next);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

bool serves_only(const Node& root, const Nodes& inside, const Node& other_root) {
  const auto is_ours = [&](const Node& n) {
    return n == root || std::find(inside.begin(), inside.end(), n) != inside.end();
  };
  return std::all_of(inside.begin(), inside.end(), [&](const Node& n) {
    if (n == root || n == other_root) return true;
    for (const OutPort& out : n.out_ports())
      for (const InPort& reader : out.get_destinations())
        if (!is_ours(reader.node())) return false;
    return true;
  });
}

void take_place(const Node& root, const OutPort& made, const Nodes& inside, Gone& gone) {
  for (const Node& n : mo::take_place(root, made, inside)) gone.insert(n.id());
}

}  // namespace mo::builtin_passes
