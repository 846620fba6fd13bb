#include "support/linear_fusion.hpp"

#include "support/eliminate.hpp"
#include "support/fuse_transposes.hpp"
#include "support/fusing_filter.hpp"
#include "support/linear_steps.hpp"
#include "support/root_mean_square.hpp"
#include "support/weighted_sums.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace mo::builtin_passes {

namespace {

class LinearFusion {
 public:
  LinearFusion(const Graph& g, bool behind, SharedWeights& shared)
      : g_(g),
        behind_(behind),
        keeps_rms_(has_rms_operation(g.context())),
        filter_(g.context()),
        weights_(g, shared) {}

  void run(std::vector<Node> nodes) {
    open_ = std::move(nodes);
    for (size_t i = 0; i < open_.size(); ++i) {  // grows
      if (done_.count(open_[i].id()) != 0 || !is_step(open_[i])) continue;
      std::vector<Node> above{open_[i]};
      for (auto n = step_before(above.back()); n && above.size() < most_steps; n = step_before(*n))
        above.push_back(*n);
      for (; !above.empty(); above.pop_back())
        if (done_.insert(above.back().id()).second) fuse(above.back());
    }
  }

 private:
  static constexpr size_t most_steps = 10000;  // however damaged the graph is

  // Each node is looked at from the nodes above and below it, and then for itself; until the next edit it is
  // the same step. Valid until the next call.
  const std::optional<LinearStep>& step_of(const Node& n) const {
    constexpr size_t most_known = 256;  // what is looked at again is near
    if (steps_.size() == most_known) steps_.clear();
    const auto [known, is_new] = steps_.try_emplace(n.id());
    if (is_new && filter_.allows(n)) known->second = linear_step(n);
    return known->second;
  }

  bool is_step(const Node& n) const { return step_of(n) && !(keeps_rms_ && weighs_rms(n)); }

  bool append(LinearChain& chain, const Node& n) const {
    const auto& step = step_of(n);
    return step && chain.append(n, *step);
  }

  // The weights of a normalisation by the root mean square: one operation with it.
  static bool weighs_rms(const Node& n) {
    if (!n.is("Multiply")) return false;
    for (const size_t i : {0U, 1U})
      if (n.in_node(1 - i).is("Const") && rms_normalization(n.in_port(i).get_source())) return true;
    return false;
  }

  // The one whose only reader is `n`.
  std::optional<Node> step_before(const Node& n) const {
    if (done_.count(n.id()) != 0) return std::nullopt;
    for (const InPort& in : n.in_ports()) {
      const OutPort source = in.get_source();
      if (!source || source.node().is("Const") || done_.count(source.node().id()) != 0) continue;
      if (is_step(source.node()) && only_reader_of(source)) return source.node();
    }
    return std::nullopt;
  }

  void fuse(const Node& first) {
    LinearChain chain;
    if (!append(chain, first)) return;
    for (auto next = only_reader_of(chain.last().out_port());
         next && done_.count(next->id()) == 0 && append(chain, *next);
         next = only_reader_of(chain.last().out_port()))
      done_.insert(next->id());
    // In short computations of sizes a rounding would be seen.
    if (chain.x.shape().size() < 2 && !chain.x.node().is("MatMul")) return;
    const Plan plan = plan_for(chain);
    if (plan.operations >= chain.operations)
      note_weights(chain, plan);
    else if (name_can_move(chain, plan))
      carry_out(chain, plan);
    else
      pass_over(chain.last(), "it changes nothing, but is an output of the model, and '",
                chain.x.node().name(), "' cannot be called by its name");
  }

  // Runtimes compute a normalisation with the factor and the term right behind it at once: nothing would be spared,
  // and all weights read, scaled and written again.
  static bool belongs_to_norm(const LinearChain& chain) { return chain.x.node().is("MVN"); }

  struct Plan {
    NewSources sources;                // weights that take over the factor
    bool before = false;               // the factor went into weights before the chain
    bool behind = false;               // or behind it
    bool moves_term = false;           // the term is added behind the weights that read the chain
    std::vector<ChannelValues> moved;  // what it becomes there, for each of them
    ChannelValues factor, term;        // what is left
    size_t operations = 0;
  };

  // Where nothing is left, what is in front takes over the name of an output, unless users ask for its own.
  static bool name_can_move(const LinearChain& chain, const Plan& plan) {
    if (plan.operations != 0 || !plan.sources.empty() || !has_result_consumers(chain.last().out_port()))
      return true;
    const Node heir = chain.x.node();
    return !heir.is("Parameter") && heir.out_count() == 1 && !has_result_consumers(chain.x);
  }

  Plan plan_for(const LinearChain& chain) {
    Plan plan;
    plan.factor = chain.factor;
    plan.term = chain.term;
    const bool behind = behind_ && !belongs_to_norm(chain);
    if (!are_all(plan.factor, 1) && (scale_before(chain, plan) || (behind && scale_behind(chain, plan))))
      plan.factor = {1};
    const bool multiplies = !are_all(plan.factor, 1), adds = !are_all(plan.term, 0);
    plan.moves_term = behind && adds && !multiplies && move_term(chain, plan);
    plan.operations = (multiplies ? 1U : 0U) + (adds && !plan.moves_term ? 1U : 0U);
    return plan;
  }

  // Weights in front that do not take the factor over.
  void note_weights(const LinearChain& chain, const Plan& plan) const {
    if (plan.before || plan.behind) return;
    const Node root = chain.x.node(), last = chain.last();
    const auto w = are_all(chain.factor, 1) ? std::nullopt : weighted_operation(root);
    if (!w) return behind_ ? note_readers(chain, plan) : void();
    if (!only_reader_of(chain.x)) return pass_over(last, "something else reads '", root.name(), "', too");
    if (chain.axis && w->out && *chain.axis != w->out_axis)
      return pass_over(last, "its factors are along dimension ", *chain.axis, ", and the channels of '",
                       root.name(), "' along ", w->out_axis);
    pass_over(last, "something else reads the weights of '", root.name(),
              "', too, or they do not hold the products");
  }

  // Weights behind that take neither the factor nor the term over.
  void note_readers(const LinearChain& chain, const Plan& plan) const {
    const Node last = chain.last();
    const auto readers = last.out_port().get_destinations();
    const auto takes = [&](const InPort& reader) {
      const auto w = weighted_operation(reader.node(), reader.index() == 1);
      return w && w->in && w->data == reader.index() && filter_.allows(w->node);
    };
    const auto weights = std::find_if(readers.begin(), readers.end(), takes);
    if (weights == readers.end()) return;
    const std::string name = weights->node().name();
    const auto other = std::find_if_not(readers.begin(), readers.end(), takes);
    if (other != readers.end())
      return pass_over(last, "'", other->node().name(), "', which has no weights, reads it, and not '", name,
                       "' alone");
    if (belongs_to_norm(chain))
      return pass_over(last, "runtimes compute it together with the normalisation '", chain.x.node().name(),
                       "'");
    if (is_quantized(chain, weighted_readers(chain)))
      return pass_over(last, "it is the scale of integers that '", name, "' multiplies with integer weights");
    if (are_all(plan.factor, 1))
      return pass_over(last, "its sum stays in front of '", name, "', which pads, or has no sum behind it");
    const auto term =
        combined(chain.term, chain.factor, [](double t, double f) { return t == 0 ? 0 : t / f; });
    if (!term || !holds_terms(chain.x.type(), *term))
      return pass_over(last, "its sum, which would have to be divided by the factor, cannot be");
    pass_over(last, "something else reads the weights of '", name,
              "', too, or they do not hold the products");
  }

  static bool fits(const LinearChain& chain, const ChannelValues& values, size_t axis) {
    return values.size() == 1 || chain.axis == axis;
  }

  uint64_t bytes_saved(const LinearChain& chain) const {
    return chain.factor.size() * static_cast<uint64_t>(bits(chain.x.type())) / 8;
  }

  bool scale_before(const LinearChain& chain, Plan& plan) {
    const Node root = chain.x.node();
    if (!only_reader_of(chain.x) || !filter_.allows(root)) return false;
    for (const bool first : {false, true}) {
      const auto w = weighted_operation(root, first);
      if (!w || !w->in) continue;
      // A product with a vector has no channels, but takes one number.
      const ChannelView view = w->out.value_or(ChannelView{1, 1, 1, 1, w->in->elements()});
      if (!fits(chain, chain.factor, w->out ? w->out_axis : SIZE_MAX)) continue;
      auto sources = weights_.scaled(root.in_port(w->weights), view, chain.factor, bytes_saved(chain));
      if (!sources) continue;
      plan.sources = std::move(*sources);
      plan.before = true;
      return true;
    }
    return false;
  }

  // All that read the chain, each as an operation on weights; empty when one is something else.
  std::vector<WeightedOperation> weighted_readers(const LinearChain& chain) const {
    std::vector<WeightedOperation> list;
    for (const InPort& reader : chain.last().out_port().get_destinations()) {
      auto w = weighted_operation(reader.node(), reader.index() == 1);
      if (!w || !w->in || w->data != reader.index() || !filter_.allows(w->node)) return {};
      list.push_back(*w);
    }
    return list;
  }

  static bool is_of_integers(OutPort x) {
    for (int steps = 0; steps < 6; ++steps) {
      const Node n = x.node();
      if (n.is("Convert")) {
        const ElementType from = n.in_port(0).type();
        return is_integer(from) && bits(from) <= 8;
      }
      if (n.in_count() == 0 || n.is("FakeQuantize")) return false;
      x = n.in_port(0).get_source();
      if (!x) return false;
    }
    return false;
  }

  // Devices compute integers and integer weights in 8 bits, and look for a scale on both sides. OpenVINO's CPU of 2024.6 computes
  // wrong numbers for a product where data have a zero point and no scale; later ones are a step off.
  static bool is_quantized(const LinearChain& chain, const std::vector<WeightedOperation>& readers) {
    return chain.x.node().is("Convert") && is_of_integers(chain.x) &&
           std::any_of(readers.begin(), readers.end(), [](const WeightedOperation& w) {
             const OutPort weights = w.node.in_port(w.weights).get_source();
             return weights && is_of_integers(weights);
           });
  }

  // x * f + t = (x + t / f) * f
  bool scale_behind(const LinearChain& chain, Plan& plan) {
    const auto readers = weighted_readers(chain);
    if (readers.empty()) return false;
    if (is_quantized(chain, readers)) return false;
    const auto term =
        combined(chain.term, chain.factor, [](double t, double f) { return t == 0 ? 0 : t / f; });
    if (!term || !holds_terms(chain.x.type(), *term)) return false;
    NewSources all;
    for (const WeightedOperation& w : readers) {
      if (!fits(chain, chain.factor, w.in_axis)) return false;
      const auto sources =
          weights_.scaled(w.node.in_port(w.weights), *w.in, chain.factor, bytes_saved(chain));
      if (!sources) return false;
      all.insert(all.end(), sources->begin(), sources->end());
    }
    plan.sources = std::move(all);
    plan.behind = true;
    plan.term = *term;
    return true;
  }

  // Worth it only where something is added behind the weights already.
  bool move_term(const LinearChain& chain, Plan& plan) const {
    const auto readers = weighted_readers(chain);
    if (readers.empty() || !std::all_of(readers.begin(), readers.end(), [&](const WeightedOperation& w) {
          return adds_behind(w) && fits(chain, plan.term, w.in_axis);
        }))
      return false;
    for (const WeightedOperation& w : readers) {
      auto list = sums(w, plan);
      if (!list) return false;
      plan.moved.push_back(std::move(*list));
    }
    return true;
  }

  bool adds_behind(const WeightedOperation& w) const {
    const auto next = only_reader_of(w.node.out_port());
    if (w.pads || !w.out || !next) return false;
    const auto& step = step_of(*next);
    return step && !are_all(step->term, 0) && are_all(step->factor, 1) &&
           step->axis.value_or(w.out_axis) == w.out_axis;
  }

  // What the term becomes behind the weights.
  std::optional<ChannelValues> sums(const WeightedOperation& w, const Plan& plan) const {
    InPort port = w.node.in_port(w.weights);
    OutPort source = port.get_source();
    for (const NewSource& s : plan.sources)
      if (s.at == port) source = s.source;
    const auto value = source.node().is("Const") ? source.value() : std::nullopt;
    if (!value || (w.node.is("MatMul") && value->rank() != 2)) return std::nullopt;
    auto list = weighted_sums(g_.context(), *value, *w.in, *w.out, plan.term);
    if (list && !holds_terms(w.node.out_port().type(), *list)) list.reset();
    return list;
  }

  void carry_out(const LinearChain& chain, const Plan& plan) {
    steps_.clear();
    const Node last = chain.last();
    const auto readers =
        plan.moves_term || plan.behind ? weighted_readers(chain) : std::vector<WeightedOperation>();
    for (const NewSource& s : plan.sources) {
      copy_runtime_info({s.at.get_source().node()}, {s.source.node()});
      s.at.set_source(s.source);
    }
    if (plan.before) chain.x.set_tensor_names({});  // what had them is not computed any more
    OutPort y = chain.x;
    std::vector<Node> made;
    const auto apply = [&](std::string_view op, const ChannelValues& values, double nothing) {
      if (are_all(values, nothing)) return;
      y = applied(op, y, values, chain.axis.value_or(1), last);
      made.push_back(y.node());
      done_.insert(y.node().id());
    };
    apply("Multiply", plan.factor, 1);
    if (!plan.moves_term) apply("Add", plan.term, 0);
    for (const InPort& reader : last.out_port().get_destinations()) reader.set_source(y);
    if (plan.moves_term)
      for (size_t i = 0; i < readers.size(); ++i) add_behind(readers[i], plan.moved[i]);
    // The nodes that came into being, or the one that took the numbers over.
    const bool is_output = has_result_consumers(y);
    if (made.empty() && (plan.before || (is_output && y == chain.x))) made.push_back(chain.x.node());
    if (!made.empty()) {
      std::vector<Node> from = chain.nodes;
      if (made.back() == chain.x.node()) from.push_back(made.back());
      copy_runtime_info(from, made);
    }
    if (plan.behind || plan.moves_term) return;  // another tensor
    give_tensor_names(last.out_port(), y);
    if (!made.empty()) take_name(last, made.back());
  }

  void add_behind(const WeightedOperation& w, const ChannelValues& term) {
    const OutPort y = w.node.out_port();
    const Node next = *only_reader_of(y);
    const OutPort sum = applied("Add", y, term, w.out_axis, w.node);
    for (const InPort& in : next.in_ports())
      if (in.get_source() == y) in.set_source(sum);
    y.set_tensor_names({});
    done_.erase(next.id());
    open_.push_back(sum.node());
  }

  OutPort applied(std::string_view op, const OutPort& x, const ChannelValues& values, size_t axis,
                  const Node& origin) const {
    const std::string name = text(origin.name(), '/', op);
    const OutPort like = origin.out_port();
    const ElementType type = like.type();
    const Shape shape = like.shape();
    std::vector<int64_t> dims(shape.size(), 1);
    if (values.size() > 1) dims[axis] = static_cast<int64_t>(values.size());
    const Node constant =
        g_.create_const(name + "/constant", Tensor::filled(g_.context(), type, values, dims));
    const Node n = g_.create_node(op, "opset1", name, {x, constant.out_port()});
    n.out_port().set_shape(type, shape);
    return n.out_port();
  }

  Graph g_;
  bool behind_;
  bool keeps_rms_;
  FusingFilter filter_;
  ScaledWeights weights_;
  std::vector<Node> open_;
  std::unordered_set<mo_node> done_;
  mutable std::map<mo_node, std::optional<LinearStep>> steps_;
};

constexpr std::string_view taking_weights[] = {"Convolution", "MatMul", "GroupConvolution",
                                               "ConvolutionBackpropData", "GroupConvolutionBackpropData"};

bool takes_weights(std::string_view op) {
  return std::find(std::begin(taking_weights), std::end(taking_weights), op) != std::end(taking_weights);
}

bool has_weights(const Graph& g) {
  return std::any_of(std::begin(taking_weights), std::end(taking_weights),
                     [&](std::string_view op) { return !g.get_op_nodes(op).empty(); });
}

// What is asked of nodes before anything is computed, each time of the same few.
class Neighbours {
 public:
  explicit Neighbours(bool behind) : behind_(behind) {}

  // Most operations with a constant stand alone, and nothing becomes of them; nor of a product and a sum that
  // nothing goes with, of which there are as many as rows were made of.
  bool may_fuse(const Node& n) {
    const Seen seen = look(n);
    if (!seen.is_linear()) return false;
    if (seen.part == Part::norm) return true;
    const std::optional<Seen> before = seen.source ? std::optional(look(seen.source.node())) : std::nullopt;
    const std::optional<Seen> after = seen.readers != 0 ? std::optional(look(seen.reader)) : std::nullopt;
    const bool in_row = after && seen.readers == 1 && after->is_linear();
    if (before && before->readers == 1 && (before->takes_weights || before->is_linear()))
      return before->takes_weights || in_row || !stay(*before, seen);
    if (behind_ && after && after->takes_weights) return true;
    return in_row && !stay(seen, *after);
  }

 private:
  enum class Part { none, product, sum, other, norm };
  struct Seen {
    Part part = Part::none;
    bool takes_weights = false;
    OutPort source, constant;  // of a product or sum
    uint64_t readers = 0;
    Node reader = {};  // the first of them
    bool is_linear() const { return part != Part::none; }
  };

  // What is looked at again is near: another node of the same place takes it over.
  Seen look(const Node& n) {
    auto& [id, seen] = seen_[n.id() % seen_.size()];
    if (id != n.id()) {
      seen = look_closely(n);
      id = n.id();
    }
    return seen;
  }

  static Seen look_closely(const Node& n) {
    const Context c = n.context();
    const std::string_view op = op_of(n);
    Seen seen;
    mo_port reader{};
    const mo_status status =
        c.graph().destinations(c.get(), mo_port{n.id(), 0, MO_PORT_OUT}, &reader, 1, &seen.readers);
    if (status == MO_INVALID_ARGUMENT) return {};  // it has no output
    c.check(status);
    if (seen.readers != 0) seen.reader = Node(c, reader.node);
    seen.takes_weights = takes_weights(op);
    if (op == "BatchNormInference") {
      seen.part = Part::norm;
    } else if (op == "Negative") {
      seen.part = Part::other;
      seen.source = source_of(n, 0);
    } else if (op == "Add" || op == "Multiply" || op == "Subtract" || op == "Divide" || op == "Power") {
      uint32_t at = 0;
      for (const uint32_t i : {0U, 1U}) {
        const OutPort source = source_of(n, i);
        const bool fixed = is_constant(source);
        (fixed ? seen.constant : seen.source) = source;
        if (fixed) at = i;
      }
      if (!seen.constant) return seen;
      if (op == "Add" || (op == "Subtract" && at == 1))
        seen.part = Part::sum;
      else
        seen.part = op == "Multiply" || (op == "Divide" && at == 1) ? Part::product : Part::other;
    }
    return seen;
  }

  // The two are all of a row, and leave a factor and a term.
  bool stay(const Seen& first, const Seen& last) {
    if (first.source) {
      const Seen before = look(first.source.node());
      if (before.takes_weights || (before.readers == 1 && before.is_linear())) return false;
    }
    if (behind_ && last.readers != 1) return false;
    if (last.readers != 0) {
      const Seen after = look(last.reader);
      if ((behind_ && after.takes_weights) || (last.readers == 1 && after.is_linear())) return false;
    }
    const bool product_first = first.part == Part::product;
    const Seen &product = product_first ? first : last, &sum = product_first ? last : first;
    if (product.part != Part::product || sum.part != Part::sum) return false;
    const auto factor = first_number(product.constant), term = first_number(sum.constant);
    if (!factor || !term || *factor == 0 || *factor == 1 || *term == 0) return false;
    return *term * *factor != 0 && *term / *factor != 0;
  }

  bool behind_;
  std::vector<std::pair<mo_node, Seen>> seen_ = std::vector<std::pair<mo_node, Seen>>(1024);
};

}  // namespace

void fuse_linear_chains(const Graph& g, bool behind) {
  if (behind && !has_weights(g)) return;  // rows alone are done when this is asked for
  // Each row has a constant: where there are few, nothing else is looked at.
  std::vector<Node> nodes;
  Neighbours neighbours(behind);
  const Context c = g.context();
  for (const Node& n : g.get_op_nodes("Const")) {
    const mo_port constant{n.id(), 0, MO_PORT_OUT};
    mo_port first{};
    uint64_t count = 0;
    c.check(c.graph().destinations(c.get(), constant, &first, 1, &count));
    if (count == 1) {  // nearly always: no list is made
      if (const Node r(c, first.node); neighbours.may_fuse(r)) nodes.push_back(r);
      continue;
    }
    if (count == 0) continue;
    for (const InPort& reader : n.out_port().get_destinations())
      if (const Node r = reader.node(); neighbours.may_fuse(r)) nodes.push_back(r);
  }
  SharedWeights shared;
  if (!nodes.empty()) LinearFusion(g, behind, shared).run(std::move(nodes));
}

void fuse_linear_chains(const Graph& g, const std::vector<Node>& nodes, SharedWeights& shared) {
  if (!nodes.empty()) LinearFusion(g, false, shared).run(nodes);
}

}  // namespace mo::builtin_passes
