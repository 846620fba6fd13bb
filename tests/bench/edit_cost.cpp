// What edits and bodies cost when there are many: journaled edits of one node's attributes, beside a tenth of
// them and beside a node with a tenth of the attributes; a transformation on a model of very many bodies,
// beside a quarter of them; and questions for a shape behind each edit of a chain, beside a tenth of its
// length.
//
//     edit_cost ROUNDS
//
// Prints the fastest of the rounds, one `name seconds` per line.
#include <mo/sdk.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"
#include "core/infer/infer.hpp"
#include "core/schedule/schedule.hpp"
#include "test_plugin.hpp"

namespace {

using mo::core::NodeId;

constexpr size_t many = 10'000, few = many / 10;
// A thousand bodies fit into a processor's cache, ten thousand into none: those are compared with more of
// them.
constexpr size_t very_many = 4 * many;

struct Copy {
  static constexpr std::string_view type = "Copy", opset = "bench";
  static void schema(mo::OpSchema& s) { s.inputs(1); }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};

struct Marks : mo::ModelPass {  // edits one attribute in each graph
  Marks() : ModelPass(MO_PHASE_MIDDLE) { id = "bench.marks"; }
  void run_on_model(mo::Graph g) override {
    for (const mo::Node& n : g.nodes("Leaf")) n.set("seen", 1);
  }
};

struct Asks : mo::ModelPass {  // edits each node of a chain, and asks what that makes of it
  Asks() : ModelPass(MO_PHASE_MIDDLE) { id = "bench.asks"; }
  void run_on_model(mo::Graph g) override {
    for (const mo::Node& n : g.nodes("Copy")) {
      n.set("seen", 1);
      sum += n.out_port().shape().size();
    }
  }
  size_t sum = 0;
};

void register_all(mo::Registry& r) {
  r.operation<Copy>();
  r.transformation<Marks>();
  r.transformation<Asks>();
}

// Of the processor: whatever else the machine does would be counted with the long runs, and not with the
// short ones.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
double seconds(F f) {
  const double start = processor_time();
  f();
  return processor_time() - start;
}

double edits(size_t count, size_t attributes) {
  const auto g = mo::core::Graph::create(std::make_shared<mo::core::GraphSpace>(), "g");
  const NodeId n = g->add_node("Op", "", "n", 0, 1);
  std::vector<std::string> names;
  for (size_t i = 0; i < attributes; ++i) {
    names.push_back(mo::text("attribute_", i));
    g->set_attribute(n, names.back(), std::vector<int64_t>{1, 2, 3, 4});
  }
  mo::core::Journal journal;
  g->set_journal(&journal);
  const double time = seconds([&] {
    for (size_t i = 0; i < count; ++i) g->set_attribute(n, names[i % attributes], static_cast<int64_t>(i));
  });
  g->set_journal(nullptr);
  return time;
}

double bodies(mo::core::Session& session, size_t count) {
  const auto g = mo::core::Graph::create(session.space(), "g");
  for (size_t i = 0; i < count; ++i) {
    auto body = mo::core::Graph::create(session.space(), "body");
    body->add_node("Leaf", "", "leaf", 0, 1);
    g->set_attribute(g->add_node("Holder", "", "", 0, 1), "body", std::move(body));
  }
  const mo::core::Transformation& t = *session.registry().transformation("bench.marks");
  return seconds([&] { (void)run_transformation(session, *g, t); });
}

double questions(mo::core::Session& session, size_t length) {
  const auto g = mo::core::Graph::create(session.space(), "g");
  NodeId last = g->add_node("Parameter", "opset1", "x", 0, 1);
  g->set_attribute(last, "shape", mo::core::shape_attribute({1, 3}));
  g->set_attribute(last, "element_type", mo::ElementType::f32);
  for (size_t i = 0; i < length; ++i) {
    const NodeId n = g->add_node("Copy", "bench", "", 1, 1);
    g->connect({last, 0}, {n, 0});
    last = n;
  }
  g->connect({last, 0}, {g->add_node("Result", "opset1", "r", 1, 0), 0});
  infer_all(session, *g);
  const mo::core::Transformation& t = *session.registry().transformation("bench.asks");
  return seconds([&] { (void)run_transformation(session, *g, t); });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  struct Row {
    const char* name;
    double best = 1e9;
  };
  Row rows[] = {{"edits_10000_of_50"}, {"edits_1000_of_50"}, {"edits_10000_of_5"}, {"bodies_40000"},
                {"bodies_10000"},      {"questions_10000"},  {"questions_1000"}};
  for (int i = 0; i <= rounds; ++i) {
    mo::core::Session session{mo::core::host_table()};
    mo::test::load_test_plugin<register_all>(session);
    const double times[] = {
        edits(many, 50),       edits(few, 50),           edits(many, 5),         bodies(session, very_many),
        bodies(session, many), questions(session, many), questions(session, few)};
    for (size_t k = 0; k < std::size(rows); ++k) rows[k].best = std::min(rows[k].best, times[k]);
  }
  for (const Row& row : rows) std::printf("%s %.9f\n", row.name, row.best);
  return 0;
}
