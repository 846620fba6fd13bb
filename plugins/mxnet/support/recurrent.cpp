#include "support/recurrent.hpp"

namespace mo::mxnet {

RecurrentForm recurrent_form(const SourceNode& n) {
  RecurrentForm f;
  f.mode = n.native<std::string>("mode");
  require(f.mode == "rnn_relu" || f.mode == "rnn_tanh" || f.mode == "lstm" || f.mode == "gru",
          "attribute 'mode' is '", f.mode, "'; expected rnn_relu, rnn_tanh, lstm or gru");
  f.gates = f.mode == "lstm" ? 4 : f.mode == "gru" ? 3 : 1;
  f.hidden = n.native<int64_t>("state_size");
  f.layers = n.native("num_layers", 1);
  f.directions = n.native("bidirectional", false) ? 2 : 1;
  f.has_lengths = n.native("use_sequence_length", false);
  require(f.hidden > 0 && f.hidden <= INT32_MAX && f.layers > 0 && f.layers <= 1024,
          "attributes 'state_size' and ", "'num_layers' are ", f.hidden, " and ", f.layers);
  require(!n.has_native("projection_size"), "a projection of the state (projection_size) is not supported");
  require(!n.has_native("lstm_state_clip_min") && !n.has_native("lstm_state_clip_max"),
          "states that are cut (lstm_state_clip_min) are not supported");
  return f;
}

RecurrentParameters::RecurrentParameters(const Build& b, const RecurrentForm& f, int64_t inputs)
    : b_(b), f_(f), inputs_(inputs) {
  const int64_t rows = detail::checked_mul(f.gates, f.hidden);
  Ints sizes;
  for (int64_t layer = 0; layer < f.layers; ++layer)
    for (int64_t d = 0; d < f.directions; ++d) {
      sizes.push_back(detail::checked_mul(rows, width(layer)));
      sizes.push_back(detail::checked_mul(rows, f.hidden));
    }
  sizes.resize(2 * sizes.size(), rows);
  const Node s =
      b.node("VariadicSplit", "opset1", {b.reshape(b.in(1), Ints{-1}), b.integer(0), b.list(sizes)},
             static_cast<uint32_t>(sizes.size()));
  parts_ = s.out_ports();
}

RecurrentLayer RecurrentParameters::layer(int64_t index) const {
  const int64_t rows = f_.gates * f_.hidden;
  const auto first = static_cast<size_t>(2 * f_.directions * index), biases = parts_.size() / 2;
  const auto all = [&](size_t at, const Ints& dims) {
    Ports list;
    for (int64_t d = 0; d < f_.directions; ++d)
      list.push_back(b_.reshape(parts_[at + 2 * static_cast<size_t>(d)], dims));
    return b_.concat(list, 0);
  };
  return {all(first, {1, rows, width(index)}), all(first + 1, {1, rows, f_.hidden}),
          all(biases + first, {1, rows}), all(biases + first + 1, {1, rows})};
}

}  // namespace mo::mxnet
