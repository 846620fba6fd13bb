// The cells of recurrent networks: what LSTM, GRU and RNN have in common, for single steps and for sequences.
#pragma once

#include "support/buffers.hpp"
#include "support/gemm.hpp"
#include "support/inference.hpp"

#include <array>

namespace mo::opset {

enum class CellKind { rnn, gru, lstm };

// What the attributes of a cell say.
struct CellForm {
  CellKind kind = CellKind::rnn;
  size_t hidden = 0;
  std::array<double (*)(double), 3> activations{};
  double clip = 0;                          // 0: none
  bool linear_before_reset = false;         // GRU
  bool input_forget = false;                // LSTM of opset1: the input gate is 1 minus the forget gate
  std::array<size_t, 4> order{0, 1, 2, 3};  // LSTM: where the blocks f, i, c, o are

  size_t gates() const { return kind == CellKind::lstm ? 4 : kind == CellKind::gru ? 3 : 1; }
  size_t bias_gates() const { return kind == CellKind::gru && linear_before_reset ? 4 : gates(); }
  size_t states() const { return kind == CellKind::lstm ? 2 : 1; }
};

// hidden_size, activations and their lists, clip.
void add_cell_attrs(OpSchema& s, const std::vector<std::string>& activations);
// Of opset1: weights_format and input_forget.
void add_first_lstm_attrs(OpSchema& s);
CellForm cell_form(const OpContext& c, CellKind kind);

// What is multiplied with: W [gates * hidden, input], R [gates * hidden, hidden], B [bias_gates * hidden], P
// [3 * hidden] or null, the peepholes of f, i and o.
template <class T>
struct CellWeights {
  const T *w, *r, *b, *p;
};

template <class T>
class Cell {
 public:
  Cell(const CellForm& form, const Multiplier& multiply, const CellWeights<T>& weights, size_t input)
      : f_(form), multiply_(multiply), w_(weights), input_(input) {}
  // What `rows` inputs give to all gates, without the bias: [rows, gates * hidden].
  std::vector<T> project(const T* x, size_t rows) const;
  // One step of h and c, [batch, hidden]. projected[i] is the row of sample i, or null: then it stays.
  void step(const std::vector<const T*>& projected, T* h, T* c) const;

 private:
  T activate(size_t which, double x) const;
  T clipped(double x) const;
  void lstm(const T* x, const T* recurrent, T* h, T* c) const;
  void gru(const std::vector<const T*>& projected, const std::vector<T>& recurrent, T* h) const;

  const CellForm& f_;
  const Multiplier& multiply_;
  CellWeights<T> w_;
  size_t input_;
};

}  // namespace mo::opset
