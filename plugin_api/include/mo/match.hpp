// What a transformation is given for each place where it applies.
#pragma once

#include <mo/pattern.hpp>

namespace mo {

// What a node of a pattern was matched to.
struct MatchedPort {
  std::string alias;
  const PatternNode* pattern;
  OutPort port;
  bool is_present;    // an absent optional node has the port of its input
  bool is_operation;  // of the pattern itself, and not only next to it
};

// The nodes found for a pattern: by the host, or by a Matcher of this SDK.
class Match {
 public:
  Match(Context c, mo_match* m) : c_(c), m_(m) {}
  Match(const Node& root, std::vector<MatchedPort> ports)
      : c_(root.context()), root_(root), ports_(std::move(ports)) {}

  Node operator[](std::string_view alias) const {
    if (m_ == nullptr) return found(at(alias), alias).port.node();
    mo_node n = 0;
    c_.check(api().node(c_.get(), m_, str(alias), &n));
    return {c_, n};
  }
  Node node(const Pattern& p) const {
    return m_ == nullptr ? found(at(p), p->alias()).port.node() : (*this)[p->alias()];
  }
  // The output that the consumer in the pattern reads.
  OutPort port(const Pattern& p) const {
    return m_ == nullptr ? bound(at(p), p->alias()).port : port(p->alias());
  }
  OutPort port(std::string_view alias) const {
    if (m_ == nullptr) return bound(at(alias), alias).port;
    mo_port p{};
    c_.check(api().port(c_.get(), m_, str(alias), &p));
    return {c_, p};
  }
  bool has(std::string_view alias) const {
    if (m_ == nullptr) return at(alias) != nullptr && at(alias)->is_present;
    mo_node n = 0;
    const mo_status status = api().node(c_.get(), m_, str(alias), &n);
    if (status == MO_NOT_FOUND) return false;
    c_.check(status);
    return true;
  }
  bool has(const Pattern& p) const {
    if (m_ != nullptr) return has(p->alias());
    const MatchedPort* found = at(p);
    return found != nullptr && found->is_present;
  }
  Node root() const {
    if (m_ == nullptr) return root_;
    mo_node n = 0;
    c_.check(api().root(c_.get(), m_, &n));
    return {c_, n};
  }
  // The matched operations, each once; not what any_input() stands for.
  std::vector<Node> nodes() const {
    std::vector<Node> list;
    if (m_ == nullptr) {
      for (const MatchedPort& p : ports_)
        if (p.is_operation && std::find(list.begin(), list.end(), p.port.node()) == list.end())
          list.push_back(p.port.node());
      return list;
    }
    for (mo_node n : detail::list<mo_node>(c_, [&](mo_node*items, uint64_t n, uint64_t*count) {
           return api().nodes(c_.get(), m_, items, n, count);
         }))
      list.emplace_back(c_, n);
    return list;
  }
  Graph graph() const {
    if (m_ == nullptr) return root_.graph();
    mo_graph g = 0;
    c_.check(api().graph(c_.get(), m_, &g));
    return {c_, g};
  }
  // For configured matches and patterns of sub-graphs: in-port `in` reads what input i of the match read,
  // readers of output i read `out`, and a matched node stays. The other matched nodes are removed after the
  // callback.
  void map_input(uint32_t i, const InPort& in) const {
    c_.check(api().map_input(c_.get(), by_host(), i, in.abi()));
  }
  void map_output(uint32_t i, const OutPort& out) const {
    c_.check(api().map_output(c_.get(), by_host(), i, out.abi()));
  }
  void keep(const Node& n) const { c_.check(api().keep(c_.get(), by_host(), n.id())); }

  mo_match* get() const { return m_; }  // nullptr when the match was not found by the host
  Context context() const { return c_; }

 protected:
  const mo_rewrite_api& api() const { return *c_.host()->rewrite; }
  Context c_;
  mo_match* m_ = nullptr;

 private:
  mo_match* by_host() const {
    require(m_ != nullptr, "a match that was found by hand has no inputs and outputs");
    return m_;
  }
  const MatchedPort* at(std::string_view alias) const {
    for (const MatchedPort& p : ports_)
      if (p.alias == alias) return &p;
    return nullptr;
  }
  const MatchedPort* at(const Pattern& pattern) const {
    for (const MatchedPort& p : ports_)
      if (p.pattern == pattern.get()) return &p;
    return nullptr;
  }
  static const MatchedPort& bound(const MatchedPort* p, std::string_view alias) {
    if (p == nullptr) throw Error(text("the pattern has no node '", alias, "'"), MO_NOT_FOUND);
    return *p;
  }
  static const MatchedPort& found(const MatchedPort* p, std::string_view alias) {
    if (!bound(p, alias).is_present)
      throw Error(text("'", alias, "' is absent from this match"), MO_NOT_FOUND);
    return *p;
  }
  Node root_;
  std::vector<MatchedPort> ports_;
};

}  // namespace mo
