// Products of matrices.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace products {

static Ports matmul(const Op& o) {
  for (const char* fused : {"fused_reshape_X", "fused_reshape_Y", "fused_transpose_X", "fused_transpose_Y",
                            "fused_reshape_Out", "fused_transpose_Out"})
    require(o.ints(fused).empty(), "attribute '", fused,
            "' belongs to one device; export the program without passes");
  const OutPort y = o.matmul(o.in("0 X"), o.in("1 Y"), o.flag("transpose_x trans_x transpose_X", false),
                             o.flag("transpose_y trans_y transpose_Y", false));
  return {o.times(y, o.real("alpha", 1))};
}

// Of 1.x: both as matrices.
static Ports mul(const Op& o) {
  const OutPort x = o.in("0 X"), y = o.in("1 Y");
  const int64_t rows = o.integer("x_num_col_dims", 1), columns = o.integer("y_num_col_dims", 1);
  const int64_t x_rank = o.rank(x), y_rank = o.rank(y);
  require(rows > 0 && rows < x_rank && columns > 0 && columns < y_rank, "x_num_col_dims is ", rows,
          " and y_num_col_dims ", columns, " for ", x_rank, " and ", y_rank, " dimensions");
  if (rows == x_rank - 1 && y_rank == 2) return {o.matmul(x, y)};
  const auto matrix = [&](const OutPort& p, int64_t at) {
    const OutPort behind = o.reduce("ReduceProd", o.part(o.shape_of(p), at, INT64_MAX), o.list({0}), true);
    return o.reshape(p, o.concat({o.list({-1}), behind}));
  };
  const OutPort flat = o.matmul(matrix(x, rows), matrix(y, columns));
  return {
      o.reshape(flat, o.concat({o.part(o.shape_of(x), 0, rows), o.part(o.shape_of(y), columns, INT64_MAX)}))};
}

static Ports bmm(const Op& o) { return {o.matmul(o.in("0 X"), o.in("1 Y"))}; }
static Ports mv(const Op& o) { return {o.matmul(o.in("0 X"), o.in("1 Vec"))}; }

static Ports dot(const Op& o) {
  const OutPort x = o.in("0 X");
  const Shape said = o.node().out_port().shape();
  const bool keep = said.has_rank() && said.rank() == o.rank(x);
  return {o.reduce("ReduceSum", o.multiply(x, o.in("1 Y")), o.list({-1}), keep)};
}

static Ports addmm(const Op& o) {
  const OutPort product = o.matmul(o.in("1 X"), o.in("2 Y"));
  return {
      o.add(o.times(o.in("0 Input"), o.real("beta Beta", 1)), o.times(product, o.real("alpha Alpha", 1)))};
}

static Ports einsum(const Op& o) {
  const Node n = o.node("Einsum", "opset7", o.all("0 Operands"));
  return o.give({{"0 Out", {n.set("equation", o.word("equation", "")).out_port()}}});
}

// Each element of x times all of y.
static Ports kron(const Op& o) {
  OutPort x = o.in("0 X"), y = o.in("1 Y");
  const int64_t rank = std::max(o.rank(x), o.rank(y));
  const auto of_rank = [&](const OutPort& p) {
    Ints axes;
    for (int64_t i = 0; i < rank - o.rank(p); ++i) axes.push_back(i);
    return axes.empty() ? p : o.unsqueezed(p, axes);
  };
  x = of_rank(x);
  y = of_rank(y);
  Ints behind, before;
  for (int64_t i = 0; i < rank; ++i) {
    before.push_back(2 * i);
    behind.push_back(2 * i + 1);
  }
  const OutPort all = o.multiply(o.unsqueezed(x, behind), o.unsqueezed(y, before));
  return {o.reshape(all, o.multiply(o.shape_of(x), o.shape_of(y)))};
}

// x @ weights + bias, with an activation.
static Ports fully_connected(const Op& o) {
  const OutPort x = o.in("0 Input"), w = o.in("1 W");
  const int64_t rows = o.integer("in_num_col_dims", 1);
  OutPort y = rows == o.rank(x) - 1
                  ? o.matmul(x, w)
                  : o.matmul(o.reshape(x, o.concat({o.part(o.shape_of(x), 0, rows), o.list({-1})})), w);
  if (o.has("2 Bias")) y = o.add(y, o.reshape(o.in("2 Bias"), Ints{-1}));
  const std::string activation = o.word("activation_type", "");
  require(activation.empty() || activation == "relu", "attribute 'activation_type' is '", activation,
          "', expected relu or nothing");
  return {activation.empty() ? y : o.op1("ReLU", {y})};
}

}  // namespace products

void register_products(Registry& r) {
  using namespace products;
  convert<matmul>(r, "matmul matmul_v2", "matmul(x, y)", "MatMul(x, y)");
  convert<mul>(r, "mul", "mul(x, y)", "Reshape(MatMul(Reshape(x), Reshape(y)))");
  convert<bmm>(r, "bmm", "bmm(x, y)", "MatMul(x, y)");
  convert<mv>(r, "mv", "mv(x, vec)", "MatMul(x, vec)");
  convert<dot>(r, "dot", "dot(x, y)", "ReduceSum(Multiply(x, y), -1)");
  convert<addmm>(r, "addmm", "addmm(input, x, y)",
                 "Add(Multiply(input, beta), Multiply(MatMul(x, y), alpha))");
  convert<einsum>(r, "einsum", "einsum(list)", "Einsum(a, b)");
  convert<kron>(r, "kron", "kron(x, y)", "Reshape(Multiply(Unsqueeze(x), Unsqueeze(y)))");
  convert<fully_connected>(r, "fc", "fc(x, w, bias)", "Add(MatMul(x, w), bias)");
}

}  // namespace mo::paddle
