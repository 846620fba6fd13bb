#include "core/ir/checks.hpp"

namespace mo::core {

namespace {

class BorderNames {
 public:
  BorderNames(ModelPlan& model, Problems& problems)
      : graph_(*model.main.graph),
        given_(model.main.given_names),
        v10_(model.ir_version == 10),
        problems_(problems) {}

  void run() {
    std::vector<PortRef> border;
    const auto add = [&](PortRef p) {
      if (p && p.port < graph_.node(p.node).outputs.size() && seen_.insert(GraphPlan::key(p)).second)
        border.push_back(p);
    };
    for (NodeId n : graph_.parameters()) add({n, 0});
    for (NodeId n : graph_.results())
      if (!graph_.node(n).inputs.empty()) add(graph_.source({n, 0}));
    for (PortRef p : border)
      for (Symbol s : graph_.out(p).names) claim(std::string(graph_.symbols().text(s)), p);
    for (PortRef p : border) {
      if (!v10_ && graph_.out(p).names.empty()) given_[GraphPlan::key(p)] = free_name(p);
      // A runtime adds this name to those of an older file.
      if (v10_) claim(own_name(p), p);
    }
  }

 private:
  std::string own_name(PortRef p) const {
    const std::string_view name = graph_.name(p.node);
    return graph_.node(p.node).outputs.size() == 1 ? std::string(name) : text(name, ".", p.port);
  }

  std::string free_name(PortRef p) {
    const std::string name = own_name(p);
    for (int suffix = 0;; ++suffix) {
      std::string candidate = suffix == 0 ? name : text(name, "_", suffix);
      if (owner_.emplace(candidate, p).second) return candidate;
    }
  }

  void claim(std::string name, PortRef p) {
    const auto [it, is_new] = owner_.emplace(std::move(name), p);
    if (is_new || it->second == p) return;
    problems_.add("MO0706",
                  text("two inputs or outputs of the model are called '", it->first, "'; that of ",
                       path_of(graph_, it->second.node), " and that of"),
                  path_of(graph_, p.node));
  }

  const Graph& graph_;
  std::unordered_map<uint64_t, std::string>& given_;
  bool v10_;
  Problems& problems_;
  std::unordered_map<std::string, PortRef> owner_;
  std::set<uint64_t> seen_;
};

}  // namespace

void name_border_tensors(ModelPlan& model, Problems& problems) { BorderNames(model, problems).run(); }

}  // namespace mo::core
