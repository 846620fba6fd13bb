#include "apps/views/text_parser.hpp"

#include <unordered_set>

namespace mo::app {

namespace {

// "%label:port"
struct Reference {
  Token at;
  uint32_t port = 0;
};

struct Output {
  core::TensorState tensor;
  std::vector<std::string> names;
  TextParser::Attributes attributes;
  std::optional<std::vector<Reference>> destinations;
};

struct Statement {
  Token start, label;
  std::string op, opset;
  std::optional<std::string> name;
  Token name_at;
  std::vector<std::optional<Reference>> inputs;
  TextParser::Attributes attributes, rt_info;
  std::vector<Output> outputs;
  uint64_t native = 0;
  bool marked = false;
};

class NodesParser {
 public:
  NodesParser(TextParser& parser, core::Graph& graph) : p_(parser), lexer_(parser.lexer()), g_(graph) {}

  void run() {
    while (lexer_.peek().kind != Token::end && !lexer_.peek().is("}")) add(statement());
    resolve();
    connect();
    g_.take_marked();
    for (core::NodeId n : marked_) g_.mark(n);
  }

 private:
  // Reading.

  Statement statement() {
    Statement s;
    s.start = lexer_.peek();
    if (s.start.kind == Token::label) {
      s.label = lexer_.take();
      lexer_.expect("=", "after a label");
    }
    s.op = p_.word_or_string("a node: %label = Op (%input, …)");
    if (lexer_.accept("@")) s.opset = p_.word_or_string("an opset after '@'");
    s.name_at = lexer_.peek();
    if (s.name_at.kind == Token::string && !s.name_at.first_on_line) s.name = p_.string("a name");
    if (lexer_.accept("(")) s.inputs = inputs();
    if (lexer_.peek().is("{")) s.attributes = p_.attributes();
    if (clause("rt")) s.rt_info = p_.attributes();
    if (lexer_.accept("->"))
      s.outputs = outputs();
    else
      s.outputs.resize(s.op == core::words::result ? 0 : 1);
    if (clause("native")) s.native = lexer_.integer<uint64_t>(lexer_.take(), "a tag");
    s.marked = clause("marked");
    const Token& next = lexer_.peek();
    if (!next.first_on_line && next.kind != Token::end && !next.is("}"))
      lexer_.expected("the end of the node");
    return s;
  }

  // A word at the start of a line begins the next node.
  bool clause(std::string_view word) {
    return (parentheses_ || !lexer_.peek().first_on_line) && lexer_.accept(word);
  }

  std::vector<std::optional<Reference>> inputs() {
    std::vector<std::optional<Reference>> list;
    while (!lexer_.accept(")")) {
      if (!list.empty()) lexer_.expect(",", "or ')' after an input");
      if (lexer_.accept("_"))
        list.emplace_back();
      else
        list.emplace_back(reference("an input: %label, %label:port or _"));
    }
    return list;
  }

  Reference reference(std::string_view what) {
    Reference r;
    r.at = lexer_.expect(Token::label, what);
    if (lexer_.accept(":")) r.port = lexer_.integer<uint32_t>(lexer_.take(), "the number of a port");
    return r;
  }

  std::vector<Output> outputs() {
    std::vector<Output> list;
    parentheses_ = lexer_.accept("(");
    if (!parentheses_) {
      list.push_back(output());
      return list;
    }
    while (!lexer_.accept(")")) {
      if (!list.empty()) lexer_.expect(",", "or ')' after an output");
      list.push_back(output());
    }
    parentheses_ = false;
    return list;
  }

  Output output() {
    Output o;
    core::TensorState& t = o.tensor;
    if (!lexer_.accept("_")) {
      if (lexer_.peek().kind != Token::word)
        lexer_.expected("an output: a type and shape like f32[1,3,?], or _");
      t.type = p_.element_type();
      t.shape = p_.shape();
      if (p_.at_literal() && (parentheses_ || !lexer_.peek().first_on_line))
        t.value = p_.literal(t.type, t.shape);
    }
    if (clause("value")) t.value = p_.tensor();
    t.from_shape = clause("from_shape");
    if (clause("bounds")) t.bounds = p_.bounds();
    if (clause("names")) {
      lexer_.expect("(", "after 'names'");
      while (!lexer_.accept(")")) {
        if (!o.names.empty()) lexer_.expect(",", "or ')' after a name");
        o.names.push_back(p_.string("the name of a tensor"));
      }
    }
    if (clause("attributes")) o.attributes = p_.attributes();
    if (clause("to")) {
      lexer_.expect("(", "after 'to'");
      o.destinations.emplace();
      while (!lexer_.accept(")")) {
        if (!o.destinations->empty()) lexer_.expect(",", "or ')' after a destination");
        o.destinations->push_back(reference("a destination: %label or %label:port"));
      }
    }
    return o;
  }

  // Building.

  void add(Statement s) {
    const bool word_label = !s.label.text.empty() && is_word(s.label.text);
    const core::NodeId n =
        g_.add_node(s.op, s.opset, free_name(s, word_label), static_cast<uint32_t>(s.inputs.size()),
                    static_cast<uint32_t>(s.outputs.size()));
    if (!s.name) unnamed_.insert(n);
    if (!s.label.text.empty() && !labels_.emplace(s.label.text, n).second)
      lexer_.fail_at(s.label, text("label %", s.label.text, " is given twice"));
    for (auto& [key, value] : s.attributes) g_.set_attribute(n, key, std::move(value));
    for (auto& [key, value] : s.rt_info) g_.set_rt_info(n, key, std::move(value));
    for (uint32_t i = 0; i < s.outputs.size(); ++i) {
      Output& o = s.outputs[i];
      core::TensorNames names;
      for (const std::string& name : o.names) names.push_back(g_.symbols().intern(name));
      g_.set_tensor({n, i}, std::move(o.tensor));
      g_.set_tensor_names({n, i}, std::move(names));
      for (auto& [key, value] : o.attributes) g_.set_port_attribute({n, i}, key, std::move(value));
      if (o.destinations) ordered_.push_back({{n, i}, s.start, std::move(*o.destinations)});
    }
    g_.set_native(n, s.native);
    if (s.marked) marked_.push_back(n);
    first_input_.push_back(inputs_.size());
    for (const auto& input : s.inputs) inputs_.push_back({input, {}});
  }

  // Names that are written win over names that are made up here.
  std::string free_name(const Statement& s, bool word_label) {
    if (!s.name) return word_label ? std::string(s.label.text) : std::string();
    if (s.name->empty()) lexer_.fail_at(s.name_at, "a node needs a name");
    const core::NodeId other = g_.find(*s.name);
    if (other != core::no_node && !unnamed_.contains(other))
      lexer_.fail_at(s.name_at, text("the name '", *s.name, "' is given twice"));
    if (other != core::no_node) g_.rename(other, g_.unique_name(*s.name));
    return *s.name;
  }

  core::NodeId find(const Reference& r) const {
    const auto it = labels_.find(r.at.text);
    if (it == labels_.end()) lexer_.fail_at(r.at, text("there is no node %", r.at.text, " in this graph"));
    return it->second;
  }

  void resolve() {
    for (PendingInput& input : inputs_) {
      if (!input.reference) continue;
      const core::NodeId n = find(*input.reference);
      const size_t outputs = g_.node(n).outputs.size();
      if (input.reference->port >= outputs)
        lexer_.fail_at(input.reference->at,
                       text(describe(g_, n), " has ", outputs, outputs == 1 ? " output" : " outputs",
                            ", there is no output ", input.reference->port));
      input.source = {n, input.reference->port};
    }
  }

  void connect() {
    std::unordered_set<uint64_t> later;
    const auto key = [](core::PortRef p) { return uint64_t{p.node} << 32 | p.port; };
    for (const Ordered& o : ordered_) later.insert(key(o.out));
    std::unordered_map<uint64_t, size_t> readers;
    for (core::NodeId n = 0; n < g_.end_id(); ++n)
      for (uint32_t i = 0; i < g_.node(n).inputs.size(); ++i) {
        const core::PortRef source = inputs_[first_input_[n] + i].source;
        if (!source) continue;
        if (later.contains(key(source)))
          ++readers[key(source)];
        else
          g_.connect(source, {n, i});
      }
    for (const Ordered& o : ordered_) {
      for (const Reference& r : o.destinations) {
        const core::PortRef in{find(r), r.port};
        if (in.port >= g_.node(in.node).inputs.size() ||
            inputs_[first_input_[in.node] + in.port].source != o.out)
          lexer_.fail_at(r.at, text("input ", r.port, " of %", r.at.text, " does not read this output"));
        if (g_.source(in)) lexer_.fail_at(r.at, "this destination is given twice");
        g_.connect(o.out, in);
      }
      if (g_.out(o.out).destinations != readers[key(o.out)])
        lexer_.fail_at(o.at, text("to(…) of output ", o.out.port, " does not list all that read it"));
    }
  }

  struct PendingInput {
    std::optional<Reference> reference;
    core::PortRef source;
  };
  struct Ordered {
    core::PortRef out;
    Token at;
    std::vector<Reference> destinations;
  };

  TextParser& p_;
  Lexer& lexer_;
  core::Graph& g_;
  bool parentheses_ = false;
  std::unordered_map<std::string_view, core::NodeId> labels_;
  std::unordered_set<core::NodeId> unnamed_;
  std::vector<PendingInput> inputs_;
  std::vector<size_t> first_input_;  // by node
  std::vector<Ordered> ordered_;
  std::vector<core::NodeId> marked_;
};

}  // namespace

void parse_nodes(TextParser& parser, core::Graph& graph) { NodesParser(parser, graph).run(); }

}  // namespace mo::app
