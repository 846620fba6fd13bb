#include "loader/gluoncv.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace mo::mxnet {

namespace {

// What a box_nms is computed from.
struct Parts {
  std::optional<uint32_t> scores;     // softmax over the classes of each anchor
  std::optional<uint32_t> locations;  // split into x, y, width and height
  std::optional<uint32_t> anchors;    // the same of the anchors
};

class Search {
 public:
  explicit Search(const Symbol& s) : symbol_(s) {}

  Parts from(uint32_t nms) const {
    Parts p;
    std::vector<bool> open(symbol_.nodes.size(), false);
    open[nms] = true;
    for (uint32_t i = nms + 1; i-- > 0;) {
      const SymbolNode& n = symbol_.nodes[i];
      if (!open[i]) continue;
      if (n.op == "softmax")
        p.scores = i;
      else if (splits_boxes(n))
        (are_locations(n) ? p.locations : p.anchors) = i;
      else
        for (const Entry& e : n.inputs) open[e.node] = true;
    }
    return p;
  }
  const SymbolNode* input(const SymbolNode& n, size_t i = 0) const {
    return i < n.inputs.size() ? &symbol_.nodes[n.inputs[i].node] : nullptr;
  }
  // The node whose outputs are reshaped and split.
  Entry joined(uint32_t split) const { return symbol_.nodes[symbol_.nodes[split].inputs[0].node].inputs[0]; }

 private:
  bool splits_boxes(const SymbolNode& n) const {
    if (n.op != "SliceChannel" || n.text("num_outputs") != "4") return false;
    const SymbolNode* shaped = input(n);
    const SymbolNode* all = shaped != nullptr && shaped->op == "Reshape" ? input(*shaped) : nullptr;
    return all != nullptr && all->op == "Concat" && !all->inputs.empty();
  }
  // Locations are joined of what convolutions give, flattened; anchors of constants.
  bool are_locations(const SymbolNode& split) const { return input(*input(*input(split)))->op == "Flatten"; }

  const Symbol& symbol_;
};

// The factors of x, y, width and height.
std::string variances(const Symbol& s, uint32_t locations) {
  std::array<std::string, 4> list{"0.1", "0.1", "0.2", "0.2"};
  for (const SymbolNode& n : s.nodes)
    if (n.op == "_mul_scalar" && n.inputs.size() == 1 && n.inputs[0].node == locations &&
        n.inputs[0].output < 4)
      if (const std::string* scalar = n.find("scalar")) list[n.inputs[0].output] = *scalar;
  return text('(', list[0], ", ", list[1], ", ", list[2], ", ", list[3], ')');
}

// "21" of "(0, -1, 21)".
std::string classes(const Search& search, const Symbol& s, uint32_t scores) {
  const SymbolNode* shaped = search.input(s.nodes[scores]);
  const std::string shape = shaped == nullptr ? std::string() : shaped->text("shape");
  const size_t comma = shape.rfind(','), end = shape.find_last_of("0123456789");
  require(comma != std::string::npos && end != std::string::npos && end > comma,
          "how many classes there are is not known");
  const size_t begin = shape.find_first_of("0123456789", comma);
  return shape.substr(begin, end + 1 - begin);
}

std::vector<bool> depending_on(const Symbol& s, uint32_t node) {
  std::vector<bool> depends(s.nodes.size(), false);
  depends[node] = true;
  for (size_t i = node + 1; i < s.nodes.size(); ++i)
    for (const Entry& e : s.nodes[i].inputs) depends[i] = depends[i] || depends[e.node];
  return depends;
}

}  // namespace

void join_ssd_detection(Symbol& s) {
  const auto nms = std::find_if(s.nodes.begin(), s.nodes.end(),
                                [](const SymbolNode& n) { return n.op == "_contrib_box_nms"; });
  require(nms != s.nodes.end(), "--enable_ssd_gluoncv: there is no _contrib_box_nms; convert without it");
  const auto at = static_cast<uint32_t>(nms - s.nodes.begin());
  const Search search(s);
  const Parts p = search.from(at);
  require(p.scores && p.locations && p.anchors, "what '", nms->name,
          "' reads is not the end of an SSD of gluoncv: ",
          !p.scores      ? "there is no softmax over classes"
          : !p.locations ? "there are no locations"
                         : "there are no anchors",
          "; convert without --enable_ssd_gluoncv");
  SymbolNode made{std::string(ssd_detection), nms->name, {}, nms->attributes, {}};
  made.inputs = {search.joined(*p.locations), {*p.scores, 0}, s.nodes[*p.anchors].inputs[0]};
  made.attributes.emplace_back("num_classes", classes(search, s, *p.scores));
  made.attributes.emplace_back("variances", variances(s, *p.locations));
  const std::vector<bool> replaced = depending_on(s, at);
  s.heads.erase(
      std::remove_if(s.heads.begin(), s.heads.end(), [&](const Entry& e) { return replaced[e.node]; }),
      s.heads.end());
  s.nodes.push_back(std::move(made));
  s.heads.push_back({static_cast<uint32_t>(s.nodes.size()) - 1, 0});
}

}  // namespace mo::mxnet
