// Transformations that are nothing but two texts: the graph to look for, and what takes its place.
//
//   struct FuseMish : mo::Rewrite {
//     FuseMish() {
//       id = "com.acme.fuse_mish";
//       before = R"(
//         %x = Parameter -> f32[1,8]
//         %s = SoftPlus@opset4 (%x)
//         %t = Tanh@opset1 (%s)
//         %y = Multiply@opset1 (%x, %t)
//         Result (%y))";
//       after = R"(
//         %x = Parameter -> f32[1,8]
//         %y = Mish@opset4 (%x)
//         Result (%y))";
//     }
//   };
//   registry.transformation<FuseMish>();
//
// How `before` is read:
//   Parameter      any tensor of that kind of elements: f32 stands for all floats, i64 for all integers. The
//   shape is
//                  an example.
//   Const {…}      one number, near enough for a file that holds it in f16, which does not widen what it is
//   combined
//                  with; of integers, exactly these elements. Without elements: any constant.
//   Type@set (…)   that operation of that set; without a set, of any of OpenVINO's. What commutes does so
//   here. Attributes
//                  have to be as they are written; those that are not are not looked at.
//   Result (%y)    what takes the place of: nothing else of `before` may be read from elsewhere.
// In `after`, a label of `before` is what was found for it, other nodes are new, and numbers get the type
// that the first Parameter of their kind has in the graph.
//
// also() adds another way to write the same. where() tests what was found for a label. A place where all
// operations fit and something else does not is a near miss: --explain tells what was found.
#pragma once

#include <mo/passes.hpp>
#include <mo/replace.hpp>

#include <cmath>
#include <cstdlib>
#include <variant>

namespace mo {

namespace detail {

// A line of such a text.
struct GraphLine {
  using Value = std::variant<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<double>>;
  struct Input {
    std::string label;
    int32_t port = 0;
  };
  std::string label, op, set;
  std::vector<Input> inputs;
  std::vector<std::pair<std::string, Value>> attributes;
  ElementType type = ElementType::unknown;
  std::vector<int64_t> dims;  // -1: not a number
  std::optional<std::vector<double>> elements;
};

class GraphLineReader {
 public:
  explicit GraphLineReader(std::string_view all) : all_(all) {}

  std::vector<GraphLine> read() {
    std::vector<GraphLine> lines;
    for (skip(); at_ < all_.size(); skip()) lines.push_back(line());
    require(!lines.empty() && lines.back().op == "Result" && lines.back().inputs.size() == 1,
            "the last line of such a graph is 'Result (%label)'");
    return lines;
  }

 private:
  GraphLine line() {
    GraphLine n;
    if (take('%')) {
      n.label = word();
      expect('=');
    }
    n.op = word();
    if (take('@')) n.set = word();
    if (take('(')) list(')', [&] { n.inputs.push_back(input()); });
    if (take('{')) list('}', [&] { n.attributes.push_back(attribute()); });
    if (take_arrow()) output(n);
    return n;
  }
  GraphLine::Input input() {
    expect('%');
    GraphLine::Input in{word()};
    if (take(':')) in.port = static_cast<int32_t>(number());
    return in;
  }
  std::pair<std::string, GraphLine::Value> attribute() {
    std::string key = word();
    expect('=');
    return {std::move(key), value()};
  }
  GraphLine::Value value() {
    skip();
    if (take('"')) {
      const size_t end = std::min(all_.find('"', at_), all_.size());
      std::string s(all_.substr(at_, end - at_));
      at_ = end;
      expect('"');
      return s;
    }
    if (take('[')) {
      std::vector<double> floats;
      bool whole = true;
      list(']', [&] {
        whole &= is_whole();
        floats.push_back(number());
      });
      if (whole) return std::vector<int64_t>(floats.begin(), floats.end());
      return floats;
    }
    const bool whole = is_whole();
    if (at_ < all_.size() && std::isalpha(static_cast<unsigned char>(all_[at_])) != 0) {
      std::string w = word();
      if (w == "true" || w == "false") return w == "true";
      return w;  // an element type
    }
    const double v = number();
    if (whole) return static_cast<int64_t>(v);
    return v;
  }
  void output(GraphLine& n) {
    n.type = element_type_from_name(word());
    require(n.type != ElementType::unknown, where(), "an element type is expected");
    expect('[');
    list(']', [&] { n.dims.push_back(take('?') || take('.') ? -1 : static_cast<int64_t>(number())); });
    if (!take('{')) return;
    n.elements.emplace();
    list('}', [&] { n.elements->push_back(number()); });
  }

  template <class F>
  void list(char end, F item) {
    if (take(end)) return;
    do item();
    while (take(','));
    expect(end);
  }
  std::string word() {
    skip();
    const size_t begin = at_;
    while (at_ < all_.size() &&
           (std::isalnum(static_cast<unsigned char>(all_[at_])) != 0 || all_[at_] == '_' ||
            all_[at_] == '.' || (all_[at_] == '-' && at_ + 1 < all_.size() && all_[at_ + 1] != '>')))
      ++at_;
    require(at_ > begin, where(), "a word is expected");
    return std::string(all_.substr(begin, at_ - begin));
  }
  bool is_whole() {
    skip();
    const size_t end = all_.find_first_not_of("+-0123456789", at_);
    return end == std::string_view::npos || (all_[end] != '.' && all_[end] != 'e' && all_[end] != 'E');
  }
  double number() {
    skip();
    const size_t end = std::min(all_.find_first_not_of("+-.eE0123456789", at_), all_.size());
    const std::string digits(all_.substr(at_, end - at_));
    char* last = nullptr;
    const double v = std::strtod(digits.c_str(), &last);  // of floats some libraries have no from_chars
    require(!digits.empty() && *last == '\0', where(), "a number is expected");
    at_ = end;
    return v;
  }
  bool take_arrow() {
    skip();
    if (all_.substr(at_, 2) != "->") return false;
    at_ += 2;
    return true;
  }
  bool take(char c) {
    skip();
    if (at_ >= all_.size() || all_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { require(take(c), where(), "'", c, "' is expected"); }
  void skip() {
    while (at_ < all_.size() &&
           (std::isspace(static_cast<unsigned char>(all_[at_])) != 0 || all_[at_] == '#'))
      if (all_[at_] == '#')
        at_ = std::min(all_.find('\n', at_), all_.size());
      else
        ++at_;
  }
  std::string where() const {
    const auto line = 1 + std::count(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return text("line ", line, " of the graph: ");
  }

  std::string_view all_;
  size_t at_ = 0;
};

}  // namespace detail

// Near enough for a number that a file may hold as f16.
inline bool is_about(double value, double wanted) {
  return std::abs(value - wanted) <= 1e-3 * std::max(std::abs(wanted), 1e-6);
}

class Rewrite : public MatcherPass {
 public:
  explicit Rewrite(int32_t phase = MO_PHASE_MIDDLE) : MatcherPass(phase) {}
  // Another graph that `after` takes the place of, with the labels that `after` uses.
  void also(std::string_view graph) { spellings_.emplace_back(graph); }
  // `holds` says yes or no, or declines with a reason; asked when all operations fit.
  void where(std::string_view label, std::function<bool(const OutPort&)> holds) {
    tests_.emplace_back(label, std::move(holds));
  }

 protected:
  // Sets what `after` cannot say of its new nodes, by label.
  virtual void complete(const Match&, const std::map<std::string, Node>&) {}

  void prepare() override {
    if (!after_.empty()) return;
    try {
      after_ = detail::GraphLineReader(after).read();
      std::vector<Pattern> roots;
      spellings_.insert(spellings_.begin(), before);
      for (const std::string& graph : spellings_) roots.push_back(add(detail::GraphLineReader(graph).read()));
      register_matcher(roots.size() == 1 ? roots.front() : any_of(roots),
                       [this](Graph g, Match& m) { replace(g, m); });
    } catch (const Error& e) {
      fail("transformation '", id, "': ", e.what());
    }
  }

 private:
  using Line = detail::GraphLine;
  struct Item {
    Line line;
    Pattern pattern;
  };
  using Spelling = std::vector<Item>;  // the last one is the root

  // Labels are unique within one spelling, aliases within all of them.
  static std::string alias(size_t spelling, std::string_view label) { return text(label, '#', spelling); }

  Pattern add(const std::vector<Line>& lines) {
    const size_t number = items_.size();
    Spelling& spelling = items_.emplace_back();
    const auto find = [&](const std::string& label) -> const Item& {
      for (const Item& i : spelling)
        if (i.line.label == label) return i;
      fail("'%", label, "' is used before the line that makes it");
    };
    for (const Line& l : lines) {
      if (l.op == "Result") return find(l.inputs.front().label).pattern;
      Pattern p = l.op == "Parameter" ? any_input() : l.op == "Const" ? constant() : nullptr;
      if (!p) {
        std::vector<PatternNode::Input> inputs;
        for (const Line::Input& in : l.inputs) {
          const Item& source = find(in.label);
          inputs.push_back(source.line.op == "Parameter" || source.line.op == "Const"
                               ? source.pattern->output(MO_ANY_PORT)
                               : source.pattern->output(in.port));
        }
        p = wrap_outputs({l.set.empty() ? l.op : text(l.set, "::", l.op)}, std::move(inputs));
      }
      for (const auto& [label, holds] : tests_)
        if (label == l.label) p->where(holds);
      p->where([l](const OutPort& port) { return fits(l, port); });
      spelling.push_back({l, p->named(alias(number, l.label))});
    }
    fail("the graph has no Result");
  }

  // Throws Declined with what was found.
  static bool fits(const Line& l, const OutPort& port) {
    if (l.op == "Parameter") return is_of_kind(l, port);
    if (l.op == "Const") return !l.elements || has_elements(l, port);
    for (const auto& [name, wanted] : l.attributes) {
      mo_value v{};
      const Node n = port.node();
      const Context c = n.context();
      const mo_status status = c.graph().node_attr(c.get(), n.id(), str(name), &v);
      if (status != MO_NOT_FOUND) c.check(status);
      if (!is_equal(v, wanted))
        decline("'", name, "' of '", n.name(), "' is ", status == MO_NOT_FOUND ? "absent" : shown(v),
                ", not ", shown(wanted));
    }
    return true;
  }
  static bool is_of_kind(const Line& l, const OutPort& port) {
    const ElementType t = port.type();
    if (l.type == ElementType::unknown || t == l.type || info(t).kind == info(l.type).kind ||
        (is_integer(t) && is_integer(l.type)))
      return true;
    decline("what '", port.node().name(), "' gives is ", name(t), ", and this is for ",
            is_float(l.type) ? "floating-point numbers" : name(l.type));
  }
  static bool has_elements(const Line& l, const OutPort& port) {
    const auto value = port.value();
    const Node n = port.node();
    if (!value || value->type() == ElementType::string || bits(value->type()) < 8) return false;
    const std::vector<double>& wanted = *l.elements;
    if (value->size() > 64) decline("the constant '", n.name(), "' has ", value->size(), " elements");
    const auto found = value->to_floats<double>();
    const bool one_number = is_float(l.type) && wanted.size() == 1;
    const bool same =
        one_number ? found.size() == 1 && is_about(found[0], wanted[0])
                   : found.size() == wanted.size() &&
                         std::equal(found.begin(), found.end(), wanted.begin(), [&](double a, double b) {
                           return is_float(l.type) ? is_about(a, b) : a == b;
                         });
    if (!same) decline("the constant '", n.name(), "' is ", shown_list(found), ", not ", shown_list(wanted));
    return true;
  }

  static bool is_equal(const mo_value& v, const Line::Value& wanted) {
    if (const auto* s = std::get_if<std::string>(&wanted)) {
      if (v.kind == MO_VALUE_TYPE) return name(static_cast<ElementType>(v.u.i)) == *s;
      return v.kind == MO_VALUE_STRING && view(v.u.s) == *s;
    }
    const auto found = detail::numbers_in(v);
    const std::vector<double> list = std::visit(
        [](const auto& w) -> std::vector<double> {
          using T = std::decay_t<decltype(w)>;
          if constexpr (std::is_arithmetic_v<T>)
            return {static_cast<double>(w)};
          else if constexpr (std::is_same_v<T, std::string>)
            return {};
          else
            return std::vector<double>(w.begin(), w.end());
        },
        wanted);
    const bool about = std::holds_alternative<double>(wanted);
    return found && found->size() == list.size() &&
           std::equal(found->begin(), found->end(), list.begin(),
                      [&](double a, double b) { return about && b != 0 ? is_about(a, b) : a == b; });
  }
  template <class List>
  static std::string shown_list(const List& list) {
    if (list.size() == 1) return text(list[0]);
    std::string s = "[";
    for (size_t i = 0; i < list.size(); ++i) s += text(i == 0 ? "" : ", ", i < 8 ? text(list[i]) : "…");
    return s + "]";
  }
  static std::string shown(const mo_value& v) {
    if (v.kind == MO_VALUE_STRING) return text('"', view(v.u.s), '"');
    if (v.kind == MO_VALUE_BOOL) return v.u.i != 0 ? "true" : "false";
    if (v.kind == MO_VALUE_TYPE) return std::string(name(static_cast<ElementType>(v.u.i)));
    const auto numbers = detail::numbers_in(v);
    return numbers ? shown_list(*numbers) : "another value";
  }
  static std::string shown(const Line::Value& v) {
    return std::visit(
        [](const auto& w) -> std::string {
          using T = std::decay_t<decltype(w)>;
          if constexpr (std::is_same_v<T, bool>)
            return w ? "true" : "false";
          else if constexpr (std::is_same_v<T, std::string>)
            return text('"', w, '"');
          else if constexpr (std::is_arithmetic_v<T>)
            return text(w);
          else
            return shown_list(w);
        },
        v);
  }

  void replace(const Graph& g, const Match& m) {
    size_t number = 0;
    while (number + 1 < items_.size() && !m.has(alias(number, root_of(items_[number]).line.label))) ++number;
    const Spelling& spelling = items_[number];
    const Node root = m[alias(number, root_of(spelling).line.label)];
    const std::vector<Node> inside = own_nodes(m, spelling, number, root);
    std::map<std::string, OutPort> known;
    for (const Item& i : spelling)
      if (m.has(alias(number, i.line.label))) known[i.line.label] = m.port(alias(number, i.line.label));
    std::map<std::string, Node> made;
    const std::string last = after_.back().inputs.front().label;
    for (const Line& l : after_) {
      if (l.op == "Parameter" || l.op == "Result") continue;
      if (l.op == "Const") {
        if (known.count(l.label) == 0 || l.elements)
          known[l.label] = new_constant(g, root, spelling, known, l);
        continue;
      }
      std::vector<OutPort> inputs;
      for (const Line::Input& in : l.inputs) {
        const auto source = known.find(in.label);
        require(source != known.end(), "'%", in.label, "' of `after` is neither there nor in `before`");
        inputs.push_back(in.port == 0 ? source->second
                                      : source->second.node().out_port(static_cast<size_t>(in.port)));
      }
      const Node n = g.create_node(l.op, l.set, text(root.name(), '/', l.op), inputs);
      for (const auto& [name, value] : l.attributes)
        std::visit([&, name = std::string_view(name)](const auto& v) { n.set(name, v); }, value);
      made[l.label] = n;
      known[l.label] = n.out_port();
    }
    complete(m, made);
    std::vector<Node> nodes;
    for (const auto& [label, n] : made) nodes.push_back(n);
    take_place(root, known.at(last), inside, nodes);
  }

  // Throws Declined where something of it is read from elsewhere.
  static std::vector<Node> own_nodes(const Match& m, const Spelling& spelling, size_t number,
                                     const Node& root) {
    std::vector<Node> inside;
    for (const Item& i : spelling)
      if (i.line.op != "Parameter" && i.line.op != "Const") inside.push_back(m[alias(number, i.line.label)]);
    for (const Item& i : spelling) {
      if (i.line.op == "Parameter") continue;
      const Node n = m[alias(number, i.line.label)];
      if (i.line.op == "Const") {
        if (i.line.elements && is_float(i.line.type)) leaves_shapes(n, inside);
        continue;
      }
      if (n == root) continue;
      for (const OutPort& out : n.out_ports())
        for (const InPort& reader : out.get_destinations())
          only_when(std::find(inside.begin(), inside.end(), reader.node()) != inside.end(), "'",
                    reader.node().name(), "' reads '", n.name(), "', too");
    }
    return inside;
  }
  static void leaves_shapes(const Node& constant, const std::vector<Node>& inside) {
    const Shape own = constant.out_port().shape();
    if (own.empty()) return;
    for (const InPort& reader : constant.out_port().get_destinations()) {
      const Node n = reader.node();
      if (n.in_count() != 2 || std::find(inside.begin(), inside.end(), n) == inside.end()) continue;
      const OutPort other = n.in_port(1 - reader.index()).get_source();
      const Shape its = other ? other.shape() : Shape::unknown();
      only_when(its.has_rank() && its.size() >= own.size(), "the constant '", constant.name(), "' of shape ",
                own, " may widen what '", n.name(), "' combines it with");
    }
  }
  static const Item& root_of(const Spelling& s) { return s.back(); }

  OutPort new_constant(const Graph& g, const Node& root, const Spelling& spelling,
                       const std::map<std::string, OutPort>& known, const Line& l) const {
    require(l.elements.has_value(), "the constant '%", l.label, "' of `after` has no elements");
    ElementType type = l.type;
    for (const Item& i : spelling)
      if (i.line.op == "Parameter" && is_float(i.line.type) == is_float(l.type) && is_float(l.type)) {
        type = known.at(i.line.label).type();
        break;
      }
    for (const int64_t d : l.dims)
      require(d >= 0, "the constant '%", l.label, "' of `after` has an open dimension");
    std::vector<double> elements = *l.elements;
    size_t count = 1;
    for (const int64_t d : l.dims) count *= static_cast<size_t>(d);
    if (elements.size() == 1) elements.assign(count, elements[0]);
    return g
        .create_const(text(root.name(), '/', l.label), Tensor::filled(g.context(), type, elements, l.dims))
        .out_port();
  }

  std::vector<std::string> spellings_;
  std::vector<std::pair<std::string, std::function<bool(const OutPort&)>>> tests_;
  std::vector<Line> after_;
  std::vector<Spelling> items_;
};

}  // namespace mo
