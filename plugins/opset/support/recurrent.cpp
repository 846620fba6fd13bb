#include "support/recurrent.hpp"

namespace mo::opset {

namespace {

double cell_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double cell_tanh(double x) { return std::tanh(x); }
double cell_relu(double x) { return x > 0 ? x : 0; }

}  // namespace

void add_cell_attrs(OpSchema& s, const std::vector<std::string>& activations) {
  s.attr<int64_t>("hidden_size").attr("activations", activations);
  s.optional_attr<std::vector<double>>("activations_alpha")
      .optional_attr<std::vector<double>>("activations_beta");
  s.attr<double>("clip", 0.0);
}

void add_first_lstm_attrs(OpSchema& s) {
  s.attr<bool>("input_forget", false);
  s.attr<std::string>("weights_format", "fico").one_of({"fico", "icof", "ifco", "ifoc", "iofc"});
}

CellForm cell_form(const OpContext& c, CellKind kind) {
  CellForm f;
  f.kind = kind;
  f.hidden = static_cast<size_t>(int_attr(c, "hidden_size", 1));
  f.clip = c.attr<double>("clip");
  require(f.clip >= 0, "attribute 'clip' is ", f.clip, "; expected 0 or more");
  if (std::isinf(f.clip)) f.clip = 0;
  const auto names = c.attr<std::vector<std::string>>("activations");
  const size_t n = kind == CellKind::lstm ? 3 : kind == CellKind::gru ? 2 : 1;
  require(names.size() == n, "attribute 'activations' is ", names, "; expected ", n, " names");
  for (size_t i = 0; i < n; ++i) {
    f.activations[i] = names[i] == "sigmoid" ? &cell_sigmoid
                       : names[i] == "tanh"  ? &cell_tanh
                       : names[i] == "relu"  ? &cell_relu
                                             : nullptr;
    require(f.activations[i] != nullptr, "attribute 'activations' is ", names,
            "; expected sigmoid, tanh or relu");
  }
  if (kind == CellKind::gru) f.linear_before_reset = c.attr<bool>("linear_before_reset");
  if (kind == CellKind::lstm) {
    f.input_forget = c.attr<bool>("input_forget", false);
    const auto format = c.attr<std::string>("weights_format", std::string("fico"));
    for (size_t i = 0; i < 4; ++i) f.order[i] = format.find("fico"[i]);
  }
  return f;
}

template <class T>
T Cell<T>::clipped(double x) const {
  return static_cast<T>(f_.clip > 0 ? std::clamp(x, -f_.clip, f_.clip) : x);
}
template <class T>
T Cell<T>::activate(size_t which, double x) const {
  return static_cast<T>(f_.activations[which](static_cast<double>(clipped(x))));
}

template <class T>
std::vector<T> Cell<T>::project(const T* x, size_t rows) const {
  const size_t n = f_.gates() * f_.hidden;
  std::vector<T> out(rows * n);
  multiply_(Gemm{rows, n, input_, input_, input_, n, false, true, false}, x, w_.w, out.data());
  return out;
}

template <class T>
void Cell<T>::lstm(const T* x, const T* recurrent, T* h, T* c) const {
  const size_t n = f_.hidden;
  for (size_t j = 0; j < n; ++j) {
    const auto gate = [&](size_t g, double peephole) {
      const size_t at = f_.order[g] * n + j;
      return static_cast<double>(x[at]) + static_cast<double>(recurrent[at]) + static_cast<double>(w_.b[at]) +
             peephole;
    };
    const auto hole = [&](size_t which, T state) {
      return w_.p == nullptr ? 0.0 : static_cast<double>(w_.p[which * n + j]) * static_cast<double>(state);
    };
    const auto forget = static_cast<double>(activate(0, gate(0, hole(0, c[j]))));
    const double in = f_.input_forget ? 1 - forget : static_cast<double>(activate(0, gate(1, hole(1, c[j]))));
    const auto fresh = static_cast<double>(activate(1, gate(2, 0)));
    c[j] = static_cast<T>(forget * static_cast<double>(c[j]) + in * fresh);
    const auto out = static_cast<double>(activate(0, gate(3, hole(2, c[j]))));
    // The runtime limits what goes into the gates only.
    const auto shown = static_cast<T>(f_.activations[2](static_cast<double>(c[j])));
    h[j] = static_cast<T>(out * static_cast<double>(shown));
  }
}

template <class T>
void Cell<T>::gru(const std::vector<const T*>& projected, const std::vector<T>& recurrent, T* h) const {
  const size_t n = f_.hidden, batch = projected.size();
  const auto d = [](T v) { return static_cast<double>(v); };
  std::vector<T> z(batch * n), r(batch * n), again(batch * n);
  for (size_t i = 0; i < batch; ++i)
    for (size_t j = 0; j < n && projected[i] != nullptr; ++j) {
      const T* x = projected[i];
      const T* hr = recurrent.data() + i * 3 * n;
      z[i * n + j] = activate(0, d(x[j]) + d(hr[j]) + d(w_.b[j]));
      r[i * n + j] = activate(0, d(x[n + j]) + d(hr[n + j]) + d(w_.b[n + j]));
      if (f_.linear_before_reset)
        again[i * n + j] = static_cast<T>(d(r[i * n + j]) * (d(hr[2 * n + j]) + d(w_.b[3 * n + j])));
    }
  if (!f_.linear_before_reset) {
    for (size_t i = 0; i < batch * n; ++i) r[i] = static_cast<T>(d(r[i]) * d(h[i]));
    multiply_(Gemm{batch, n, n, n, n, n, false, true, false}, r.data(), w_.r + 2 * n * n, again.data());
  }
  for (size_t i = 0; i < batch; ++i)
    for (size_t j = 0; j < n && projected[i] != nullptr; ++j) {
      const auto fresh =
          d(activate(1, d(projected[i][2 * n + j]) + d(again[i * n + j]) + d(w_.b[2 * n + j])));
      const double keep = d(z[i * n + j]);
      h[i * n + j] = static_cast<T>((1 - keep) * fresh + keep * d(h[i * n + j]));
    }
}

template <class T>
void Cell<T>::step(const std::vector<const T*>& projected, T* h, T* c) const {
  const size_t n = f_.hidden, batch = projected.size(), width = f_.gates() * n;
  std::vector<T> recurrent(batch * width);
  multiply_(Gemm{batch, width, n, n, n, width, false, true, false}, h, w_.r, recurrent.data());
  if (f_.kind == CellKind::gru) return gru(projected, recurrent, h);
  for (size_t i = 0; i < batch; ++i) {
    const T *x = projected[i], *hr = recurrent.data() + i * width;
    if (x == nullptr) continue;
    if (f_.kind == CellKind::lstm)
      lstm(x, hr, h + i * n, c + i * n);
    else
      for (size_t j = 0; j < n; ++j)
        h[i * n + j] = activate(
            0, static_cast<double>(x[j]) + static_cast<double>(hr[j]) + static_cast<double>(w_.b[j]));
  }
}

template class Cell<float>;
template class Cell<double>;

}  // namespace mo::opset
