// A session: one conversion's (or one command's) world. Several can live in a process; they share nothing but
// the loaded libraries.
#pragma once

#include "core/registry/authors.hpp"
#include "core/registry/registry.hpp"
#include "core/support/failure.hpp"
#include "core/support/releases.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>

namespace mo::core {

class Session;
struct ConfigEntry;
struct Match;
class Rewrite;

// Memory for what the host hands out during one callback. What needs no destructor, nearly all of it, lies
// side by side in blocks, of which one stays for the next callback.
class Scratch {
 public:
  template <class T>
  T* array(size_t n) {
    if constexpr (std::is_trivially_destructible_v<T>) {
      T* data = static_cast<T*>(room(n * sizeof(T)));
      std::uninitialized_value_construct_n(data, n);
      return data;
    } else {
      return keep(std::vector<T>(n)).data();
    }
  }
  template <class T>
  T& keep(T t) {
    if constexpr (std::is_trivially_destructible_v<T>) {
      return *new (room(sizeof(T))) T(std::move(t));
    } else {
      auto kept = std::make_shared<T>(std::move(t));
      T& ref = *kept;
      kept_.push_back(std::move(kept));
      return ref;
    }
  }
  // Nothing is allocated for each.
  void keep_alive(TensorRef t) { tensors_.push_back(std::move(t)); }
  // What was handed out before and is as `same` says; nullptr: nothing is. Who looks at a large graph asks
  // for the same again and again, and what is kept for each question would fill the caches, and then the
  // memory.
  template <class T, class Same>
  const T* find_lent(size_t hash, Same same) const {
    if (slots_.empty()) return nullptr;
    for (size_t i = hash % slots_.size(); slots_[i] != 0; i = (i + 1) % slots_.size()) {
      const Lent& l = lent_[slots_[i] - 1];
      if (l.hash != hash || l.type != &type_of<T>) continue;
      if (const T& t = *static_cast<const T*>(l.what); same(t)) return &t;
    }
    return nullptr;
  }
  template <class T>
  void note_lent(size_t hash, const T* what) {
    note_lent({hash, what, &type_of<T>});
  }
  // What is handed out from here on goes with release_to, marks that are made from here on, too.
  uint64_t mark();
  bool release_to(uint64_t mark);
  void clear() {
    marks_.clear();
    let_go({});
    if (blocks_.size() > 1) blocks_.resize(1);
    used_ = 0;
  }

 private:
  static constexpr size_t block = 4096;

  template <class T>
  static constexpr char type_of = 0;  // told apart by its address
  struct Lent {
    size_t hash;
    const void* what;
    const char* type;
  };
  // How much there was of each.
  struct Extent {
    size_t blocks = 0, used = 0, kept = 0, tensors = 0, lent = 0;
    bool operator==(const Extent&) const = default;
  };
  void note_lent(const Lent&);
  void place_lent(uint32_t number);
  void let_go(const Extent&);

  void* room(size_t bytes) {
    bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
    if (bytes > block) {
      kept_.push_back(std::shared_ptr<std::byte[]>(new std::byte[bytes]));
      return kept_.back().get();
    }
    if (blocks_.empty() || used_ + bytes > block) {
      blocks_.emplace_back(new std::byte[block]);
      used_ = 0;
    }
    used_ += bytes;
    return blocks_.back().get() + (used_ - bytes);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t used_ = 0;  // of the last one
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<TensorRef> tensors_;
  std::vector<Lent> lent_;
  std::vector<uint32_t> slots_;  // numbers in lent_, from 1 on, by hash
  std::vector<Extent> marks_;
};

mo_value to_abi(const Attribute&, Scratch&);
// Copies. Validates kind, counts, UTF-8, handles; throws mo::Error.
Attribute from_abi(Session&, const mo_value&);

// What a plugin said of a failure beside its text.
struct Remarks {
  std::string hint, code, option, place;
  bool empty() const { return hint.empty() && code.empty() && option.empty() && place.empty(); }
};

// What a plugin sees during one callback, and what the host knows about it. Plugins only see the mo_context.
struct CallContext : mo_context {
  Session* session = nullptr;
  const Plugin* plugin = nullptr;
  const Transformation* transformation = nullptr;
  Plugin* registering = nullptr;  // inside load()
  Graph* graph = nullptr;
  NodeId node = no_node;                                                 // the one at hand
  std::vector<TensorState>* outputs = nullptr;                           // inside infer and evaluate
  bool has_output = false;                                               // infer has said something about one
  std::vector<std::pair<std::string, std::string>>* ir_attrs = nullptr;  // inside ir_attrs
  struct TensorSymbols {
    std::optional<std::vector<mo_symbol>> dims, values;
  };
  std::vector<TensorSymbols>* symbols = nullptr;   // inside symbols
  Attribute* returned = nullptr;                   // sink of return_value
  std::vector<Attribute>* all_returned = nullptr;  // that of native_attrs
  Match* match = nullptr;
  const ConfigEntry* config = nullptr;  // what a transformation runs for
  Rewrite* rewrite = nullptr;           // inside callbacks of a transformation: replacements asked for
  std::string error;
  mo_node error_where = 0;
  Remarks remarks;                                                   // on the error
  std::string declined;                                              // reason given by decline()
  std::vector<std::pair<std::string, std::string>> declined_places;  // of on_graph: node and reason
  bool in_predicate = false;
  std::optional<Failure>
      failure;  // the last one inside a host call; kept while its text travels through the plugin
  Scratch scratch;
  // What mo_graph_api.desc gave last: of one port a shape, a type and a value are asked for in a row.
  struct Described {
    const Graph* graph = nullptr;
    PortRef port;
    uint64_t edits = 0;  // of all graphs, at that time
    const mo_tensor_desc* desc = nullptr;
  } described;
};

// A CallContext from the session's pool for the length of one callback.
class Call {
 public:
  explicit Call(Session& session);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  CallContext* operator->() const { return context_; }
  CallContext& operator*() const { return *context_; }
  mo_context* get() const { return context_; }
  // Throws a Failure built from the context's error text, plugin, transformation and node, unless status is
  // MO_OK.
  void check(mo_status status, std::string_view callback) const;

 private:
  Session& session_;
  CallContext* context_;
};

struct LogLine {
  int32_t level;
  const Plugin* plugin;  // nullptr: the host
  std::string text;
  ContextLines context{};
  // The text and one indented line per context, as a Failure has them.
  std::string render() const;
};

// What would end a conversion of a model that is only looked at.
struct Survey {
  struct Failed {
    mo_node node;
    Failure failure;
  };
  std::vector<Failed> failed;              // the node stays as it was
  std::vector<std::string> missing_files;  // beside the model; zeros stand for what is in them
  // True: the failure is noted, and the conversion goes on without what failed.
  bool takes(const Graph&, NodeId, const Failure&);
};

// Were these tables offered by a session of this process? [any thread]
bool is_ours(const mo_host*) noexcept;

class Session {
 public:
  // `host`: the tables that callbacks are handed; they live as long as the process.
  explicit Session(const mo_host& host);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Contents of front-ends that are built in are registered when they are asked for (mo_frontend_def). Before
  // plugins are loaded.
  bool opens_contents_late = false;
  const std::shared_ptr<GraphSpace>& space() const { return space_; }
  Registry& registry() { return registry_; }
  const Registry& registry() const { return registry_; }
  // Charged for values that are computed.
  const std::shared_ptr<MemoryAccount>& memory() const { return memory_; }
  // Sessions that work for one command share what it may take. Before anything is computed or opened.
  void share_memory(std::shared_ptr<MemoryAccount> account) { memory_ = std::move(account); }
  GraphPtr create_graph(std::string_view name) { return Graph::create(space_, name); }
  // Graphs that plugins have made, or taken from their holder, and that no attribute holds; by serial.
  std::unordered_map<uint32_t, GraphPtr>& loose_graphs() { return loose_graphs_; }

  std::deque<Plugin>& plugins() { return plugins_; }
  const std::deque<Plugin>& plugins() const { return plugins_; }

  // Options by name, as the command line or the caller gave them; lists are vector<string>.
  // Failure: a registered option does not allow that value.
  void set_option(std::string_view name, Attribute value);
  const Attribute* option(std::string_view name) const;  // falls back to the registered default
  // The oldest release that has to read what is written, as the option "target" says. Failure: it is none.
  const Release& target() const;

  std::function<void(const LogLine&)> log_sink;
  std::function<bool(uint64_t done, uint64_t total)> progress_sink;  // false: cancel
  // Once it is true, whoever begins a callback gets a Failure. Other threads may set it.
  const std::atomic<bool>* cancelled = nullptr;
  // What comes from files becomes printable here.
  void log(int32_t level, std::string_view text, const Plugin* plugin = nullptr) const;
  void log(LogLine line) const;

  // Entries of --transformations_config; nullptr without.
  std::shared_ptr<const std::vector<ConfigEntry>> configuration;

  // A model in memory: its parts are files of these names. In the place of those before. Failure: a name is
  // no relative path, or there twice.
  struct Part {
    std::string name;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void>
        owner;  // kept while a tensor looks into the bytes; nullptr: they outlive the session
  };
  void set_parts(std::vector<Part> parts);
  const std::map<std::string, FileRef>& parts() const { return parts_; }

  // Files are mapped once per session.
  FileRef open_file(const std::string& path);
  FileRef open_file_below(const std::string& folder, const std::string& relative);
  // Those of them that are open, in no order.
  std::vector<FileRef> files() const;
  // What a result depends on: these, and configurations and the like, which are noted by whoever reads them.
  // Absolute paths.
  std::set<std::string> read_files() const;
  void note_read(const std::string& path);

  // What extractors and transformations said when they declined an operator of the source.
  struct Declined {
    const Plugin* plugin;
    std::string why;
  };
  std::unordered_map<mo_node, std::vector<Declined>> declined;

  // By the framework's name of an operation: what extractors have made of it, where that is another name.
  std::map<std::string, std::set<std::string>, std::less<>> extracted_as;

  Authors authors;

  // Set: the model is looked at, not converted. What would end a conversion is noted there.
  Survey* survey = nullptr;

  // What found nothing to do when it last ran on the graph of this serial, and how many edits there had been.
  struct Quiet {
    uint32_t graph = 0;
    uint64_t edits = 0;
  };
  std::unordered_map<const Transformation*, Quiet> quiet;

  // Values are computed because somebody wants to see them, not to fold constants.
  bool executing = false;

  // The model being converted: its front-end answers native_attr.
  const FrontEnd* frontend = nullptr;
  void* model = nullptr;
  void close_model();  // calls unload

  const mo_host* host() const { return host_; }
  void offer(const mo_host& instead);

  // Callbacks under way, outermost first; a crash report names them.
  size_t call_depth() const { return pool_used_; }
  const CallContext& call_at(size_t depth) const { return *pool_[depth]; }

 private:
  friend class Call;
  std::shared_ptr<GraphSpace> space_ = std::make_shared<GraphSpace>();
  std::shared_ptr<MemoryAccount> memory_ = std::make_shared<MemoryAccount>();
  std::deque<Plugin> plugins_;
  Registry registry_{*this};
  std::unordered_map<uint32_t, GraphPtr> loose_graphs_;
  std::map<std::string, Attribute, std::less<>> options_;
  mutable std::map<std::string, Attribute, std::less<>> option_defaults_;
  std::map<std::string, FileRef> parts_;
  std::map<std::pair<uint64_t, uint64_t>, FileRef> files_;
  std::set<std::string> noted_files_;
  std::vector<std::unique_ptr<CallContext>> pool_;
  size_t pool_used_ = 0;
  const mo_host* host_;
};

// Handles: graph serial in the upper half, node index + 1 in the lower.
inline mo_node node_handle(const Graph& g, NodeId n) {
  return n == no_node ? 0 : (uint64_t{g.serial()} << 32) | (uint64_t{n} + 1);
}

// Names the node that a failure is about.
inline Failure& name_node(Failure& f, const Graph& g, NodeId n) {
  return f.with("node", describe(g, n)).at(node_handle(g, n));
}

}  // namespace mo::core
