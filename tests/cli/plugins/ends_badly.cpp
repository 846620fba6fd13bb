// MO_ENDS_BADLY=WHERE:HOW has the callback WHERE crash, call exit() or _exit(0), not come back, or change what belongs to the
// process; "spoil" writes to the input of evaluate. A file
// that begins with "badly" is read as a model of two operations: one on an input, one on a constant.
#include <mo/sdk.hpp>

#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

void change_process(std::string_view how) {
  if (how == "folder" && chdir("/") != 0) std::abort();
  if (how == "umask") (void)umask(0777);
  if (how == "signals") (void)std::signal(SIGINT, SIG_IGN);
  if (how == "rounding") (void)std::fesetround(FE_UPWARD);
  if (how == "print") {
    std::printf("hello from a plugin\n");
    std::fflush(stdout);
  }
  if (how == "limit") {
    rlimit files{};
    (void)getrlimit(RLIMIT_FSIZE, &files);
    files.rlim_cur = 16;
    (void)setrlimit(RLIMIT_FSIZE, &files);
  }
  if (how == "alarm") (void)alarm(1);
  if (how == "environment") (void)setenv("MO_ENDS_BADLY_WAS_HERE", "1", 1);
  if (how == "close") (void)close(STDERR_FILENO);
  if (how == "fork" && fork() < 0) std::abort();
  if (how == "thread") std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(2)); }).detach();
}

void act(const std::string& where) {
  const char* wanted = std::getenv("MO_ENDS_BADLY");
  if (wanted == nullptr) return;
  if (wanted == where + ":crash") std::raise(SIGSEGV);
  if (wanted == where + ":exit") std::exit(7);
  if (wanted == where + ":at_once") _exit(0);
  if (wanted == where + ":wait") std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  change_process(std::string_view(wanted).substr(0, where.size() + 1) == where + ":"
                     ? std::string_view(wanted).substr(where.size() + 1)
                     : std::string_view());
}

// What the library makes while it is opened, and what is destroyed at the end.
struct Static {
  Static() {
    const char* wanted = std::getenv("MO_ENDS_BADLY");
    if (wanted != nullptr && std::string(wanted) == "initialiser:throw")
      throw std::runtime_error("no licence");
  }
  ~Static() { act("destructor"); }
} const made_when_opened;

struct BadlyModel : mo::FrontEndModel {
  ~BadlyModel() override { act("unload"); }
  bool native_attr(mo::Context c, uint64_t, std::string_view name) override {
    act("native_attr");
    if (name != "size") return false;
    mo::give_native(c, int64_t{3});
    return true;
  }
  std::vector<std::string> native_attr_names(uint64_t) override { return {"size"}; }
  Key native_key(uint64_t) override { return {"", 1, "Badly"}; }
};

struct BadlyFrontEnd : mo::FrontEnd {
  std::string name() const override { return "badly"; }
  std::vector<std::string> extensions() const override { return {".badly"}; }
  int probe(const mo::ProbeInfo& p) const override { return p.head.substr(0, 5) == "badly" ? 90 : 0; }
  std::unique_ptr<mo::FrontEndModel> load(mo::Context c, const mo::ModelSource&, mo::Graph g) override {
    act("frontend_load");
    const mo::Node input = g.create_node("Parameter", "opset1", "x");
    input.set("element_type", mo::ElementType::f32).set("shape", mo::Shape{3});
    input.out_port().set_shape(mo::ElementType::f32, mo::Shape{3});
    const mo::Node known = g.create_const("c", mo::Tensor::vector<float>(c, {1, 2, 3}));
    add(g, "on_input", input.out_port());
    add(g, "on_constant", known.out_port());
    return std::make_unique<BadlyModel>();
  }
  static void add(mo::Graph g, const std::string& name, const mo::OutPort& from) {
    const mo_port source = from.abi();
    mo_node_init init{};
    init.op = mo::str("Badly");
    init.name = mo::str(name);
    init.inputs = &source;
    init.n_inputs = init.n_outputs = init.native = 1;
    g.create_node("Result", "opset1", name + "/result", {g.create_node(init).out_port()}, 0);
  }
};

struct Badly {
  static constexpr std::string_view type = "Badly", opset = "org.example.badly";
  static void schema(mo::OpSchema& s) { s.doc("ends badly").inputs(1).outputs(1); }
  static void infer(mo::InferContext& c) {
    act("infer");
    c.output(0, c.type(0), c.shape(0));
  }
  static void evaluate(mo::EvalContext& c) {
    act("evaluate");
    const mo::Tensor x = c.input(0);
    const char* wanted = std::getenv("MO_ENDS_BADLY");
    if (wanted != nullptr && std::string(wanted) == "evaluate:spoil")
      std::memset(const_cast<void*>(x.data()), 0, x.bytes());
    c.output(0, x);
  }
};

struct OnMatch : mo::FrontReplacementPattern {
  OnMatch() {
    id = "badly.on_match";
    doc = "looks at Badly";
  }
  ~OnMatch() override { act("release"); }
  mo::SubgraphPattern pattern() override { return {{{"op", mo::wrap_type({"Badly"})}}, {}}; }
  void replace_sub_graph(mo::Graph, mo::Match&) override {
    act("on_match");
    mo::only_when(false, "it is only looked at");
  }
};

struct OnGraph : mo::MiddleReplacementPattern {
  OnGraph() {
    id = "badly.on_graph";
    doc = "looks at the graph";
  }
  void find_and_replace_pattern(mo::Graph) override { act("on_graph"); }
};

void extract_badly(mo::SourceNode& n) {
  act("extract");
  (void)n.native<int64_t>("size", 0);
  n.set_op(Badly::type, Badly::opset);
}

void register_all(mo::Registry& r) {
  act("load");
  r.frontend<BadlyFrontEnd>();
  r.operation<Badly>();
  r.extractor<extract_badly>({"badly", "", "Badly"});
  r.transformation<OnMatch>();
  r.transformation<OnGraph>();
}

void shutdown() { act("shutdown"); }

}  // namespace

#define mo_plugin_entry entry_of_the_sdk
MO_PLUGIN("org.example.badly", "1.0.0", "Example", "Apache-2.0", "ends badly", "", register_all)
#undef mo_plugin_entry

extern "C" MO_EXPORT const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = *entry_of_the_sdk();
  plugin.shutdown = shutdown;
  return &plugin;
}
