// Products of matrices and vectors, and distances between vectors.
#include "support/values.hpp"

#include <mo/equation.hpp>

namespace mo::pytorch {

namespace products {

// Of complex numbers four products of their parts.
template <class Multiply>
static OutPort product_of_parts(const Call& c, const OutPort& x, const OutPort& y, Multiply multiply) {
  const Parts a = taken_apart(c, x), b = taken_apart(c, y);
  return joined(c, {c.b.subtract(multiply(a.real, b.real), multiply(a.imaginary, b.imaginary)),
                    c.b.add(multiply(a.real, b.imaginary), multiply(a.imaginary, b.real))});
}

template <bool Conjugates = false>
static OutPort product(const Call& c, std::string_view first, std::string_view second) {
  const OutPort x = c.tensor(first), y = c.tensor(second);
  const bool complex = c.is_complex(first);
  require(complex == c.is_complex(second), "one of the factors is complex and the other one real");
  if (!complex) return c.b.matmul(x, y);
  return product_of_parts(c, Conjugates ? conjugate(c, x) : x, y,
                          [&](const OutPort& a, const OutPort& b) { return c.b.matmul(a, b); });
}
static Ports plain_product(const Call& c) {
  return {product(c, "self", c.is_given("mat2") ? "mat2" : c.is_given("vec") ? "vec" : "other")};
}
template <bool Conjugates>
static Ports dot(const Call& c) {
  return {product<Conjugates>(c, "self", c.is_given("tensor") ? "tensor" : "other")};
}

static Ports outer(const Call& c) {
  const auto [x, y] = c.promoted("self", "vec2");
  return {c.b.multiply(c.b.unsqueeze(x, c.b.list({1})), c.b.unsqueeze(y, c.b.list({0})))};
}

// beta * self + alpha * product; where beta is 0 self does not count, whatever it is.
static Ports added(const Call& c, const OutPort& product) {
  OutPort y = product;
  if (c.number("alpha", 1) != 1) y = c.b.multiply(y, c.scalar("alpha", y));
  const double beta = c.number("beta", 1);
  if (beta == 0) return {c.b.broadcast(y, c.b.shape_of(c.tensor("self")), "bidirectional")};
  OutPort self = c.tensor("self");
  if (beta != 1) self = c.b.multiply(self, c.scalar("beta", self));
  return {c.b.add(y, self)};
}
template <char Kind>
static Ports add_product(const Call& c) {
  if (Kind == 'm') return added(c, c.b.matmul(c.tensor("mat1"), c.tensor("mat2")));
  if (Kind == 'b') return added(c, c.b.matmul(c.tensor("batch1"), c.tensor("batch2")));
  if (Kind == 'v') return added(c, c.b.matmul(c.tensor("mat"), c.tensor("vec")));
  if (Kind == 's')
    return added(
        c, c.b.reduce("ReduceSum", c.b.matmul(c.tensor("batch1"), c.tensor("batch2")), c.b.list({0}), false));
  const OutPort column = c.b.unsqueeze(c.tensor("vec1"), c.b.list({1}));
  return added(c, c.b.multiply(column, c.b.unsqueeze(c.tensor("vec2"), c.b.list({0}))));
}

static Ports einsum(const Call& c) {
  std::string equation = explicit_equation(c.word("equation"));
  const Ports all = c.tensors("tensors");
  // Letters of torch may be large ones, which Einsum has, too.
  if (all.size() == 1 && equation.substr(0, equation.find("->")) == equation.substr(equation.find("->") + 2))
    return {all[0]};
  const auto sum = [&](const Ports& x) {
    return c.b.node("Einsum", "opset7", x).set("equation", equation).out_port();
  };
  if (c.is_complex("tensors")) {
    require(all.size() == 2 && c.all_complex("tensors"),
            "sums of products of complex numbers are converted of two tensors that are both complex");
    return {product_of_parts(c, all[0], all[1], [&](const OutPort& a, const OutPort& b) {
      return sum({a, b});
    })};
  }
  return {sum(all)};
}

// x1' W x2 for each output: one product with all W side by side, and their rows with x2.
static Ports bilinear(const Call& c) {
  const OutPort x = c.tensor("input1"), y = c.tensor("input2"), w = c.tensor("weight");
  const OutPort sides = c.b.reshape(c.b.transpose(w, {1, 0, 2}), c.b.list({0, -1}), true);
  const OutPort product = c.b.matmul(x, sides);
  const Ints kept(c.rank(x) - 1, 0);
  const OutPort shape = c.b.concat({c.b.list(kept), c.b.dim(w, 0), c.b.list({-1})});
  const OutPort rows = c.b.reshape(product, shape, true);
  // The runtime adds a bias behind a sum along another dimension: the sum is a product.
  OutPort z = c.b.squeeze(c.b.matmul(rows, c.b.unsqueeze(y, c.b.list({-1}))), {-1});
  if (const OutPort bias = c.find_tensor("bias")) z = c.b.add(z, bias);
  return {z};
}

static Ports tensordot(const Call& c) {
  const OutPort x = c.tensor("self"), y = c.tensor("other");
  const size_t rank_x = c.rank(x), rank_y = c.rank(y);
  Ints of_x = c.ints("dims_self", {}), of_y = c.ints("dims_other", {});
  require(of_x.size() == of_y.size(), "arguments 'dims_self' and 'dims_other' are ", of_x, " and ", of_y);
  for (int64_t& d : of_x) d = static_cast<int64_t>(normalize_axis(d, rank_x, "argument 'dims_self'"));
  for (int64_t& d : of_y) d = static_cast<int64_t>(normalize_axis(d, rank_y, "argument 'dims_other'"));
  const auto others = [](size_t rank, const Ints& gone) {
    Ints list;
    for (size_t i = 0; i < rank; ++i)
      if (std::find(gone.begin(), gone.end(), static_cast<int64_t>(i)) == gone.end())
        list.push_back(static_cast<int64_t>(i));
    return list;
  };
  const Ints free_x = others(rank_x, of_x), free_y = others(rank_y, of_y);
  Ints order_x = free_x, order_y = of_y;
  order_x.insert(order_x.end(), of_x.begin(), of_x.end());
  order_y.insert(order_y.end(), free_y.begin(), free_y.end());
  const auto sizes = [&](const OutPort& v, const Ints& axes) {
    Ports all;
    for (const int64_t a : axes) all.push_back(c.b.dim(v, a));
    return all.empty() ? c.b.list({}) : c.b.concat(all);
  };
  OutPort summed = c.b.reduce("ReduceProd", sizes(x, of_x), c.b.list({0}), true);
  if (const auto known = c.known(summed)) summed = c.b.list(*known);
  const OutPort left = c.b.reshape(c.b.transpose(x, order_x), c.b.concat({c.b.list({-1}), summed}));
  const OutPort right = c.b.reshape(c.b.transpose(y, order_y), c.b.concat({summed, c.b.list({-1})}));
  const OutPort z = c.b.matmul(left, right);
  if (free_x.empty() && free_y.empty()) return {c.b.squeeze(z, {0, 1})};
  Ports shape;
  if (!free_x.empty()) shape.push_back(sizes(x, free_x));
  if (!free_y.empty()) shape.push_back(sizes(y, free_y));
  return {c.b.reshape(z, c.b.concat(shape))};
}

static Ports matrix_power(const Call& c) {
  const OutPort x = c.tensor("self");
  int64_t n = c.integer("n");
  require(n > -64 && n < 64, "argument 'n' is ", n, ", expected -63 to 63");
  OutPort base = n < 0 ? c.b.node("Inverse", "opset14", {x}).set("adjoint", false).out_port() : x;
  if (n == 0) {
    const OutPort size = size_of(c, x, -1);
    const Node eye = c.b.node("Eye", "opset9", {size, size, c.b.integer(0)});
    return {c.b.broadcast(eye.set("output_type", x.type()).out_port(), c.b.shape_of(x))};
  }
  OutPort y;
  for (n = std::abs(n); n > 0; n /= 2) {
    if (n % 2 == 1) y = y ? c.b.matmul(y, base) : base;
    if (n > 1) base = c.b.matmul(base, base);
  }
  return {y};
}

static OutPort distance(const Call& c, const OutPort& difference, double p, bool keep) {
  return norm_of(c, difference, p, c.b.list({-1}), keep);
}

// Of each row of one with each of the other.
static Ports all_distances(const Call& c) {
  const OutPort x = c.b.unsqueeze(c.tensor("x1"), c.b.list({-2})),
                y = c.b.unsqueeze(c.tensor("x2"), c.b.list({-3}));
  return {distance(c, c.b.subtract(x, y), c.number("p", 2), false)};
}
// Of each two rows, the upper triangle by rows.
static Ports distances_within(const Call& c) {
  const OutPort x = c.tensor("self");
  const int64_t n = c.dim(x, 0);
  require(n < 1 << 12, "it reads ", n, " rows, at most 4095 are supported");
  Ints first, second;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j) first.push_back(i), second.push_back(j);
  const OutPort difference =
      c.b.subtract(gather(c, x, c.b.list(first), 0), gather(c, x, c.b.list(second), 0));
  return {distance(c, difference, c.number("p", 2), false)};
}
static Ports pair_distance(const Call& c) {
  const OutPort difference = c.b.subtract(c.tensor("x1"), c.tensor("x2"));
  const OutPort more = c.b.add(difference, c.like(difference, c.number("eps", 1e-6)));
  return {distance(c, more, c.number("p", 2), c.flag("keepdim", false))};
}

// Of all elements.
static Ports whole_distance(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {distance(c, flat(c, c.b.subtract(x, y)), c.number("p", 2), false)};
}

// Integers of 8 bits, summed in 32.
static Ports integer_product(const Call& c) {
  return {c.b.matmul(c.b.convert(c.tensor("self"), ElementType::i32),
                     c.b.convert(c.tensor("mat2"), ElementType::i32))};
}
// Rows of weights of 8 bits, each with a scale.
static Ports product_with_scales(const Call& c) {
  const OutPort x = c.tensor("self");
  const OutPort y = c.b.matmul(x, c.convert_like(c.tensor("mat2"), x), false, true);
  return {c.b.multiply(y, c.convert_like(c.tensor("scales"), x))};
}

static Ports cosine(const Call& c) {
  const auto [x, y] = c.promoted("x1", "x2");
  const size_t rank = std::max(c.rank(x), c.rank(y));
  const OutPort axis = c.b.list({static_cast<int64_t>(c.axis("dim", 1, rank)) - static_cast<int64_t>(rank)});
  const OutPort eps = c.like(x, c.number("eps", 1e-8));
  const auto unit = [&](const OutPort& v) {
    return c.b.divide(v, c.op1("Maximum", {c.b.reduce("ReduceL2", v, axis, true), eps}));
  };
  return {c.b.reduce("ReduceSum", c.b.multiply(unit(x), unit(y)), axis, false)};
}

// Vectors of the space along a dimension.
static Ports cross(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  const int64_t axis = c.integer("dim", -1);
  const auto turned = [&](const OutPort& v, const Ints& order) {
    return gather(c, v, c.b.list(order), axis);
  };
  const Ints next{1, 2, 0}, last{2, 0, 1};
  return {c.b.subtract(c.b.multiply(turned(x, next), turned(y, last)),
                       c.b.multiply(turned(x, last), turned(y, next)))};
}

}  // namespace products

void register_products(Registry& r) {
  using namespace products;
  convert<plain_product>(r,
                         "aten.matmul.default aten.mm.default aten.bmm.default aten.mv.default "
                         "aten.linalg_matmul.default",
                         "matmul(x, y)", "MatMul(x, y)");
  convert<dot<false>>(r, "aten.dot.default", "dot(x, y)", "MatMul(x, y)");
  convert<dot<true>>(r, "aten.vdot.default", "vdot(x, y)",
                     "MatMul(x, y), of complex numbers the first conjugated");
  convert<outer>(r, "aten.outer.default aten.ger.default", "outer(x, y)",
                 "Multiply(Unsqueeze(x), Unsqueeze(y))");
  convert<add_product<'m'>>(r, "aten.addmm.default", "addmm(x, a, b)", "Add(MatMul(a, b), x)");
  convert<add_product<'b'>>(r, "aten.baddbmm.default", "baddbmm(x, a, b)", "Add(MatMul(a, b), x)");
  convert<add_product<'v'>>(r, "aten.addmv.default", "addmv(x, a, b)", "Add(MatMul(a, b), x)");
  convert<add_product<'s'>>(r, "aten.addbmm.default", "addbmm(x, a, b)", "Add(ReduceSum(MatMul(a, b)), x)");
  convert<add_product<'o'>>(r, "aten.addr.default", "addr(x, a, b)",
                            "Add(Multiply(Unsqueeze(a), Unsqueeze(b)), x)");
  convert<einsum>(r, "aten.einsum.default", "einsum(equation, x, y)", "Einsum-7(x, y)");
  convert<bilinear>(r, "aten.bilinear.default", "bilinear(x, y, weight, bias)",
                    "Add(MatMul(Reshape(MatMul(x, weight)), y), bias)");
  convert<tensordot>(r, "aten.tensordot.default", "tensordot(x, y)",
                     "Reshape(MatMul(Reshape(Transpose(x)), Reshape(Transpose(y))))");
  convert<matrix_power>(r, "aten.matrix_power.default aten.linalg_matrix_power.default", "matrix_power(x, n)",
                        "MatMul(MatMul(x, x), x)");
  convert<all_distances>(r, "aten.cdist.default aten._cdist_forward.default aten._euclidean_dist.default",
                         "cdist(x, y, p)", "ReduceL2(Subtract(Unsqueeze(x), Unsqueeze(y)))");
  convert<whole_distance>(r, "aten.dist.default", "dist(x, y, p)", "ReduceL2(Reshape(Subtract(x, y)))");
  convert<integer_product>(r, "aten._int_mm.default", "_int_mm(x, y)",
                           "MatMul(Convert(x), Convert(y)) in i32");
  convert<product_with_scales>(r, "aten._weight_int8pack_mm.default", "_weight_int8pack_mm(x, w, scales)",
                               "Multiply(MatMul(x, Convert(w)), scales)");
  convert<distances_within>(r, "aten.pdist.default aten._pdist_forward.default", "pdist(x, p)",
                            "ReduceL2(Subtract(Gather(x), Gather(x)))");
  convert<pair_distance>(r, "aten.pairwise_distance.default", "pairwise_distance(x, y, p)",
                         "ReduceL2(Add(Subtract(x, y), eps))");
  convert<cosine>(r, "aten.cosine_similarity.default", "cosine_similarity(x, y, dim)",
                  "ReduceSum(Multiply(Divide(x, ReduceL2(x)), Divide(y, ReduceL2(y))))");
  convert<cross>(r, "aten.linalg_cross.default aten.cross.default", "linalg_cross(x, y, dim)",
                 "Subtract(Multiply(x', y\"), Multiply(x\", y'))");
}

}  // namespace mo::pytorch
