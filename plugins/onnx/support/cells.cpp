#include "support/cells.hpp"

#include "support/step_iterator.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace mo::onnx {

namespace cells {

struct Known {
  std::string_view name;
  // What is taken where the model says nothing; nothing where it has to.
  bool has_alpha = false, has_beta = false;
  std::optional<double> alpha = {}, beta = {};
};
constexpr std::array known_activations = {
    Known{"sigmoid"},
    Known{"tanh"},
    Known{"relu"},
    Known{"softsign"},
    Known{"softplus"},
    Known{"elu", true, false, 1.0},
    Known{"leakyrelu", true, false, 0.01},
    Known{"thresholdedrelu", true, false, 1.0},
    Known{"hardsigmoid", true, true, 0.2, 0.5},
    Known{"affine", true, true},
    Known{"scaledtanh", true, true},
};

static std::string small(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

static OutPort activated(const Build& b, const Activation& a, const OutPort& x) {
  const auto one = [&](std::string_view type, std::string_view opset) { return b.op(type, opset, {x}); };
  const auto two = [&](std::string_view type, const OutPort& l, const OutPort& r) {
    return b.op(type, "opset1", {l, r});
  };
  if (a.name == "sigmoid") return one("Sigmoid", "opset1");
  if (a.name == "tanh") return one("Tanh", "opset1");
  if (a.name == "relu") return one("ReLU", "opset1");
  if (a.name == "softplus") return one("SoftPlus", "opset4");
  if (a.name == "softsign") return two("Divide", x, two("Add", one("Abs", "opset1"), b.like(x, 1)));
  if (a.name == "elu") return b.node("Elu", "opset1", {x}).set("alpha", a.alpha).out_port();
  if (a.name == "leakyrelu") return b.op("PReLU", "opset1", {x, b.like(x, {a.alpha}, {1})});
  if (a.name == "thresholdedrelu") return b.select(two("Greater", x, b.like(x, a.alpha)), x, b.like(x, 0));
  if (a.name == "hardsigmoid")
    return b.op("HardSigmoid", "opset1", {x, b.like(x, a.alpha), b.like(x, a.beta)});
  if (a.name == "affine") return two("Add", two("Multiply", x, b.like(x, a.alpha)), b.like(x, a.beta));
  const OutPort inner = two("Multiply", x, b.like(x, a.beta));
  return two("Multiply", b.op("Tanh", "opset1", {inner}), b.like(x, a.alpha));  // scaledtanh
}

// What one step computes, in the body.
class Step {
 public:
  Step(const Build& b, const CellForm& f) : b_(b), f_(f) {}

  // {output and state, second state of an LSTM}; `x` is its product with the weights and their bias.
  Ports next(const OutPort& x, const Ports& states, const OutPort& r, const OutPort& bias,
             const OutPort& peepholes) const {
    if (f_.gates == 4) return lstm(with(x, states[0], r, bias), states[1], peepholes);
    if (f_.gates == 3) return gru(x, states[0], r, bias);
    return {gate(0, with(x, states[0], r, bias))};
  }

 private:
  OutPort op(std::string_view type, const OutPort& l, const OutPort& r) const {
    return b_.op(type, "opset1", {l, r});
  }
  OutPort gate(size_t which, OutPort x) const {
    if (f_.clip > 0) x = b_.node("Clamp", "opset1", {x}).set("min", -f_.clip).set("max", f_.clip).out_port();
    return activated(b_, f_.activations.at(which), x);
  }
  OutPort with(const OutPort& x, const OutPort& h, const OutPort& r, const OutPort& bias) const {
    const OutPort sum = op("Add", x, b_.matmul(h, r, false, true));
    return bias ? op("Add", sum, bias) : sum;
  }
  Ports parts(const OutPort& x, int64_t axis, const Ints& blocks) const {
    Ints sizes;
    for (const int64_t k : blocks) sizes.push_back(k * f_.hidden);
    return b_
        .node("VariadicSplit", "opset1", {x, b_.integer(axis), b_.list(sizes)},
              static_cast<uint32_t>(sizes.size()))
        .out_ports();
  }

  // Gates and peepholes stand as i, o, f, c.
  Ports lstm(const OutPort& sum, const OutPort& c, const OutPort& peepholes) const {
    const Ports g = parts(sum, 1, {1, 1, 1, 1});
    const Ports holes = peepholes ? parts(peepholes, 0, {1, 1, 1}) : Ports(3);
    const auto seen = [&](size_t i, const OutPort& state) {
      return holes[i] ? op("Add", g[i], op("Multiply", holes[i], state)) : g[i];
    };
    const OutPort in = gate(0, seen(0, c));
    const OutPort forget = f_.coupled ? op("Subtract", b_.like(in, 1), in) : gate(0, seen(2, c));
    const OutPort cell = op("Add", op("Multiply", forget, c), op("Multiply", in, gate(1, g[3])));
    const OutPort out = gate(0, seen(1, cell));
    return {op("Multiply", out, activated(b_, f_.activations.at(2), cell)), cell};
  }

  // Gates stand as z, r, h.
  Ports gru(const OutPort& x, const OutPort& h, const OutPort& r, const OutPort& bias) const {
    const Ports of_x = parts(x, 1, {2, 1}), of_r = parts(r, 0, {2, 1});
    const Ports of_bias = bias ? parts(bias, 0, {2, 1}) : Ports(2);
    const Ports zr = parts(with(of_x[0], h, of_r[0], of_bias[0]), 1, {1, 1});
    const OutPort update = gate(0, zr[0]), reset = gate(0, zr[1]);
    OutPort sum;
    if (f_.reset_after) {
      OutPort product = b_.matmul(h, of_r[1], false, true);
      if (bias) product = op("Add", product, of_bias[1]);
      sum = op("Add", of_x[1], op("Multiply", reset, product));
    } else {
      sum = with(of_x[1], op("Multiply", reset, h), of_r[1], of_bias[1]);
    }
    const OutPort fresh = op("Multiply", op("Subtract", b_.like(update, 1), update), gate(1, sum));
    return {op("Add", fresh, op("Multiply", update, h))};
  }

  const Build& b_;
  const CellForm& f_;
};

}  // namespace cells

bool is_of_sequences(const Activation& a) {
  return a.name == "sigmoid" || a.name == "tanh" || a.name == "relu";
}

std::vector<Activation> activations_of(const SourceNode& n, const std::vector<std::string>& defaults,
                                       int64_t directions) {
  const size_t count = defaults.size(), all = count * static_cast<size_t>(directions);
  auto names = n.find_native<std::vector<std::string>>("activations").value_or(defaults);
  require(names.size() == all || names.size() == count, "attribute 'activations' has ", names.size(),
          " entries, expected ", all);
  while (names.size() < all) names.push_back(names[names.size() - count]);
  const auto alphas = n.find_native<std::vector<double>>("activation_alpha").value_or(std::vector<double>());
  const auto betas = n.find_native<std::vector<double>>("activation_beta").value_or(std::vector<double>());
  size_t alpha = 0, beta = 0;
  std::vector<Activation> found;
  for (const std::string& given : names) {
    Activation a{cells::small(given)};
    const auto* known = std::find_if(cells::known_activations.begin(), cells::known_activations.end(),
                                     [&](const cells::Known& k) { return k.name == a.name; });
    require(known != cells::known_activations.end(), "attribute 'activations' has '", given,
            "', which ONNX does not have");
    const auto next = [&](const std::vector<double>& list, size_t& at, std::optional<double> fallback,
                          std::string_view attribute) {
      if (at < list.size()) return list[at++];
      require(fallback.has_value(), "attribute '", attribute, "' has no number for '", given, "'");
      return *fallback;
    };
    if (known->has_alpha) a.alpha = next(alphas, alpha, known->alpha, "activation_alpha");
    if (known->has_beta) a.beta = next(betas, beta, known->beta, "activation_beta");
    found.push_back(std::move(a));
  }
  return found;
}

Ports stepped_cell(const Build& b, const SourceNode& n, const CellForm& form, const CellInputs& inputs) {
  OutPort x = b.matmul(inputs.x, inputs.w, false, true), bias;
  if (inputs.bias) {
    const Ports halves = b.split(inputs.bias, 0, 2);
    x = b.add(x, halves[0]);
    bias = halves[1];
  }
  StepIterator steps(b, n, form.reverse ? "steps_back" : "steps", form.reverse);
  const Build& in = steps.in();
  const OutPort now = in.squeeze(steps.slice(x), {0});
  Ports states;
  for (const OutPort& s : inputs.states) states.push_back(steps.whole(s));
  const OutPort r = steps.whole(inputs.r);
  const auto shared = [&](const OutPort& p) { return p ? steps.whole(p) : OutPort(); };
  Ports next = cells::Step(in, form).next(now, states, r, shared(bias), shared(inputs.peepholes));
  OutPort y = next[0];
  if (inputs.alive) {
    const OutPort alive = in.squeeze(steps.slice(inputs.alive), {0});
    y = in.select(alive, y, in.like(y, 0));
    for (size_t i = 0; i < next.size(); ++i) next[i] = in.select(alive, next[i], states[i]);
  }
  steps.collect(in.unsqueeze(y, in.list({0})), 0);
  for (size_t i = 0; i < next.size(); ++i) steps.next(next[i], states[i], static_cast<int64_t>(i + 1));
  return steps.finish(static_cast<uint32_t>(next.size() + 1));
}

}  // namespace mo::onnx
