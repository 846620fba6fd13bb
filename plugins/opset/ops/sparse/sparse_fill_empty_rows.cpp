// SparseFillEmptyRows: a sparse matrix in which each empty row gets one element, in column 0.
#include "support/first_releases.hpp"
#include "support/movement.hpp"
#include "support/strings.hpp"

namespace mo::opset {

namespace sparse {

// What an element of the output is: its coordinates, and the value it takes or the default.
struct Entry {
  int64_t row, column;
  std::optional<size_t> source;
};
struct Filled {
  std::vector<Entry> entries;  // by row, then by column
  std::vector<bool> empty;     // rows that were
};
static void check(int64_t rows, int64_t columns, const Dims& indices) {
  require(rows >= 0 && columns >= 0, "dense_shape is ", Dims{rows, columns}, "; expected 0 or more");
  for (size_t i = 0; 2 * i < indices.size(); ++i) {
    const int64_t row = indices[2 * i], column = indices[2 * i + 1];
    require(row >= 0 && row < rows && column >= 0 && column < columns, "element ", i, " lies at row ", row,
            ", column ", column, " of a matrix of shape ", Dims{rows, columns});
  }
}
static int64_t used_rows(const Dims& indices) {
  Dims rows;
  for (size_t i = 0; i < indices.size(); i += 2) rows.push_back(indices[i]);
  std::sort(rows.begin(), rows.end());
  return std::unique(rows.begin(), rows.end()) - rows.begin();
}
static Filled filled(int64_t rows, int64_t columns, const Dims& indices) {
  check(rows, columns, indices);
  if (rows > static_cast<int64_t>(grown_limit / 64)) no_value("a matrix of ", rows, " rows is too large");
  Filled f{{}, std::vector<bool>(static_cast<size_t>(rows), true)};
  for (size_t i = 0; 2 * i < indices.size(); ++i) {
    f.entries.push_back({indices[2 * i], indices[2 * i + 1], i});
    f.empty[static_cast<size_t>(indices[2 * i])] = false;
  }
  for (size_t r = 0; r < f.empty.size(); ++r)
    if (f.empty[r]) f.entries.push_back({static_cast<int64_t>(r), 0, std::nullopt});
  std::stable_sort(f.entries.begin(), f.entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return f;
}

static Tensor values_of(const EvalContext& c, const Filled& f, const Tensor& values, const Tensor& fallback) {
  const Dims dims{static_cast<int64_t>(f.entries.size())};
  if (values.type() == ElementType::string) {
    const auto list = list_of_strings(values), other = list_of_strings(fallback);
    std::vector<std::string_view> out;
    for (const Entry& e : f.entries) out.push_back(e.source ? list[*e.source] : other[0]);
    return Tensor::strings(c.context(), out, dims);
  }
  if (is_packed(values.type())) no_values_for(values.type());
  const size_t width = width_of(values.type());
  auto [out, to] = create_grown(c, values.type(), dims, values.bytes());
  for (size_t i = 0; i < f.entries.size(); ++i) {
    const auto& source = f.entries[i].source;
    std::memcpy(static_cast<char*>(to) + i * width,
                source ? static_cast<const char*>(values.data()) + *source * width
                       : static_cast<const char*>(fallback.data()),
                width);
  }
  return out;
}

}  // namespace sparse

struct SparseFillEmptyRows {
  static constexpr std::string_view type = "SparseFillEmptyRows", opset = "opset16";
  static void schema(OpSchema& s) {
    s.doc("values, dense_shape, indices, default_value: indices, values, and which rows were empty");
    s.input("values", Role::fixed)
        .input("dense_shape", Role::any, integer_types)
        .input("indices", Role::fixed, integer_types)
        .input("default_value", Role::any)
        .outputs(3);
  }
  static void infer(InferContext& c) {
    const ElementType type = common_type(c, {0, 3});
    const ElementType index = common_type(c, {1, 2});
    const Shape values = c.shape(0), indices = c.shape(2);
    require_rank(values, "values", 1);
    require_rank(c.shape(1), "dense_shape", 1);
    require_elements(c, 1, "dense_shape", 2);
    require_rank(indices, "indices", 2);
    require_elements(c, 3, "default_value", 1);
    Dim n = values.has_rank() ? values[0] : any_dim;
    if (indices.has_rank()) {
      n = same_dim(n, indices[0], "the numbers of values and of indices");
      same_dim(indices[1], 2, "the second dimension of the indices");
    }
    const auto shape = intervals_or_unknown(c, 1, 2);
    for (const Interval& v : shape) require(v.hi >= 0, "dense_shape has ", v.hi, "; expected 0 or more");
    Dim rows = shape[0].to_dim();
    require(n.min == 0 || (rows != Dim(0) && shape[1].hi > 0), "dense_shape has no place for ", n, " values");
    if (n.min > 0) rows = Dim(std::max<int64_t>(rows.min, 1), rows.max);
    Dim total;
    const auto places = c.ints(2);
    if (places) {
      sparse::check(rows.is_unbounded() ? Interval::highest : rows.max, shape[1].hi, *places);
      total = rows - sparse::used_rows(*places) + n;
    } else {
      // Each value is in a row of its own at best, all in the same at worst.
      const int64_t least = std::max(n.min, rows.min);
      const Dim others = n.min > 0 ? rows - 1 : rows;
      total = Dim(least, n == Dim(0) ? rows.max : (n + others).max);
      if (n == Dim(0)) total = rows;
    }
    c.output(0, index, {total, 2});
    c.output(1, type, {total});
    c.output(2, ElementType::boolean, {rows});
  }
  static void evaluate(EvalContext& c) {
    const Tensor values = c.input(0), shape = c.input(1), indices = c.input(2), fallback = c.input(3);
    require(shape.size() == 2 && indices.rank() == 2 && indices.dim(1) == 2 && values.rank() == 1 &&
                values.dim(0) == indices.dim(0) && fallback.size() == 1 && fallback.type() == values.type(),
            "values have shape ", values.shape(), ", dense_shape ", shape.shape(), ", indices ",
            indices.shape(), ", default_value ", fallback.shape());
    const auto filled = sparse::filled(shape.integer(0), shape.integer(1), indices.to_ints());
    const auto out =
        Tensor::create_bytes(c.context(), indices.type(), {static_cast<int64_t>(filled.entries.size()), 2});
    for_integer(indices.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t i = 0; i < filled.entries.size(); ++i) {
        E::put(out.second, 2 * i, static_cast<typename E::computed>(filled.entries[i].row));
        E::put(out.second, 2 * i + 1, static_cast<typename E::computed>(filled.entries[i].column));
      }
    });
    c.output(0, out.first);
    c.output(1, sparse::values_of(c, filled, values, fallback));
    const auto empty =
        Tensor::create_bytes(c.context(), ElementType::boolean, {static_cast<int64_t>(filled.empty.size())});
    for (size_t i = 0; i < filled.empty.size(); ++i) Bool::put(empty.second, i, filled.empty[i]);
    c.output(2, empty.first);
  }
};

void register_sparse_fill_empty_rows(Registry& r) {
  r.operation<SparseFillEmptyRows>();
  came_with("2025.2", "SparseFillEmptyRows", "opset16");
}

}  // namespace mo::opset
