// CTCLoss: minus the logarithm of the probability that a path through the logits decodes to the labels.
#include "support/buffers.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct CtcLoss {
  static constexpr std::string_view type = "CTCLoss", opset = "opset4";
  static void schema(OpSchema& s) {
    s.doc("logits [N,T,C], logit_length [N], labels [N,T], label_length [N], [blank_index]: loss [N]")
        .input("logits", Role::fixed, float_types)
        .inputs({"logit_length", "labels", "label_length"}, Role::fixed)
        .optional_input("blank_index", Role::any)
        .outputs(1);
    s.attr<bool>("preprocess_collapse_repeated", false).attr<bool>("ctc_merge_repeated", true);
    s.attr<bool>("unique", false);
  }

  static void infer(InferContext& c) {
    for (size_t i = 1; i < c.inputs(); ++i)
      if (c.has(i)) require_integer(c, i);
    common_type(c, {1, 3});
    const Shape logits = c.shape(0), labels = c.shape(2);
    require_rank(logits, "the logits", 3);
    require_rank(labels, "the labels", 2);
    Dim batch = logits.has_rank() ? logits[0] : any_dim;
    if (labels.has_rank()) {
      batch = same_dim(batch, labels[0], "batch of the logits and of the labels");
      if (logits.has_rank()) same_dim(logits[1], labels[1], "times of the logits and of the labels");
    }
    for (const size_t i : {size_t{1}, size_t{3}}) {
      const Shape lengths = c.shape(i);
      require_rank(lengths, i == 1 ? "logit_length" : "label_length", 1);
      if (lengths.has_rank()) batch = same_dim(batch, lengths[0], "batch of the logits and of the lengths");
    }
    if (c.has(4)) {
      common_type(c, {2, 4});
      require_elements(c, 4, "blank_index", 1);
    }
    c.output(0, c.type(0), {batch});
  }

  static void evaluate(EvalContext& c) {
    const Tensor logits = c.input(0), labels = c.input(2);
    const auto times = c.input(1).to_ints(), counts = c.input(3).to_ints(), all = labels.to_ints();
    require(logits.rank() == 3 && labels.rank() == 2, "the logits have shape ", logits.shape(),
            " and the labels ", labels.shape(), "; expected ranks 3 and 2");
    const int64_t batch = logits.dim(0), most = logits.dim(1), classes = logits.dim(2);
    require(labels.dim(0) == batch && static_cast<int64_t>(times.size()) == batch &&
                static_cast<int64_t>(counts.size()) == batch,
            "batches of logits, labels and lengths differ");
    const auto blanks = c.has(4) ? c.input(4).to_ints() : std::vector<int64_t>{classes - 1};
    require(blanks.size() == 1 && (batch == 0 || (blanks[0] >= 0 && blanks[0] < classes)), "blank_index is ",
            blanks, "; expected one number from 0 to ", classes - 1);
    const bool merge = c.attr<bool>("ctc_merge_repeated");
    for_float(logits.type(), [&](auto e) {
      using E = decltype(e);
      const Numbers<E> x(logits);
      Results<E> out(c, {batch}, logits.bytes());
      for (int64_t b = 0; b < batch; ++b) {
        const auto i = static_cast<size_t>(b);
        require(times[i] >= 0 && times[i] <= most, "logit_length has ", times[i], "; expected 0 to ", most);
        require(counts[i] >= 0 && counts[i] <= labels.dim(1) && counts[i] <= times[i], "label_length has ",
                counts[i], "; expected 0 to ", std::min(times[i], labels.dim(1)));
        const auto first = all.begin() + b * labels.dim(1);
        std::vector<int64_t> target(first, first + counts[i]);
        prepare(c, target);
        for (const int64_t v : target)
          require(v >= 0 && v < classes, "a label is ", v, "; expected 0 to ", classes - 1);
        const auto loss = loss_of(
            static_cast<size_t>(times[i]), static_cast<size_t>(classes), target, blanks[0], merge,
            [&](size_t k) { return static_cast<double>(x[static_cast<size_t>(b * most * classes) + k]); });
        out[i] = static_cast<typename E::computed>(loss);
      }
      c.output(0, out.tensor());
    });
  }

 private:
  static void prepare(const OpContext& c, std::vector<int64_t>& target) {
    if (c.attr<bool>("preprocess_collapse_repeated"))
      target.erase(std::unique(target.begin(), target.end()), target.end());
    if (!c.attr<bool>("unique")) return;
    std::vector<int64_t> seen;
    for (const int64_t v : target)
      if (std::find(seen.begin(), seen.end(), v) == seen.end()) seen.push_back(v);
    target = seen;
  }

  static double log_sum(double a, double b) {
    if (a < b) std::swap(a, b);
    return b == -std::numeric_limits<double>::infinity() ? a : a + std::log1p(std::exp(b - a));
  }

  // alpha[s]: the logarithm of the probability of all paths up to a time that end in place s of the labels
  // with blanks around them.
  template <class At>
  static double loss_of(size_t times, size_t classes, const std::vector<int64_t>& target, int64_t blank,
                        bool merge, At at) {
    constexpr double never = -std::numeric_limits<double>::infinity();
    std::vector<int64_t> places{blank};
    for (const int64_t v : target) {
      places.push_back(v);
      places.push_back(blank);
    }
    const size_t n = places.size();
    std::vector<double> alpha(n, never), next(n);
    alpha[0] = 0;  // before the first step: in front of everything
    for (size_t t = 0; t < times; ++t) {
      double greatest = never, sum = 0;
      for (size_t k = 0; k < classes; ++k) greatest = std::max(greatest, at(t * classes + k));
      for (size_t k = 0; k < classes; ++k) sum += std::exp(at(t * classes + k) - greatest);
      const double norm = greatest + std::log(sum);
      for (size_t s = 0; s < n; ++s) {
        // A label stays for longer only when repetitions are merged.
        double from = s % 2 == 0 || merge ? alpha[s] : never;
        if (t == 0) from = s == 0 ? alpha[0] : never;
        if (s >= 1) from = log_sum(from, alpha[s - 1]);
        if (t > 0 && s >= 2 && s % 2 == 1 && (places[s - 2] != places[s] || !merge))
          from = log_sum(from, alpha[s - 2]);
        next[s] = from + at(t * classes + static_cast<size_t>(places[s])) - norm;
      }
      alpha.swap(next);
    }
    return -(n > 1 ? log_sum(alpha[n - 1], alpha[n - 2]) : alpha[0]);
  }
};

void register_ctc_loss(Registry& r) { r.operation<CtcLoss>(); }

}  // namespace mo::opset
