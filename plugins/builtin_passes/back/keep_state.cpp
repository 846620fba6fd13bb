// Inputs that are fed with an output of the run before become state of the model:
//   Parameter past, Result present  ->  ReadValue, Assign
// Caches of language models are found by their names, and with --stateful by what is joined to them; others
// are named by --state. Rows of a cache are chosen by the input beam_idx, as a search with several beams has
// to; a cache begins empty, with the batch of the model's other inputs, anything else as zeros. What runtimes
// look for is written exactly: names of variables, Gather of opset8.
// Inputs and outputs of the model belong together by names and options, not by what lies between: no pattern.
#include <mo/build.hpp>

#include "support/state_pairs.hpp"
#include "support/target.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class KeepState : public ModelPass {
 public:
  KeepState() : ModelPass(MO_PHASE_BACK) {
    id = "back.keep_state";
    doc = "a cache, and what --state names, is kept by the model from run to run";
    before = R"(
      %ids = Parameter "input_ids" -> i64[?,?]
      %past = Parameter "past_key_values.0.key" -> f32[?,2,?,4]
      %new = Parameter "new" -> f32[?,2,?,4]
      %present = Concat@opset1 "cat" (%past, %new) {axis=2} -> f32[?,2,?,4] names("present.0.key")
      Result (%present)
      %y = ReduceMax@opset1 (%present, %axes) {keep_dims=false}
      %axes = Const -> i64[1] {2}
      Result (%y))";
    after = R"(
      %ids = Parameter "input_ids" -> i64[?,?]
      %new = Parameter "new" -> f32[?,2,?,4]
      %beams = Parameter "beam_idx" -> i32[?]
      %shape = ShapeOf@opset3 (%ids)
      %place = Const -> i64[1] {0}
      %axis = Const -> i64[] {0}
      %batch = Gather@opset7 (%shape, %place, %axis) {batch_dims=0}
      %rest = Const -> i64[3] {2,0,4}
      %dims = Concat@opset1 (%batch, %rest) {axis=0}
      %zero = Const -> f32[] {0}
      %first = Broadcast@opset3 (%zero, %dims) {mode="numpy"}
      %read = ReadValue@opset6 "past_key_values.0.key" (%first)
        {variable_id="past_key_values.0.keypresent.0.key", variable_type=f32, variable_shape=shape[?,2,?,4]}
      %rows = Const -> i64[] {0}
      %past = Gather@opset8 (%read, %beams, %rows) {batch_dims=0}
      %present = Concat@opset1 "cat" (%past, %new) {axis=2}
      %assign = Assign@opset6 (%present) {variable_id="past_key_values.0.keypresent.0.key"}
      %axes = Const -> i64[1] {2}
      %y = ReduceMax@opset1 (%present, %axes) {keep_dims=false}
      Result (%y))";
    run_after = {"back.simplify_again", "back.count_axes", "back.list_axes", "back.count_slice_axes"};
    run_before = {"back.separate_results"};
    run_not_recursively = true;
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    const Context c = g.context();
    const auto given = option<std::vector<std::string>>(c, "state").value_or(std::vector<std::string>());
    const bool asked = option<bool>(c, "stateful").value_or(false);
    const bool refused = option<bool>(c, "disable_stateful").value_or(false);
    if (refused && asked)
      fail_option("disable_stateful", "it does not go together with --stateful; use one of them");
    if (refused && !given.empty())
      fail_option("disable_stateful", "it does not go together with --state; use one of them");
    if (refused || g.attr<bool>("state_kept").value_or(false)) return;
    std::vector<StatePair> pairs = given_pairs(g, given);
    const auto add = [&](std::vector<StatePair> more) {
      for (StatePair& p : more) {
        const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const StatePair& o) {
          return o.input == p.input || o.output == p.output;
        });
        if (!known) pairs.push_back(std::move(p));
      }
    };
    std::vector<StatePair> caches = cache_pairs(g);
    if (!caches.empty() && targets_up_to(c, last_without_growing_state)) {
      if (asked)
        fail_option("stateful", "releases up to ", last_without_growing_state,
                    " compute no state whose size changes from run to run; --target ",
                    first_with_growing_state,
                    " or a later one has it, without --stateful the caches stay inputs and outputs");
      pass_over(caches.front().input, "releases up to ", last_without_growing_state,
                " compute no state whose size changes from run to run");
      caches.clear();
    }
    add(std::move(caches));
    if (asked) add(grown_pairs(g));
    if (pairs.empty()) {
      if (asked && g.get_op_nodes("ReadValue").empty())
        fail_option("stateful",
                    "no inputs and outputs are named as a cache is, past_key_values.* and present.*, and no ",
                    "input is given back with more behind it; name them with --state INPUT:OUTPUT");
      return;
    }
    g.set("state_kept", true);
    Work(g, std::move(pairs)).run();
    Manager share(g.context());  // first values have much in common, with one another and with the model
    share.register_pass("middle.share_operations");
    share.run_passes(g);
  }

 private:
  class Work {
   public:
    Work(const Graph& g, std::vector<StatePair> pairs) : g_(g), pairs_(std::move(pairs)) {}

    void run() {
      for (const Node& p : g_.parameters())
        if (!is_state(p)) rest_.push_back(p);
      for (const StatePair& p : pairs_) first_values_.push_back(first_value(p));
      for (size_t i = 0; i < pairs_.size(); ++i) keep(pairs_[i], first_values_[i]);
    }

   private:
    bool is_state(const Node& n) const {
      return std::any_of(pairs_.begin(), pairs_.end(), [&](const StatePair& p) { return p.input == n; });
    }

    // What the batch is read from: tokens or their embeddings, else the first input that may have one.
    std::optional<Node> main_input() const {
      for (const char* name : {"input_ids", "inputs_embeds", "decoder_input_ids", "decoder_inputs_embeds"})
        for (const Node& n : rest_)
          if (n.name() == name && n.out_port().shape().rank() > 0) return n;
      for (const Node& n : rest_)
        if (n.name() != "beam_idx" && n.out_port().shape().rank() > 0) return n;
      return std::nullopt;
    }

    static std::string dim_name(const Node& parameter, size_t axis) {
      const auto names = parameter.find_attr<std::vector<std::string>>(MO_ATTR_DIM_NAMES);
      return names && axis < names->size() ? (*names)[axis] : std::string();
    }

    // Where a dimension of the same name is.
    std::optional<std::pair<Node, size_t>> same_dim(const std::string& name) const {
      if (name.empty()) return std::nullopt;
      for (const Node& n : rest_)
        for (size_t a = 0; n.out_port().shape().has_rank() && a < n.out_port().shape().size(); ++a)
          if (dim_name(n, a) == name) return std::pair(n, a);
      return std::nullopt;
    }

    // Of a cache one dimension at most is that of the batch: the one that is called so, else the first.
    size_t batch_axis(const StatePair& p) const {
      const Shape s = p.input.out_port().shape();
      const auto main = main_input();
      const std::string wanted = main ? dim_name(*main, 0) : std::string();
      for (size_t a = 0; !wanted.empty() && a < s.size(); ++a)
        if (dim_name(p.input, a) == wanted) return a;
      return 0;
    }

    static OutPort dim_of(const Build& b, const Node& input, size_t axis) {
      return gather(b, "opset7", b.shape_of(input.out_port()), b.list({static_cast<int64_t>(axis)}), 0);
    }

    static OutPort gather(const Build& b, const char* opset, const OutPort& x, const OutPort& indices,
                          int64_t axis) {
      const Node n = b.node("Gather", opset, {x, indices, b.integer(axis)});
      n.set("batch_dims", int64_t{0});
      return n.out_port();
    }

    // The model calls it differently before and after.
    static bool lengthens(const StatePair& p, size_t axis) {
      const std::string before = dim_name(p.input, axis), after = dim_name(p.output, axis);
      return !before.empty() && !after.empty() && before != after;
    }

    // Where a dimension of the shape that a state begins with is read; nothing when it is the least possible.
    std::optional<std::pair<Node, size_t>> first_dim(const StatePair& p, size_t axis) const {
      if (p.input.out_port().shape()[axis].is_static()) return std::nullopt;
      const auto main = main_input();
      const auto batch = main ? std::optional(std::pair(*main, size_t{0})) : std::nullopt;
      if (p.is_cache) return axis == batch_axis(p) ? batch : std::nullopt;
      if (growing_axis(p) == axis) return std::nullopt;
      if (const auto same = same_dim(dim_name(p.input, axis))) return same;
      if (lengthens(p, axis)) return std::nullopt;
      if (axis == 0 && batch) return batch;
      fail_option("state", "nothing says how long dimension ", axis, " of input '", p.input_name,
                  "' is at the start; give its shape with --input '", p.input_name, "[…]'");
    }

    // Sizes of a cache that do not grow, as that of a head, are those of what is given back, where the input has
    // a name for them only.
    Shape state_shape(const StatePair& p) const {
      const Shape s = p.input.out_port().shape(), given = p.output.in_port(0).get_source().shape();
      if (!p.is_cache || !s.has_rank() || given.rank() != s.rank()) return s;
      const auto grows = growing_axis(p);
      Shape known = s;
      for (size_t a = 0; a < s.size(); ++a) {
        const bool keeps = a != batch_axis(p) && (grows ? a != *grows : a + 1 == s.size());
        if (keeps && given[a].is_static()) known[a] = intersect(s[a], given[a]).value_or(s[a]);
      }
      return known;
    }

    OutPort first_value(const StatePair& p) const {
      const OutPort in = p.input.out_port();
      const Shape s = state_shape(p);
      if (!s.has_rank() || in.type() == ElementType::unknown)
        fail_option("state", "input '", p.input_name, "' has type ", name(in.type()), " and shape ", s,
                    ", and a state needs both; give them with --input '", p.input_name, "{f32}[…]'");
      const Build b(g_, p.input);
      if (s.is_static()) return b.constant(Tensor::create_bytes(b.context(), in.type(), s.to_static()).first);
      // Numbers side by side are one list, as middle.read_dimensions would make them.
      Ports dims;
      Ints numbers;
      const auto end_numbers = [&] {
        if (!numbers.empty()) dims.push_back(b.list(std::exchange(numbers, {})));
      };
      for (size_t a = 0; a < s.size(); ++a) {
        const auto place = first_dim(p, a);
        const Dim d = place ? place->first.out_port().shape()[place->second] : s[a];
        if (!place || d.is_static()) {
          numbers.push_back(d.min);
          continue;
        }
        end_numbers();
        dims.push_back(dim_of(b, place->first, place->second));
      }
      end_numbers();
      const Node n = b.node("Broadcast", "opset3", {b.like(in, 0), b.concat(dims)});
      n.set("mode", "numpy");
      return n.out_port();
    }

    // The rows that go on; made with the first cache.
    OutPort beam() {
      if (const auto n = g_.find("beam_idx"); n && n->is("Parameter")) return n->out_port();
      const Node n = g_.create_node("Parameter", "opset1", "beam_idx");
      const auto main = main_input();
      const Shape shape{main ? main->out_port().shape()[0] : Dim()};
      n.set("element_type", ElementType::i32).set("shape", shape);
      if (const std::string batch = main ? dim_name(*main, 0) : ""; !batch.empty())
        n.set(MO_ATTR_DIM_NAMES, std::vector<std::string>{batch});
      n.out_port().set_shape(ElementType::i32, shape);
      n.out_port().set_tensor_names({"beam_idx"});
      return n.out_port();
    }

    void keep(const StatePair& p, const OutPort& first) {
      const OutPort in = p.input.out_port();
      const Shape shape = state_shape(p);
      const std::string own = p.input.name(), variable = p.input_name + p.output_name;
      const auto readers = in.get_destinations();
      const bool is_chosen = p.is_cache && !has_beam_already_;
      const Node read = g_.create_node("ReadValue", "opset6", own + "/ReadValue", {first});
      read.set("variable_id", variable).set("variable_type", in.type()).set("variable_shape", shape);
      read.out_port().set_shape(in.type(), shape);
      OutPort value = read.out_port();
      if (is_chosen) {
        const Build b(g_, p.input);
        const char* opset = has_opset(b.context(), 8) ? "opset8" : "opset7";
        value = gather(b, opset, value, beam(), static_cast<int64_t>(batch_axis(p)));
      }
      copy_runtime_info({p.input}, {read});
      for (const InPort& r : readers) {
        r.set_source(value);
        if (is_chosen) measure_by_newest(r.node());
      }
      read.out_port().set_tensor_names(in.tensor_names());
      p.input.remove();
      read.rename(own);
      const Node assign =
          g_.create_node("Assign", "opset6", p.output_name + "/Assign", {p.output.in_port(0).get_source()});
      assign.set("variable_id", variable);
      copy_runtime_info({p.output}, {assign});
      p.output.remove();
    }

    // Runtimes that put pages in the place of a cache look for its length by Gather of opset8, too.
    void measure_by_newest(const Node& shape) const {
      if (!shape.is("ShapeOf") || !has_opset(g_.context(), 8)) return;
      for (const InPort& r : shape.out_port().get_destinations())
        if (r.node().is("opset7::Gather")) r.node().set_op("Gather", "opset8");
    }

    Graph g_;
    std::vector<StatePair> pairs_;
    std::vector<Node> rest_;
    Ports first_values_;
    bool has_beam_already_ = g_.find("beam_idx").has_value();
  };
};

void register_keep_state(Registry& r) {
  r.option(
      "stateful", MO_OPTION_FLAG,
      "a cache has to become state of the model; without it, one that is named as caches are becomes it, "
      "and a model without one stays as it is");
  r.option("disable_stateful", MO_OPTION_FLAG, "a cache stays inputs and outputs");
  r.option("state", MO_OPTION_LIST,
           "INPUT:OUTPUT,…: the output of one run is the input of the next, kept by the model");
  r.transformation<KeepState>();
}

}  // namespace mo::builtin_passes
