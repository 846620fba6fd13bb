// A plugin that does one wrong thing, at a chosen crossing of the boundary: a callback that is entered, or a
// host function about to be called. For tests/abi/faults/run and tests/cli/isolate_test.cpp.
//
//   MO_FAULT       what goes wrong (see `faults` below); nothing does without it
//   MO_FAULT_AT    the number of the crossing, from 1
//   MO_FAULT_SEED  varies what is scribbled over
//   MO_FAULT_COUNT a file into which the number of crossings is written at the end
//
// Its own work: a node Passed (opset faults) behind every ReLU, which changes nothing; all kinds of callbacks
// that a plugin has take part in it.
#include <mo/plugin.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace {

mo_str str(std::string_view s) { return {s.data(), s.size()}; }

// What a callback or call does instead of the right thing.
struct Fault {
  bool status = false, handle = false, text = false, shape = false, size = false, null = false;
  bool any() const { return status || handle || text || shape || size || null; }
};

unsigned long long crossings = 0;

void scribble(unsigned long long seed) {
  volatile char here = 0;
  volatile char* stack = &here;
  volatile char* heap = static_cast<char*>(std::malloc(64));
  for (size_t i = 0; i < 2048 + seed % 4096; ++i) {
    if (seed % 3 != 1) stack[i] = static_cast<char>(i * 7 + seed);
    if (seed % 3 != 0) heap[i] = static_cast<char>(i * 13 + seed);
  }
}

// Says on every socket what nobody asked for.
void babble(unsigned long long seed) {
  char noise[300];
  for (size_t i = 0; i < sizeof noise; ++i) noise[i] = static_cast<char>((i + 1) * (seed * 2 + 1) >> 3U);
  const unsigned long long length = seed % 4 == 0 ? ~0ULL : sizeof noise - 8;
  std::memcpy(noise, &length, sizeof length);
  for (int fd = 3; fd < 64; ++fd) {
    struct stat s {};
    if (fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode)) (void)!send(fd, noise, sizeof noise, MSG_NOSIGNAL);
  }
}

void close_sockets() {
  for (int fd = 3; fd < 64; ++fd) {
    struct stat s {};
    if (fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode)) close(fd);
  }
}

// Counts a crossing, and is the one where something goes wrong.
Fault cross() {
  static const char* const wanted = std::getenv("MO_FAULT");
  static const char* const at = std::getenv("MO_FAULT_AT");
  static const char* const seed_text = std::getenv("MO_FAULT_SEED");
  Fault f;
  ++crossings;
  if (wanted == nullptr || at == nullptr || crossings != std::strtoull(at, nullptr, 10)) return f;
  const std::string_view what = wanted;
  const unsigned long long seed = seed_text == nullptr ? 0 : std::strtoull(seed_text, nullptr, 10);
  if (what == "throw") throw std::runtime_error("a fault on purpose");
  if (what == "throw_number") throw 7;
  if (what == "abort") std::abort();
  if (what == "crash") *reinterpret_cast<volatile int*>(seed % 4096) = 1;
  if (what == "divide") raise(SIGFPE);
  if (what == "exit") std::exit(static_cast<int>(seed % 3));
  if (what == "kill") raise(SIGKILL);
  if (what == "scribble") scribble(seed);
  if (what == "babble") babble(seed);
  if (what == "close") close_sockets();
  if (what == "orphan") {  // what it has started keeps its sockets open
    if (fork() == 0)
      for (alarm(20);;) pause();
    std::abort();
  }
  if (what == "hang")
    for (;;) pause();
  f.status = what == "status";
  f.handle = what == "handle";
  f.text = what == "text";
  f.shape = what == "shape";
  f.size = what == "size";
  f.null = what == "null";
  return f;
}

mo_node node_for(const Fault& f, mo_node n) { return f.handle ? n ^ 0x5a5a00000000ULL : n; }
mo_str text_for(const Fault& f, std::string_view s) {
  if (f.text) return {"\xff\xfe", 2};
  if (f.size) return {s.data(), ~size_t{0} / 2};
  if (f.null) return {nullptr, 17};
  return str(s);
}
// What a callback returns.
mo_status end(const Fault& f, mo_status s) { return f.any() ? 4711 : s; }
#define TRY(call)                                         \
  do {                                                    \
    if (const mo_status s = (call); s != MO_OK) return s; \
  } while (false)

// Host calls, each of which is a crossing.

mo_status set_output(mo_context* c, const mo_tensor_desc* input) {
  const Fault f = cross();
  const mo_dim bad[] = {{5, 2}};
  mo_shape shape = input->shape;
  if (f.shape) shape = {bad, 1};
  if (f.size) shape.rank = int64_t{1} << 40;
  if (f.null) shape = {nullptr, 3};
  return c->host->infer->set_output(c, f.handle ? 99 : 0, f.status ? 1234 : input->element_type,
                                    f.text ? nullptr : &shape);
}

mo_status insert_after(mo_context* c, mo_graph g, mo_node relu) {
  const mo_graph_api& api = *c->host->graph;
  const Fault f = cross();
  mo_node_init init{};
  init.size = sizeof init;
  init.op = text_for(f, "Passed");
  init.opset = str("faults");
  init.name = str("passed");
  const mo_port in{node_for(f, relu), f.shape ? 77U : 0U, f.status ? 5 : MO_PORT_OUT};
  init.n_outputs = 1;
  mo_node passed = 0;
  init.n_inputs = f.size ? 4000000000U : 1;
  const mo_port none{0, 0, MO_PORT_OUT};
  init.inputs = f.null ? nullptr : &none;
  TRY(api.create_node(c, g, &init, &passed));
  return api.insert_node(c, in, passed, MO_NAMES_MERGE);
}

// Callbacks.

mo_status infer(void*, mo_context* c, const mo_infer_args* args) {
  const Fault f = cross();
  TRY(set_output(c, args->inputs[0]));
  return end(f, MO_OK);
}

mo_status evaluate(void*, mo_context* c, const mo_evaluate_args* args) {
  const Fault f = cross();
  return end(f, c->host->infer->set_value(c, 0, args->inputs[0]));
}

mo_status ir_attrs(void*, mo_context* c, mo_node) {
  const Fault f = cross();
  const Fault call = cross();
  const bool number = call.handle || call.status || call.shape;
  TRY(c->host->infer->add_ir_attr(c, number ? mo_str{nullptr, 1} : text_for(call, "mark"), text_for(f, "1")));
  return end(f, MO_OK);
}

mo_status extract(void*, mo_context*, mo_node) {
  const Fault f = cross();
  return end(f, MO_NOT_APPLICABLE);
}

mo_status condition(void*, mo_context*, mo_graph, int32_t* ok) {
  const Fault f = cross();
  *ok = 1;
  return end(f, MO_OK);
}

mo_status on_graph(void*, mo_context* c, mo_graph g) {
  const Fault f = cross();
  mo_node relus[64];
  uint64_t count = 0;
  const Fault call = cross();
  TRY(c->host->graph->nodes(c, call.handle ? 4000000000U : g, text_for(call, "ReLU"), relus, 64,
                            call.status || call.shape ? nullptr : &count));
  for (uint64_t i = 0; i < count && i < 64; ++i) TRY(insert_after(c, g, relus[i]));
  return end(f, MO_OK);
}

mo_status on_node(void*, mo_context* c, mo_node n) {
  const Fault f = cross();
  const Fault call = cross();
  mo_value v{};
  v.kind = call.status ? 4242 : MO_VALUE_STRING;
  v.u.s = text_for(call, "seen");
  if (call.shape) {
    v.kind = MO_VALUE_INTS;
    v.count = uint64_t{1} << 50;
  }
  TRY(c->host->graph->set_node_attr(c, node_for(call, n), str("mark_of_faults"), &v));
  return end(f, MO_OK);
}

mo_status predicate(void*, mo_context*, mo_port, int32_t* ok) {
  const Fault f = cross();
  *ok = 1;
  return end(f, MO_OK);
}

mo_status on_match(void*, mo_context* c, mo_match* m) {
  const Fault f = cross();
  mo_node n = 0;
  const Fault call = cross();
  if (call.handle || call.status || call.shape) m = reinterpret_cast<mo_match*>(uintptr_t{16});
  TRY(c->host->rewrite->node(c, call.null ? nullptr : m, text_for(call, "it"), &n));
  return end(f, MO_OK);
}

void count_crossings(void*) {
  if (const char* file = std::getenv("MO_FAULT_COUNT"))
    if (FILE* out = std::fopen(file, "w")) {
      std::fprintf(out, "%llu\n", crossings);
      std::fclose(out);
    }
}

// Registrations.

mo_transformation_def transformation(std::string_view id, int32_t phase, int32_t kind) {
  const Fault f = cross();
  mo_transformation_def d{};
  d.size = f.size ? 3 : sizeof d;
  d.id = text_for(f, id);
  d.phase = f.shape ? 99 : phase;
  d.kind = f.handle ? -4 : kind;
  d.enabled = f.status ? 17 : MO_UNSET;
  return d;
}

mo_status load(mo_context* c) {
  const Fault f = cross();
  const mo_registry_api& registry = *c->host->registry;

  const Fault o = cross();
  mo_operation_def operation{};
  operation.size = o.size ? ~size_t{0} : sizeof operation;
  operation.op = text_for(o, "Passed");
  operation.opset = str("faults");
  operation.min_inputs = o.shape ? 9 : 1;
  operation.max_inputs = operation.min_outputs = operation.max_outputs = 1;
  operation.flags = o.handle ? 0x80000000U : o.status ? 0x100000U : 0U;
  operation.infer = infer;
  operation.evaluate = evaluate;
  operation.ir_attrs = ir_attrs;
  operation.release = count_crossings;
  TRY(registry.operation(c, &operation));

  const Fault e = cross();
  mo_extractor_def extractor{};
  extractor.size = e.size ? 8 : sizeof extractor;
  extractor.framework = str("onnx");
  extractor.op = text_for(e, "Relu");
  extractor.since = e.handle || e.status || e.shape ? -5 : 0;
  extractor.extract = extract;
  TRY(registry.extractor(c, &extractor));

  mo_transformation_def graph = transformation("faults.pass_after_relu", MO_PHASE_BACK, MO_TRANSFORM_GRAPH);
  graph.condition = condition;
  graph.on_graph = on_graph;
  graph.force_shape_inference = MO_ON;
  TRY(registry.transformation(c, &graph));

  const mo_str ops[] = {str("Relu"), str("ReLU"), str("Convolution")};
  mo_transformation_def op = transformation("faults.mark", MO_PHASE_MIDDLE, MO_TRANSFORM_OP);
  op.ops = ops;
  op.n_ops = 3;
  op.on_node = on_node;
  TRY(registry.transformation(c, &op));

  mo_transformation_def tree = transformation("faults.look", MO_PHASE_MIDDLE, MO_TRANSFORM_MATCHER);
  mo_pattern_node pattern{};
  pattern.size = sizeof pattern;
  pattern.kind = MO_PATTERN_OP;
  pattern.alias = str("it");
  pattern.ops = ops;
  pattern.n_ops = 3;
  pattern.flags = MO_PATTERN_VARIADIC;
  pattern.predicate = predicate;
  tree.nodes = &pattern;
  tree.n_nodes = 1;
  tree.on_match = on_match;
  TRY(registry.transformation(c, &tree));
  return end(f, MO_OK);
}

}  // namespace

MO_PLUGIN_NOTE("org.example.faults", "1.0.0")

extern "C" MO_EXPORT const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = [] {
    mo_plugin p{};
    p.size = sizeof p;
    p.abi_major = MO_ABI_MAJOR;
    p.abi_minor = MO_TARGET_MINOR;
    p.abi_lowest_minor = MO_LOWEST_MINOR;
    p.abi_candidate = MO_ABI_CANDIDATE;
    p.id = str("org.example.faults");
    p.version = str("1.0.0");
    p.vendor = str("the tests");
    p.license = str("Apache-2.0");
    p.description = str("does one wrong thing");
    p.load = load;
    return p;
  }();
  return &plugin;
}
