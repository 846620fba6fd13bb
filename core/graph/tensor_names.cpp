#include <algorithm>

#include "core/graph/graph.hpp"

namespace mo::core {

namespace {

// Up to here looking through them is faster.
constexpr size_t many = 32;

}  // namespace

std::unordered_set<Symbol>& Graph::known_names(PortRef p) {
  KnownNames& known = known_names_[p.node];
  if (known.port != p.port || known.names.empty()) {
    const TensorNames& names = out(p).names;
    known = {p.port, {names.begin(), names.end()}};
  }
  return known.names;
}

void Graph::set_tensor_names(PortRef p, TensorNames names) {
  auto& now = mut(p.node).outputs[p.port].names;
  if (now == names) return;
  known_names_.erase(p.node);
  std::swap(now, names);
  journal_edit(p.node, "set tensor names", [this, p, old = std::move(names)]() mutable {
    known_names_.erase(p.node);
    mut(p.node).outputs[p.port].names = std::move(old);
  });
}

void Graph::move_tensor_names(PortRef from, PortRef to) {
  const size_t count = out(from).names.size();
  if (from == to || count == 0) return;
  // A long list goes as it is, and what `to` had stands behind it.
  const bool turned = count > many && count > out(to).names.size();
  const PortRef at = turned ? from : to;
  std::unordered_set<Symbol>* known = out(at).names.size() > many ? &known_names(at) : nullptr;
  const auto list_of = [this](PortRef p) -> TensorNames& { return mut(p.node).outputs[p.port].names; };
  TensorNames names = std::move(list_of(at)), fewer = std::move(list_of(turned ? to : from));
  list_of(from) = TensorNames();
  const size_t before = names.size();
  for (const Symbol s : fewer) {
    const bool is_new =
        known != nullptr ? known->insert(s).second : std::find(names.begin(), names.end(), s) == names.end();
    if (is_new) names.push_back(s);
  }
  list_of(to) = std::move(names);
  if (turned) {
    auto moved = known_names_.extract(from.node);
    known_names_.erase(to.node);
    moved.key() = to.node;
    moved.mapped().port = to.port;
    known_names_.insert(std::move(moved));
  } else {
    known_names_.erase(from.node);
  }
  journal_edit(from.node, "set tensor names", [] {});
  journal_edit(to.node, "set tensor names", [=, this, fewer = std::move(fewer)]() mutable {
    known_names_.erase(from.node);
    known_names_.erase(to.node);
    TensorNames all = std::move(list_of(to));
    all.resize(before);
    list_of(at) = std::move(all);
    list_of(turned ? to : from) = std::move(fewer);
  });
}

}  // namespace mo::core
