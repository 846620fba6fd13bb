// Expressions that are written in many ways, read into one form: products, polynomials, quotients by a root.
// Each reader adds the nodes it looked through to `inside`, and takes back what it added when it finds
// nothing.
#pragma once

#include <mo/sdk.hpp>

#include <array>
#include <optional>
#include <set>

namespace mo::builtin_passes {

using Nodes = std::vector<Node>;

// What a constant of a single element says.
std::optional<double> single_number(const OutPort&);
// For an attribute: the shortest number that is `value` as f32.
double as_written(double value);
// Of input `i`, when it leaves the shape of the other input of `n` as it is.
std::optional<double> number_beside(const Node& n, size_t i);

// The only reader, when there is one.
std::optional<Node> only_reader_of(const OutPort&);

// The node that makes the port when it is an `op` with one output.
std::optional<Node> made_by(const OutPort&, std::string_view op);

// The Transpose that makes the port, when all that it does is to exchange the last two dimensions.
std::optional<Node> exchange_of_last_two(const OutPort&);

// scale * the product of factors
struct Product {
  double scale = 1;
  std::vector<OutPort> factors;
};
// Looks through products, quotients by numbers and signs whose result nothing else reads.
Product product_of(const Node& root, Nodes& inside);

// c[0] + c[1] x + c[2] x^2 + c[3] x^3
using Polynomial = std::array<double, 4>;
std::optional<Polynomial> polynomial_of(const OutPort&, const OutPort& x, Nodes& inside);
using mo::is_about;
bool is_about(const Polynomial& value, const Polynomial& wanted);

// scale * x + offset
struct LineStep {
  OutPort x;
  double scale = 1, offset = 0;
};
// One operation further to the input; false when `x` is made by something else.
bool look_through_line(LineStep&, Nodes& inside);

// x * x, Power(x, 2), SquaredDifference(a, b) of x = a - b
std::optional<OutPort> squared(const OutPort&, Nodes& inside);

// over / under, in all the ways to divide
struct Quotient {
  OutPort over, under;
};
std::optional<Quotient> quotient_of(const Node& root, Nodes& inside);
// x when the port is its square root, in all the ways to take it
std::optional<OutPort> under_root(const OutPort&, Nodes& inside);
// x when the port is 1 / sqrt(x)
std::optional<OutPort> under_inverse_root(const OutPort&, Nodes& inside);

// A reduction that keeps its dimensions: by its attribute, or by an Unsqueeze of the same axes behind it.
struct Reduction {
  OutPort x, axes;
  std::vector<int64_t> list;
};
std::optional<Reduction> kept_reduction(const OutPort&, std::string_view op, Nodes& inside);

// Axes as a list, which a single one need not be.
OutPort axes_list(const Graph&, const Node& origin, const OutPort& axes);

// Whether `inside` has nothing that is read from elsewhere; `root` is what all of it computes.
bool serves_only(const Node& root, const Nodes& inside, const Node& other_root = {});

// Nodes that a transformation took out of the graph.
using Gone = std::set<mo_node>;

// mo::take_place; what goes is noted in `gone`.
void take_place(const Node& root, const OutPort& made, const Nodes& inside, Gone& gone);

// Each node with one of these operations that is still there.
template <class F>
void for_each_op(const Graph& g, const std::vector<std::string_view>& ops, Gone& gone, F f) {
  for (const std::string_view op : ops)
    for (const Node& n : g.get_op_nodes(op))
      if (gone.count(n.id()) == 0) f(n);
}

// A node with two inputs, one of which is a constant.
bool has_constant(const Node&);

// What is computed from the result of `start` by at most `steps` of these operations, the furthest first.
Nodes nodes_above(const Node& start, const std::vector<std::string_view>& through, size_t steps);

// For what starts from the rarest operation of its pattern: tries everything above each of them.
template <class F>
void for_each_above(const Graph& g, const std::vector<std::string_view>& starts,
                    const std::vector<std::string_view>& through, size_t steps, Gone& gone, F f) {
  for_each_op(g, starts, gone, [&](const Node& start) {
    for (const Node& n : nodes_above(start, through, steps)) {
      if (gone.count(start.id()) != 0) return;
      if (gone.count(n.id()) == 0) f(n);
    }
  });
}

}  // namespace mo::builtin_passes
