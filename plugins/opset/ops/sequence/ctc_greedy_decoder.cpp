// CTCGreedyDecoder and CTCGreedyDecoderSeqLen: the most likely class of each time step, without blanks and,
// if asked for, without repetitions.
#include "support/buffers.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace greedy {

// Calls emit(class) for what one sequence decodes to; at(step, class) is a logit.
template <class At, class Emit>
void decode(int64_t steps, int64_t classes, int64_t blank, bool merge, At at, Emit emit) {
  int64_t previous = -1;
  for (int64_t t = 0; t < steps; ++t) {
    int64_t best = 0;
    for (int64_t k = 1; k < classes; ++k)
      if (at(t, k) > at(t, best)) best = k;
    if (best != blank && !(merge && best == previous)) emit(best);
    previous = best;
  }
}

}  // namespace greedy

struct CtcGreedyDecoder {
  static constexpr std::string_view type = "CTCGreedyDecoder", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("logits [T,N,C], mask [T,N]: classes [N,T,1,1], -1 after the last")
        .input("logits", Role::fixed, float_types)
        .input("mask", Role::fixed, float_types)
        .outputs(1);
    s.attr<bool>("ctc_merge_repeated", true);
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), mask = c.shape(1);
    require_rank(data, "the data", 3);
    require_rank(mask, "the mask", 2);
    Dim times = data.has_rank() ? data[0] : any_dim, batch = data.has_rank() ? data[1] : any_dim;
    if (mask.has_rank()) {
      times = same_dim(times, mask[0], "times of the data and of the mask");
      batch = same_dim(batch, mask[1], "batch of the data and of the mask");
    }
    c.output(0, common_type(c, {0, 1}), {batch, times, 1, 1});
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), mask = c.input(1);
    require(data.rank() == 3 && mask.rank() == 2 && mask.dim(0) == data.dim(0) && mask.dim(1) == data.dim(1),
            "data of shape ", data.shape(), " and a mask of shape ", mask.shape(), " do not fit");
    const int64_t times = data.dim(0), batch = data.dim(1), classes = data.dim(2);
    const bool merge = c.attr<bool>("ctc_merge_repeated");
    require(classes > 0 || times * batch == 0, "the data has no classes");
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      const Numbers<E> x(data);
      Results<E> out(c, {batch, times, 1, 1}, data.bytes());
      std::fill_n(out.data(), out.size(), static_cast<typename E::computed>(-1));
      for (int64_t b = 0; b < batch; ++b) {
        int64_t steps = 0;
        while (steps < times && mask.number(static_cast<size_t>(steps * batch + b)) != 0) ++steps;
        auto* to = out.data() + b * times;
        greedy::decode(
            steps, classes, classes - 1, merge,
            [&](int64_t t, int64_t k) { return x[static_cast<size_t>((t * batch + b) * classes + k)]; },
            [&](int64_t k) { *to++ = static_cast<typename E::computed>(k); });
      }
      c.output(0, out.tensor());
    });
  }
};

struct CtcGreedyDecoderSeqLen {
  static constexpr std::string_view type = "CTCGreedyDecoderSeqLen", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("logits [N,T,C], lengths [N], [blank_index]: classes [N,T], lengths [N]")
        .input("logits", Role::fixed, float_types)
        .input("lengths", Role::fixed, integer_types)
        .optional_input("blank_index", Role::any)
        .outputs(2);
    s.attr<bool>("merge_repeated", true);
    s.attr<ElementType>("classes_index_type", ElementType::i32);
    s.attr<ElementType>("sequence_length_type", ElementType::i32);
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), lengths = c.shape(1);
    require_rank(data, "the data", 3);
    require_rank(lengths, "sequence_length", 1);
    Dim batch = data.has_rank() ? data[0] : any_dim;
    if (lengths.has_rank()) batch = same_dim(batch, lengths[0], "batch of the data and of sequence_length");
    if (c.has(2)) {
      require_integer(c, 2);
      require_rank(c.shape(2), "blank_index", 0, 1);
      require_elements(c, 2, "blank_index", 1);
    }
    c.output(0, index_type_attr(c, "classes_index_type"), {batch, data.has_rank() ? data[1] : any_dim});
    c.output(1, index_type_attr(c, "sequence_length_type"), {batch});
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    const auto lengths = c.input(1).to_ints();
    require(data.rank() == 3 && static_cast<int64_t>(lengths.size()) == data.dim(0), "data of shape ",
            data.shape(), " and ", lengths.size(), " sequence lengths do not fit");
    const int64_t batch = data.dim(0), times = data.dim(1), classes = data.dim(2);
    for (const int64_t l : lengths)
      require(l >= 0 && l <= times, "sequence_length has ", l, "; expected 0 to ", times);
    require(classes > 0 || times * batch == 0, "the data has no classes");
    const auto blanks = c.has(2) ? c.input(2).to_ints() : std::vector<int64_t>{classes - 1};
    require(blanks.size() == 1, "blank_index has ", blanks.size(), " elements; expected 1");
    const bool merge = c.attr<bool>("merge_repeated");
    const auto type = index_type_attr(c, "classes_index_type");
    const auto length_type = index_type_attr(c, "sequence_length_type");
    const auto out = create_grown(c, type, {batch, times}, data.bytes());
    const auto counts = create_grown(c, length_type, {batch}, data.bytes());
    for (int64_t i = 0; i < batch * times; ++i) store_number(out.second, type, static_cast<size_t>(i), -1);
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      const Numbers<E> x(data);
      for (int64_t b = 0; b < batch; ++b) {
        int64_t n = 0;
        greedy::decode(
            lengths[static_cast<size_t>(b)], classes, blanks[0], merge,
            [&](int64_t t, int64_t k) { return x[static_cast<size_t>((b * times + t) * classes + k)]; },
            [&](int64_t k) {
              store_number(out.second, type, static_cast<size_t>(b * times + n++), static_cast<double>(k));
            });
        store_number(counts.second, length_type, static_cast<size_t>(b), static_cast<double>(n));
      }
    });
    c.output(0, out.first);
    c.output(1, counts.first);
  }
};

void register_ctc_greedy_decoder(Registry& r) {
  r.operation<CtcGreedyDecoder>();
  r.operation<CtcGreedyDecoderSeqLen>();
}

}  // namespace mo::opset
