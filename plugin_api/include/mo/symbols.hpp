// Where sizes come from: which dimensions cannot change when the model gets inputs of other shapes, and which
// are always equal. Operations say it (OpSchema::keeps_shape, element_wise, symbols), SymbolsOf asks them.
//
//   mo::SymbolsOf symbols;
//   if (symbols.dims(a) == symbols.dims(b)) …   // one shape, whichever it is
#pragma once

#include <mo/graph.hpp>

#include <unordered_map>

namespace mo {

// The size of a dimension, or an element of a list of sizes. Equal ones are equal numbers, whatever the
// shapes of the inputs are.
struct Symbol : mo_symbol {
  Symbol() : mo_symbol{0, 0, 0, MO_SYMBOL_NUMBER} {}
  explicit Symbol(const mo_symbol& s) : mo_symbol(s) {}
  static Symbol number(int64_t n) { return Symbol({0, n, 0, MO_SYMBOL_NUMBER}); }

  bool is_number() const { return kind == MO_SYMBOL_NUMBER; }
  bool is_dimension() const { return kind == MO_SYMBOL_DIMENSION; }
  bool is_element() const { return kind == MO_SYMBOL_ELEMENT; }
  bool same_tensor(const Symbol& o) const { return kind == o.kind && node == o.node && port == o.port; }
  OutPort origin(Context c) const { return {c, mo_port{node, port, MO_PORT_OUT}}; }
  friend bool operator==(const Symbol& a, const Symbol& b) { return a.same_tensor(b) && a.index == b.index; }
  friend bool operator!=(const Symbol& a, const Symbol& b) { return !(a == b); }
};

using Symbols = std::vector<Symbol>;

inline Symbols symbols_of(int32_t kind, const OutPort& p, size_t count) {
  Symbols list;
  for (size_t i = 0; i < count; ++i)
    list.emplace_back(mo_symbol{p.node().id(), static_cast<int64_t>(i), p.index(), kind});
  return list;
}
// Sizes that nothing is known of: those that do change, those of operations that say nothing.
inline Symbols own_dims(const OutPort& p, const Shape& s) {
  return symbols_of(MO_SYMBOL_DIMENSION, p, s.size());
}

// Numpy's broadcasting; `own` where it is open which of two decides.
inline Symbols spread(const Symbols& a, const Symbols& b, const Symbols& own) {
  Symbols out = own;
  const Symbol one = Symbol::number(1);
  for (size_t i = 0; i < out.size(); ++i) {  // from the last dimension on
    const Symbol x = i < a.size() ? a[a.size() - 1 - i] : one;
    const Symbol y = i < b.size() ? b[b.size() - 1 - i] : one;
    Symbol& r = out[out.size() - 1 - i];
    if (x == y || y == one)
      r = x;
    else if (x == one || y.is_number())  // a number that is not 1 decides
      r = y;
    else if (x.is_number())
      r = x;
  }
  return out;
}

struct TensorSymbols {
  std::optional<Symbols> dims;    // of a tensor of known rank
  std::optional<Symbols> values;  // of a scalar or a list of integers that is short and made of sizes

  static TensorSymbols from(const mo_tensor_symbols* s) {
    TensorSymbols t;
    if (s != nullptr && s->rank >= 0) t.dims = list(s->dims, s->rank);
    if (s != nullptr && s->n_values >= 0) t.values = list(s->values, s->n_values);
    return t;
  }
  mo_tensor_symbols abi() const {
    mo_tensor_symbols s{sizeof s, nullptr, -1, nullptr, -1};
    if (dims) s.dims = dims->data(), s.rank = static_cast<int64_t>(dims->size());
    if (values) s.values = values->data(), s.n_values = static_cast<int64_t>(values->size());
    return s;
  }

 private:
  static Symbols list(const mo_symbol* items, int64_t count) {
    Symbols made;
    for (int64_t i = 0; i < count; ++i) made.emplace_back(items[i]);
    return made;
  }
};

// Looks, when asked for a port, at what it is computed from, and remembers it. The graph may change meanwhile
// as long as the values of its tensors do not.
class SymbolsOf {
 public:
  const TensorSymbols& of(const OutPort& p) {
    std::vector<Node> open{p.node()};
    while (!open.empty()) {
      const Node n = open.back();
      if (known_.count(n.id()) == 0 && !look(n, open)) continue;
      open.pop_back();
    }
    return known_.at(p.node().id())[p.index()];
  }
  const std::optional<Symbols>& dims(const OutPort& p) { return of(p).dims; }
  const std::optional<Symbols>& values(const OutPort& p) { return of(p).values; }

 private:
  static constexpr size_t longest_list = 64;
  static constexpr uint32_t flags_that_tell = MO_OP_KEEPS_SHAPE | MO_OP_ELEMENT_WISE;
  using Ports = std::vector<const TensorSymbols*>;  // nullptr where nothing is connected

  // False: something it reads is to be looked at first, and is in `open` now.
  bool look(const Node& n, std::vector<Node>& open) {
    std::vector<TensorSymbols> out(n.out_count());
    if (n.op() == "Const") {
      out[0] = of_constant(n.out_port());
    } else {
      const mo_graph_api& graph = n.context().graph();
      mo_context* c = n.context().get();
      const bool asked = graph.symbols(c, n.id(), nullptr, nullptr) == MO_OK;
      const Definition d = asked ? Definition(nullptr) : n.definition();
      if (asked || d.has(flags_that_tell)) {
        const size_t before = open.size();
        std::vector<OutPort> sources;
        for (const InPort& in : n.in_ports()) {
          sources.push_back(in.get_source());
          if (sources.back() && known_.count(sources.back().node().id()) == 0)
            open.push_back(sources.back().node());
        }
        if (open.size() != before) return false;
        Ports in;
        for (const OutPort& s : sources) in.push_back(s ? &known_.at(s.node().id())[s.index()] : nullptr);
        if (asked)
          ask(n, in, out);
        else if (d.has(MO_OP_KEEPS_SHAPE))
          keep(in, out);
        else
          spread_all(n, d, in, out);
      }
    }
    complete(n, out);
    known_.emplace(n.id(), std::move(out));
    return true;
  }

  static void ask(const Node& n, const Ports& in, std::vector<TensorSymbols>& out) {
    std::vector<mo_tensor_symbols> known(in.size());
    std::vector<const mo_tensor_symbols*> list(in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      if (in[i] == nullptr) continue;
      known[i] = in[i]->abi();
      list[i] = &known[i];
    }
    const mo_symbols inputs{sizeof inputs, list.data(), list.size()};
    const mo_symbols* outputs = nullptr;
    n.context().check(n.context().graph().symbols(n.context().get(), n.id(), &inputs, &outputs));
    for (size_t i = 0; i < out.size() && i < outputs->count; ++i)
      out[i] = TensorSymbols::from(outputs->tensors[i]);
  }

  static void keep(const Ports& in, std::vector<TensorSymbols>& out) {
    if (in.empty() || in[0] == nullptr) return;
    for (TensorSymbols& t : out) t.dims = in[0]->dims;
  }

  static void spread_all(const Node& n, const Definition& d, const Ports& in,
                         std::vector<TensorSymbols>& out) {
    const std::string_view how = d.attribute(Role::spread);
    if (in.size() > 1 && !how.empty() && n.attr<std::string>(how, "numpy") == "pdpd") return;
    for (size_t i = 0; i < out.size(); ++i) {
      const OutPort p = n.out_port(static_cast<uint32_t>(i));
      const Shape s = p.shape();
      const Symbols own = own_dims(p, s);
      std::optional<Symbols> dims;
      for (const TensorSymbols* t : in) {
        if (t == nullptr || !t->dims || t->dims->size() > own.size()) return;
        dims = dims ? spread(*dims, *t->dims, own) : *t->dims;
      }
      out[i].dims = dims;
      set_values(p, s, in, out[i]);
    }
  }

  // What is computed of sizes is a list of numbers of its own, but where all are the same for ever.
  static void set_values(const OutPort& p, const Shape& s, const Ports& in, TensorSymbols& out) {
    const Dim count = s.elements();
    if (in.size() < 2 || s.rank() > 1 || !count.is_static() ||
        count.value() > static_cast<int64_t>(longest_list))
      return;
    const auto n = static_cast<size_t>(count.value());
    for (const TensorSymbols* t : in)
      if (!t->values || (t->values->size() != 1 && t->values->size() != n)) return;
    out.values = symbols_of(MO_SYMBOL_ELEMENT, p, n);
    const auto value = p.value();
    for (size_t i = 0; value && i < n; ++i)
      if (std::all_of(in.begin(), in.end(), [&](const TensorSymbols* t) {
            return (*t->values)[t->values->size() == 1 ? 0 : i].is_number();
          }))
        (*out.values)[i] = Symbol::number(value->integer(i));
  }

  static TensorSymbols of_constant(const OutPort& p) {
    TensorSymbols e;
    const auto value = p.value();
    if (!value) return e;
    e.dims.emplace();
    for (const int64_t d : value->dims()) e.dims->push_back(Symbol::number(d));
    if (!is_integer(value->type()) || value->rank() > 1 || value->size() > longest_list) return e;
    e.values.emplace();
    for (const int64_t v : value->to_ints()) e.values->push_back(Symbol::number(v));
    return e;
  }

  // An operation that says nothing, or not the rank that inference found, is not followed.
  static void complete(const Node& n, std::vector<TensorSymbols>& out) {
    for (size_t i = 0; i < out.size(); ++i) {
      const OutPort p = n.out_port(i);
      const Shape s = p.shape();
      if (!s.has_rank()) {
        out[i].dims.reset();
        out[i].values.reset();
        continue;
      }
      if (!out[i].dims || out[i].dims->size() != s.size()) out[i].dims = own_dims(p, s);
      // What inference found to be another number is no reason to be wrong, too.
      for (size_t d = 0; d < s.size(); ++d)
        if ((*out[i].dims)[d].is_number() && !s[d].contains((*out[i].dims)[d].index))
          (*out[i].dims)[d] = own_dims(p, s)[d];
      const bool list = s.rank() <= 1 && is_integer(p.type());
      const bool fits = out[i].values && s.elements() == Dim(static_cast<int64_t>(out[i].values->size()));
      if (!list || !fits || out[i].values->size() > longest_list) out[i].values.reset();
    }
  }

  std::unordered_map<mo_node, std::vector<TensorSymbols>> known_;
};

}  // namespace mo
