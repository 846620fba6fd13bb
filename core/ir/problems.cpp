#include "core/ir/problems.hpp"

#include <mo/text.hpp>

namespace mo::core {

void Problems::add(std::string_view code, std::string what, std::string node, std::string_view hint) {
  const auto [it, is_new] = index_.emplace(what, groups_.size());
  if (is_new) groups_.push_back({std::string(code), std::move(what), std::string(hint), {}});
  groups_[it->second].nodes.push_back(std::move(node));
}

void Problems::check() const {
  if (groups_.empty()) return;
  constexpr size_t shown = 20;
  std::string list;
  for (const Group& g : groups_) {
    list += text(list.empty() ? "" : "\n", g.what, ": ");
    for (size_t i = 0; i < g.nodes.size() && i < shown; ++i) list += text(i == 0 ? "" : ", ", g.nodes[i]);
    if (g.nodes.size() > shown) list += text(" and ", g.nodes.size() - shown, " more");
  }
  throw Failure(Exit::model, groups_.front().code,
                text("the model cannot be written as IR version ", ir_version_))
      .with("layers", list)
      .with("hint", groups_.front().hint);
}

}  // namespace mo::core
