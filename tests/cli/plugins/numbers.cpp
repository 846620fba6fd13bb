// Operations with values for models of the toy framework, and two transformations: one keeps the numbers, the
// other does not. MO_TOY_WRONG=1 switches the wrong one on.
#include <mo/sdk.hpp>

#include <cstdlib>

namespace {

template <int factor>
struct Times {
  static void schema(mo::OpSchema& s) { s.doc("the input, multiplied").inputs(1); }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor in = c.input(0);
    auto [out, data] = c.create<float>(in.dims());
    for (size_t i = 0; i < in.size(); ++i) data[i] = factor * static_cast<float>(in.number(i));
    c.output(0, out);
  }
};

void extract_as_it_is(mo::SourceNode& n) { n.set_op(n.op(), "numbers1"); }

// Double(x) -> Same(Double(x))
struct Harmless : mo::ModelPass {
  Harmless() {
    id = "numbers.harmless";
    doc = "doubles in another node";
  }
  void run_on_model(mo::Graph g) override {
    for (const mo::Node& n : g.nodes("Double")) {
      const mo::OutPort again =
          g.create_node("Double", "numbers1", "again", {n.in_port(0).get_source()}).out_port();
      n.set_op("Same", "numbers1");
      n.in_port(0).get_connection().set_source(again);
    }
  }
};

struct Wrong : mo::ModelPass {
  Wrong() {
    id = "numbers.wrong";
    doc = "triples what is to be doubled";
    run_after = {"numbers.harmless"};
  }
  bool graph_condition(mo::Graph) override { return std::getenv("MO_TOY_WRONG") != nullptr; }
  void run_on_model(mo::Graph g) override {
    for (const mo::Node& n : g.nodes("Double")) n.set_op("Triple", "numbers1");
  }
};

void register_all(mo::Registry& r) {
  r.operation<Times<1>>("Same", "numbers1");
  r.operation<Times<2>>("Double", "numbers1");
  r.operation<Times<3>>("Triple", "numbers1");
  r.extractor<extract_as_it_is>({"toy", "", "Double"});
  r.transformation<Harmless>();
  r.transformation<Wrong>();
}

}  // namespace

MO_PLUGIN("org.example.numbers", "1.0.0", "Example", "Apache-2.0", "operations with values", "", register_all)
