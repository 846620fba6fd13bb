// Transformations of the toy framework that can be counted, explained and left out.
#include <mo/sdk.hpp>

namespace {

// Copy(x) -> Copy(Copy(x)); only of a node that is called "copy".
struct Twice : mo::FrontReplacementOp {
  Twice() {
    id = "steps.twice";
    doc = "copies twice";
    ops = {"toy1::Copy"};
  }
  std::vector<mo::OutPort> replace_op(mo::Graph g, mo::Node n) override {
    mo::only_when(n.name() == "copy", "it is not called copy");
    const mo::Node first = g.create_node("Copy", "toy1", "first", {n.in_port(0).get_source()});
    return {g.create_node("Copy", "toy1", "second", {first.out_port()}).out_port()};
  }
};

struct Tag : mo::FrontReplacementOp {
  Tag() {
    id = "steps.tag";
    doc = "tags sums";
    ops = {"toy1::Add"};
    run_after = {"steps.twice"};
  }
  std::vector<mo::OutPort> replace_op(mo::Graph, mo::Node n) override {
    n.set_op("Copy", "toy1");
    return {};
  }
};

struct Idle : mo::ModelPass {
  explicit Idle(std::string id_) {
    id = std::move(id_);
    doc = "does nothing";
  }
  void run_on_model(mo::Graph) override {}
};

struct Never : Idle {
  Never() : Idle("steps.never") {}
  bool graph_condition(mo::Graph) override { return false; }
};

struct Off : Idle {
  Off() : Idle("steps.off") { enabled = false; }
};

struct Looks : Idle {
  Looks() : Idle("steps.looks") {}
};

struct Absent : mo::FrontReplacementOp {
  Absent() {
    id = "steps.absent";
    doc = "waits for what is not there";
    ops = {"toy1::Nothing", "Else"};
  }
  std::vector<mo::OutPort> replace_op(mo::Graph, mo::Node) override { return {}; }
};

void register_all(mo::Registry& r) {
  r.transformation<Tag>();
  r.transformation<Twice>();
  r.transformation<Never>();
  r.transformation<Off>();
  r.transformation<Looks>();
  r.transformation<Absent>();
}

}  // namespace

MO_PLUGIN("org.example.steps", "1.0.0", "Example", "Apache-2.0", "transformations for tests", "",
          register_all)
