// What plugins registered, as deep copies: lookup by name for everything the pipeline does.
#pragma once

#include "core/graph/graph.hpp"

#include <functional>
#include <list>
#include <map>
#include <set>

namespace mo::core {

class Session;

// What a plugin's descriptor says of it.
struct PluginFacts {
  std::string id, version, vendor, license, description, support_url;
  uint32_t abi_major = 0, abi_minor = 0;
};

// How many registrations of each kind.
struct Counts {
  size_t frontends = 0, operations = 0, extractors = 0, transformations = 0, options = 0, converters = 0,
         interfaces = 0;
  size_t total() const {
    return frontends + operations + extractors + transformations + options + converters + interfaces;
  }
};

struct Plugin : PluginFacts, Counts {
  // In which file of the plugin's sources stands what it registers after it had registered so much.
  struct Source {
    Counts before;
    std::string file;
    Source(const Counts& b, std::string_view f) : before(b), file(f) {}
  };
  std::vector<Source> sources;
  // What it defines in sets that are not OpenVINO's: type and set. Its patterns need not name the set.
  std::vector<std::pair<std::string, std::string>> own_operations;
  std::string path;  // as found; "" for one linked into a test
  size_t index = 0;  // order of loading
  bool built_in = false;
  std::string framework;              // loaded for this framework only; "" = any
  std::vector<std::string> problems;  // registrations that were refused: the plugin is, too
  std::vector<std::string> notes;     // for the load report: what it takes the place of
  std::vector<std::string> rivals;    // plugins that claim the same while nobody is preferred
  bool on_demand = false;             // known by its manifest; opened when something of it is asked for
  size_t withdrawn = 0;               // registrations that are not counted: a preferred plugin has the same
};

struct Registered {
  const Plugin* plugin = nullptr;
  const Plugin* yields_to = nullptr;  // set: withdrawn, as this plugin is preferred
};

// Callbacks of the structs below are the host's own functions: they call the plugin's with its self, and turn
// a C++ exception into a status with a text.
struct WithCallbacks : Registered {
  void* self = nullptr;
  void (*release)(void*) = nullptr;
  std::shared_ptr<const void> definition;  // what self points to
};

struct AttributeDef {
  std::string name, ir_name;  // ir_name empty: not written
  Symbol key = 0;
  int32_t kind = 0;
  bool required = false;
  int32_t role = 0;
  Attribute fallback;  // monostate: none
  std::vector<std::string> allowed;
};

struct PortDef {
  std::string name;
  uint64_t types = 0;  // a bit each; 0: any
  int32_t role = 0;
  uint32_t flags = 0;
  bool takes(ElementType t) const {
    return types == 0 || t == ElementType::unknown || (types >> static_cast<unsigned>(t) & 1) != 0;
  }
};

struct Operation : WithCallbacks {
  std::string op, opset, doc;
  std::vector<AttributeDef> attributes;
  uint32_t min_inputs = 0, max_inputs = 0, min_outputs = 0, max_outputs = 0, flags = 0;
  std::vector<PortDef> inputs, outputs;
  decltype(mo_operation_def::infer) infer = nullptr;
  decltype(mo_operation_def::evaluate) evaluate = nullptr;
  decltype(mo_operation_def::ir_attrs) ir_attrs = nullptr;
  decltype(mo_operation_def::symbols) symbols = nullptr;
  const AttributeDef* find(Symbol key) const {
    for (const auto& a : attributes)
      if (a.key == key) return &a;
    return nullptr;
  }
  // The last one stands for all that follow; nullptr: nothing is said.
  const PortDef* input(size_t i) const {
    return inputs.empty() ? nullptr : &inputs[std::min(i, inputs.size() - 1)];
  }
  int32_t role(size_t input_index) const;  // flags looked at, too
  // What its plugin said, for plugins that ask: made once.
  const mo_operation_def& abi() const;
  mutable std::shared_ptr<const void> abi_storage;
  mutable const mo_operation_def* abi_view = nullptr;
};

struct Extractor : WithCallbacks {
  std::string framework, domain, op;
  int32_t since = 0, until = 0;
  decltype(mo_extractor_def::extract) extract = nullptr;
};

struct PatternInput {
  uint32_t node;
  int32_t out_port;
};
struct PatternEdge {
  uint32_t from, to;
  int32_t out_port, in_port;
};
struct PatternNodeDef {
  std::string alias;
  std::vector<std::string> ops;  // "Type", "opset::Type", "::Type"
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::vector<PatternInput> inputs;
  int32_t kind = 0;
  uint32_t flags = 0;
  void* self = nullptr;
  decltype(mo_pattern_node::predicate) predicate = nullptr;
  mutable std::optional<bool> commutes;    // all of ops do; asked for once
  std::shared_ptr<const void> definition;  // what self points to
};

struct Transformation : WithCallbacks {
  std::string id, doc, before, after, group;
  bool replaces = false;  // what is built in has this id, too, and is withdrawn
  std::vector<std::string> run_before, run_after, frameworks, ops;
  std::vector<PatternNodeDef> nodes;
  std::vector<PatternEdge> edges;
  int32_t phase = 0, kind = 0;
  // It runs for entries of a configuration file only.
  bool is_configured() const { return kind >= MO_TRANSFORM_CONFIG_SCOPE; }
  bool enabled = true, recursive = true, force_clean_up = false, force_shape_inference = false;
  decltype(mo_transformation_def::condition) condition = nullptr;
  decltype(mo_transformation_def::on_graph) on_graph = nullptr;
  decltype(mo_transformation_def::on_node) on_node = nullptr;
  decltype(mo_transformation_def::on_match) on_match = nullptr;
};

struct FrontEnd : WithCallbacks {
  std::string name;
  std::vector<std::string> aliases, extensions;
  decltype(mo_frontend_def::probe) probe = nullptr;
  decltype(mo_frontend_def::load) load = nullptr;
  decltype(mo_frontend_def::native_attr) native_attr = nullptr;
  decltype(mo_frontend_def::native_attrs) native_attrs = nullptr;
  decltype(mo_frontend_def::native_attr_names) native_attr_names = nullptr;
  decltype(mo_frontend_def::native_key) native_key = nullptr;
  decltype(mo_frontend_def::native_place) native_place = nullptr;
  decltype(mo_frontend_def::unload) unload = nullptr;
  decltype(mo_frontend_def::contents) contents = nullptr;
};

struct OptionDef : Registered {
  std::string name, help, group, fallback;
  int32_t kind = 0;
  std::vector<std::string> allowed;  // values of a text; none: any
  std::string choices;               // "A|B" of them, for the help
};

struct Converter : WithCallbacks {
  std::string type_name;
  decltype(mo_converter_def::convert) convert = nullptr;
};

struct Interface : Registered {
  std::string name;
  uint32_t revision = 0;
  const void* table = nullptr;
};

// Two plugins that claim the same thing are an error that names both, reported when the second registers,
// unless one of them is preferred.
class Registry {
 public:
  explicit Registry(Session& session) : session_(session) {}
  ~Registry();  // calls the release callbacks, last registered first
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Validate every field, copy, and index. Throw mo::Error whose text names rule,
  // field, value and what was expected; it is noted in plugin.problems, too. `plugin` must outlive the
  // registry.
  void add(const mo_operation_def&, Plugin&);
  void add(const mo_extractor_def&, Plugin&);
  void add(const mo_transformation_def&, Plugin&);
  void add(const mo_frontend_def&, Plugin&);
  void add(const mo_option_def&, Plugin&);
  void add(const mo_converter_def&, Plugin&);
  void add_interface(mo_str name, uint32_t revision, const void* table, Plugin&);
  // Takes back everything a plugin registered: it failed half-way and is refused as a whole.
  void remove_all_of(const Plugin&);
  // Ids of plugins, the most preferred first. Asked for while plugins register.
  void prefer(std::vector<std::string> ids) { preferred_ = std::move(ids); }
  bool prefers(const Plugin& p) const {
    return std::find(preferred_.begin(), preferred_.end(), p.id) != preferred_.end();
  }
  // An operation of a plugin that is not opened yet. `open` is called, once per plugin, before the first
  // lookup that needs it and before any list of operations is given.
  void defer(std::string_view op, std::string_view opset, const Plugin&);
  bool is_deferred(std::string_view op, std::string_view opset) const;
  std::function<void(const Plugin&)> open;
  // Registers the contents of the front-ends that have a name of this one; of all. Throws Failure when that
  // is refused, and the plugin with it. Nothing where they are there already.
  void open_contents(const FrontEnd&) const;
  void open_contents() const;
  // Of the front-ends of this plugin, which is being loaded.
  void open_contents_of(const Plugin&) const;
  // Are contents of this plugin not there yet?
  bool has_closed(const Plugin&) const;
  bool has_closed() const { return !closed_.empty(); }
  // A name of the host's own options, which no plugin may register.
  void reserve_option(std::string_view name) { host_options_.emplace(name); }

  const Operation* operation(Symbol op, Symbol opset) const;
  const Operation* operation(std::string_view op, std::string_view opset) const;
  // The best extractor for an operation of a framework: a vendor's before a built-in one, exact framework
  // before any, narrow version range before wide. version 0: not known, any range will do.
  const Extractor* extractor(std::string_view framework, std::string_view domain, std::string_view op,
                             int32_t version) const;
  // All of them, best first: what to ask when one says it is not applicable.
  std::vector<const Extractor*> extractors(std::string_view framework, std::string_view domain,
                                           std::string_view op, int32_t version) const;
  // What nobody has registered so far may be among contents: those of all front-ends are opened then.
  const Transformation* transformation(std::string_view id) const;
  // The one of this id, or all of the group that has it.
  std::vector<const Transformation*> transformations(std::string_view id) const;
  const FrontEnd* frontend(std::string_view name_or_alias) const;
  const Interface* find_interface(std::string_view name, uint32_t revision) const;
  const Converter* converter(std::string_view type_name) const;
  const OptionDef* option(std::string_view name) const;

  // Is this transformation meant for models of `framework`: by its own list and by where its plugin was
  // found.
  bool serves(const Transformation&, std::string_view framework) const;
  // By name or alias.
  bool same_framework(std::string_view a, std::string_view b) const;

  // In order of (plugin id, order of registration): the same whatever order plugins were loaded in.
  std::vector<const Operation*> operations() const;
  // Opens nobody.
  std::vector<const Operation*> operations_of(const Plugin&) const;
  std::vector<const Extractor*> extractors() const;
  std::vector<const Transformation*> transformations() const;
  std::vector<const FrontEnd*> frontends() const;
  std::vector<const OptionDef*> options() const;
  std::vector<const Converter*> converters() const;
  std::vector<const Interface*> interfaces() const;

 private:
  struct Release {
    const Plugin* plugin;
    void (*call)(void*);
    void* self;
  };
  // Throw when somebody else has it and nobody is preferred; what yields is marked so.
  void claim(Operation&);
  void claim(Extractor&);
  void claim(Transformation&);
  void claim(FrontEnd&);
  void claim(OptionDef&);
  void claim(Converter&);
  void claim(Interface&);
  static void take_place(Transformation&, const Transformation& of);
  template <class T>
  void decide_between(const std::string& what, const std::vector<const T*>& rivals, T& mine,
                      std::list<T>& all);
  [[noreturn]] void clash(const std::string& what, const Plugin& first, const Plugin& second,
                          std::string_view advice = {});
  // Less is preferred.
  size_t preference(const Plugin&) const;
  Plugin& own(const Plugin&) const;
  template <class T>
  void keep(T&&, std::list<T>& all);
  // What makes a registration that is used findable.
  void enter(const Operation&);
  void enter(const Extractor&);
  void enter(const Transformation&);
  void enter(const OptionDef& o) { option_index_.enter(o.name, o); }
  template <class T>
  void enter(const T&) {}
  void close(const FrontEnd& f) {
    if (f.contents != nullptr) closed_.push_back(&f);
  }
  template <class T>
  void close(const T&) {}
  void remove_from_lookup(const Operation&);
  void remove_from_lookup(const Extractor&);
  void remove_from_lookup(const Transformation&);
  void remove_from_lookup(const OptionDef& o) { option_index_.remove(o.name, o); }
  template <class T>
  void remove_from_lookup(const T&) {}
  template <class T>
  void take_back(const Plugin&, std::list<T>& all);
  const Operation* find_operation(uint64_t key) const;
  void open_or_refuse(const Plugin&) const;
  void open_deferred(const Plugin&) const;
  template <class T>
  void keep_release(const T& t) {
    if (t.release != nullptr) releases_.push_back({t.plugin, t.release, t.self});
  }

  template <class T>
  class ByName {
   public:
    void enter(const std::string& name, const T& t) {
      items_.erase(name);  // its key may be the name of one that goes
      items_.emplace(name, &t);
    }
    void remove(const std::string& name, const T& t) {
      if (find(name) == &t) items_.erase(name);
    }
    const T* find(std::string_view name) const {
      const auto it = items_.find(name);
      return it == items_.end() ? nullptr : it->second;
    }

   private:
    std::unordered_map<std::string_view, const T*> items_;  // their own names
  };

  Session& session_;
  // Lists: what is taken back leaves pointers to the rest valid.
  std::list<Operation> operations_;
  std::list<Extractor> extractors_;
  std::list<Transformation> transformations_;
  std::list<FrontEnd> frontends_;
  std::list<OptionDef> options_;
  std::list<Converter> converters_;
  std::list<Interface> interfaces_;
  std::vector<Release> releases_;
  std::set<std::string, std::less<>> host_options_;
  std::vector<std::string> preferred_;
  mutable std::vector<const FrontEnd*> closed_;                     // whose contents are not registered yet
  mutable std::unordered_map<uint64_t, const Plugin*> deferred_;    // as operation_index_
  std::unordered_map<uint64_t, const Operation*> operation_index_;  // op symbol << 32 | opset symbol
  Symbol any_operation_ = 0;  // "_", once an operation of that name is registered
  std::unordered_map<Symbol, std::vector<const Extractor*>> extractor_index_;  // by op
  ByName<Transformation> transformation_index_, group_index_;                  // of a group, one
  ByName<OptionDef> option_index_;
};

}  // namespace mo::core
