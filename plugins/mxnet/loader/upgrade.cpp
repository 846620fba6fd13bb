#include "loader/upgrade.hpp"

#include <algorithm>
#include <array>

namespace mo::mxnet {

namespace {

constexpr std::array<std::string_view, 5> hidden_keys{"ctx_group", "lr_mult", "wd_mult", "force_mirroring",
                                                      "mirror_stage"};

bool ends_with(std::string_view s, std::string_view end) {
  return s.size() >= end.size() && s.substr(s.size() - end.size()) == end;
}

// They are kept as __key__, or dropped in the form ARG_key: those belong to the training of an input.
void hide_attributes(SymbolNode& n) {
  auto& all = n.attributes;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const auto& a) {
                             return std::any_of(hidden_keys.begin(), hidden_keys.end(),
                                                [&](std::string_view k) {
                                                  return ends_with(a.first, "_" + std::string(k));
                                                });
                           }),
            all.end());
  for (auto& [key, value] : all)
    if (std::find(hidden_keys.begin(), hidden_keys.end(), key) != hidden_keys.end()) key = "__" + key + "__";
}

bool is_batch_norm(const SymbolNode& n) {
  return n.op == "BatchNorm" || n.op == "BatchNorm_v1" || n.op == "CuDNNBatchNorm";
}

void add_states(Symbol& s, size_t node) {
  constexpr std::array<std::string_view, 4> states{"gamma", "beta", "moving_mean", "moving_var"};
  const size_t have = s.nodes[node].inputs.size();
  if (have == 0) return;
  for (size_t i = have - 1; i < states.size(); ++i) {
    SymbolNode state{"null", text(s.nodes[node].name, '_', states[i]), {}, {}, {}};
    s.nodes[node].inputs.push_back({static_cast<uint32_t>(s.nodes.size()), 0});
    s.nodes.push_back(std::move(state));
  }
}

}  // namespace

void upgrade(Symbol& s) {
  for (size_t i = 0, end = s.nodes.size(); i < end; ++i) {
    hide_attributes(s.nodes[i]);
    if (is_batch_norm(s.nodes[i]) && s.nodes[i].inputs.size() < 5) add_states(s, i);
    auto& all = s.nodes[i].attributes;
    const bool all_axes = s.version < 905 && (s.nodes[i].op == "argmax" || s.nodes[i].op == "argmin");
    if (all_axes)
      all.erase(std::remove_if(all.begin(), all.end(),
                               [](const auto& a) { return a.first == "axis" && a.second == "-1"; }),
                all.end());
  }
}

}  // namespace mo::mxnet
