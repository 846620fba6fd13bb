// While becomes Loop. Lists that the body reads or writes one element per iteration become sliced inputs and
// concatenated outputs; counters that only serve these go away. A list of one element that every iteration
// writes is what the last one gives. Of all other lists that begin without a shape of their elements, the
// first value that the body writes has it.
#include "support/clone.hpp"
#include "support/loop_body.hpp"

#include <mo/bodies.hpp>

#include <set>

namespace mo::tensorflow {

namespace while_loop {

using Kind = ListOperator::Kind;

class Lowering {
 public:
  Lowering(const Graph& g, const SourceNode& n)
      : n_(n),
        b_(g, n),
        loop_(g, n),
        inside_(loop_.body(), loop_.variables().empty() ? Node(n) : loop_.variables()[0].parameter),
        roles_(loop_.variables().size()) {}

  void run() {
    bounds_ = loop_.bounds(b_);
    for (size_t i = 0; i < roles_.size(); ++i) {
      if (loop_.variables()[i].result)
        find_collected(i);
      else
        find_sliced(i);
    }
    for (size_t i = 0; i < roles_.size(); ++i)
      if (roles_[i] == Role::whole && variable(i).result) shape_list(i);
    find_condition();
    for (size_t i = 0; i < roles_.size(); ++i) {
      hand_through(i);
      if (roles_[i] == Role::sliced) slice(i);
      if (roles_[i] == Role::collected || roles_[i] == Role::last) collect(i);
    }
    find_live();
    drop_dead();
    connect();
  }

 private:
  enum class Role { whole, sliced, collected, last };

  LoopVariable& variable(size_t i) { return loop_.variables()[i]; }

  // What reads a variable in the body, but for the Result of one that does not change.
  std::vector<InPort> readers_inside(size_t i) {
    auto readers = readers_of(variable(i).parameter.out_port());
    if (!variable(i).result)
      readers.erase(std::remove_if(readers.begin(), readers.end(),
                                   [](const InPort& in) { return in.node().is("Result"); }),
                    readers.end());
    return readers;
  }

  // All that is done with it is to take the element of the iteration.
  void find_sliced(size_t i) {
    const auto readers = readers_inside(i);
    const bool all = !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](const InPort& in) {
      const ListOperator op = list_operator(in.node());
      return op.kind == Kind::get && static_cast<int>(in.index()) == op.list &&
             loop_.is_iteration(in.node().in_port(static_cast<size_t>(op.index)).get_source());
    });
    if (all && bounds_) roles_[i] = Role::sliced;
  }

  // All that is done with it is to write the element of the iteration, or its only one, or to add one.
  void find_collected(size_t i) {
    const LoopVariable& v = variable(i);
    const Node writer = behind_identities(v.result.in_port(0).get_source()).node();
    const ListOperator op = list_operator(writer);
    if (op.kind != Kind::set && op.kind != Kind::push) return;
    const auto list = static_cast<size_t>(op.list);
    if (behind_identities(writer.in_port(list).get_source()) != v.parameter.out_port()) return;
    Role role = Role::collected;
    if (op.kind == Kind::set) {
      const OutPort index = writer.in_port(static_cast<size_t>(op.index)).get_source();
      if (constant_integer(index) == 0 && holds_only_the_last(v))
        role = Role::last;
      else if (!loop_.is_iteration(index))
        return;
    }
    for (const InPort& in : readers_of(v.parameter.out_port()))
      if (in.node() != writer || in.index() != list) return;
    for (const InPort& in : readers_of(writer.out_port()))
      if (in.node() != v.result) return;
    roles_[i] = role;
  }

  // Without iterations, a list of one element is what it was: zeros when their shape is stated. Of others
  // TensorFlow has no value either.
  bool holds_only_the_last(const LoopVariable& v) const {
    const Node maker = behind_identities(v.first).node();
    const ListOperator op = list_operator(maker);
    if (op.kind != Kind::reserve) return false;
    if (constant_integer(maker.in_port(static_cast<size_t>(op.value)).get_source()) != 1) return false;
    const bool runs = bounds_ && bounds_->size() == 1 && constant_integer(bounds_->front()).value_or(0) > 0;
    return runs || !stated_element_shape(Build(b_.graph(), maker), SourceNode(maker), op);
  }

  void shape_list(size_t i) {
    LoopVariable& v = variable(i);
    const Node maker = behind_identities(v.first).node();
    const ListOperator op = list_operator(maker);
    if (op.kind != Kind::reserve && op.kind != Kind::empty) return;
    const SourceNode source(maker);
    const Build at(b_.graph(), maker);
    if (stated_element_shape(at, source, op)) return;
    Ports first;
    for (const LoopVariable& other : loop_.variables()) first.push_back(other.first);
    first[i] = OutPort();
    const OutPort value = first_written(loop_.body(), v.parameter.out_port(), first, 0);
    if (value) v.first = list_of_zeros(at, source, op, b_.shape_of(value));
  }

  // Outside of the loop, what the first iteration writes to `list`, a port of `body`; nothing when it does not
  // write, or writes what depends on the list. `arguments` are those of `body`.
  OutPort first_written(const Graph& body, const OutPort& list, const Ports& arguments, int depth) const {
    require(depth < 64, "graphs are nested deeper than 64 levels");
    for (const InPort& in : readers_of(list)) {
      const Node n = in.node();
      const ListOperator op = list_operator(n);
      OutPort value;
      if ((op.kind == Kind::set || op.kind == Kind::push) && static_cast<int>(in.index()) == op.list) {
        const OutPort written = n.in_port(static_cast<size_t>(op.value)).get_source();
        value = clone_value(b_.graph(), body, arguments, written);
        if (!value) value = first_written(body, n.out_port(op.output), arguments, depth + 1);
      }
      for (const char* attribute : {"body", "then_branch", "else_branch"}) {
        if (value || n.is("Loop") || !n.has(attribute)) continue;  // bodies by position are those of While
        const size_t before = attribute == std::string_view("body") ? 0 : 1;  // what chooses a branch
        if (in.index() < before) continue;
        const Graph inner(b_.context(), n.attr<GraphHandle>(attribute).id);
        Ports inputs;
        for (size_t k = before; k < n.in_count(); ++k)
          inputs.push_back(clone_value(b_.graph(), body, arguments, n.in_port(k).get_source()));
        const auto parameters = inner.parameters();
        if (in.index() - before < parameters.size())
          value = first_written(inner, parameters[in.index() - before].out_port(), inputs, depth + 1);
      }
      if (value) return value;
    }
    return {};
  }

  // Ports for the trip count and the first condition; in the body, a Result with the next one.
  void find_condition() {
    OutPort next;
    if (bounds_) {
      count_ = trip_count(b_, *bounds_);
      first_ = b_.constant(Tensor::scalar<bool>(b_.context(), true));
      next = inside_.constant(Tensor::scalar<bool>(b_.context(), true));
    } else {
      count_ = b_.integer(-1);
      Ports now, later;
      for (const LoopVariable& v : loop_.variables()) {
        now.push_back(v.first);
        later.push_back(v.result ? v.result.in_port(0).get_source() : v.parameter.out_port());
      }
      first_ = clone_into(b_.graph(), loop_.condition(), now)[0];
      next = clone_into(loop_.body(), loop_.condition(), later)[0];
    }
    condition_ = loop_.body().create_node("Result", "opset1", "condition", {next});
  }

  // What does not change is read where it comes from.
  void hand_through(size_t i) {
    if (variable(i).result || !n_.is_out_port_connected(i)) return;
    n_.out_port(i).get_connection().set_source(variable(i).first, Names::merge);
  }

  void slice(size_t i) {
    const Node& parameter = variable(i).parameter;
    const auto readers = readers_inside(i);
    const Node first = readers[0].node();
    const ListOperator op = list_operator(first);
    const ElementType type = SourceNode(first).native(op.element_type, ElementType::unknown);
    set_type(parameter, type);
    const OutPort element = inside_.squeeze(parameter.out_port(), {0});
    element.set_shape(type, Shape::unknown());
    for (const InPort& in : readers) {
      const Node get = in.node();
      if (get.out_count() != 0) get.out_port().get_connection().set_source(element, Names::source);
    }
  }

  static void set_type(const Node& parameter, ElementType type) {
    if (type != ElementType::unknown)
      parameter.set("element_type", type);
    else
      parameter.erase("element_type");
    parameter.out_port().set_shape(type, Shape::unknown());
  }

  void collect(size_t i) {
    const LoopVariable& v = variable(i);
    const Node writer = behind_identities(v.result.in_port(0).get_source()).node();
    const ListOperator op = list_operator(writer);
    const OutPort value = writer.in_port(static_cast<size_t>(op.value)).get_source();
    const ElementType type = SourceNode(writer).native(op.element_type, value.type());
    const bool last = roles_[i] == Role::last;
    v.result.in_port(0).set_source(last ? value : inside_.unsqueeze(value, inside_.list({0})));
    if (i >= n_.out_count()) return;
    const OutPort all = n_.out_port(i);
    all.set_shape(type, Shape::unknown());
    if (all.disconnected()) return;
    const auto readers = all.get_destinations();
    const OutPort list = last ? b_.unsqueeze(all, b_.list({0})) : whole_list(v, op.kind, all, type);
    if (list == all) return;
    for (const InPort& in : readers) in.set_source(list);
  }

  // The elements of the iterations, and those of the list that none of them wrote.
  OutPort whole_list(const LoopVariable& v, Kind kind, const OutPort& all, ElementType type) const {
    const Node start = behind_identities(v.first).node();
    const ListOperator op = list_operator(start);
    if (kind == Kind::push) return op.kind == Kind::empty ? all : b_.concat({v.first, all});
    const OutPort written = b_.dim(all, 0);
    if (op.kind != Kind::reserve) {
      const Node rest = b_.node("StridedSlice", "opset1", {v.first, written, b_.list({0}), b_.list({1})});
      rest.set("begin_mask", Ints{0}).set("end_mask", Ints{1});
      return b_.concat({all, rest.out_port()});
    }
    const OutPort size = start.in_port(static_cast<size_t>(op.value)).get_source();
    if (is_count(size)) return all;
    const OutPort missing = b_.subtract(b_.reshape(b_.convert(size, ElementType::i64), Ints{1}), written);
    const OutPort shape = b_.concat(
        {b_.op("Maximum", "opset1", {missing, b_.list({0})}), b_.part(b_.shape_of(all), 1, INT64_MAX)});
    return b_.concat({all, zeros(b_, type, shape)});
  }
  bool is_count(const OutPort& size) const {
    if (!bounds_ || bounds_->size() != 1) return false;
    if (behind_identities(size) == behind_identities(bounds_->front())) return true;
    const auto a = constant_integer(size), b = constant_integer(bounds_->front());
    return a && a == b;
  }

  // What the outputs and the condition need.
  void find_live() {
    std::vector<Node> waiting;
    const auto need = [&](const Node& n) {
      if (needed_.insert(n.id()).second) waiting.push_back(n);
    };
    need(condition_);
    for (size_t i = 0; i < roles_.size(); ++i)
      if (variable(i).result && n_.is_out_port_connected(i)) need(variable(i).result);
    while (!waiting.empty()) {
      const Node n = waiting.back();
      waiting.pop_back();
      for (const InPort& in : n.in_ports())
        if (const OutPort source = in.get_source()) need(source.node());
      if (!n.is("Parameter")) continue;
      const auto i = loop_.variable_at(n.out_port());
      if (i && roles_[*i] == Role::whole && variable(*i).result) need(variable(*i).result);
    }
  }
  void drop_dead() const {
    for (const Node& n : loop_.body().nodes())
      if (needed_.count(n.id()) == 0) n.remove();
  }

  static int64_t place(const std::vector<Node>& list, const Node& n) {
    return std::find(list.begin(), list.end(), n) - list.begin();
  }
  void connect() {
    const auto parameters = loop_.body().parameters(), results = loop_.body().results();
    const auto needed = [&](const Node& n) { return n && needed_.count(n.id()) != 0; };
    Ports inputs{count_, first_};
    BodyBuilder body(loop_.body());
    const auto slices = [&](size_t i, Role role) {
      return roles_[i] == role ? std::optional(Slices{}) : std::nullopt;
    };
    for (size_t i = 0; i < roles_.size(); ++i) {
      const LoopVariable& v = variable(i);
      if (!needed(v.parameter)) continue;
      const int64_t parameter = place(parameters, v.parameter);
      body.connect(input_entry(static_cast<int64_t>(inputs.size()), parameter, slices(i, Role::sliced)));
      inputs.push_back(v.first);
      if (v.result) body.next(place(results, v.result), parameter);
    }
    body.connect(output_entry(-1, place(results, condition_), {}, "execution_condition"));
    std::vector<size_t> outputs;
    for (size_t i = 0; i < n_.out_count(); ++i) {
      if (!n_.is_out_port_connected(i)) continue;
      body.connect(output_entry(static_cast<int64_t>(outputs.size()), place(results, variable(i).result),
                                slices(i, Role::collected)));
      outputs.push_back(i);
    }
    for (size_t i = n_.out_count(); i-- != 0;)
      if (!n_.is_out_port_connected(i)) n_.delete_output_port(i);
    if (outputs.size() == 1 && outputs.front() != 0) keep_apart(outputs.front());
    for (size_t i = n_.in_count(); i-- > inputs.size();) n_.delete_input_port(i);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const InPort in = i < n_.in_count() ? n_.in_port(i) : n_.add_input_port();
      in.set_source(inputs[i]);
    }
    n_.erase("cond");
    body.set(n_);
    n_.set_op("Loop", "opset5");
  }

  // The name of the node is that of its first output, too, and what took its place may have it by now.
  // Runtimes of IR version 10 give it to the only output that is left.
  void keep_apart(size_t output) {
    const auto names = variable(0).first.tensor_names();
    if (std::find(names.begin(), names.end(), n_.name()) != names.end())
      n_.rename(text(n_.name(), ".", output));
  }

  SourceNode n_;
  Build b_;
  LoopBody loop_;
  Build inside_;
  std::vector<Role> roles_;
  std::optional<Ports> bounds_;
  OutPort count_, first_;
  Node condition_;
  std::set<mo_node> needed_;
};

}  // namespace while_loop

// Loops around others come first.
class WhileLoops : public FrontReplacementOp {
 public:
  WhileLoops() {
    id = "tf.front.while";
    doc = "While, and what was a loop of TensorFlow 1, is a Loop; lists are sliced and concatenated";
    before = "While(x, list)";
    after = "Loop(trip count, condition, x, sequence)";
    frameworks = {"tf"};
    ops = {"::While", "::StatelessWhile"};
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const SourceNode n(m["op"]);
    bool read = false;
    for (size_t i = 0; i < n.out_count(); ++i) read |= n.is_out_port_connected(i);
    if (read) while_loop::Lowering(g, n).run();
  }
};

void register_while_loop(Registry& r) { r.transformation<WhileLoops>(); }

}  // namespace mo::tensorflow
