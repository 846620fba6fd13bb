// Sums of products over labelled dimensions: what Einsum computes.
#pragma once

#include "support/gemm.hpp"
#include "support/movement.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

// A dense tensor whose dimensions have names; a name may occur twice, which means the diagonal.
template <class T>
struct Labelled {
  std::vector<int> labels;
  Dims dims;
  std::vector<T> values;
};

inline bool has_label(const std::vector<int>& list, int label) {
  return std::find(list.begin(), list.end(), label) != list.end();
}

// The tensor with the labels of `order`: others are summed over.
template <class T>
Labelled<T> project(const Labelled<T>& t, const std::vector<int>& order) {
  const Dims strides = dense_strides(t.dims);
  Labelled<T> out{order, {}, {}};
  Dims kept, summed_dims, summed;  // steps through `t`
  std::vector<int> others;
  const auto step = [&](int label) {
    int64_t s = 0;
    for (size_t i = 0; i < t.labels.size(); ++i)
      if (t.labels[i] == label) s += strides[i];
    return s;
  };
  const auto size = [&](int label) {
    for (size_t i = 0; i < t.labels.size(); ++i)
      if (t.labels[i] == label) return t.dims[i];
    return int64_t{1};
  };
  for (const int label : order) {
    out.dims.push_back(size(label));
    kept.push_back(step(label));
  }
  for (const int label : t.labels)
    if (!has_label(order, label) && !has_label(others, label)) {
      others.push_back(label);
      summed_dims.push_back(size(label));
      summed.push_back(step(label));
    }
  // Calls f(offset) for each element of a box.
  const auto each = [](const Dims& dims, const Dims& steps, int64_t start, auto&& f) {
    if (count_of(dims) == 0) return;
    Dims index(dims.size(), 0);
    for (int64_t at = start;;) {
      f(at);
      size_t i = dims.size();
      for (;;) {
        if (i == 0) return;
        --i;
        at += steps[i];
        if (++index[i] < dims[i]) break;
        at -= steps[i] * dims[i];
        index[i] = 0;
      }
    }
  };
  out.values.reserve(static_cast<size_t>(count_of(out.dims)));
  each(out.dims, kept, 0, [&](int64_t from) {
    if (others.empty()) return out.values.push_back(t.values[static_cast<size_t>(from)]);
    std::conditional_t<std::is_floating_point_v<T>, double, T> sum{};
    each(summed_dims, summed, from, [&](int64_t at) {
      sum = wrapping::add(sum, static_cast<decltype(sum)>(t.values[static_cast<size_t>(at)]));
    });
    out.values.push_back(static_cast<T>(sum));
  });
  return out;
}

// The product of two, summed over what neither `wanted` has.
template <class T>
Labelled<T> contract(const Multiplier& multiply, const Labelled<T>& a, const Labelled<T>& b,
                     const std::vector<int>& wanted, uint64_t most_elements) {
  std::vector<int> batch, inner, rows, columns;
  for (const int l : a.labels) {
    const bool both = has_label(b.labels, l), keep = has_label(wanted, l);
    std::vector<int>& list = both ? (keep ? batch : inner) : rows;
    if ((both || keep) && !has_label(list, l)) list.push_back(l);
  }
  for (const int l : b.labels)
    if (!has_label(a.labels, l) && has_label(wanted, l) && !has_label(columns, l)) columns.push_back(l);
  const auto joined = [](std::vector<int> x, const std::vector<int>& y, const std::vector<int>& z) {
    x.insert(x.end(), y.begin(), y.end());
    x.insert(x.end(), z.begin(), z.end());
    return x;
  };
  const Labelled<T> x = project(a, joined(batch, rows, inner)), y = project(b, joined(batch, inner, columns));
  const auto count = [](const Labelled<T>& t, size_t first, size_t n) {
    return static_cast<size_t>(count_of(Dims(t.dims.begin() + static_cast<std::ptrdiff_t>(first),
                                             t.dims.begin() + static_cast<std::ptrdiff_t>(first + n))));
  };
  const size_t n_batch = count(x, 0, batch.size()), m = count(x, batch.size(), rows.size()),
               k = count(x, batch.size() + rows.size(), inner.size()),
               n = count(y, batch.size() + inner.size(), columns.size());
  Labelled<T> out{joined(batch, rows, columns), {}, {}};
  out.dims.assign(x.dims.begin(), x.dims.begin() + static_cast<std::ptrdiff_t>(batch.size() + rows.size()));
  out.dims.insert(out.dims.end(), y.dims.begin() + static_cast<std::ptrdiff_t>(batch.size() + inner.size()),
                  y.dims.end());
  const auto all = static_cast<uint64_t>(count_of(out.dims));
  if (all > most_elements) no_value("an intermediate result of shape ", Shape(out.dims), " is too large");
  out.values.resize(static_cast<size_t>(all));
  for (size_t i = 0; i < n_batch && all != 0; ++i)
    multiply(Gemm{m, n, k, k, n, n}, x.values.data() + i * m * k, y.values.data() + i * k * n,
             out.values.data() + i * m * n);
  return out;
}

}  // namespace mo::opset
