// A session with plugins that are made up in a test, and graphs in the text form.
//
//   Lab lab;
//   lab.plugin("com.acme", [](mo::Registry& r) { r.transformation<OnOp>("x.y", {"Relu"}, [](mo::Graph g,
//   mo::Node n) {…}); }); auto g = lab.graph("%x = Parameter …"); core::run_transformation(lab.session, *g,
//   lab["x.y"]);
#pragma once

#include <mo/sdk.hpp>

#include "apps/views/text.hpp"
#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"
#include "core/schedule/schedule.hpp"
#include "failure_of.hpp"

namespace mo::test {

// Sets the fields of a transformation that a test cares about.
using Fields = std::function<void(Transformation&)>;

struct OnGraph : ModelPass {
  using Body = std::function<void(Graph)>;
  OnGraph(std::string id_, Body f, const Fields& fields = {}, int32_t phase = MO_PHASE_MIDDLE)
      : ModelPass(phase), f_(std::move(f)) {
    id = std::move(id_);
    if (fields) fields(*this);
  }
  void run_on_model(Graph g) override {
    if (f_) f_(g);
  }

 private:
  Body f_;
};

struct OnOp : FrontReplacementOp {
  using Body = std::function<std::vector<OutPort>(Graph, Node)>;
  OnOp(std::string id_, std::vector<std::string> ops_, Body f, const Fields& fields = {},
       int32_t phase = MO_PHASE_FRONT)
      : FrontReplacementOp(phase), f_(std::move(f)) {
    id = std::move(id_);
    ops = std::move(ops_);
    if (fields) fields(*this);
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override { return f_(g, n); }

 private:
  Body f_;
};

struct OnTree : MatcherPass {
  using Body = std::function<void(OnTree&, Graph, Match&)>;
  OnTree(std::string id_, Pattern root, Body f, const Fields& fields = {}, int32_t phase = MO_PHASE_MIDDLE)
      : MatcherPass(phase) {
    id = std::move(id_);
    if (fields) fields(*this);
    register_matcher(std::move(root), [this, f](Graph g, Match& m) {
      if (f) f(*this, g, m);
    });
  }
  using MatcherPass::register_new_node;
};

struct OnSubgraph : ReplacementPattern {
  using Body = std::function<void(Graph, Match&)>;
  OnSubgraph(std::string id_, SubgraphPattern p, Body f, const Fields& fields = {},
             int32_t phase = MO_PHASE_MIDDLE)
      : ReplacementPattern(phase), p_(std::move(p)), f_(std::move(f)) {
    id = std::move(id_);
    if (fields) fields(*this);
  }
  SubgraphPattern pattern() override { return p_; }
  void replace_pattern(Graph g, Match& m) override {
    if (f_) f_(g, m);
  }

 private:
  SubgraphPattern p_;
  Body f_;
};

class Lab {
 public:
  using Register = std::function<void(Registry&)>;

  Lab() { session.set_option(core::schedule_options::check_graph, true); }

  const core::Plugin& plugin(const std::string& id, const Register& r, bool built_in = false,
                             const std::string& framework = {}) {
    entry_ = &plugins_.emplace_back();
    entry_->id = id;
    register_ = &r;
    mo_plugin& p = entry_->descriptor;
    p.size = sizeof p;
    p.abi_major = MO_ABI_MAJOR;
    p.abi_minor = MO_ABI_MINOR;
    p.abi_lowest_minor = MO_LOWEST_MINOR;
    p.abi_candidate = MO_ABI_CANDIDATE;
    p.id = str(entry_->id);
    p.version = str("1.0.0");
    p.vendor = str("test");
    p.license = str("Apache-2.0");
    p.description = str("made up in a test");
    p.load = [](mo_context* c) {
      return mo::detail::guard(c, [c] {
        Registry registry{Context(c)};
        (*register_)(registry);
      });
    };
    return core::load_plugin(
        session, [] { return const_cast<const mo_plugin*>(&entry_->descriptor); }, "", built_in, framework);
  }
  const core::Transformation& operator[](std::string_view id) const {
    const core::Transformation* t = session.registry().transformation(id);
    require(t != nullptr, "no transformation ", id);
    return *t;
  }

  core::GraphPtr graph(std::string_view text) const { return app::parse_text(text, session.space()); }
  core::RunStatistics run(core::Graph& g, std::string_view id) {
    return core::run_transformation(session, g, (*this)[id]);
  }

  core::Session session{core::host_table()};

 private:
  struct Loaded {
    std::string id;
    mo_plugin descriptor{};
  };
  std::deque<Loaded> plugins_;
  static inline thread_local Loaded* entry_ = nullptr;
  static inline thread_local const Register* register_ = nullptr;
};

// "name:Op(inputs)" per node, in order of creation: what most tests look at.
inline std::string sketch(const core::Graph& g) {
  std::string out;
  for (core::NodeId n : g.nodes()) {
    append_text(out, out.empty() ? "" : " ");
    append_text(out, g.name(n));
    append_text(out, ":");
    append_text(out, g.op(n));
    append_text(out, "(");
    const char* comma = "";
    for (const core::InSlot& in : g.node(n).inputs) {
      append_text(out, comma);
      append_text(out, in.source ? g.name(in.source.node) : "_");
      if (in.source && in.source.port != 0) append_text(out, text(":", in.source.port));
      comma = ",";
    }
    append_text(out, ")");
  }
  return out;
}

}  // namespace mo::test
