// Graph, Node, ports and connections: what transformations read and edit. Cheap values; valid during the
// callback.
#pragma once

#include <mo/conventions.h>
#include <mo/value.hpp>

#include <algorithm>
#include <array>

namespace mo {

class Node;
class InPort;
class OutPort;
class Connection;

// How tensor names travel when a connection is edited.
enum class Names : int32_t { merge = MO_NAMES_MERGE, source = MO_NAMES_SOURCE, dest = MO_NAMES_DEST };

namespace detail {
inline std::optional<std::vector<Bound>> bounds_of(const mo_host* host, const mo_tensor_desc& d) {
  std::vector<Bound> list;
  if (d.value != nullptr) {
    if (!is_integer(static_cast<ElementType>(d.element_type)) && d.element_type != MO_BOOL)
      return std::nullopt;
    for (const int64_t v : Tensor::borrow(host, d.value).to_ints()) list.emplace_back(v);
    return list;
  }
  if (d.bounds == nullptr) return std::nullopt;
  for (uint64_t i = 0; i < d.bounds_count; ++i) list.emplace_back(d.bounds[i]);
  return list;
}

// Calls a host list function, with a buffer on the stack for the usual case.
template <class Item, class Call>
std::vector<Item> list(Context c, Call call) {
  std::array<Item, 16> first{};
  uint64_t count = 0;
  c.check(call(first.data(), uint64_t{first.size()}, &count));
  if (count <= first.size()) return {first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count)};
  std::vector<Item> all(count);
  c.check(call(all.data(), uint64_t{all.size()}, &count));
  return all;
}
template <class Call>
std::vector<std::string> texts(Context c, Call call) {
  std::vector<std::string> all;
  for (const mo_str s : list<mo_str>(c, call)) all.emplace_back(view(s));
  return all;
}

constexpr bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// Whether "Type", "set::Type", "::Type" or "*::Type" means an operation; see mo_transformation_def.ops.
constexpr bool names_operation(std::string_view name, std::string_view type, std::string_view opset) {
  if (name == type) return opset.empty() || is_operation_set(opset);
  if (!ends_with(name, type)) return false;
  name.remove_suffix(type.size());
  if (!ends_with(name, "::")) return false;
  name.remove_suffix(2);
  return name == "*" || name == opset;
}
}  // namespace detail

class OutPort {
 public:
  OutPort() = default;
  OutPort(Context c, mo_port p) : c_(c), p_(p) {}
  OutPort(Context c, mo_node node, uint32_t index) : OutPort(c, mo_port{node, index, MO_PORT_OUT}) {}
  // A node stands for its first output where a port is wanted; an empty node for an empty port.
  OutPort(const Node& node, uint32_t index = 0);  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return p_.node != 0; }
  const mo_port& abi() const { return p_; }
  Context context() const { return c_; }
  uint32_t index() const { return p_.index; }
  Node node() const;

  std::vector<InPort> get_destinations() const;
  InPort get_destination() const;  // error when there are several; an empty port when none
  size_t destination_count() const {
    uint64_t count = 0;
    c_.check(c_.graph().destinations(c_.get(), p_, nullptr, 0, &count));
    return static_cast<size_t>(count);
  }
  bool disconnected() const { return destination_count() == 0; }
  void disconnect() const { c_.check(c_.graph().disconnect(c_.get(), p_)); }
  void connect(const InPort& in) const;  // adds a destination
  Connection get_connection() const;

  Shape shape() const { return Shape(desc().shape); }
  ElementType type() const { return static_cast<ElementType>(desc().element_type); }
  std::optional<Tensor> value() const {
    mo_tensor* t = desc().value;
    if (t == nullptr) return std::nullopt;
    return Tensor::borrow(c_.host(), t);
  }
  // What is known of the elements of a small integer tensor: exact ones of a constant, intervals where only
  // those are known.
  std::optional<std::vector<Bound>> bounds() const { return detail::bounds_of(c_.host(), desc()); }
  void set_shape(ElementType type, const Shape& shape) const {
    const mo_shape s = shape.abi();
    c_.check(c_.graph().set_shape(c_.get(), p_, static_cast<mo_type>(type), &s));
  }
  void set_value(const Tensor& value) const { c_.check(c_.graph().set_value(c_.get(), p_, value.get())); }
  std::vector<std::string> tensor_names() const {
    return detail::texts(c_, [&](mo_str* items, uint64_t n, uint64_t* count) {
      return c_.graph().tensor_names(c_.get(), p_, items, n, count);
    });
  }
  void set_tensor_names(const std::vector<std::string>& names) const {
    std::vector<mo_str> items;
    for (const auto& n : names) items.push_back(str(n));
    c_.check(c_.graph().set_tensor_names(c_.get(), p_, items.data(), items.size()));
  }
  friend bool operator==(const OutPort& a, const OutPort& b) {
    return a.p_.node == b.p_.node && a.p_.index == b.p_.index;
  }
  friend bool operator!=(const OutPort& a, const OutPort& b) { return !(a == b); }

 private:
  const mo_tensor_desc& desc() const {
    const mo_tensor_desc* d = nullptr;
    c_.check(c_.graph().desc(c_.get(), p_, &d));
    return *d;
  }
  Context c_;
  mo_port p_{};
};

class InPort {
 public:
  InPort() = default;
  InPort(Context c, mo_port p) : c_(c), p_(p) {}
  InPort(Context c, mo_node node, uint32_t index) : InPort(c, mo_port{node, index, MO_PORT_IN}) {}

  explicit operator bool() const { return p_.node != 0; }
  const mo_port& abi() const { return p_; }
  uint32_t index() const { return p_.index; }
  Node node() const;

  OutPort get_source() const {  // an empty port when unconnected
    mo_port s{};
    c_.check(c_.graph().source(c_.get(), p_, &s));
    return {c_, s};
  }
  bool disconnected() const { return !get_source(); }
  void disconnect() const { c_.check(c_.graph().disconnect(c_.get(), p_)); }
  void set_source(const OutPort& out) const { c_.check(c_.graph().connect(c_.get(), out.abi(), p_)); }
  void connect(const OutPort& out) const { set_source(out); }
  Connection get_connection() const;

  Shape shape() const { return source_or_fail().shape(); }
  ElementType type() const { return source_or_fail().type(); }
  std::optional<Tensor> value() const {
    const OutPort s = get_source();
    return s ? s.value() : std::nullopt;
  }
  friend bool operator==(const InPort& a, const InPort& b) {
    return a.p_.node == b.p_.node && a.p_.index == b.p_.index;
  }
  friend bool operator!=(const InPort& a, const InPort& b) { return !(a == b); }

 private:
  OutPort source_or_fail() const {
    const OutPort s = get_source();
    if (!s) throw Error(text("input ", p_.index, " is not connected"), MO_ERROR, p_.node);
    return s;
  }
  Context c_;
  mo_port p_{};
};

// A source port and what reads it: of an out-port all its readers, of an in-port that reader alone, whatever
// else reads the same source. Edits act on these readers and leave others of the source as they are. False
// when it connects nothing: an in-port without a source, an out-port that nothing reads.
class Connection {
 public:
  Connection(OutPort source, std::vector<InPort> destinations)
      : source_(source), destinations_(std::move(destinations)) {}

  explicit operator bool() const { return static_cast<bool>(source_) && !destinations_.empty(); }
  OutPort get_source() const { return source_; }
  const std::vector<InPort>& get_destinations() const { return destinations_; }
  InPort get_destination() const {
    require(destinations_.size() <= 1, "the connection has ", destinations_.size(), " destinations");
    return destinations_.empty() ? InPort() : destinations_.front();
  }
  // Every destination reads `port` from now on. Tensor names travel when the old source has no reader left.
  void set_source(const OutPort& port, Names names = Names::merge) {
    const Context c = port.context();
    if (source_ && has_all_readers()) {
      c.check(c.graph().set_source(c.get(), source_.abi(), port.abi(), static_cast<int32_t>(names)));
    } else {
      for (const InPort& d : destinations_) d.set_source(port);
    }
    source_ = port;
  }
  // `port` becomes the only destination: those of before are disconnected, and so is what `port` has read.
  void set_destination(const InPort& port, Names names = Names::merge) {
    require(static_cast<bool>(source_), "set_destination on a connection without a source");
    const bool all = has_all_readers();
    for (const InPort& d : destinations_)
      if (d != port) d.disconnect();
    if (all) {
      const Context c = source_.context();
      c.check(c.graph().set_destination(c.get(), source_.abi(), port.abi(), static_cast<int32_t>(names)));
    } else {
      source_.connect(port);
    }
    destinations_ = {port};
  }
  void add_destination(const InPort& port) {
    require(static_cast<bool>(source_), "add_destination on a connection without a source");
    source_.connect(port);
    destinations_.push_back(port);
  }
  // Puts a node with one output between the source and the destinations.
  void insert_node(const Node& node, Names names = Names::merge);
  void remove() {
    for (const InPort& d : destinations_) d.disconnect();
    destinations_.clear();
  }

 private:
  bool has_all_readers() const { return destinations_.size() == source_.destination_count(); }

  OutPort source_;
  std::vector<InPort> destinations_;
};

class Graph;

// What an input or an attribute is for the order of dimensions: MO_ROLE_.
enum class Role : int32_t {
  none = MO_ROLE_NONE,
  data = MO_ROLE_DATA,
  spread = MO_ROLE_SPREAD,
  per_dimension = MO_ROLE_PER_DIMENSION,
  axes = MO_ROLE_AXES,
  reduced_axes = MO_ROLE_REDUCED_AXES,
  any = MO_ROLE_ANY,
  fixed = MO_ROLE_FIXED
};

// What an operation's plugin said of it; valid until the callback returns.
class Definition {
 public:
  explicit Definition(const mo_operation_def* d) : d_(d) {}
  explicit operator bool() const { return d_ != nullptr; }
  bool has(uint32_t flag) const { return d_ != nullptr && (d_->flags & flag) != 0; }
  // Nothing where nothing is said.
  const mo_port_def* input(size_t i) const {
    if (d_ == nullptr || d_->n_inputs == 0) return nullptr;
    return at(d_->inputs, std::min<size_t>(i, d_->n_inputs - 1));
  }
  Role role(size_t input_index) const {
    const mo_port_def* p = input(input_index);
    if (p != nullptr && p->role != MO_ROLE_NONE) return static_cast<Role>(p->role);
    return has(MO_OP_ELEMENT_WISE) ? Role::spread : Role::none;
  }
  bool takes_sizes(size_t input_index) const {
    const mo_port_def* p = input(input_index);
    return p != nullptr && (p->flags & MO_PORT_TAKES_SIZES) != 0;
  }
  // Something is said of its inputs and the order of dimensions.
  bool has_roles() const {
    for (uint64_t i = 0; d_ != nullptr && i < d_->n_inputs; ++i)
      if (at(d_->inputs, i)->role != MO_ROLE_NONE) return true;
    return has(MO_OP_ELEMENT_WISE);
  }
  template <class F>
  void each_attribute(F f) const {
    for (uint64_t i = 0; d_ != nullptr && i < d_->n_attrs; ++i) {
      const mo_attr_def& a = *at(d_->attrs, i);
      f(view(a.name), static_cast<Role>(a.role));
    }
  }
  // The attribute of a role; "" when there is none.
  std::string_view attribute(Role role) const {
    std::string_view found;
    each_attribute([&](std::string_view name, Role r) {
      if (r == role && found.empty()) found = name;
    });
    return found;
  }

 private:
  // Structs of a newer host are further apart than ours.
  template <class T>
  static const T* at(const T* items, uint64_t i) {
    const auto* bytes = reinterpret_cast<const char*>(items);
    return reinterpret_cast<const T*>(bytes + i * items->size);
  }
  const mo_operation_def* d_;
};

class Node {
 public:
  Node() = default;
  Node(Context c, mo_node id) : c_(c), id_(id) {}

  explicit operator bool() const { return id_ != 0; }
  mo_node id() const { return id_; }
  Context context() const { return c_; }
  Graph graph() const;

  std::string op() const { return read(c_.graph().op); }
  std::string opset() const { return read(c_.graph().opset); }
  // By which patterns know it: "Tanh" where that belongs to a set of OpenVINO's, or to none yet; of any other
  // set with the set, "org.acme::Tanh".
  std::string op_name() const {
    mo_str op{}, opset{};
    c_.check(c_.graph().op(c_.get(), id_, &op));
    c_.check(c_.graph().opset(c_.get(), id_, &opset));
    if (opset.size == 0 || is_operation_set(view(opset))) return std::string(view(op));
    return text(view(opset), "::", view(op));
  }
  // As patterns name it: "Tanh" of no vendor's set, "opset1::Tanh" of that one alone, "*::Tanh" of any.
  bool is(std::string_view name) const {
    mo_str op{}, opset{};
    c_.check(c_.graph().op(c_.get(), id_, &op));
    if (!detail::ends_with(name, view(op))) return false;  // nearly always
    c_.check(c_.graph().opset(c_.get(), id_, &opset));
    return detail::names_operation(name, view(op), view(opset));
  }
  std::string name() const { return read(c_.graph().node_name); }
  void set_op(std::string_view op, std::string_view opset) const {
    c_.check(c_.graph().set_op(c_.get(), id_, str(op), str(opset)));
  }
  void rename(std::string_view name) const { c_.check(c_.graph().rename(c_.get(), id_, str(name))); }
  void remove() const { c_.check(c_.graph().remove_node(c_.get(), id_)); }
  void mark_for_inference() const { c_.check(c_.graph().mark(c_.get(), id_)); }

  size_t in_count() const {
    uint32_t n = 0;
    c_.check(c_.graph().port_counts(c_.get(), id_, &n, nullptr));
    return n;
  }
  size_t out_count() const {
    uint32_t n = 0;
    c_.check(c_.graph().port_counts(c_.get(), id_, nullptr, &n));
    return n;
  }
  // Checked: an error when the node has no such port.
  InPort in_port(size_t i) const {
    if (i >= in_count()) no_port("input", i);
    return {c_, id_, static_cast<uint32_t>(i)};
  }
  OutPort out_port(size_t i = 0) const {
    if (i >= out_count()) no_port("output", i);
    return {c_, id_, static_cast<uint32_t>(i)};
  }
  std::vector<InPort> in_ports() const {
    std::vector<InPort> ports;
    for (size_t i = 0, n = in_count(); i < n; ++i) ports.emplace_back(c_, id_, static_cast<uint32_t>(i));
    return ports;
  }
  std::vector<OutPort> out_ports() const {
    std::vector<OutPort> ports;
    for (size_t i = 0, n = out_count(); i < n; ++i) ports.emplace_back(c_, id_, static_cast<uint32_t>(i));
    return ports;
  }
  bool is_in_port_connected(size_t i) const { return i < in_count() && !in_port(i).disconnected(); }
  bool is_out_port_connected(size_t i) const { return i < out_count() && !out_port(i).disconnected(); }
  InPort add_input_port() const { return {c_, add(MO_PORT_IN)}; }
  OutPort add_output_port() const { return {c_, add(MO_PORT_OUT)}; }
  void delete_input_port(size_t i) const { c_.check(c_.graph().delete_port(c_.get(), in_port(i).abi())); }
  void delete_output_port(size_t i) const { c_.check(c_.graph().delete_port(c_.get(), out_port(i).abi())); }
  // The producer behind input i; an empty node when unconnected.
  Node in_node(size_t i) const {
    const OutPort s = in_port(i).get_source();
    return s ? s.node() : Node();
  }

  bool has(std::string_view name) const {
    mo_value v{};
    const mo_status status = c_.graph().node_attr(c_.get(), id_, str(name), &v);
    if (status == MO_NOT_FOUND) return false;
    c_.check(status);
    return true;
  }
  // The attribute, or the operation's default; an error when there is neither.
  template <class T>
  T attr(std::string_view name) const {
    auto v = find_attr<T>(name);
    if (!v) throw Error(text("required attribute '", name, "' is missing"), MO_NOT_FOUND, id_);
    return std::move(*v);
  }
  template <class T>
  canonical_t<T> attr(std::string_view name, T fallback) const {
    auto v = find_attr<canonical_t<T>>(name);
    return v ? std::move(*v) : static_cast<canonical_t<T>>(fallback);
  }
  template <class T>
  std::optional<T> find_attr(std::string_view name) const {
    const detail::LentFor<T> lent(c_);
    mo_value v{};
    const mo_status status = c_.graph().node_attr(c_.get(), id_, str(name), &v);
    if (status == MO_NOT_FOUND) return std::nullopt;
    c_.check(status);
    return read_value<T>(c_.host(), v, name);
  }
  template <class T>
  const Node& set(std::string_view name, const T& value) const {
    ValueStorage storage;
    const mo_value v = make_value(storage, value);
    c_.check(c_.graph().set_node_attr(c_.get(), id_, str(name), &v));
    return *this;
  }
  void erase(std::string_view name) const {
    c_.check(c_.graph().set_node_attr(c_.get(), id_, str(name), nullptr));
  }

  // Names of the attributes that the node itself has.
  std::vector<std::string> attr_names() const {
    return detail::texts(c_, [&](mo_str* items, uint64_t n, uint64_t* count) {
      return c_.graph().node_attr_names(c_.get(), id_, items, n, count);
    });
  }
  // Many attributes in one call, borrowed until the node is edited; kind MO_VALUE_NONE for those that are
  // absent.
  template <size_t N>
  std::array<mo_value, N> attrs(const std::array<std::string_view, N>& names) const {
    std::array<mo_str, N> asked{};
    std::transform(names.begin(), names.end(), asked.begin(), [](std::string_view n) { return str(n); });
    std::array<mo_value, N> values{};
    c_.check(c_.graph().node_attrs(c_.get(), id_, asked.data(), N, values.data()));
    return values;
  }
  // What its operation's plugin said of it; nothing when nobody defines it.
  Definition definition() const {
    const mo_operation_def* d = nullptr;
    const mo_status status = c_.graph().definition(c_.get(), id_, &d);
    if (status != MO_NOT_FOUND) c_.check(status);
    return Definition(d);
  }

  // Sets an attribute as an IR has it: its name and text there.
  void set_ir_attr(std::string_view name, std::string_view text) const {
    c_.check(c_.graph().set_ir_attr(c_.get(), id_, str(name), str(text)));
  }

  template <class T>
  void set_rt_info(std::string_view name, const T& value) const {
    ValueStorage storage;
    const mo_value v = make_value(storage, value);
    c_.check(c_.graph().set_rt_info(c_.get(), id_, str(name), &v));
  }
  template <class T>
  std::optional<T> rt_info(std::string_view name) const {
    const detail::LentFor<T> lent(c_);
    mo_value v{};
    const mo_status status = c_.graph().rt_info(c_.get(), id_, str(name), &v);
    if (status == MO_NOT_FOUND) return std::nullopt;
    c_.check(status);
    return read_value<T>(c_.host(), v, name);
  }

  std::vector<std::string> rt_info_names() const {
    return detail::texts(c_, [&](mo_str* items, uint64_t n, uint64_t* count) {
      return c_.graph().rt_info_names(c_.get(), id_, items, n, count);
    });
  }
  void erase_rt_info(std::string_view name) const {
    c_.check(c_.graph().set_rt_info(c_.get(), id_, str(name), nullptr));
  }

  friend bool operator==(const Node& a, const Node& b) { return a.id_ == b.id_; }
  friend bool operator!=(const Node& a, const Node& b) { return a.id_ != b.id_; }

 protected:
  std::string read(mo_status (*get)(mo_context*, mo_node, mo_str*)) const {
    mo_str s{};
    c_.check(get(c_.get(), id_, &s));
    return std::string(view(s));
  }
  [[noreturn]] void no_port(std::string_view kind, size_t i) const {
    fail("node '", name(), "' (", op(), ") has no ", kind, " port ", i);
  }
  mo_port add(int32_t direction) const {
    mo_port p{};
    c_.check(c_.graph().add_port(c_.get(), id_, direction, &p));
    return p;
  }
  Context c_;
  mo_node id_ = 0;
};

// A node as its framework describes it: what extractors and front transformations read.
class SourceNode : public Node {
 public:
  SourceNode(Context c, mo_node id) : Node(c, id) {}
  explicit SourceNode(const Node& n) : Node(n) {}

  bool has_native(std::string_view name) const {
    const Lent lent(c_);
    return find_native<mo_value>(name).has_value();
  }
  // The framework's attribute; an error naming node and attribute when it is absent or of another kind.
  template <class T>
  T native(std::string_view name) const {
    auto v = find_native<T>(name);
    if (!v) throw Error(text("required attribute '", name, "' is missing"), MO_NOT_FOUND, id_);
    return std::move(*v);
  }
  template <class T>
  canonical_t<T> native(std::string_view name, T fallback) const {
    auto v = find_native<canonical_t<T>>(name);
    return v ? std::move(*v) : static_cast<canonical_t<T>>(fallback);
  }
  template <class T>
  std::optional<T> find_native(std::string_view name) const {
    if constexpr (std::is_same_v<T, mo_value>) {
      mo_value v{};
      const mo_status status = c_.graph().native_attr(c_.get(), id_, str(name), &v);
      if (status == MO_NOT_FOUND) return std::nullopt;
      c_.check(status);
      return v;
    } else {
      const Lent lent(c_);
      const auto v = find_native<mo_value>(name);
      return v ? std::optional<T>(read_value<T>(c_.host(), *v, name)) : std::nullopt;
    }
  }
  // Many in one call; kind MO_VALUE_NONE for those that are absent.
  template <size_t N>
  std::array<mo_value, N> natives(const std::array<std::string_view, N>& names) const {
    std::array<mo_str, N> asked{};
    std::transform(names.begin(), names.end(), asked.begin(), [](std::string_view n) { return str(n); });
    std::array<mo_value, N> values{};
    c_.check(c_.graph().native_attrs(c_.get(), id_, asked.data(), N, values.data()));
    return values;
  }
  std::vector<std::string> native_names() const {
    const Lent lent(c_);
    return detail::texts(c_, [&](mo_str* items, uint64_t n, uint64_t* count) {
      return c_.graph().native_attr_names(c_.get(), id_, items, n, count);
    });
  }
  // What the framework calls the operation, and the version of its operation set that this node follows. An
  // error for a node that did not come from a front-end.
  int32_t version() const { return key().version; }
  std::string domain() const { return std::string(view(key().domain)); }
  std::string native_op() const { return std::string(view(key().op)); }
  // By which the front-end finds the source description; 0 for a node that did not come from one.
  uint64_t native_tag() const {
    uint64_t tag = 0;
    c_.check(c_.graph().native_tag(c_.get(), id_, &tag));
    return tag;
  }

 private:
  struct Key {
    mo_str domain{}, op{};
    int32_t version = 0;
  };
  Key key() const {
    Key k;
    c_.check(c_.graph().native_key(c_.get(), id_, &k.domain, &k.version, &k.op));
    return k;
  }
};

// The opset whose definition of `op` a file means that says `opset`; nothing when nobody defines it.
inline std::optional<std::string> defining_opset(Context c, std::string_view op, std::string_view opset) {
  mo_str found{};
  const mo_status status = c.graph().defining_opset(c.get(), str(op), str(opset), &found);
  if (status == MO_NOT_FOUND) return std::nullopt;
  c.check(status);
  return std::string(view(found));
}

class Graph {
 public:
  Graph() = default;
  Graph(Context c, mo_graph id) : c_(c), id_(id) {}
  mo_graph id() const { return id_; }
  Context context() const { return c_; }
  explicit operator bool() const { return id_ != 0; }

  std::string name() const {
    mo_str s{};
    c_.check(c_.graph().graph_name(c_.get(), id_, &s));
    return std::string(view(s));
  }
  void set_name(std::string_view name) const {
    c_.check(c_.graph().set_graph_name(c_.get(), id_, str(name)));
  }
  // The node that holds this graph as a body; an empty node for the main graph.
  Node parent() const {
    mo_node node = 0;
    c_.check(c_.graph().parent(c_.get(), id_, &node));
    return {c_, node};
  }
  // With everything in it, rt_info and bodies, too; held by nobody.
  Graph clone() const {
    mo_graph copy = 0;
    c_.check(c_.graph().clone_graph(c_.get(), id_, &copy));
    return {c_, copy};
  }

  std::vector<Node> nodes(std::string_view op = {}) const {
    return wrap(detail::list<mo_node>(c_, [&](mo_node* items, uint64_t n, uint64_t* count) {
      return c_.graph().nodes(c_.get(), id_, str(op), items, n, count);
    }));
  }
  std::vector<Node> get_op_nodes(std::string_view op) const { return nodes(op); }
  std::vector<Node> topological() const {
    return wrap(detail::list<mo_node>(c_, [&](mo_node* items, uint64_t n, uint64_t* count) {
      return c_.graph().topological(c_.get(), id_, items, n, count);
    }));
  }
  std::vector<Node> parameters() const {
    return wrap(detail::list<mo_node>(c_, [&](mo_node* items, uint64_t n, uint64_t* count) {
      return c_.graph().parameters(c_.get(), id_, items, n, count);
    }));
  }
  std::vector<Node> results() const {
    return wrap(detail::list<mo_node>(c_, [&](mo_node* items, uint64_t n, uint64_t* count) {
      return c_.graph().results(c_.get(), id_, items, n, count);
    }));
  }
  // The out-port that has the name among its tensor names. Looks through the graph.
  std::optional<OutPort> find_tensor(std::string_view name) const {
    mo_port port{};
    const mo_status status = c_.graph().find_tensor(c_.get(), id_, str(name), &port);
    if (status == MO_NOT_FOUND) return std::nullopt;
    c_.check(status);
    return OutPort(c_, port);
  }
  std::optional<Node> find(std::string_view name) const {
    mo_node node = 0;
    const mo_status status = c_.graph().find(c_.get(), id_, str(name), &node);
    if (status == MO_NOT_FOUND) return std::nullopt;
    c_.check(status);
    return Node(c_, node);
  }

  // A new node with the ports that its operation declares (the fewest, where it may have more), none of them
  // connected; without input and with one output when the operation is not registered. Further ports are made
  // by add_input_port and add_output_port.
  Node create_node(std::string_view op, std::string_view opset, std::string_view name = {}) const {
    mo_node_init init{};
    init.op = str(op);
    init.opset = str(opset);
    init.name = str(name);
    init.n_inputs = init.n_outputs = MO_DECLARED_PORTS;
    return create_node(init);
  }
  // A new node reading `inputs`, and no others (an empty port leaves one unconnected), with the outputs that
  // its operation declares, or as many as are said.
  Node create_node(std::string_view op, std::string_view opset, std::string_view name,
                   const std::vector<OutPort>& inputs, uint32_t outputs = MO_DECLARED_PORTS) const {
    std::vector<mo_port> ports;
    for (const OutPort& p : inputs) ports.push_back(p.abi());
    mo_node_init init{};
    init.op = str(op);
    init.opset = str(opset);
    init.name = str(name);
    init.inputs = ports.data();
    init.n_inputs = static_cast<uint32_t>(ports.size());
    init.n_outputs = outputs;
    return create_node(init);
  }
  // For front-ends: inputs, output names and native tag in one call.
  Node create_node(mo_node_init init) const {
    init.size = sizeof init;
    mo_node node = 0;
    c_.check(c_.graph().create_node(c_.get(), id_, &init, &node));
    return {c_, node};
  }
  // `native`: of a front-end the tag of what the model calls it; 0 where it has no such thing.
  Node create_const(std::string_view name, const Tensor& value, uint64_t native = 0) const {
    mo_node node = 0;
    if (native != 0) {
      mo_node_init init{};
      init.op = str("Const");
      init.opset = str("opset1");
      init.name = str(name);
      init.n_outputs = 1;
      init.native = native;
      const Node made = create_node(init);
      c_.check(c_.graph().set_value(c_.get(), {made.id(), 0, MO_PORT_OUT}, value.get()));
      return made;
    }
    c_.check(c_.graph().create_const(c_.get(), id_, str(name), value.get(), &node));
    return {c_, node};
  }
  // Const with int64 elements: the usual second input.
  Node create_ints(std::string_view name, const std::vector<int64_t>& values) const {
    return create_const(name, Tensor::vector<int64_t>(c_, values));
  }
  Node create_int(std::string_view name, int64_t value) const {
    return create_const(name, Tensor::scalar<int64_t>(c_, value));
  }
  Graph create_sub_graph(std::string_view name) const {
    mo_graph g = 0;
    c_.check(c_.graph().create_graph(c_.get(), str(name), &g));
    return {c_, g};
  }
  template <class T>
  std::optional<T> attr(std::string_view name) const {
    const detail::LentFor<T> lent(c_);
    mo_value v{};
    const mo_status status = c_.graph().graph_attr(c_.get(), id_, str(name), &v);
    if (status == MO_NOT_FOUND) return std::nullopt;
    c_.check(status);
    return read_value<T>(c_.host(), v, name);
  }
  template <class T>
  void set(std::string_view name, const T& value) const {
    ValueStorage storage;
    const mo_value v = make_value(storage, value);
    c_.check(c_.graph().set_graph_attr(c_.get(), id_, str(name), &v));
  }
  void erase(std::string_view name) const {
    c_.check(c_.graph().set_graph_attr(c_.get(), id_, str(name), nullptr));
  }
  std::vector<std::string> attr_names() const {
    return detail::texts(c_, [&](mo_str* items, uint64_t n, uint64_t* count) {
      return c_.graph().graph_attr_names(c_.get(), id_, items, n, count);
    });
  }
  void infer_marked() const { c_.check(c_.graph().infer(c_.get(), id_, 0)); }
  void infer_all() const { c_.check(c_.graph().infer(c_.get(), id_, 1)); }
  void clean_up() const { c_.check(c_.graph().clean_up(c_.get(), id_)); }

 private:
  std::vector<Node> wrap(const std::vector<mo_node>& ids) const {
    std::vector<Node> nodes;
    nodes.reserve(ids.size());
    for (mo_node id : ids) nodes.emplace_back(c_, id);
    return nodes;
  }
  Context c_;
  mo_graph id_ = 0;
};

// The merged rt_info of all `from` goes to every `to`: 1:1, 1:N, N:1, N:M. What a node in `to` had before is
// dropped, unless it is in `from`, too.
inline void copy_runtime_info(const std::vector<Node>& from, const std::vector<Node>& to) {
  if (from.empty() || to.empty()) return;
  std::vector<mo_node> a, b;
  for (const Node& n : from) a.push_back(n.id());
  for (const Node& n : to) b.push_back(n.id());
  const Context c = from.front().context();
  c.check(c.graph().copy_rt_info(c.get(), a.data(), a.size(), b.data(), b.size()));
}

inline OutPort::OutPort(const Node& node, uint32_t index) {
  if (node) *this = node.out_port(index);
}
inline Node OutPort::node() const { return {c_, p_.node}; }
inline Node InPort::node() const { return {c_, p_.node}; }
inline Graph Node::graph() const {
  mo_graph g = 0;
  c_.check(c_.graph().graph_of(c_.get(), id_, &g));
  return {c_, g};
}
inline std::vector<InPort> OutPort::get_destinations() const {
  std::vector<InPort> ports;
  for (const mo_port& p : detail::list<mo_port>(c_, [&](mo_port*items, uint64_t n, uint64_t*count) {
         return c_.graph().destinations(c_.get(), p_, items, n, count);
       }))
    ports.emplace_back(c_, p);
  return ports;
}
inline InPort OutPort::get_destination() const {
  const auto all = get_destinations();
  require(all.size() <= 1, "output port ", p_.index, " has ", all.size(), " destinations");
  return all.empty() ? InPort() : all.front();
}
inline void OutPort::connect(const InPort& in) const { c_.check(c_.graph().connect(c_.get(), p_, in.abi())); }
inline Connection OutPort::get_connection() const { return {*this, get_destinations()}; }
inline Connection InPort::get_connection() const { return {get_source(), {*this}}; }
inline void Connection::insert_node(const Node& node, Names names) {
  require(static_cast<bool>(source_), "insert_node on a connection without a source");
  if (has_all_readers()) {
    const Context c = source_.context();
    c.check(c.graph().insert_node(c.get(), source_.abi(), node.id(), static_cast<int32_t>(names)));
  } else {
    require(node.out_count() == 1, "insert_node needs a node with one output; '", node.name(), "' has ",
            node.out_count());
    const InPort in = node.in_port(0);
    for (const InPort& d : destinations_) d.set_source(node.out_port(0));
    source_.connect(in);
  }
  destinations_ = {node.in_port(0)};
}

}  // namespace mo
