// What all transformations that make one operation of several have in common.
#pragma once

#include "support/expressions.hpp"
#include "support/target.hpp"

namespace mo::builtin_passes {

// Runs when Transposes have found their places and before constants are merged, which would hide what is
// written out.
template <class Kind>
class FusionOf : public Kind {
 protected:
  FusionOf() : Kind(MO_PHASE_POST_MIDDLE) {
    this->run_after = {"middle.reshape_transposes", "middle.fuse_clamp"};
    this->run_before = {"middle.fuse_linear"};
  }
};

// What is written in few ways is found by its texts.
using TextFusion = FusionOf<Rewrite>;

// What is written in many ways is read from its rarest operation on, which `ops` names.
class Fusion : public FusionOf<FrontReplacementOp> {
 protected:
  // Makes one operation of what stands around `start`, if it is that; or says with near() why it is not.
  virtual void fuse_at(const Graph&, const Node& start) = 0;

  void on_node(Graph g, Node start) final {
    gone_.clear();
    near_.clear();
    has_edited_ = false;
    fuse_at(g, start);
    if (!has_edited_ && gone_.empty() && !near_.empty()) decline(near_);
  }

  // Why a place is not what it looks like. The first reason counts: it is of the place that was looked at
  // first.
  template <class... Args>
  bool near(const Args&... why) {
    if (near_.empty()) near_ = text(why...);
    return false;
  }
  // Whether nothing else reads what is `inside`; see serves_only.
  bool is_alone(const Node& root, const Nodes& inside, const Node& other_root = {}) {
    if (serves_only(root, inside, other_root)) return true;
    return near("something else reads a part of what '", root.name(), "' computes");
  }
  bool is_float_here(const OutPort& x) {
    return is_float(x.type()) || near("its numbers are ", name(x.type()), ", not floating-point");
  }

  // What is computed from `start` by at most `steps` of these operations, the furthest first, while `start`
  // is there.
  template <class F>
  void for_each_above(const Node& start, const std::vector<std::string_view>& through, size_t steps, F f) {
    for (const Node& n : nodes_above(start, through, steps)) {
      if (gone_.count(start.id()) != 0) return;
      if (gone_.count(n.id()) == 0) f(n);
    }
  }
  void take_place(const Node& root, const OutPort& made, const Nodes& inside) {
    builtin_passes::take_place(root, made, inside, gone_);
  }
  bool is_gone(const Node& n) const { return gone_.count(n.id()) != 0; }
  // For edits other than take_place: reasons do not count any more.
  void note_edit() { has_edited_ = true; }

 private:
  Gone gone_;
  bool has_edited_ = false;
  std::string near_;
};

// The operation, of a set that came after IR version 10, may be made: the release has it, or --newer_operations asks for it
// all the same. A model of that version stays one.
inline bool may_make(const Graph& g, std::string_view op, std::string_view opset) {
  return !writes_version_10(g) && (has_operation(g.context(), op, opset) ||
                                   option<bool>(g.context(), "newer_operations").value_or(false));
}

}  // namespace mo::builtin_passes
