// What a call across mo/plugin.h costs: host functions called from a callback of a plugin, and callbacks
// called by the host, each beside the same thing done without the boundary.
//
//     abi_calls [options of Google Benchmark]
//
// A benchmark NAME/plugin has its floor in NAME/core; tests/bench/run prints the ratio.

#include <benchmark/benchmark.h>
#include <mo/plugin.h>

#include <array>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"
#include "core/infer/infer.hpp"
#include "core/schedule/schedule.hpp"

namespace {

using mo::core::Graph;
using mo::core::NodeId;

constexpr uint32_t kNodes = 10000;

mo_str str(std::string_view s) { return {s.data(), s.size()}; }

struct World {
  mo::core::Session* session = nullptr;
  Graph* core_graph = nullptr;
  std::vector<NodeId> core_nodes;
  // What a plugin has.
  mo_graph graph = 0;
  std::vector<mo_node> nodes;
};
World world;

// A context as the host makes it for the length of a callback; what it lends lives as long. A new one comes
// every some hundred calls, as in callbacks that do much.
class Callback {
 public:
  mo_context* context() {
    if (calls_++ % 256 == 0) {
      call_.reset();
      call_.emplace(*world.session);
      (*call_)->plugin = &world.session->plugins().front();
      (*call_)->graph = world.core_graph;
    }
    return call_->get();
  }

 private:
  std::optional<mo::core::Call> call_;
  unsigned calls_ = 0;
};

const mo_graph_api& graph_api() { return *world.session->host()->graph; }

mo_status infer_same(void*, mo_context* context, const mo_infer_args* args) {
  const mo_tensor_desc* input = args->inputs[0];
  return context->host->infer->set_output(context, 0, input->element_type, &input->shape);
}

mo_status decline(void*, mo_context*, mo_node) { return MO_NOT_APPLICABLE; }

mo_status load(mo_context* context) {
  const mo_registry_api& registry = *context->host->registry;
  std::array<mo_attr_def, 4> attributes{};
  const char* const names[] = {"a", "b", "c", "d"};
  for (size_t i = 0; i < attributes.size(); ++i) {
    attributes[i].size = sizeof(mo_attr_def);
    attributes[i].name = str(names[i]);
    attributes[i].kind = MO_VALUE_INT;
  }
  mo_operation_def operation{};
  operation.size = sizeof operation;
  operation.op = str("Bench");
  operation.opset = str("bench");
  operation.doc = str("gives its input on");
  operation.attrs = attributes.data();
  operation.n_attrs = attributes.size();
  operation.min_inputs = operation.max_inputs = operation.min_outputs = operation.max_outputs = 1;
  operation.infer = infer_same;

  const mo_str op = str("Bench");
  mo_transformation_def each{};
  each.size = sizeof each;
  each.id = str("bench.each");
  each.doc = str("looks at each node");
  each.phase = MO_PHASE_FRONT;
  each.kind = MO_TRANSFORM_OP;
  each.ops = &op;
  each.n_ops = 1;
  each.on_node = decline;

  const mo_status status = registry.operation(context, &operation);
  return status == MO_OK ? registry.transformation(context, &each) : status;
}

const mo_plugin* entry() {
  static const mo_plugin plugin = [] {
    mo_plugin p{};
    p.size = sizeof p;
    p.abi_major = MO_ABI_MAJOR;
    p.abi_minor = MO_TARGET_MINOR;
    p.abi_lowest_minor = MO_LOWEST_MINOR;
    p.abi_candidate = MO_ABI_CANDIDATE;
    p.id = str("org.mo-host.bench.abi");
    p.version = str("1.0.0");
    p.vendor = str("mo-host");
    p.license = str("Apache-2.0");
    p.description = str("measures calls");
    p.load = load;
    return p;
  }();
  return &plugin;
}

// Goes round the nodes, so that neither side profits from looking at one node only.
class Round {
 public:
  uint32_t next() { return at_ = at_ + 1 == kNodes ? 0 : at_ + 1; }

 private:
  uint32_t at_ = 0;
};

// Host functions called from a plugin.

void op_plugin(benchmark::State& state) {
  Callback callback;
  Round round;
  mo_str op{};
  for (auto _ : state) {
    graph_api().op(callback.context(), world.nodes[round.next()], &op);
    benchmark::DoNotOptimize(op);
  }
}
void op_core(benchmark::State& state) {
  Round round;
  for (auto _ : state) {
    std::string_view op = world.core_graph->op(world.core_nodes[round.next()]);
    benchmark::DoNotOptimize(op);
  }
}

void attribute_by_name_plugin(benchmark::State& state) {
  Callback callback;
  Round round;
  mo_value value{};
  for (auto _ : state) {
    graph_api().node_attr(callback.context(), world.nodes[round.next()], str("c"), &value);
    benchmark::DoNotOptimize(value);
  }
}
void attribute_by_name_core(benchmark::State& state) {
  Round round;
  for (auto _ : state) {
    const mo::core::Attribute* value = world.core_graph->attribute(world.core_nodes[round.next()], "c");
    benchmark::DoNotOptimize(value);
  }
}

void four_attributes_plugin(benchmark::State& state) {
  Callback callback;
  Round round;
  const std::array<mo_str, 4> names{str("a"), str("b"), str("c"), str("d")};
  std::array<mo_value, 4> values{};
  for (auto _ : state) {
    graph_api().node_attrs(callback.context(), world.nodes[round.next()], names.data(), names.size(),
                           values.data());
    benchmark::DoNotOptimize(values);
  }
}
void four_attributes_core(benchmark::State& state) {
  Round round;
  for (auto _ : state) {
    const NodeId node = world.core_nodes[round.next()];
    for (const char* name : {"a", "b", "c", "d"}) {
      const mo::core::Attribute* value = world.core_graph->attribute(node, name);
      benchmark::DoNotOptimize(value);
    }
  }
}

void source_plugin(benchmark::State& state) {
  Callback callback;
  Round round;
  mo_port source{};
  for (auto _ : state) {
    graph_api().source(callback.context(), {world.nodes[round.next()], 0, MO_PORT_IN}, &source);
    benchmark::DoNotOptimize(source);
  }
}
void source_core(benchmark::State& state) {
  Round round;
  for (auto _ : state) {
    mo::core::PortRef source = world.core_graph->source({world.core_nodes[round.next()], 0});
    benchmark::DoNotOptimize(source);
  }
}

void tensor_plugin(benchmark::State& state) {
  Callback callback;
  Round round;
  const mo_tensor_desc* desc = nullptr;
  for (auto _ : state) {
    graph_api().desc(callback.context(), {world.nodes[round.next()], 0, MO_PORT_OUT}, &desc);
    benchmark::DoNotOptimize(desc);
  }
}
void tensor_core(benchmark::State& state) {
  Round round;
  for (auto _ : state) {
    const mo::core::TensorState* tensor = &world.core_graph->out({world.core_nodes[round.next()], 0}).tensor;
    benchmark::DoNotOptimize(tensor);
  }
}

// Per node of a list of all nodes.
void nodes_plugin(benchmark::State& state) {
  Callback callback;
  std::vector<mo_node> items(kNodes);
  uint64_t count = 0;
  for (auto _ : state) {
    graph_api().nodes(callback.context(), world.graph, str("Bench"), items.data(), kNodes, &count);
    benchmark::DoNotOptimize(items.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kNodes);
}
void nodes_core(benchmark::State& state) {
  std::vector<NodeId> items(kNodes);
  for (auto _ : state) {
    const auto nodes = world.core_graph->nodes_of("Bench");
    std::copy(nodes.begin(), nodes.end(), items.begin());
    benchmark::DoNotOptimize(items.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kNodes);
}

// Callbacks, per node; what the host does around them is part of the cost.

void on_node_plugin(benchmark::State& state) {
  const mo::core::Transformation* each = world.session->registry().transformation("bench.each");
  for (auto _ : state) {
    mo::core::run_transformation(*world.session, *world.core_graph, *each);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kNodes);
}

void infer_plugin(benchmark::State& state) {
  for (auto _ : state) {
    mo::core::infer_all(*world.session, *world.core_graph);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kNodes);
}

// The floors: the call itself, and taking over and comparing what the node reads.
void on_node_core(benchmark::State& state) {
  auto* call = &decline;
  benchmark::DoNotOptimize(call);
  for (auto _ : state) {
    for (NodeId node : world.core_graph->nodes_of("Bench")) {
      mo_status status = call(nullptr, nullptr, node);
      benchmark::DoNotOptimize(status);
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kNodes);
}
void infer_core(benchmark::State& state) {
  const Graph& graph = *world.core_graph;
  for (auto _ : state) {
    for (NodeId node : world.core_nodes) {
      const mo::core::TensorState tensor = graph.out(graph.source({node, 0})).tensor;
      bool same = tensor.shape == graph.out({node, 0}).tensor.shape;
      benchmark::DoNotOptimize(same);
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kNodes);
}

void build(Graph& graph) {
  NodeId last = graph.add_node("Parameter", "opset1", "x", 0, 1);
  mo::core::TensorState tensor;
  const int64_t dims[] = {1, 16};
  tensor.shape = mo::Shape::dims_of(dims, 2);
  tensor.type = mo::ElementType::f32;
  graph.set_tensor({last, 0}, tensor);
  for (uint32_t i = 0; i < kNodes; ++i) {
    const NodeId node = graph.add_node("Bench", "bench", "", 1, 1);
    int64_t value = 0;
    for (const char* name : {"a", "b", "c", "d"}) {
      graph.set_attribute(node, name, ++value);
    }
    graph.connect({last, 0}, {node, 0});
    world.core_nodes.push_back(node);
    last = node;
  }
  graph.connect({last, 0}, {graph.add_node("Result", "opset1", "y", 1, 0), 0});
}

int run() {
  mo::core::Session session{mo::core::host_table()};
  mo::core::load_plugin(session, entry, "abi_calls", false, "");
  mo::core::GraphPtr graph = session.create_graph("bench");
  build(*graph);
  world.session = &session;
  world.core_graph = graph.get();
  world.graph = graph->serial();
  for (NodeId node : world.core_nodes) {
    world.nodes.push_back(mo::core::node_handle(*graph, node));
  }

  const auto pair = [](const char* name, auto* plugin, auto* core) {
    benchmark::RegisterBenchmark((std::string(name) + "/core").c_str(), core);
    benchmark::RegisterBenchmark((std::string(name) + "/plugin").c_str(), plugin);
  };
  pair("op", op_plugin, op_core);
  pair("attribute_by_name", attribute_by_name_plugin, attribute_by_name_core);
  pair("four_attributes", four_attributes_plugin, four_attributes_core);
  pair("source", source_plugin, source_core);
  pair("tensor", tensor_plugin, tensor_core);
  pair("nodes", nodes_plugin, nodes_core);
  pair("on_node", on_node_plugin, on_node_core);
  pair("infer", infer_plugin, infer_core);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "abi_calls: %s\n", error.what());
    return 1;
  }
}
