// What a loop reads in every iteration and is constant is part of its body:
//   Loop(count, condition, x, Const)   ->   Loop(count, condition, x)
#include <mo/sdk.hpp>

#include <mo/port_map.hpp>

namespace mo::tensorflow {

class MoveConstantsIntoLoops : public ModelPass {
 public:
  MoveConstantsIntoLoops() {
    id = "tf.middle.move_constants_into_loops";
    doc = "constants that a loop reads in every iteration are part of its body";
    before = "Loop(count, condition, x, Const)";
    after = "Loop(count, condition, x)";
    frameworks = {"tf"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const char* op : {"Loop", "TensorIterator"})
      for (const Node& n : g.get_op_nodes(op)) move(n);
  }

 private:
  static void move(const Node& n) {
    const Graph body(n.context(), n.attr<GraphHandle>("body").id);
    const auto parameters = body.parameters();
    const auto edges = n.attr("back_edges", std::vector<int64_t>{});
    std::vector<bool> gone(parameters.size(), false);
    std::vector<size_t> ports;
    for (const std::string& line : n.attr<std::vector<std::string>>("port_map")) {
      const PortMapEntry e = parse_port_map_entry(line);
      if (e.output || e.axis || e.external < (n.op() == "Loop" ? 2 : 0)) continue;
      const OutPort source = n.in_port(static_cast<size_t>(e.external)).get_source();
      if (!source || source.node().op() != "Const" || !source.value()) continue;
      bool changes = false;
      for (size_t i = 1; i < edges.size(); i += 2) changes |= edges[i] == e.internal;
      if (changes) continue;
      const Node& p = parameters.at(static_cast<size_t>(e.internal));
      const Node made = body.create_const(source.node().name(), *source.value());
      p.out_port().get_connection().set_source(made.out_port(), Names::source);
      gone[static_cast<size_t>(e.internal)] = true;
      ports.push_back(static_cast<size_t>(e.external));
    }
    if (!ports.empty()) leave_out(n, parameters, gone, ports);
  }

  static void leave_out(const Node& n, const std::vector<Node>& parameters, const std::vector<bool>& gone,
                        std::vector<size_t> ports) {
    const auto moved = [&](int64_t parameter) {
      return parameter - std::count(gone.begin(), gone.begin() + parameter, true);
    };
    std::sort(ports.begin(), ports.end());
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    std::vector<std::string> lines;
    for (const std::string& line : n.attr<std::vector<std::string>>("port_map")) {
      PortMapEntry e = parse_port_map_entry(line);
      if (!e.output) {
        if (gone[static_cast<size_t>(e.internal)]) continue;
        e.internal = moved(e.internal);
        if (e.external >= 0)
          e.external -=
              std::lower_bound(ports.begin(), ports.end(), static_cast<size_t>(e.external)) - ports.begin();
      }
      append_text(lines.emplace_back(), e);
    }
    auto edges = n.attr("back_edges", std::vector<int64_t>{});
    for (size_t i = 1; i < edges.size(); i += 2) edges[i] = moved(edges[i]);
    n.set("port_map", lines);
    if (!edges.empty()) n.set("back_edges", edges);
    for (size_t i = 0; i < parameters.size(); ++i)
      if (gone[i]) parameters[i].remove();
    for (size_t i = ports.size(); i-- != 0;) n.delete_input_port(ports[i]);
  }
};

void register_move_constants_into_loops(Registry& r) { r.transformation<MoveConstantsIntoLoops>(); }

}  // namespace mo::tensorflow
