// A framework of our own, so that the program can be tested without any real one. A model is text:
//
//   toy 1
//   input x f32 1,3,?                 name, type, dimensions; - for a scalar, * for an unknown rank
//   const w 1 2 3                     f32
//   node Add a x,w -> y [v=2] [d=acme] operation, name, inputs, outputs, version and domain
//   output y
//   warn a text                       is said as a warning
//
// Extractors know Add and Copy; Old up to version 3; Throw, Segv and Abort, which misbehave; Decline, which
// none of them takes. CrashInfer, CrashFront, BadInfer and Shrink misbehave later, CrashEmit and Interrupt
// while the IR is written.
#include <mo/sdk.hpp>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace {

struct Native {
  std::string domain, op;
  int32_t version;
};

struct ToyModel : mo::FrontEndModel {
  std::vector<Native> nodes;
  bool native_attr(mo::Context, uint64_t, std::string_view) override { return false; }
  std::vector<std::string> native_attr_names(uint64_t) override { return {}; }
  Key native_key(uint64_t tag) override {
    const Native& n = nodes[tag - 1];
    return {n.domain, n.version, n.op};
  }
};

std::vector<std::string> split(const std::string& s) {
  std::vector<std::string> out;
  std::stringstream stream(s);
  for (std::string part; std::getline(stream, part, ',');) out.push_back(part);
  return out;
}

mo::Shape shape_of(const std::string& s) {
  if (s == "*") return mo::Shape::unknown();
  mo::Shape shape;
  if (s != "-")
    for (const std::string& d : split(s)) shape.push_back(d == "?" ? mo::any_dim : mo::Dim(std::stoll(d)));
  return shape;
}

class Reader {
 public:
  Reader(mo::Context c, mo::Graph g, ToyModel& model) : c_(c), graph_(g), model_(model) {}

  void line(const std::string& text) {
    std::stringstream in(text);
    std::string word;
    in >> word;
    if (word == "input") input(in);
    if (word == "const") constant(in);
    if (word == "node") node(in);
    if (word == "output") output(in);
    if (word == "warn") c_.warn(text.substr(word.size() + 1));
  }

 private:
  void input(std::stringstream& in) {
    std::string name, type, dims;
    in >> name >> type >> dims;
    const mo::Node n = graph_.create_node("Parameter", "opset1", name);
    n.set("element_type", mo::element_type_from_name(type)).set("shape", shape_of(dims));
    n.out_port().set_shape(mo::element_type_from_name(type), shape_of(dims));
    define(name, n.out_port());
  }
  void constant(std::stringstream& in) {
    std::string name;
    in >> name;
    std::vector<float> values;
    for (float v = 0; in >> v;) values.push_back(v);
    define(name, graph_.create_const(name, mo::Tensor::vector<float>(c_, values)).out_port());
  }
  void node(std::stringstream& in) {
    std::string op, name, sources, arrow, outputs, more;
    in >> op >> name >> sources >> arrow >> outputs;
    Native native{"", op, 1};
    while (in >> more) {
      if (more.rfind("v=", 0) == 0) native.version = std::stoi(more.substr(2));
      if (more.rfind("d=", 0) == 0) native.domain = more.substr(2);
    }
    model_.nodes.push_back(native);
    const auto names = split(outputs);
    mo_node_init init{};
    init.op = mo::str(op);
    init.name = mo::str(name);
    init.n_outputs = static_cast<uint32_t>(names.size());
    init.native = model_.nodes.size();
    std::vector<mo_port> ports;
    for (const std::string& s : split(sources)) ports.push_back(tensors_[s].abi());
    init.inputs = ports.data();
    init.n_inputs = static_cast<uint32_t>(ports.size());
    const mo::Node n = graph_.create_node(init);
    for (uint32_t i = 0; i < names.size(); ++i) define(names[i], n.out_port(i));
  }
  void output(std::stringstream& in) {
    std::string name;
    in >> name;
    graph_.create_node("Result", "opset1", name + "/result", {tensors_[name]}, 0);
  }
  void define(const std::string& name, const mo::OutPort& port) {
    port.set_tensor_names({name});
    tensors_[name] = port;
  }

  mo::Context c_;
  mo::Graph graph_;
  ToyModel& model_;
  std::map<std::string, mo::OutPort> tensors_;
};

struct ToyFrontEnd : mo::FrontEnd {
  std::string name() const override { return "toy"; }
  std::vector<std::string> aliases() const override { return {"toys"}; }
  std::vector<std::string> extensions() const override { return {".toy"}; }
  int probe(const mo::ProbeInfo& p) const override { return p.head.substr(0, 4) == "toy " ? 90 : 0; }
  std::unique_ptr<mo::FrontEndModel> load(mo::Context c, const mo::ModelSource& source,
                                          mo::Graph g) override {
    mo_file* file = nullptr;
    c.check(c.host()->file->open(c.get(), mo::str(source.path()), &file));
    const void* data = nullptr;
    uint64_t bytes = 0;
    c.host()->file->data(file, &data, &bytes);
    std::stringstream lines(std::string(static_cast<const char*>(data), bytes));
    c.host()->file->release(file);
    auto model = std::make_unique<ToyModel>();
    Reader reader(c, g, *model);
    for (std::string line; std::getline(lines, line);) reader.line(line);
    if (const auto greeting = mo::option<std::string>(c, "toy_greeting")) c.warn("greeting: " + *greeting);
    return model;
  }
};

template <int kind>
struct ToyOp {
  static void schema(mo::OpSchema& s) { s.doc("an operation of the toy").inputs(1, 2); }
  static void infer(mo::InferContext& c) {
    if (kind == 1) std::raise(SIGSEGV);
    if (kind == 2) mo::fail("this operation is never satisfied");
    if (kind == 5) read_what_is_gone(c.context());
    // In the place of its first byte.
    if (const char* file = std::getenv("MO_TOY_REWRITES")) std::fstream(file) << "x";
    c.output(0, c.type(0), c.shape(0));
  }
  static void ir_attrs(mo::Node, mo::IrAttributes&) {
    if (kind == 3) std::raise(SIGSEGV);
    if (kind == 4) std::raise(SIGTERM);
  }
  // Looks into a file that has become empty since it was mapped.
  static void read_what_is_gone(mo::Context c) {
    const std::string path = std::getenv("MO_TOY_FILE");
    mo_file* file = nullptr;
    c.check(c.host()->file->open(c.get(), mo::str(path), &file));
    const void* data = nullptr;
    uint64_t bytes = 0;
    c.host()->file->data(file, &data, &bytes);
    if (truncate(path.c_str(), 0) == 0) (void)*static_cast<const volatile char*>(data);
  }
};

void extract_as_it_is(mo::SourceNode& n) { n.set_op(n.op(), "toy1"); }
void extract_throw(mo::SourceNode&) { mo::fail("no such luck"); }
void extract_segv(mo::SourceNode&) { std::raise(SIGSEGV); }
void extract_abort(mo::SourceNode&) { std::abort(); }
void extract_nothing(mo::SourceNode&) { throw mo::Error("not mine", MO_NOT_APPLICABLE); }

struct CrashFront : mo::FrontReplacementOp {
  CrashFront() {
    id = "toy.crash_front";
    doc = "crashes";
    before = R"(
      %x = Parameter -> f32[2]
      %y = CrashFront@toy1 (%x)
      Result (%y))";
    after = "nothing";
    ops = {"toy1::CrashFront"};
  }
  std::vector<mo::OutPort> replace_op(mo::Graph, mo::Node) override {
    std::raise(SIGFPE);
    return {};
  }
};

void register_contents(mo::Registry& r) {
  for (const char* op :
       {"Add", "Copy", "CrashFront", "CrashInfer", "BadInfer", "CrashEmit", "Interrupt", "Shrink"})
    r.extractor<extract_as_it_is>({"toy", "", op});
  r.extractor<extract_as_it_is>({"toy", "", "Old", 1, 3});
  r.extractor<extract_as_it_is>({"toy", "acme", "Special"});
  r.extractor<extract_throw>({"toy", "", "Throw"});
  r.extractor<extract_segv>({"toy", "", "Segv"});
  r.extractor<extract_abort>({"toy", "", "Abort"});
  r.extractor<extract_nothing>({"toy", "", "Decline"});
  r.transformation<CrashFront>();
}

void register_all(mo::Registry& r) {
  r.frontend<ToyFrontEnd>(register_contents);
  for (const char* op : {"Add", "Copy", "Old", "CrashFront"}) r.operation<ToyOp<0>>(op, "toy1");
  r.in_source("toys/crashes.cpp");
  r.operation<ToyOp<1>>("CrashInfer", "toy1");
  r.operation<ToyOp<2>>("BadInfer", "toy1");
  r.operation<ToyOp<3>>("CrashEmit", "toy1");
  r.operation<ToyOp<4>>("Interrupt", "toy1");
  r.operation<ToyOp<5>>("Shrink", "toy1");
  r.option("toy_greeting", MO_OPTION_STRING, "what the toy says when it loads a model");
  r.option("toy_speed", MO_OPTION_INT, "how fast it is", "7");
}

}  // namespace

MO_PLUGIN("org.example.toy", "1.0.0", "Example", "Apache-2.0", "a framework for tests",
          "https://toy.example/help", register_all)
