// An extension library for OpenVINO from the sources of a plugin: each operation that the plugin registers, with its
// schema, infer and evaluate, becomes one that the runtime can compute.
//
//   mo_add_runtime_extension(acme_runtime PLUGIN acme)        # CMake: libacme_runtime.so
//   core.add_extension("libacme_runtime.so");                 # in C++ and Python; benchmark_app -extensions
//
// A faster kernel takes the place of `evaluate`. It stands in a source of its own, named by KERNELS:
//
//   #include <mo/openvino.hpp>
//   static const mo::openvino::Kernel kernel("com.acme", "LeakyGate", [](mo::openvino::KernelCall& c) {
//     const auto slope = static_cast<float>(c.attr<double>("slope"));
//     c.outputs[0].set_shape(c.inputs[0].get_shape());
//     …
//   });
//
// The plugin meets a small host here, which lives in the extension: what describes operations is all there, what edits
// graphs answers MO_UNSUPPORTED. Each thread that computes has a session of its own, as mo/plugin.h promises.
#pragma once

#include <mo/registry.hpp>

#if !__has_include(<openvino/core/op_extension.hpp>)
#error \
    "mo/openvino.hpp needs OpenVINO's headers: build with mo_add_runtime_extension() of mo-host's CMake package, which finds them (see `mo-host help runtime_operations`)"
#endif
#include <openvino/core/op_extension.hpp>
#include <openvino/core/version.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/op.hpp>

// What the function found out of the libopenvino that is linked. Sources that disagree with it would end in names that
// nobody has, or worse in texts of another layout.
#if defined(MO_OPENVINO_CXX11_ABI) && defined(_GLIBCXX_USE_CXX11_ABI) && \
    MO_OPENVINO_CXX11_ABI != _GLIBCXX_USE_CXX11_ABI
#error \
    "this OpenVINO has the other std::string of libstdc++ (_GLIBCXX_USE_CXX11_ABI): take that macro out of the flags of the project, mo_add_runtime_extension() sets it; libraries that are linked, too, have to be built with its value"
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <iostream>
#include <locale>
#include <map>
#include <mutex>
#include <sstream>

// A tensor of the host that lives here. The name is mo/plugin.h's.
struct mo_tensor {
  std::atomic<int64_t> references{1};
  mo_type type = MO_TYPE_UNKNOWN;
  std::vector<int64_t> dims;
  std::string own;  // elements that belong to it
  const void* data = nullptr;
  uint64_t bytes = 0;
  mo_tensor* base = nullptr;  // whose elements it looks at
  void(MO_CALL* release)(void* user) = nullptr;
  void* user = nullptr;
};

namespace mo::openvino {

namespace detail {

// ---- Element types, shapes, values -------------------------------------------------------------------

// By name, so that one source serves releases that know more and fewer types.
inline const std::vector<ov::element::Type>& runtime_types() {
  static const std::vector<ov::element::Type> types = [] {
    std::vector<ov::element::Type> list;
    for (const ElementTypeInfo& e : element_types) {
      list.emplace_back();
      if (e.type == ElementType::unknown) continue;
      try {
        list.back() = ov::element::Type(std::string(e.name));
      } catch (const std::exception&) {  // a release that does not have it
        list.back() = ov::element::Type();
      }
    }
    return list;
  }();
  return types;
}
inline ov::element::Type runtime_type(mo_type type) {
  if (type == MO_TYPE_UNKNOWN) return ov::element::dynamic;
  const auto i = static_cast<size_t>(type);
  if (i >= runtime_types().size() || runtime_types()[i] == ov::element::Type())
    OPENVINO_THROW("this release of OpenVINO has no element type ",
                   std::string(name(static_cast<ElementType>(type))));
  return runtime_types()[i];
}
inline mo_type host_type(const ov::element::Type& type) {
  if (type.is_dynamic()) return MO_TYPE_UNKNOWN;
  for (size_t i = 1; i < runtime_types().size(); ++i)
    if (runtime_types()[i] == type) return static_cast<mo_type>(i);
  return MO_TYPE_UNKNOWN;
}

inline std::vector<mo_dim> host_dims(const ov::PartialShape& shape) {
  std::vector<mo_dim> dims;
  if (shape.rank().is_static())
    for (const ov::Dimension& d : shape) dims.push_back({d.get_min_length(), d.get_max_length()});
  return dims;
}
inline ov::PartialShape runtime_shape(const mo_shape& shape) {
  if (shape.rank < 0) return ov::PartialShape::dynamic();
  std::vector<ov::Dimension> dims;
  for (int64_t i = 0; i < shape.rank; ++i) dims.emplace_back(shape.dims[i].min, shape.dims[i].max);
  return ov::PartialShape(dims);
}

// A value that an attribute has, with all that it points to.
struct Value {
  ValueStorage storage;
  mo_value value{};
};

template <class T>
struct Kind {
  using type = T;
};
// Calls f with the type that values of a kind have in C++; false for kinds that no IR holds.
template <class F>
bool with_kind(int32_t kind, F f) {
  switch (kind) {
    case MO_VALUE_INT:
      return f(Kind<int64_t>()), true;
    case MO_VALUE_FLOAT:
      return f(Kind<double>()), true;
    case MO_VALUE_BOOL:
      return f(Kind<bool>()), true;
    case MO_VALUE_STRING:
      return f(Kind<std::string>()), true;
    case MO_VALUE_TYPE:
      return f(Kind<ElementType>()), true;
    case MO_VALUE_SHAPE:
      return f(Kind<Shape>()), true;
    case MO_VALUE_INTS:
      return f(Kind<std::vector<int64_t>>()), true;
    case MO_VALUE_FLOATS:
      return f(Kind<std::vector<double>>()), true;
    case MO_VALUE_BOOLS:
      return f(Kind<std::vector<bool>>()), true;
    case MO_VALUE_STRINGS:
      return f(Kind<std::vector<std::string>>()), true;
    case MO_VALUE_TYPES:
      return f(Kind<std::vector<ElementType>>()), true;
    default:
      return false;
  }
}

template <class T>
void parse(const std::string& text, T& number) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  in >> number;
  if (in.fail() || !(in >> std::ws).eof()) OPENVINO_THROW("'", text, "' is no number");
}
inline void parse(const std::string& text, bool& flag) {
  flag = text == "true" || text == "1" || text == "True";
  if (!flag && text != "false" && text != "0" && text != "False")
    OPENVINO_THROW("'", text, "' is neither true nor false");
}
inline void parse(const std::string& text, std::string& value) { value = text; }
inline void parse(const std::string& text, ElementType& type) {
  type = element_type_from_name(text);
  if (type == ElementType::unknown && text != name(ElementType::unknown))
    OPENVINO_THROW("'", text, "' is no element type");
}
inline void parse(const std::string& text, Shape& shape) {
  const ov::PartialShape parsed("[" + text + "]");
  shape = Shape::unknown();
  if (parsed.rank().is_dynamic()) return;
  const std::vector<mo_dim> dims = host_dims(parsed);
  shape = Shape(mo_shape{dims.data(), static_cast<int64_t>(dims.size())});
}
template <class T>
void parse(const std::string& text, std::vector<T>& list) {
  for (size_t at = 0; at < text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const size_t first = std::min(text.find_first_not_of(' ', at), comma);
    const size_t last = text.find_last_not_of(' ', comma - 1);
    T item{};
    parse(last < first || last == std::string::npos ? std::string() : text.substr(first, last + 1 - first),
          item);
    list.push_back(item);
    at = comma + 1;
  }
}

// ---- What a plugin has registered -------------------------------------------------------------------

struct AttributeDef {
  std::string name, ir_name;  // ir_name is empty where the IR does not have it
  int32_t kind = MO_VALUE_NONE;
  bool required = false;
  std::shared_ptr<const Value> fallback;
};

struct Definition {
  std::string type, opset;
  std::vector<AttributeDef> attributes;
  uint32_t min_outputs = 1, max_outputs = 1;
  bool has_body = false;
  mo_operation_def callbacks{};
};

// What an operation of the model has: the texts that were read, and what they say.
struct Attributes {
  std::map<std::string, std::string> texts;  // by the name in the IR
  std::map<std::string, std::shared_ptr<const Value>, std::less<>> values;
};

struct Output {
  bool is_set = false;
  mo_type type = MO_TYPE_UNKNOWN;
  ov::PartialShape shape = ov::PartialShape::dynamic();
  mo_tensor* value = nullptr;
};

class Session;

// One call of the plugin. Its context is the first member, so that the functions of the host find the rest.
struct Call {
  explicit Call(Session& s);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();
  mo_context context;
  Session& session;
  const Definition* definition = nullptr;
  const Attributes* attributes = nullptr;
  const ov::Node* node = nullptr;
  std::string name, error;
  std::vector<Output> outputs;
};
inline Call& call_of(mo_context* c) { return *reinterpret_cast<Call*>(c); }

// ---- The host's functions ----------------------------------------------------------------------------

inline mo_status refuse(mo_context* c, mo_status status, std::string_view why) {
  if (c != nullptr) call_of(c).error = std::string(why);
  return status;
}

// A function that is not there in a runtime. Those without a status do nothing.
template <class F>
struct Absent;
template <class... A>
struct Absent<mo_status(MO_CALL*)(mo_context*, A...)> {
  static mo_status MO_CALL call(mo_context* c, A...) {
    return refuse(c, MO_UNSUPPORTED, "a function of the host that a runtime does not have was called");
  }
};
template <class R, class... A>
struct Absent<R(MO_CALL*)(A...)> {
  static R MO_CALL call(A...) { return R(); }
};
// Table: its size and functions, each of which is left out as long as nothing is assigned to it.
template <class... F>
void all_absent(F&... functions) {
  ((functions = &Absent<F>::call), ...);
}

inline uint64_t bytes_of(mo_type type, const std::vector<int64_t>& dims) {
  uint64_t count = 1;
  for (const int64_t d : dims) {
    if (d < 0 || (d > 0 && count > (uint64_t{1} << 56) / static_cast<uint64_t>(d)))
      OPENVINO_THROW("a tensor has a dimension of ", d);
    count *= static_cast<uint64_t>(d);
  }
  const int width = bits(static_cast<ElementType>(type));
  if (width == 0)
    OPENVINO_THROW("a tensor of ", std::string(name(static_cast<ElementType>(type))), " has no fixed size");
  return (count * static_cast<uint64_t>(width) + 7) / 8;
}

inline std::unique_ptr<mo_tensor> tensor_of(mo_type type, const int64_t* dims, int64_t rank) {
  auto t = std::make_unique<mo_tensor>();
  t->type = type;
  if (rank > 0) t->dims.assign(dims, dims + rank);
  return t;
}

// Runs f, which may throw, on the plugin's side of the border.
template <class F>
mo_status MO_CALL guarded(mo_context* c, F f) {
  try {
    f();
    return MO_OK;
  } catch (const std::bad_alloc&) {
    return refuse(c, MO_NO_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return refuse(c, MO_INVALID_ARGUMENT, e.what());
  }
}

struct TensorFunctions {
  static void MO_CALL retain(mo_tensor* t) {
    if (t != nullptr) ++t->references;
  }
  static void MO_CALL release(mo_tensor* t) {
    if (t == nullptr || --t->references != 0) return;
    if (t->release != nullptr) t->release(t->user);
    release(t->base);
    delete t;
  }
  static mo_status MO_CALL info(const mo_tensor* t, mo_tensor_info* i) {
    i->dims = t->dims.data();
    i->rank = static_cast<int64_t>(t->dims.size());
    i->bytes = t->bytes;
    i->element_type = t->type;
    i->resident = 1;
    return MO_OK;
  }
  static mo_status MO_CALL data(mo_context*, const mo_tensor* t, const void** data) {
    *data = t->bytes == 0 ? nullptr : t->data;
    return MO_OK;
  }
  static mo_status MO_CALL create(mo_context* c, mo_type type, const int64_t* dims, int64_t rank,
                                  mo_tensor** out, void** data) {
    return guarded(c, [&] {
      auto t = tensor_of(type, dims, rank);
      t->own.resize(bytes_of(type, t->dims));
      t->data = t->own.data();
      t->bytes = t->own.size();
      *data = t->own.data();
      *out = t.release();
    });
  }
  static mo_status MO_CALL wrap(mo_context* c, mo_type type, const int64_t* dims, int64_t rank,
                                const void* data, uint64_t bytes, void(MO_CALL* release)(void*), void* user,
                                mo_tensor** out) {
    return guarded(c, [&] {
      auto t = tensor_of(type, dims, rank);
      if (type != MO_STRING && bytes != bytes_of(type, t->dims))
        OPENVINO_THROW("a tensor is wrapped that has ", bytes, " bytes; expected ", bytes_of(type, t->dims));
      t->data = data;
      t->bytes = bytes;
      t->release = release;
      t->user = user;
      *out = t.release();
    });
  }
  static mo_status MO_CALL view(mo_context* c, mo_tensor* base, uint64_t offset, mo_type type,
                                const int64_t* dims, int64_t rank, mo_tensor** out) {
    return guarded(c, [&] {
      auto t = tensor_of(type, dims, rank);
      t->bytes = bytes_of(type, t->dims);
      if (offset > base->bytes || t->bytes > base->bytes - offset)
        OPENVINO_THROW("a view of ", t->bytes, " bytes does not fit into a tensor of ", base->bytes);
      t->data = static_cast<const char*>(base->data) + offset;
      retain(t->base = base);
      *out = t.release();
    });
  }
  // Whoever asks for one here reads it at once anyway.
  static mo_status MO_CALL lazy(mo_context* c, const mo_lazy_def* d, mo_tensor** out) {
    mo_status read = MO_OK;
    const mo_status made = guarded(c, [&] {
      auto t = tensor_of(d->element_type, d->dims, d->rank);
      t->own.resize(d->bytes != 0 ? d->bytes : bytes_of(d->element_type, t->dims));
      t->data = t->own.data();
      t->bytes = t->own.size();
      if (t->bytes != 0) read = d->read(d->user, c, 0, t->bytes, t->own.data());
      if (read == MO_OK) *out = t.release();
    });
    const mo_status status = made != MO_OK ? made : read;
    if (status == MO_OK && d->release != nullptr) d->release(d->user);
    return status;
  }
  static mo_status MO_CALL read(mo_context* c, const mo_tensor* t, uint64_t offset, uint64_t bytes,
                                void* to) {
    if (offset > t->bytes || bytes > t->bytes - offset)
      return refuse(c, MO_INVALID_ARGUMENT, "a tensor is read beyond its end");
    if (bytes != 0) std::memcpy(to, static_cast<const char*>(t->data) + offset, bytes);
    return MO_OK;
  }
  static mo_tensor_api table() {
    return {sizeof(mo_tensor_api), retain, release, info, data, create, wrap, view, lazy, read};
  }
};

// Some releases warn that what this returns will be const in later ones.
OPENVINO_SUPPRESS_DEPRECATED_START
inline const void* elements_of(const ov::Tensor& t) { return t.data(); }
OPENVINO_SUPPRESS_DEPRECATED_END

// Strings lie as the IR has them on the plugin's side: count, ends, bytes.
inline void take_strings(mo_tensor& t, const ov::Tensor& from) {
  const auto* strings = static_cast<const std::string*>(elements_of(from));
  std::string bytes;
  std::vector<int32_t> head{static_cast<int32_t>(from.get_size()), 0};
  for (size_t i = 0; i < from.get_size(); ++i) {
    bytes += strings[i];
    head.push_back(static_cast<int32_t>(bytes.size()));
  }
  t.own.assign(reinterpret_cast<const char*>(head.data()), head.size() * sizeof(int32_t));
  t.own += bytes;
  t.data = t.own.data();
  t.bytes = t.own.size();
}
inline void give_strings(const mo_tensor& t, ov::Tensor& to) {
  auto* strings = static_cast<std::string*>(to.data());
  const auto* base = static_cast<const char*>(t.data);
  const auto end_of = [&](size_t i) {
    int32_t end = 0;
    std::memcpy(&end, base + (i + 1) * sizeof end, sizeof end);
    return static_cast<size_t>(end);
  };
  const char* bytes = base + (to.get_size() + 2) * sizeof(int32_t);
  for (size_t i = 0; i < to.get_size(); ++i) strings[i].assign(bytes + end_of(i), end_of(i + 1) - end_of(i));
}

inline mo_tensor* tensor_of(const ov::Tensor& from) {
  auto t = std::make_unique<mo_tensor>();
  t->type = host_type(from.get_element_type());
  const ov::Shape shape = from.get_shape();
  t->dims.assign(shape.begin(), shape.end());
  if (t->type == MO_STRING) {
    take_strings(*t, from);
  } else {
    t->bytes = bytes_of(t->type, t->dims);
    t->data = t->bytes == 0 ? nullptr : elements_of(from);
  }
  return t.release();
}

struct GraphFunctions {
  static mo_status MO_CALL node_attr(mo_context* c, mo_node, mo_str attribute, mo_value* value) {
    const Attributes* all = call_of(c).attributes;
    if (all != nullptr)
      if (const auto found = all->values.find(view(attribute)); found != all->values.end())
        return *value = found->second->value, MO_OK;
    return refuse(c, MO_NOT_FOUND, text("there is no attribute '", view(attribute), "'"));
  }
  static mo_status MO_CALL node_attrs(mo_context* c, mo_node n, const mo_str* names, uint64_t count,
                                      mo_value* values) {
    for (uint64_t i = 0; i < count; ++i)
      if (node_attr(c, n, names[i], &values[i]) != MO_OK) values[i] = mo_value{};
    return MO_OK;
  }
  static mo_status MO_CALL op(mo_context* c, mo_node, mo_str* out) {
    const Definition* d = call_of(c).definition;
    if (d == nullptr) return refuse(c, MO_WRONG_PHASE, "no operation is computed");
    return *out = str(d->type), MO_OK;
  }
  static mo_status MO_CALL opset(mo_context* c, mo_node, mo_str* out) {
    const Definition* d = call_of(c).definition;
    if (d == nullptr) return refuse(c, MO_WRONG_PHASE, "no operation is computed");
    return *out = str(d->opset), MO_OK;
  }
  static mo_status MO_CALL node_name(mo_context* c, mo_node, mo_str* out) {
    return *out = str(call_of(c).name), MO_OK;
  }
  static mo_status MO_CALL port_counts(mo_context* c, mo_node, uint32_t* inputs, uint32_t* outputs) {
    const Call& call = call_of(c);
    if (call.node == nullptr) return refuse(c, MO_WRONG_PHASE, "no operation is computed");
    if (inputs != nullptr) *inputs = static_cast<uint32_t>(call.node->get_input_size());
    if (outputs != nullptr) *outputs = static_cast<uint32_t>(call.outputs.size());
    return MO_OK;
  }
  static mo_graph_api table() {
    mo_graph_api g{};
    g.size = sizeof g;
    all_absent(g.graph_name, g.set_graph_name, g.create_graph, g.clone_graph, g.parent, g.graph_attr,
               g.set_graph_attr, g.graph_attr_names, g.nodes, g.topological, g.find, g.find_tensor,
               g.parameters, g.results, g.infer, g.clean_up, g.create_node, g.create_const, g.remove_node,
               g.graph_of, g.op, g.opset, g.set_op, g.node_name, g.rename, g.mark, g.port_counts, g.add_port,
               g.delete_port, g.source, g.destinations, g.connect, g.disconnect, g.set_source,
               g.set_destination, g.insert_node, g.desc, g.set_shape, g.set_value, g.tensor_names,
               g.set_tensor_names, g.node_attr, g.node_attrs, g.set_node_attr, g.node_attr_names, g.rt_info,
               g.set_rt_info, g.rt_info_names, g.copy_rt_info, g.native_attr, g.native_attr_names,
               g.native_tag, g.native_key, g.defining_opset, g.set_ir_attr, g.definition, g.definition_of,
               g.symbols, g.native_attrs);
    g.node_attr = node_attr;
    g.node_attrs = node_attrs;
    g.op = op;
    g.opset = opset;
    g.node_name = node_name;
    g.port_counts = port_counts;
    return g;
  }
};

struct InferFunctions {
  static Output* output(mo_context* c, uint32_t index) {
    Call& call = call_of(c);
    const uint32_t most = call.definition == nullptr ? 0 : call.definition->max_outputs;
    if (index >= most) return nullptr;
    if (index >= call.outputs.size()) call.outputs.resize(index + 1);
    call.outputs[index].is_set = true;
    return &call.outputs[index];
  }
  static mo_status MO_CALL set_output(mo_context* c, uint32_t index, mo_type type, const mo_shape* shape) {
    Output* o = output(c, index);
    if (o == nullptr) return refuse(c, MO_INVALID_ARGUMENT, text("there is no output ", index));
    return guarded(c, [&] {
      o->type = type;
      o->shape = runtime_shape(*shape);
    });
  }
  static mo_status MO_CALL set_value(mo_context* c, uint32_t index, mo_tensor* value) {
    Output* o = output(c, index);
    if (o == nullptr || value == nullptr)
      return refuse(c, MO_INVALID_ARGUMENT, text("there is no output ", index));
    TensorFunctions::retain(value);
    TensorFunctions::release(o->value);
    o->value = value;
    o->type = value->type;
    o->shape = ov::PartialShape(std::vector<ov::Dimension>(value->dims.begin(), value->dims.end()));
    return MO_OK;
  }
  // The runtime has its own way of knowing elements and sizes.
  static mo_status MO_CALL set_bounds(mo_context*, uint32_t, const mo_interval*, uint64_t) { return MO_OK; }
  static mo_infer_api table() {
    mo_infer_api f{};
    f.size = sizeof f;
    all_absent(f.set_output, f.set_value, f.set_bounds, f.add_ir_attr, f.evaluate_graph, f.set_symbols,
               f.set_value_symbols);
    f.set_output = set_output;
    f.set_value = set_value;
    f.set_bounds = set_bounds;
    return f;
  }
};

// ---- Sessions ----------------------------------------------------------------------------------------

// What a plugin has registered in one load. Sessions are used by one thread at a time.
class Session {
 public:
  Session();
  ~Session() {
    for (auto r = releases_.rbegin(); r != releases_.rend(); ++r)
      if (r->first != nullptr) r->first(r->second);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  const std::vector<Definition>& definitions() const { return definitions_; }
  const Definition& at(size_t i) const { return definitions_.at(i); }

  void keep(const mo_operation_def& d);
  void keep(void(MO_CALL* release)(void*), void* user) { releases_.emplace_back(release, user); }
  void keep_interface(std::string_view name, uint32_t revision, const void* table) {
    interfaces_[text(name, "/", revision)] = table;
  }
  const void* find_interface(std::string_view name, uint32_t revision) const {
    const auto found = interfaces_.find(text(name, "/", revision));
    return found == interfaces_.end() ? nullptr : found->second;
  }

 private:
  std::vector<Definition> definitions_;
  std::vector<std::pair<void(MO_CALL*)(void*), void*>> releases_;
  std::map<std::string, const void*> interfaces_;
};

struct RegistryFunctions {
  static mo_status MO_CALL operation(mo_context* c, const mo_operation_def* d) {
    return guarded(c, [&] { call_of(c).session.keep(*d); });
  }
  // What reads and changes models has nothing to do here; it is kept only to be released.
  template <class Def>
  static mo_status MO_CALL keep(mo_context* c, const Def* d) {
    return guarded(c, [&] { call_of(c).session.keep(d->release, d->user); });
  }
  static mo_status MO_CALL option(mo_context*, const mo_option_def*) { return MO_OK; }
  static mo_status MO_CALL add_interface(mo_context* c, mo_str name, uint32_t revision, const void* table) {
    return guarded(c, [&] { call_of(c).session.keep_interface(view(name), revision, table); });
  }
  static mo_status MO_CALL in_source(mo_context*, mo_str) { return MO_OK; }
  static mo_registry_api table() {
    return {sizeof(mo_registry_api),
            operation,
            keep<mo_extractor_def>,
            keep<mo_transformation_def>,
            keep<mo_frontend_def>,
            option,
            keep<mo_converter_def>,
            add_interface,
            in_source};
  }
};

struct HostFunctions {
  static mo_status MO_CALL fail(mo_context* c, mo_status status, mo_node, mo_str text) {
    return refuse(c, status == MO_OK ? MO_ERROR : status, view(text));
  }
  static mo_status MO_CALL fail_with(mo_context* c, mo_status status, const mo_message* m) {
    return refuse(c, status == MO_OK ? MO_ERROR : status,
                  m->hint.size == 0 ? std::string(view(m->text)) : text(view(m->text), "; ", view(m->hint)));
  }
  static mo_str MO_CALL last_error(mo_context* c) { return str(call_of(c).error); }
  static void MO_CALL log(mo_context* c, int32_t level, mo_str message) {
    if (level >= MO_LOG_WARNING) std::cerr << call_of(c).name << ": " << view(message) << "\n";
  }
  static mo_status MO_CALL log_with(mo_context* c, int32_t level, const mo_message* m) {
    return log(c, level, m->text), MO_OK;
  }
  static mo_status MO_CALL progress(mo_context*, uint64_t, uint64_t) { return MO_OK; }
  static mo_status MO_CALL option(mo_context* c, mo_str, mo_value*) {
    return refuse(c, MO_NOT_FOUND, "a runtime has no options of a command line");
  }
  static mo_status MO_CALL get_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
    const void* found = call_of(c).session.find_interface(view(name), revision);
    if (found == nullptr) return refuse(c, MO_NOT_FOUND, text("nobody offers '", view(name), "'"));
    return *table = found, MO_OK;
  }
  static uint64_t MO_CALL mark_lent(mo_context*) { return 1; }
  static mo_status MO_CALL release_lent(mo_context*, uint64_t) { return MO_OK; }
  static mo_status MO_CALL target_runtime(mo_context*, mo_runtime* r) {
    static const std::string name = text(OPENVINO_VERSION_MAJOR, ".", OPENVINO_VERSION_MINOR);
    r->name = str(name);
    r->year = OPENVINO_VERSION_MAJOR;
    r->number = OPENVINO_VERSION_MINOR;
    r->ir_version = 11;
    return MO_OK;
  }
};

inline const mo_host& host() {
  static const mo_graph_api graph = GraphFunctions::table();
  static const mo_tensor_api tensor = TensorFunctions::table();
  static const mo_infer_api infer = InferFunctions::table();
  static const mo_registry_api registry = RegistryFunctions::table();
  static const mo_file_api file = [] {
    mo_file_api f{};
    f.size = sizeof f;
    all_absent(f.open, f.open_below, f.tensor);
    f.release = [](mo_file*) {};
    f.data = [](const mo_file*, const void** data, uint64_t* bytes) {
      *data = nullptr;
      *bytes = 0;
    };
    return f;
  }();
  static const mo_rewrite_api rewrite = [] {
    mo_rewrite_api w{};
    w.size = sizeof w;
    all_absent(w.node, w.port, w.root, w.nodes, w.graph, w.input_ports, w.output_port, w.counts, w.scope,
               w.custom_attributes, w.replace_outputs, w.map_input, w.map_output, w.keep, w.register_new_node,
               w.decline, w.run);
    return w;
  }();
  static const mo_host table = [] {
    mo_host h{};
    h.size = sizeof h;
    h.abi_major = MO_ABI_MAJOR;
    h.abi_minor = MO_ABI_MINOR;
    h.name = str("an extension of OpenVINO");
    h.graph = &graph;
    h.tensor = &tensor;
    h.file = &file;
    h.infer = &infer;
    h.rewrite = &rewrite;
    h.registry = &registry;
    all_absent(h.return_value, h.convert, h.first_runtime);
    h.fail = HostFunctions::fail;
    h.fail_with = HostFunctions::fail_with;
    h.last_error = HostFunctions::last_error;
    h.log = HostFunctions::log;
    h.log_with = HostFunctions::log_with;
    h.progress = HostFunctions::progress;
    h.option = HostFunctions::option;
    h.get_interface = HostFunctions::get_interface;
    h.mark_lent = HostFunctions::mark_lent;
    h.release_lent = HostFunctions::release_lent;
    h.target_runtime = HostFunctions::target_runtime;
    return h;
  }();
  return table;
}

inline Call::Call(Session& s) : context{sizeof(mo_context), &host()}, session(s) {}
inline Call::~Call() {
  for (const Output& o : outputs) TensorFunctions::release(o.value);
}

inline std::string plugin_name() {
  const mo_plugin* p = mo_plugin_entry();
  return text(view(p->id), " ", view(p->version));
}

inline Session::Session() {
  Call call(*this);
  call.name = plugin_name();
  if (mo_plugin_entry()->load(&call.context) != MO_OK)
    OPENVINO_THROW("the plugin ", plugin_name(), " cannot be loaded: ", call.error);
}

inline void Session::keep(const mo_operation_def& d) {
  keep(d.release, d.user);
  // The runtime has those of OpenVINO's own sets.
  if (is_operation_set(view(d.opset))) return;
  Definition kept;
  kept.type = std::string(view(d.op));
  kept.opset = std::string(view(d.opset));
  kept.min_outputs = d.min_outputs;
  kept.max_outputs = d.max_outputs;
  kept.callbacks = d;
  for (uint64_t i = 0; i < d.n_attrs; ++i) {
    const auto& a =
        *reinterpret_cast<const mo_attr_def*>(reinterpret_cast<const char*>(d.attrs) + i * d.attrs->size);
    AttributeDef def;
    def.name = std::string(view(a.name));
    def.ir_name = a.ir_name.size == 0      ? def.name
                  : view(a.ir_name) == "-" ? std::string()
                                           : std::string(view(a.ir_name));
    def.kind = a.kind;
    def.required = a.required != 0;
    const bool fits = with_kind(a.kind, [&](auto kind) {
      using T = typename decltype(kind)::type;
      if (a.fallback == nullptr) return;
      auto value = std::make_shared<Value>();
      value->value = make_value(value->storage, read_value<T>(&host(), *a.fallback, def.name));
      def.fallback = std::move(value);
    });
    kept.has_body = kept.has_body || a.kind == MO_VALUE_GRAPH || a.kind == MO_VALUE_GRAPHS;
    if (fits) kept.attributes.push_back(std::move(def));
  }
  definitions_.push_back(std::move(kept));
}

// The sessions that nobody uses at the moment.
class Pool {
 public:
  std::unique_ptr<Session> take() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Session> s = std::move(free_.back());
        free_.pop_back();
        return s;
      }
    }
    return std::make_unique<Session>();
  }
  void give(std::unique_ptr<Session> s) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(s));
  }
  // Never destroyed: a model may outlive all that is static here.
  static Pool& one() {
    static Pool& pool = *new Pool;
    return pool;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Session>> free_;
};

class Lease {
 public:
  Lease() : session_(Pool::one().take()) {}
  ~Lease() { Pool::one().give(std::move(session_)); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Session& operator*() const { return *session_; }

 private:
  std::unique_ptr<Session> session_;
};

// What the model says of an input's elements: those of a constant, of what is computed from constants alone, and the
// sizes of what has them.
inline ov::Tensor known_value(const ov::Output<ov::Node>& from, int depth = 0) {
  const std::shared_ptr<ov::Node> node = from.get_node_shared_ptr();
  if (const auto c = std::dynamic_pointer_cast<ov::op::v0::Constant>(node))
    return ov::Tensor(c->get_element_type(), c->get_shape(), const_cast<void*>(c->get_data_ptr()));
  if (depth == 32 || from.get_partial_shape().is_dynamic() || from.get_element_type().is_dynamic()) return {};
  const bool reads_shape = std::string_view(node->get_type_info().name) == "ShapeOf";
  if (!node->has_evaluate() || node->get_output_size() != 1 || node->get_input_size() == 0) return {};
  ov::TensorVector in;
  for (const ov::Output<ov::Node>& source : node->input_values()) {
    if (reads_shape && source.get_partial_shape().is_static()) {
      ov::Tensor sizes(from.get_element_type(), from.get_shape());
      size_t i = 0;
      for (const size_t size : source.get_shape())
        if (from.get_element_type() == ov::element::i32)
          static_cast<int32_t*>(sizes.data())[i++] = static_cast<int32_t>(size);
        else
          static_cast<int64_t*>(sizes.data())[i++] = static_cast<int64_t>(size);
      return sizes;
    }
    in.push_back(known_value(source, depth + 1));
    if (!in.back()) return {};
  }
  ov::TensorVector out{ov::Tensor(from.get_element_type(), from.get_shape())};
  return node->evaluate(out, in) ? out[0] : ov::Tensor();
}

}  // namespace detail

// ---- Kernels -----------------------------------------------------------------------------------------

// An operation that is computed.
class KernelCall {
 public:
  KernelCall(const detail::Attributes& attributes, ov::TensorVector& out, const ov::TensorVector& in)
      : inputs(in), outputs(out), attributes_(attributes) {}
  template <class T>
  T attr(std::string_view name) const {
    const auto found = attributes_.values.find(name);
    if (found == attributes_.values.end()) OPENVINO_THROW("there is no attribute '", std::string(name), "'");
    return read_value<T>(&detail::host(), found->second->value, name);
  }
  const ov::TensorVector& inputs;
  // Where a shape is not known before the values are, the kernel sets it.
  ov::TensorVector& outputs;

 private:
  const detail::Attributes& attributes_;
};

// Takes the place of an operation's `evaluate`. A static object: it says so to the extension that it is linked into.
// Called by several threads at once.
class Kernel {
 public:
  using Function = std::function<void(KernelCall&)>;
  Kernel(std::string_view opset, std::string_view type, Function f) {
    all()[text(opset, "::", type)] = std::move(f);
  }
  static std::map<std::string, Function>& all() {
    static std::map<std::string, Function> kernels;
    return kernels;
  }
};

// ---- The operations of the runtime -------------------------------------------------------------------

namespace detail {

// One kind of operation: what all nodes of it share.
struct OperationKind {
  size_t index = 0;  // of its definition in any session
  Definition definition;
  ov::DiscreteTypeInfo type_info;
  Kernel::Function kernel;
};

class Operation : public ov::op::Op {
 public:
  Operation(std::shared_ptr<const OperationKind> kind, std::shared_ptr<const Attributes> attributes,
            const ov::OutputVector& inputs)
      : Op(inputs), kind_(std::move(kind)), attributes_(std::move(attributes)) {}

  const ov::DiscreteTypeInfo& get_type_info() const override { return kind_->type_info; }
  std::shared_ptr<ov::Node> clone_with_new_inputs(const ov::OutputVector& inputs) const override {
    auto copy = std::make_shared<Operation>(kind_, attributes_, inputs);
    copy->constructor_validate_and_infer_types();
    return copy;
  }
  // As texts, which is what the IR has; all releases write them as they are.
  bool visit_attributes(ov::AttributeVisitor& visitor) override {
    for (const auto& [name, shown] : attributes_->texts) {
      std::string text = shown;
      visitor.on_attribute(name, text);
    }
    return true;
  }

  void validate_and_infer_types() override {
    Lease session;
    Call call(*session);
    prepare(call);
    const uint32_t n = outputs_to_begin_with();
    call.outputs.resize(n);
    const Inputs inputs(*this);
    const mo_infer_args args{sizeof(mo_infer_args), 1, inputs.descs.data(),
                             static_cast<uint32_t>(inputs.descs.size()), n};
    const mo_operation_def& callbacks = (*session).at(kind_->index).callbacks;
    if (callbacks.infer != nullptr && callbacks.infer(callbacks.user, &call.context, &args) != MO_OK)
      fail(call);
    // Those that may be there, and of which nothing was said, are not.
    while (call.outputs.size() > kind_->definition.min_outputs && !call.outputs.back().is_set)
      call.outputs.pop_back();
    set_output_size(call.outputs.size());
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      const Output& o = call.outputs[i];
      const ov::element::Type type = o.is_set                ? runtime_type(o.type)
                                     : get_input_size() == 0 ? ov::element::Type(ov::element::dynamic)
                                                             : get_input_element_type(0);
      set_output_type(i, type, o.shape);
    }
  }

  bool has_evaluate() const override {
    return kind_->kernel != nullptr || kind_->definition.callbacks.evaluate != nullptr;
  }
  bool evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const override {
    if (kind_->kernel != nullptr) {
      KernelCall call(*attributes_, outputs, inputs);
      kind_->kernel(call);
      return true;
    }
    Lease session;
    const mo_operation_def& callbacks = (*session).at(kind_->index).callbacks;
    if (callbacks.evaluate == nullptr) return false;
    Call call(*session);
    prepare(call);
    call.outputs.resize(outputs.size());
    std::vector<std::unique_ptr<mo_tensor, void (*)(mo_tensor*)>> kept;
    std::vector<mo_tensor*> values;
    for (const ov::Tensor& t : inputs) {
      kept.emplace_back(tensor_of(t), [](mo_tensor* of) { TensorFunctions::release(of); });
      values.push_back(kept.back().get());
    }
    const mo_evaluate_args args{sizeof(mo_evaluate_args), 1, values.data(),
                                static_cast<uint32_t>(values.size()), static_cast<uint32_t>(outputs.size())};
    if (callbacks.evaluate(callbacks.user, &call.context, &args) != MO_OK) fail(call);
    for (size_t i = 0; i < outputs.size(); ++i) give(call, i, outputs[i]);
    return true;
  }

 private:
  struct Inputs {
    explicit Inputs(const Operation& node) {
      const size_t n = node.get_input_size();
      own.resize(n);
      dims.resize(n);
      for (size_t i = 0; i < n; ++i) {
        mo_tensor_desc& d = own[i];
        d.size = sizeof d;
        d.element_type = host_type(node.get_input_element_type(i));
        const ov::PartialShape& shape = node.get_input_partial_shape(i);
        dims[i] = host_dims(shape);
        d.shape = {dims[i].data(), shape.rank().is_dynamic() ? -1 : static_cast<int64_t>(dims[i].size())};
        if (const ov::Tensor value = known_value(node.input_value(i))) {
          values.push_back(value);
          d.value = tensor_of(value);
        }
        descs.push_back(&d);
      }
    }
    ~Inputs() {
      for (const mo_tensor_desc& d : own) TensorFunctions::release(d.value);
    }
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;
    std::vector<mo_tensor_desc> own;
    std::vector<std::vector<mo_dim>> dims;
    std::vector<ov::Tensor> values;
    std::vector<const mo_tensor_desc*> descs;
  };

  void prepare(Call& call) const {
    call.definition = &kind_->definition;
    call.attributes = attributes_.get();
    call.node = this;
    call.name = get_friendly_name();
  }
  // As many as it may have; of any number the least, and infer says how many there are by setting them.
  uint32_t outputs_to_begin_with() const {
    const Definition& d = kind_->definition;
    return d.max_outputs == any_number ? d.min_outputs : d.max_outputs;
  }
  [[noreturn]] void fail(const Call& call) const {
    OPENVINO_THROW(kind_->definition.opset, "::", kind_->definition.type, " '", get_friendly_name(),
                   "': ", call.error.empty() ? std::string("it failed without a word") : call.error,
                   " (of the plugin ", plugin_name(), ")");
  }
  void give(Call& call, size_t i, ov::Tensor& to) const {
    const mo_tensor* t = call.outputs[i].value;
    call.error = t == nullptr ? text("evaluate has given no output ", i)
                 : runtime_type(t->type) != to.get_element_type()
                     ? text("evaluate has given output ", i, " as ", name(static_cast<ElementType>(t->type)),
                            ", and infer has said ", to.get_element_type().get_type_name())
                     : std::string();
    if (!call.error.empty()) fail(call);
    to.set_shape(ov::Shape(t->dims.begin(), t->dims.end()));
    if (t->type == MO_STRING)
      give_strings(*t, to);
    else if (t->bytes != 0)
      std::memcpy(to.data(), t->data, t->bytes);
  }

  std::shared_ptr<const OperationKind> kind_;
  std::shared_ptr<const Attributes> attributes_;
};

class Extension : public ov::BaseOpExtension {
 public:
  explicit Extension(std::shared_ptr<const OperationKind> kind) : kind_(std::move(kind)) {}
  const ov::DiscreteTypeInfo& get_type_info() const override { return kind_->type_info; }
  std::vector<ov::Extension::Ptr> get_attached_extensions() const override { return {}; }
  ov::OutputVector create(const ov::OutputVector& inputs, ov::AttributeVisitor& visitor) const override {
    const Definition& d = kind_->definition;
    if (d.has_body)
      OPENVINO_THROW(d.opset, "::", d.type,
                     " has a body, which an extension made of a plugin cannot compute; write one "
                     "for it by hand");
    auto attributes = std::make_shared<Attributes>();
    for (const AttributeDef& a : d.attributes) read(a, visitor, *attributes);
    auto node = std::make_shared<Operation>(kind_, attributes, inputs);
    node->constructor_validate_and_infer_types();
    return node->outputs();
  }

 private:
  // Of what the IR does not have a reader leaves the text alone.
  void read(const AttributeDef& a, ov::AttributeVisitor& visitor, Attributes& to) const {
    static const std::string absent("\x01");
    std::string shown = absent;
    if (!a.ir_name.empty()) visitor.on_attribute(a.ir_name, shown);
    if (shown == absent) {
      if (a.fallback != nullptr) to.values[a.name] = a.fallback;
      return;
    }
    to.texts[a.ir_name] = shown;
    auto value = std::make_shared<Value>();
    try {
      with_kind(a.kind, [&](auto kind) {
        typename decltype(kind)::type parsed{};
        parse(shown, parsed);
        value->value = make_value(value->storage, parsed);
      });
    } catch (const std::exception& e) {
      OPENVINO_THROW(kind_->definition.opset, "::", kind_->definition.type, ": attribute '", a.ir_name,
                     "': ", e.what());
    }
    to.values[a.name] = std::move(value);
  }

  std::shared_ptr<const OperationKind> kind_;
};

}  // namespace detail

// All that the plugin of this library registers, for OpenVINO's entry point. An exception when it has no operation that a
// runtime would need, or a kernel for one that it does not have.
inline std::vector<ov::Extension::Ptr> extensions() {
  std::vector<ov::Extension::Ptr> list;
  auto kernels = Kernel::all();
  const detail::Lease session;
  const auto& definitions = (*session).definitions();
  for (size_t i = 0; i < definitions.size(); ++i) {
    auto kind = std::make_shared<detail::OperationKind>();
    kind->index = i;
    kind->definition = definitions[i];
    const std::string name = text(kind->definition.opset, "::", kind->definition.type);
    if (const auto found = kernels.find(name); found != kernels.end()) {
      kind->kernel = found->second;
      kernels.erase(found);
    }
    kind->type_info = ov::DiscreteTypeInfo(kind->definition.type.c_str(), kind->definition.opset.c_str(),
                                           &ov::op::Op::get_type_info_static());
    list.push_back(std::make_shared<detail::Extension>(std::move(kind)));
  }
  if (list.empty())
    OPENVINO_THROW("the plugin ", detail::plugin_name(),
                   " registers no operation of its own, so a runtime needs nothing of it");
  if (!kernels.empty())
    OPENVINO_THROW("a kernel is for ", kernels.begin()->first, ", which the plugin ", detail::plugin_name(),
                   " does not register");
  return list;
}

}  // namespace mo::openvino
