// Registration, and MO_PLUGIN: the entry point of a plugin.
//
//   static void register_all(mo::Registry& r) {
//     r.operation<MyOp>();
//     r.extractor<extract_my_op>({"onnx", "com.acme", "MyOp"});
//   }
//   MO_PLUGIN("com.acme.layers", "1.0.0", "Acme", "proprietary", "Acme's layers",
//             "https://acme.example/support", register_all)
#pragma once

#include <mo/conventions.h>
#include <mo/frontend.hpp>
#include <mo/manager.hpp>
#include <mo/operation.hpp>

#include <functional>

namespace mo {

struct ExtractorKey {
  std::string_view framework;
  std::string_view domain;  // "" = the framework's default one
  std::string_view op;
  int32_t since = 0, until = 0;  // versions of the framework operation, inclusive; 0 = open
};

namespace detail {

template <class Op, class = void>
struct HasInfer : std::false_type {};
template <class Op>
struct HasInfer<Op, std::void_t<decltype(&Op::infer)>> : std::true_type {};
template <class Op, class = void>
struct HasEvaluate : std::false_type {};
template <class Op>
struct HasEvaluate<Op, std::void_t<decltype(&Op::evaluate)>> : std::true_type {};
template <class Op, class = void>
struct HasIrAttrs : std::false_type {};
template <class Op>
struct HasIrAttrs<Op, std::void_t<decltype(&Op::ir_attrs)>> : std::true_type {};
template <class Op, class = void>
struct HasSymbols : std::false_type {};
template <class Op>
struct HasSymbols<Op, std::void_t<decltype(&Op::symbols)>> : std::true_type {};

// The borders are written once; what is made for each operation or extractor only passes its function.
inline mo_status infer_with(void (*f)(InferContext&), mo_context* c, const mo_infer_args* a) {
  return guard(c, [&] {
    InferContext context(c, a);
    f(context);
  });
}
inline mo_status evaluate_with(void (*f)(EvalContext&), mo_context* c, const mo_evaluate_args* a) {
  return guard(c, [&] {
    EvalContext context(c, a);
    f(context);
  });
}
inline mo_status symbols_with(void (*f)(SymbolsContext&), mo_context* c, mo_node n, const mo_symbols* in) {
  return guard(c, [&] {
    SymbolsContext context(c, n, in, static_cast<uint32_t>(Node(Context(c), n).out_count()));
    f(context);
  });
}
inline mo_status extract_with(void (*f)(SourceNode&), mo_context* c, mo_node n) {
  return guard(c, [&] {
    SourceNode node(Context(c), n);
    f(node);
  });
}
template <class Op>
mo_status infer(void*, mo_context* c, const mo_infer_args* a) {
  return infer_with([](InferContext& context) { Op::infer(context); }, c, a);
}
template <class Op>
mo_status evaluate(void*, mo_context* c, const mo_evaluate_args* a) {
  return evaluate_with([](EvalContext& context) { Op::evaluate(context); }, c, a);
}
template <class Op>
mo_status symbols(void*, mo_context* c, mo_node n, const mo_symbols* in) {
  return symbols_with([](SymbolsContext& context) { Op::symbols(context); }, c, n, in);
}
template <class Op>
mo_status ir_attrs(void*, mo_context* c, mo_node n) {
  return guard(c, [&] {
    IrAttributes out{Context(c)};
    Op::ir_attrs(Node(Context(c), n), out);
  });
}
// Operations and extractors that are objects: `user` is theirs.
template <class T>
void release(void* user) {
  delete static_cast<T*>(user);
}
template <class Op>
mo_status infer_by(void* user, mo_context* c, const mo_infer_args* a) {
  return guard(c, [&] {
    InferContext context(c, a);
    static_cast<Op*>(user)->infer(context);
  });
}
template <class Op>
mo_status evaluate_by(void* user, mo_context* c, const mo_evaluate_args* a) {
  return guard(c, [&] {
    EvalContext context(c, a);
    static_cast<Op*>(user)->evaluate(context);
  });
}
template <class Op>
mo_status symbols_by(void* user, mo_context* c, mo_node n, const mo_symbols* in) {
  return guard(c, [&] {
    SymbolsContext context(c, n, in, static_cast<uint32_t>(Node(Context(c), n).out_count()));
    static_cast<Op*>(user)->symbols(context);
  });
}
template <class Op>
mo_status ir_attrs_by(void* user, mo_context* c, mo_node n) {
  return guard(c, [&] {
    IrAttributes out{Context(c)};
    static_cast<Op*>(user)->ir_attrs(Node(Context(c), n), out);
  });
}
inline mo_status extract_by(void* user, mo_context* c, mo_node n) {
  return guard(c, [&] {
    SourceNode node(Context(c), n);
    (*static_cast<std::function<void(SourceNode&)>*>(user))(node);
  });
}
template <auto Convert>
mo_status convert(void*, mo_context* c, const void* bytes, uint64_t count) {
  return guard(
      c, [&] { give_native(Context(c), Convert(std::string_view(static_cast<const char*>(bytes), count))); });
}
template <auto Extract>
mo_status extract(void*, mo_context* c, mo_node n) {
  return extract_with([](SourceNode& node) { Extract(node); }, c, n);
}

}  // namespace detail

class Registry {
 public:
  explicit Registry(Context c) : c_(c) {}
  Context context() const { return c_; }

  // What is registered from here on stands in this file of the plugin's sources: `mo-host list --where` shows
  // it.
  void in_source(std::string_view file) { c_.check(api().in_source(c_.get(), str(file))); }

  template <class Op>
  void operation() {
    operation<Op>(Op::type, Op::opset);
  }
  // One implementation under several names or opsets.
  template <class Op>
  void operation(std::string_view type, std::string_view opset) {
    OpSchema schema;
    Op::schema(schema);
    mo_operation_def d{};
    if constexpr (detail::HasInfer<Op>::value) d.infer = &detail::infer<Op>;
    if constexpr (detail::HasEvaluate<Op>::value) d.evaluate = &detail::evaluate<Op>;
    if constexpr (detail::HasIrAttrs<Op>::value) d.ir_attrs = &detail::ir_attrs<Op>;
    if constexpr (detail::HasSymbols<Op>::value) d.symbols = &detail::symbols<Op>;
    add(type, opset, schema, d);
  }

  // One that is an object, with what it knows: schema, infer, evaluate, ir_attrs and symbols are its members.
  // It lives as long as the session.
  template <class Op>
  void operation(std::string_view type, std::string_view opset, std::unique_ptr<Op> op) {
    OpSchema schema;
    op->schema(schema);
    mo_operation_def d{};
    d.user = op.get();
    if constexpr (detail::HasInfer<Op>::value) d.infer = &detail::infer_by<Op>;
    if constexpr (detail::HasEvaluate<Op>::value) d.evaluate = &detail::evaluate_by<Op>;
    if constexpr (detail::HasIrAttrs<Op>::value) d.ir_attrs = &detail::ir_attrs_by<Op>;
    if constexpr (detail::HasSymbols<Op>::value) d.symbols = &detail::symbols_by<Op>;
    d.release = &detail::release<Op>;
    add(type, opset, schema, d);
    (void)op.release();  // the host calls release
  }

  // Extract is a function void(mo::SourceNode&).
  template <auto Extract>
  void extractor(const ExtractorKey& key) {
    mo_extractor_def d = definition(key);
    d.extract = &detail::extract<Extract>;
    c_.check(api().extractor(c_.get(), &d));
  }
  // One with what it knows.
  void extractor(const ExtractorKey& key, std::function<void(SourceNode&)> extract) {
    auto kept = std::make_unique<std::function<void(SourceNode&)>>(std::move(extract));
    mo_extractor_def d = definition(key);
    d.user = kept.get();
    d.extract = &detail::extract_by;
    d.release = &detail::release<std::function<void(SourceNode&)>>;
    c_.check(api().extractor(c_.get(), &d));
    (void)kept.release();  // the host calls release
  }

  // Convert is a function T(std::string_view bytes): what bytes of the foreign type `type_name` mean.
  template <auto Convert>
  void converter(std::string_view type_name) {
    mo_converter_def d{};
    d.size = sizeof d;
    d.type_name = str(type_name);
    d.convert = &detail::convert<Convert>;
    c_.check(api().converter(c_.get(), &d));
  }

  // Its id. A GraphRewrite registers each of its matchers.
  template <class T, class... Args>
  std::string transformation(Args&&... args) {
    if constexpr (std::is_base_of_v<GraphRewrite, T>) {
      const std::shared_ptr<GraphRewrite> all = std::make_shared<T>(std::forward<Args>(args)...);
      for (auto& matcher : GraphRewrite::matchers_of(all)) add(std::move(matcher));
      return all->id;
    } else {
      return add(std::unique_ptr<Transformation>(new T(std::forward<Args>(args)...)));
    }
  }

  // contents: registers what only models of this front-end need, extractors and transformations, once one is
  // read or somebody asks for all there is; nullptr when all of it is registered anyway.
  template <class T>
  void frontend(void (*contents)(Registry&) = nullptr) {
    std::unique_ptr<FrontEnd> f = std::make_unique<T>();
    f->contents_ = contents;
    ValueStorage storage;
    const std::string name = f->name();
    const std::vector<std::string> aliases = f->aliases(), extensions = f->extensions();
    mo_frontend_def d{};
    d.size = sizeof d;
    d.name = str(name);
    set_list(d.aliases, d.n_aliases, aliases, storage);
    set_list(d.extensions, d.n_extensions, extensions, storage);
    d.user = f.get();
    d.probe = &FrontEndThunks::probe;
    d.load = &FrontEndThunks::load;
    d.native_attr = &FrontEndThunks::native_attr;
    d.native_attrs = &FrontEndThunks::native_attrs;
    d.native_attr_names = &FrontEndThunks::native_attr_names;
    d.native_key = &FrontEndThunks::native_key;
    d.native_place = &FrontEndThunks::native_place;
    d.unload = &FrontEndThunks::unload;
    d.release = &FrontEndThunks::release;
    if (contents != nullptr) d.contents = &FrontEndThunks::contents;
    c_.check(api().frontend(c_.get(), &d));
    (void)f.release();
  }

  // `group`: the heading in the help; the plugin's id when it is empty. `allowed`: of a MO_OPTION_STRING, the
  // values it may have; any text when there are none.
  void option(std::string_view name, int32_t kind, std::string_view help, std::string_view fallback = {},
              std::string_view group = {}, const std::vector<std::string>& allowed = {}) {
    ValueStorage storage;
    mo_option_def d{};
    d.size = sizeof d;
    d.name = str(name);
    d.help = str(help);
    d.group = str(group);
    d.fallback = str(fallback);
    d.kind = kind;
    set_list(d.allowed, d.n_allowed, allowed, storage);
    c_.check(api().option(c_.get(), &d));
  }

  // A table of C functions that other plugins find by name and revision. It must live until exit.
  void add_interface(std::string_view name, uint32_t revision, const void* table) {
    c_.check(api().add_interface(c_.get(), str(name), revision, table));
  }

 private:
  static mo_extractor_def definition(const ExtractorKey& key) {
    mo_extractor_def d{};
    d.size = sizeof d;
    d.framework = str(key.framework);
    d.domain = str(key.domain);
    d.op = str(key.op);
    d.since = key.since;
    d.until = key.until;
    return d;
  }
  // Compiled with MO_ONLY_TRANSFORMATIONS="id,id": all others are left out, as if they were not written.
  static bool is_left_out(std::string_view id) {
#ifdef MO_ONLY_TRANSFORMATIONS
    return text(",", MO_ONLY_TRANSFORMATIONS, ",").find(text(",", id, ",")) == std::string::npos;
#else
    (void)id;
    return false;
#endif
  }
  std::string add(std::unique_ptr<Transformation> t) {
    std::string id = t->id;
    if (is_left_out(id)) return id;
    ValueStorage storage;
    mo_transformation_def d{};
    d.size = sizeof d;
    d.id = str(t->id);
    d.doc = str(t->doc);
    d.before = str(t->before);
    d.after = str(t->after);
    d.group = str(t->group);
    set_list(d.run_before, d.n_run_before, t->run_before, storage);
    set_list(d.run_after, d.n_run_after, t->run_after, storage);
    set_list(d.frameworks, d.n_frameworks, t->frameworks, storage);
    d.phase = t->phase_;
    d.kind = t->kind_;
    d.enabled = t->enabled ? MO_ON : MO_OFF;
    d.recursive = t->run_not_recursively ? MO_OFF : MO_ON;
    d.force_clean_up = t->force_clean_up ? MO_ON : MO_UNSET;
    d.force_shape_inference = t->force_shape_inference ? MO_ON : MO_UNSET;
    d.user = t.get();
    d.condition = &TransformationThunks::condition;
    d.on_graph = &TransformationThunks::on_graph;
    d.on_node = &TransformationThunks::on_node;
    d.on_match = &TransformationThunks::on_match;
    d.release = &TransformationThunks::release;
    t->describe(d, storage);
    c_.check(api().transformation(c_.get(), &d));
    (void)t.release();  // the host calls release
    return id;
  }

  void add(std::string_view type, std::string_view opset, const OpSchema& schema, mo_operation_def& d) {
    d.size = sizeof d;
    d.op = str(type);
    d.opset = str(opset);
    schema.fill(d);
    c_.check(api().operation(c_.get(), &d));
  }

  const mo_registry_api& api() const { return *c_.host()->registry; }
  static void set_list(const mo_str*& items, uint64_t& count, const std::vector<std::string>& list,
                       ValueStorage& s) {
    if (list.empty()) return;
    std::vector<mo_str> strs;
    strs.reserve(list.size());
    for (const auto& l : list) strs.push_back(str(l));
    count = strs.size();
    items = s.keep(std::move(strs)).data();
  }
  Context c_;
};

inline mo_status FrontEndThunks::contents(void* self, mo_context* c) {
  return detail::guard(c, [&] {
    Registry r{Context(c)};
    of(self).contents_(r);
  });
}

}  // namespace mo

#define MO_PLUGIN(ID, VERSION, VENDOR, LICENSE, DESCRIPTION, SUPPORT_URL, REGISTER) \
  MO_PLUGIN_WITH_SHUTDOWN(ID, VERSION, VENDOR, LICENSE, DESCRIPTION, SUPPORT_URL, REGISTER, nullptr)

// SHUTDOWN is a function void() that is called once, before the process ends. It must not throw.
#define MO_PLUGIN_WITH_SHUTDOWN(ID, VERSION, VENDOR, LICENSE, DESCRIPTION, SUPPORT_URL, REGISTER, SHUTDOWN) \
  static mo_status mo_plugin_load_(mo_context* c) {                                                         \
    return mo::detail::guard(c, [c] {                                                                       \
      mo::Registry registry{mo::Context(c)};                                                                \
      REGISTER(registry);                                                                                   \
    });                                                                                                     \
  }                                                                                                         \
  MO_PLUGIN_NOTE(ID, VERSION)                                                                               \
  extern "C" MO_EXPORT const mo_plugin* MO_CALL mo_plugin_entry(void) {                                     \
    static const mo_plugin plugin = {sizeof(mo_plugin),                                                     \
                                     MO_ABI_MAJOR,                                                          \
                                     MO_TARGET_MINOR,                                                       \
                                     MO_LOWEST_MINOR,                                                       \
                                     MO_ABI_CANDIDATE,                                                      \
                                     {ID, sizeof(ID) - 1},                                                  \
                                     {VERSION, sizeof(VERSION) - 1},                                        \
                                     {VENDOR, sizeof(VENDOR) - 1},                                          \
                                     {LICENSE, sizeof(LICENSE) - 1},                                        \
                                     {DESCRIPTION, sizeof(DESCRIPTION) - 1},                                \
                                     {SUPPORT_URL, sizeof(SUPPORT_URL) - 1},                                \
                                     &mo_plugin_load_,                                                      \
                                     SHUTDOWN};                                                             \
    return &plugin;                                                                                         \
  }
