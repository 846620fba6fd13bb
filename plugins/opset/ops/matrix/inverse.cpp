// Inverse: of square matrices, by elimination with partial pivoting; `adjoint` transposes it.
#include "support/buffers.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct Inverse {
  static constexpr std::string_view type = "Inverse", opset = "opset14";
  static void schema(OpSchema& s) {
    s.doc("inverses of square matrices")
        .input("data", Role::fixed, float_types)
        .keeps_shape()
        .outputs(1)
        .attr<bool>("adjoint", false);
  }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    require_rank(out, "the data", 2, std::numeric_limits<int64_t>::max());
    if (out.has_rank()) {
      const size_t n = out.size();
      out[n - 1] = out[n - 2] = same_dim(out[n - 1], out[n - 2], "rows and columns of the matrices");
    }
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    require(data.rank() >= 2 && data.dim(data.rank() - 1) == data.dim(data.rank() - 2), "the data has shape ",
            data.shape(), "; expected square matrices");
    const auto n = static_cast<size_t>(data.dims().back());
    const bool adjoint = c.attr<bool>("adjoint");
    spend(c.context(), 2 * static_cast<double>(data.size()) * static_cast<double>(n));
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      const Numbers<E> x(data);
      Results<E> out(c, data.dims(), data.bytes());
      std::vector<double> a(n * n), inverse(n * n);
      for (size_t start = 0; start < x.size(); start += n * n) {
        for (size_t i = 0; i < n * n; ++i) a[i] = static_cast<double>(x[start + i]);
        invert(a, inverse, n);
        for (size_t i = 0; i < n; ++i)
          for (size_t j = 0; j < n; ++j)
            out[start + i * n + j] =
                static_cast<typename E::computed>(adjoint ? inverse[j * n + i] : inverse[i * n + j]);
      }
      c.output(0, out.tensor());
    });
  }

 private:
  // Gauss-Jordan with the row of the greatest element of each column; a singular matrix gives what the
  // division by 0 gives.
  static void invert(std::vector<double>& a, std::vector<double>& r, size_t n) {
    std::fill(r.begin(), r.end(), 0.0);
    for (size_t i = 0; i < n; ++i) r[i * n + i] = 1;
    for (size_t k = 0; k < n; ++k) {
      size_t pivot = k;
      for (size_t i = k + 1; i < n; ++i)
        if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
      if (pivot != k)
        for (size_t j = 0; j < n; ++j) {
          std::swap(a[k * n + j], a[pivot * n + j]);
          std::swap(r[k * n + j], r[pivot * n + j]);
        }
      const double by = a[k * n + k];
      for (size_t j = 0; j < n; ++j) {
        a[k * n + j] /= by;
        r[k * n + j] /= by;
      }
      for (size_t i = 0; i < n; ++i) {
        const double f = a[i * n + k];
        if (i == k || f == 0) continue;
        for (size_t j = 0; j < n; ++j) {
          a[i * n + j] -= f * a[k * n + j];
          r[i * n + j] -= f * r[k * n + j];
        }
      }
    }
  }
};

void register_inverse(Registry& r) { r.operation<Inverse>(); }

}  // namespace mo::opset
