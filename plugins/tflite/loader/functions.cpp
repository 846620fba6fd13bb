#include "loader/functions.hpp"

#include <algorithm>
#include <array>

namespace mo::tflite {

namespace {

const Operator* writer_of(const SubGraph& g, int32_t tensor) {
  for (const Operator& op : g.operators)
    if (op.outputs.size() == 1 && op.outputs[0] == tensor && !op.code->is_custom) return &op;
  return nullptr;
}

bool is_one_of(const Operator& op, std::string_view a, std::string_view b) {
  return op.code->op == a || op.code->op == b;
}

// A comparison of the two elements of one tensor.
struct Comparison {
  std::string_view direction;  // "EQ", "LT", … with the element that comes first on the left
  int64_t key;
};

class OrderReader {
 public:
  explicit OrderReader(const SubGraph& g) : g_(g) {}
  Order read() {
    Order all;
    if (g_.outputs.size() != 1 || !add(g_.outputs[0], g_.operators.size(), all)) return {};
    return all;
  }

 private:
  std::optional<Comparison> comparison(int32_t tensor) const {
    const Operator* op = writer_of(g_, tensor);
    if (op == nullptr || op->inputs.size() != 2) return std::nullopt;
    std::string_view direction;
    if (op->code->op == "STABLEHLO_COMPARE" && op->options != nullptr)
      direction = format::EnumNameComparisonDirection(
          options_as<format::StablehloCompareOptions>(*op)->comparison_direction());
    if (op->code->op == "LESS") direction = "LT";
    if (op->code->op == "GREATER") direction = "GT";
    if (op->code->op == "EQUAL") direction = "EQ";
    if (op->code->op == "NOT_EQUAL") direction = "NE";
    for (size_t k = 0; k + 1 < g_.inputs.size(); k += 2) {
      const std::array pair{g_.inputs[k], g_.inputs[k + 1]};
      if (pair[0] == pair[1] || !std::is_permutation(pair.begin(), pair.end(), op->inputs.begin())) continue;
      if (op->inputs[0] == pair[1] && (direction == "LT" || direction == "GT"))
        direction = direction == "LT" ? "GT" : "LT";
      return Comparison{direction, static_cast<int64_t>(k / 2)};
    }
    return std::nullopt;
  }
  // "LT" or "GT".
  std::optional<Comparison> order(int32_t tensor) const {
    const auto c = comparison(tensor);
    return c && (c->direction == "LT" || c->direction == "GT") ? c : std::nullopt;
  }
  bool compares(int32_t tensor, std::string_view direction, int64_t key) const {
    const auto c = comparison(tensor);
    return c && c->direction == direction && c->key == key;
  }

  // The first key's order, and what decides where it is equal.
  struct Step {
    Comparison first;
    int32_t rest;
  };
  // first or (equal and rest)
  std::optional<Step> of_or(int32_t a, int32_t b) const {
    const auto first = order(a);
    const Operator* both = writer_of(g_, b);
    if (!first || both == nullptr || !is_one_of(*both, "STABLEHLO_AND", "LOGICAL_AND")) return std::nullopt;
    if (both->inputs.size() != 2) return std::nullopt;
    for (const size_t k : {0, 1})
      if (compares(both->inputs[k], "EQ", first->key)) return Step{*first, both->inputs[1 - k]};
    return std::nullopt;
  }
  // equal ? rest : first
  std::optional<Step> of_select(const std::vector<int32_t>& x) const {
    if (const auto first = order(x[2]); first && compares(x[0], "EQ", first->key)) return Step{*first, x[1]};
    if (const auto first = order(x[1]); first && compares(x[0], "NE", first->key)) return Step{*first, x[2]};
    return std::nullopt;
  }
  std::optional<Step> step(int32_t tensor) const {
    const Operator* op = writer_of(g_, tensor);
    if (op == nullptr) return std::nullopt;
    if (op->inputs.size() == 2 && is_one_of(*op, "STABLEHLO_OR", "LOGICAL_OR")) {
      const auto found = of_or(op->inputs[0], op->inputs[1]);
      return found ? found : of_or(op->inputs[1], op->inputs[0]);
    }
    const bool selects = op->code->op == "STABLEHLO_SELECT" || is_one_of(*op, "SELECT", "SELECT_V2");
    return selects && op->inputs.size() == 3 ? of_select(op->inputs) : std::nullopt;
  }
  // `most`: a damaged file may have operators that read one another.
  bool add(int32_t tensor, size_t most, Order& all) const {
    const auto append = [&](const Comparison& c) {
      all.directions.emplace_back(c.direction);
      all.keys.push_back(c.key);
    };
    if (const auto c = order(tensor)) {
      append(*c);
      return true;
    }
    const auto s = most == 0 ? std::nullopt : step(tensor);
    if (!s) return false;
    append(s->first);
    return add(s->rest, most - 1, all);
  }

  const SubGraph& g_;
};

}  // namespace

std::vector<std::string> reductions_of(const SubGraph& g) {
  const size_t count = g.outputs.size();
  std::vector<int32_t> arguments = g.inputs;
  std::sort(arguments.begin(), arguments.end());
  if (arguments.size() != 2 * count ||
      std::adjacent_find(arguments.begin(), arguments.end()) != arguments.end())
    return {};
  std::vector<std::string> list;
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::array pair{g.inputs[i], g.inputs[count + i]};
    if (g.outputs[i] == pair[1]) {
      list.emplace_back(second_argument);
      continue;
    }
    const Operator* op = writer_of(g, g.outputs[i]);
    if (op == nullptr || is_activated(*op) || op->inputs.size() != 2 ||
        !std::is_permutation(pair.begin(), pair.end(), op->inputs.begin()))
      return {};
    list.emplace_back(op->code->op);
    ++used;
  }
  return used == g.operators.size() ? list : std::vector<std::string>();
}

Order order_of(const SubGraph& g) { return OrderReader(g).read(); }

}  // namespace mo::tflite
