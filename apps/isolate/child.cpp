#include "apps/isolate/child.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>

#include "apps/isolate/definitions.hpp"
#include "apps/isolate/host_calls.hpp"
#include "apps/isolate/proxies.hpp"
#include "core/host/host_tables.hpp"
#include "core/host/library.hpp"
#include "core/registry/abi.hpp"

namespace mo::app::isolate {

namespace {

// What a callback of the plugin is handed.
struct ChildContext : mo_context {
  uint32_t index = no_context;
  Arena arena;
  std::vector<TensorProxy*> borrowed;
  std::string last_error;
  // What was lent when a mark was made.
  struct Mark {
    Arena::Mark memory;
    size_t borrowed = 0;
    bool operator==(const Mark&) const = default;
  };
  std::vector<Mark> marks;
};

// What the plugin registered: whose callbacks run when the host names its number.
struct Registered {
  std::shared_ptr<void> definition;
  void (*release)(const void* definition) = nullptr;
};

class Child final : public Side {
 public:
  Child(core::Descriptor socket, const mo_host& offered) : channel_(std::move(socket)), offered_(offered) {}

  [[noreturn]] void serve(const core::FoundPlugin&);

  // Side.
  void put_tensor(Writer& w, mo_tensor* t) override { proxies_.put_tensor(w, t); }
  mo_tensor* get_tensor(Reader& r) override {
    TensorProxy* p = proxies_.receive_tensor(r);
    if (p != nullptr) borrower_->borrowed.push_back(p);
    return reinterpret_cast<mo_tensor*>(p);
  }
  mo_tensor* own_tensor(Reader& r) override {
    return reinterpret_cast<mo_tensor*>(proxies_.receive_tensor(r));
  }
  void drop_tensor(mo_tensor* t) override { proxies_.release(proxy_of(t)); }
  void put_file(Writer& w, mo_file* f) override { w.put(f == nullptr ? uint64_t{0} : proxy_of(f)->handle); }
  mo_file* get_file(Reader&) override { throw Violation("files are not lent"); }
  mo_file* own_file(Reader& r) override { return reinterpret_cast<mo_file*>(proxies_.receive_file(r)); }
  void drop_file(mo_file* f) override { proxies_.release(proxy_of(f)); }
  mo_str keep(std::string_view s) override {
    const std::string& kept = *lasting_.emplace(s).first;
    return {kept.data(), kept.size()};
  }

  // What the tables below do.
  Proxies& proxies() {
    ++answered_here_;
    return proxies_;
  }
  ChildContext* context_at(mo_context* c) {
    for (ChildContext* context : contexts_)
      if (context == c) return context;
    return nullptr;
  }
  template <size_t i, class Tuple>
  mo_status call_host(mo_context* c, const Tuple& args);
  // An Extra of the form: parameters, status.
  template <class Put>
  mo_status ask(Extra what, mo_context* c, Put put);
  template <class F>
  mo_status locally(mo_context* c, mo_tensor** tensor, F make);
  template <class Def>
  mo_status add(Extra what, mo_context* c, const Def* def);
  // Of what cannot be had the status, and what there is to say.
  mo_status ensure_data(Extra what, Proxy&, std::string& problem);
  uint64_t mark_lent(mo_context* c);
  mo_status release_lent(mo_context* c, uint64_t mark);
  mo_str last_error(mo_context* c);

 private:
  Writer begin(Kind kind) {
    Writer w;
    w.put(kind);
    proxies_.put_released(w);
    w.put(answered_here_.load());
    return w;
  }
  Message exchange(const Writer& w);
  void run_callback(Message);
  void run(uint32_t function, uint64_t number, ChildContext&, Reader&, Writer&);
  template <class Def>
  uint64_t remember(const Def& d);
  template <class Def>
  void put_callbacks(Writer&, const Def&);
  [[noreturn]] void leave();

  Channel channel_;
  const mo_host& offered_;
  std::recursive_mutex asking_;  // held from a question to its answer, but not while the plugin runs
  Proxies proxies_;
  std::atomic<uint64_t> answered_here_{0};  // host functions that need no message
  std::vector<ChildContext*> contexts_;     // of callbacks under way
  ChildContext* borrower_ = nullptr;
  std::vector<Registered> registered_;
  std::set<std::string, std::less<>> lasting_;
  const mo_plugin* descriptor_ = nullptr;
};

Child* child = nullptr;

// The tables that the plugin sees.

core::HostTables tables;

template <class Table>
Table& mutable_table() {
  return const_cast<Table&>(core::table_of<Table>(tables.host));
}

template <size_t i, class Arguments>
struct Stub;
template <size_t i, class... A>
struct Stub<i, std::tuple<A...>> {
  static mo_status call(mo_context* c, A... args) {
    return child->call_host<i>(c, std::tuple<A...>(args...));
  }
};

mo_status fail_in_host(mo_context* c, mo_status status, std::string_view text) {
  return tables.host.fail(c, status, 0, {text.data(), text.size()});
}

mo_status stub_info(const mo_tensor* t, mo_tensor_info* info) {
  if (t == nullptr || info == nullptr || info->size < sizeof(size_t)) return MO_INVALID_ARGUMENT;
  TensorProxy& p = *proxy_of(t);
  mo_tensor_info i{};
  i.size = std::min(info->size, sizeof i);
  i.dims = p.dims.data();
  i.rank = static_cast<int64_t>(p.dims.size());
  i.bytes = p.bytes;
  i.element_type = p.type;
  i.resident = p.has_data ? 1 : 0;
  std::memcpy(info, &i, i.size);
  return MO_OK;
}

mo_status stub_data(mo_context* c, const mo_tensor* t, const void** data) {
  const auto failed = [&](mo_status status, std::string_view why) {
    return c == nullptr ? status : fail_in_host(c, status, why);
  };
  if (t == nullptr || data == nullptr) return failed(MO_INVALID_ARGUMENT, "tensor and data are not NULL");
  TensorProxy& p = *proxy_of(t);
  std::string problem;
  if (const mo_status status = child->ensure_data(Extra::tensor_bytes, p, problem); status != MO_OK)
    return failed(status, problem);
  *data = p.data;
  return MO_OK;
}

mo_status stub_create(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, mo_tensor** tensor,
                      void** data) {
  return child->locally(c, tensor, [&](mo_context* here, mo_tensor** made) {
    return core::host_tables().tensor.create(here, type, dims, rank, made, data);
  });
}

mo_status stub_wrap(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, const void* data,
                    uint64_t bytes, void (*release)(void*), void* user, mo_tensor** tensor) {
  return child->locally(c, tensor, [&](mo_context* here, mo_tensor** made) {
    return core::host_tables().tensor.wrap(here, type, dims, rank, data, bytes, release, user, made);
  });
}

// Computed at once, by this process: only here the plugin can be asked.
mo_status stub_lazy(mo_context* c, const mo_lazy_def* def, mo_tensor** tensor) {
  if (def == nullptr || def->size < sizeof *def || def->read == nullptr)
    return fail_in_host(c, MO_INVALID_ARGUMENT, "the definition is not what mo/plugin.h says");
  struct Asked {
    const mo_lazy_def* def;
    mo_context* context;
  } asked{def, c};
  const mo_status status = child->locally(c, tensor, [&](mo_context* here, mo_tensor** made) {
    mo_lazy_def d = *def;
    d.bases = nullptr;
    d.n_bases = 0;
    d.user = &asked;
    d.release = nullptr;
    d.read = [](void* user, mo_context*, uint64_t offset, uint64_t bytes, void* buffer) {
      const Asked& a = *static_cast<Asked*>(user);
      return a.def->read(a.def->user, a.context, offset, bytes, buffer);
    };
    const mo_status defined = core::host_tables().tensor.lazy(here, &d, made);
    if (defined != MO_OK) return defined;
    const void* data = nullptr;
    const mo_status computed = core::host_tables().tensor.data(here, *made, &data);
    if (computed == MO_OK) return computed;
    core::host_tables().tensor.release(std::exchange(*made, nullptr));
    return core::note_failure(here, computed, std::string(view(child->last_error(c))));
  });
  if (status == MO_OK && def->release != nullptr) def->release(def->user);
  return status;
}

mo_status stub_read(mo_context* c, const mo_tensor* t, uint64_t offset, uint64_t bytes, void* buffer) {
  if (t == nullptr || (buffer == nullptr && bytes != 0))
    return fail_in_host(c, MO_INVALID_ARGUMENT, "tensor and buffer are not NULL");
  TensorProxy& p = *proxy_of(t);
  if (offset > p.bytes || bytes > p.bytes - offset)
    return fail_in_host(c, MO_INVALID_ARGUMENT,
                        text(bytes, " bytes at ", offset, " are asked for of a tensor of ", p.bytes));
  std::string problem;
  if (const mo_status status = child->ensure_data(Extra::tensor_bytes, p, problem); status != MO_OK)
    return fail_in_host(c, status, problem);
  if (bytes != 0) std::memcpy(buffer, static_cast<const char*>(p.data) + offset, bytes);
  return MO_OK;
}

mo_status stub_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
  if (table == nullptr) return fail_in_host(c, MO_INVALID_ARGUMENT, "argument 'table' is NULL");
  return fail_in_host(
      c, MO_NOT_FOUND,
      text("the interface '", name, "' revision ", revision, " is not reached from an isolated plugin"));
}

void fill_tables(const mo_host& offered) {
  tables.each_part([](auto& table, auto& pointer) { pointer = &table; });
  for_each_index<core::host_function_count>([](auto i) {
    using Call = HostCallAt<i()>;
    if constexpr (Call::is_message)
      mutable_table<typename Call::Table>().*Call::slot = &Stub<i(), typename Call::Arguments>::call;
  });
  tables.tensor.retain = [](mo_tensor* t) {
    if (t != nullptr) child->proxies().retain(*proxy_of(t));
  };
  tables.tensor.release = [](mo_tensor* t) {
    if (t != nullptr) child->proxies().release(proxy_of(t));
  };
  tables.tensor.info = stub_info;
  tables.tensor.data = stub_data;
  tables.tensor.create = stub_create;
  tables.tensor.wrap = stub_wrap;
  tables.tensor.lazy = stub_lazy;
  tables.tensor.read = stub_read;
  tables.file.release = [](mo_file* f) {
    if (f != nullptr) child->proxies().release(proxy_of(f));
  };
  tables.file.data = [](const mo_file* f, const void** data, uint64_t* bytes) {
    std::string problem;  // a file that is mapped has no other
    (void)child->ensure_data(Extra::file_bytes, *proxy_of(f), problem);
    if (data != nullptr) *data = proxy_of(f)->data;
    if (bytes != nullptr) *bytes = proxy_of(f)->bytes;
  };
  tables.registry.operation = [](mo_context* c, const mo_operation_def* d) {
    return child->add(Extra::add_operation, c, d);
  };
  tables.registry.extractor = [](mo_context* c, const mo_extractor_def* d) {
    return child->add(Extra::add_extractor, c, d);
  };
  tables.registry.transformation = [](mo_context* c, const mo_transformation_def* d) {
    return child->add(Extra::add_transformation, c, d);
  };
  tables.registry.frontend = [](mo_context* c, const mo_frontend_def* d) {
    return child->add(Extra::add_frontend, c, d);
  };
  tables.registry.option = [](mo_context* c, const mo_option_def* d) {
    return child->add(Extra::add_option, c, d);
  };
  tables.registry.converter = [](mo_context* c, const mo_converter_def* d) {
    return child->add(Extra::add_converter, c, d);
  };
  tables.registry.add_interface = [](mo_context* c, mo_str name, uint32_t revision, const void*) {
    return child->ask(Extra::add_interface, c, [&](Writer& w) {
      w.string(name);
      w.put(revision);
    });
  };
  tables.registry.in_source = [](mo_context* c, mo_str file) {
    return child->ask(Extra::in_source, c, [&](Writer& w) { w.string(file); });
  };
  tables.host.mark_lent = [](mo_context* c) { return child->mark_lent(c); };
  tables.host.release_lent = [](mo_context* c, uint64_t mark) { return child->release_lent(c, mark); };
  tables.host.last_error = [](mo_context* c) { return child->last_error(c); };
  tables.host.log = [](mo_context* c, int32_t level, mo_str text) {
    (void)child->ask(Extra::log, c, [&](Writer& w) {
      w.put(level);
      w.string(text);
    });
  };
  tables.host.get_interface = stub_interface;
  // As large as what is offered: what is newer does not exist for the plugin.
  tables.host.size = offered.size;
  tables.host.abi_major = offered.abi_major;
  tables.host.abi_minor = offered.abi_minor;
  tables.host.name = offered.name;
  tables.each_part(
      [&]<class Table>(Table& table, auto&) { table.size = core::table_of<Table>(offered).size; });
}

// Questions to the host.

Message Child::exchange(const Writer& w) {
  std::unique_lock lock(asking_);
  channel_.send(w.bytes(), -1, -1);
  for (;;) {
    double forever = -1;
    Message m = channel_.receive(forever);
    switch (static_cast<Kind>(m.bytes.front())) {
      case Kind::answer:
        return m;
      case Kind::call:
        lock.unlock();
        run_callback(std::move(m));
        lock.lock();
        break;
      default:
        leave();
    }
  }
}

template <size_t i, class Tuple>
mo_status Child::call_host(mo_context* c, const Tuple& args) {
  ChildContext* context = context_at(c);
  if (context == nullptr) return MO_INVALID_ARGUMENT;
  using Roles = HostRoles<i>;
  try {
    Writer w = begin(Kind::host_call);
    w.put(static_cast<uint32_t>(i));
    w.put(context->index);
    Roles::send(*this, w, args);
    const Message m = exchange(w);
    Reader r(std::string_view(m.bytes).substr(1), context->arena);
    const auto status = r.get<mo_status>();
    borrower_ = context;
    if (status == MO_OK) Roles::take(*this, r, args);
    return status;
  } catch (const std::bad_alloc&) {
    return MO_NO_MEMORY;
  } catch (const Closed&) {
    leave();
  }
}

template <class Put>
mo_status Child::ask(Extra what, mo_context* c, Put put) {
  ChildContext* context = context_at(c);
  if (context == nullptr) return MO_INVALID_ARGUMENT;
  try {
    Writer w = begin(Kind::host_call);
    w.put(what);
    w.put(context->index);
    put(w);
    const Message m = exchange(w);
    Reader r(std::string_view(m.bytes).substr(1), context->arena);
    const auto status = r.get<mo_status>();
    if (what == Extra::last_error) context->last_error = r.view();
    return status;
  } catch (const std::bad_alloc&) {
    return MO_NO_MEMORY;
  } catch (const Closed&) {
    leave();
  }
}

mo_str Child::last_error(mo_context* c) {
  ChildContext* context = context_at(c);
  if (context == nullptr || ask(Extra::last_error, c, [](Writer&) {}) != MO_OK) return {nullptr, 0};
  return {context->last_error.data(), context->last_error.size()};
}

// By the host's own function, in this process; the host learns of a failure only.
template <class F>
mo_status Child::locally(mo_context* c, mo_tensor** tensor, F make) {
  if (context_at(c) == nullptr) return MO_INVALID_ARGUMENT;
  ++answered_here_;
  static auto* session = new core::Session(core::host_table());
  const core::Call call(*session);
  mo_tensor* made = nullptr;
  const mo_status status = make(call.get(), tensor == nullptr ? nullptr : &made);
  if (status != MO_OK) return fail_in_host(c, status, call->error);
  *tensor = reinterpret_cast<mo_tensor*>(proxies_.adopt(core::TensorRef::adopt(made)));
  return MO_OK;
}

uint64_t Child::mark_lent(mo_context* c) {
  ChildContext* context = context_at(c);
  if (context == nullptr) return 0;
  ++answered_here_;
  const ChildContext::Mark now{context->arena.mark(), context->borrowed.size()};
  if (context->marks.empty() || context->marks.back() != now) context->marks.push_back(now);
  return context->marks.size();
}

mo_status Child::release_lent(mo_context* c, uint64_t mark) {
  ChildContext* context = context_at(c);
  if (context == nullptr) return MO_INVALID_ARGUMENT;
  ++answered_here_;
  if (mark == 0 || mark > context->marks.size())
    return fail_in_host(c, MO_INVALID_ARGUMENT, text("there is no mark ", mark));
  context->marks.resize(mark);
  const ChildContext::Mark then = context->marks.back();
  for (; context->borrowed.size() > then.borrowed; context->borrowed.pop_back())
    proxies_.release(context->borrowed.back());
  context->arena.release_to(then.memory);
  return MO_OK;
}

mo_status Child::ensure_data(Extra what, Proxy& p, std::string& problem) {
  ++answered_here_;
  const std::lock_guard lock(asking_);
  if (p.has_data) return MO_OK;
  try {
    Writer w = begin(Kind::host_call);
    w.put(what);
    w.put(no_context);
    w.put(p.handle);
    Message m = exchange(w);
    Arena arena;
    Reader r(std::string_view(m.bytes).substr(1), arena);
    if (const auto status = r.get<mo_status>(); status != MO_OK) {
      problem = r.view();
      return status;
    }
    const auto offset = r.get<uint64_t>();
    if (m.file) {
      p.mapping = Mapping(m.file, offset, p.bytes);
      p.data = p.mapping.data();
    } else {
      p.inline_data.assign(r.raw(p.bytes), p.bytes);
      p.data = p.inline_data.data();
    }
    p.has_data = true;
    return MO_OK;
  } catch (const Closed&) {
    leave();
  }
}

// Registrations.

template <class Def>
uint64_t Child::remember(const Def& d) {
  Registered r;
  r.definition = std::make_shared<Def>(d);
  if constexpr (requires { d.release; })
    if (d.release != nullptr)
      r.release = [](const void* definition) {
        const auto& own = *static_cast<const Def*>(definition);
        own.release(own.user);
      };
  registered_.push_back(std::move(r));
  return registered_.size() - 1;
}

// Number, which callbacks there are, and whether it has to be released.
template <class Def>
void Child::put_callbacks(Writer& w, const Def& d) {
  w.put(remember(d));
  uint32_t there = 0;
  for_each_callback<Def>([&](auto i) {
    if (d.*Callbacks::At<i()>::slot != nullptr) there |= 1U << i();
  });
  w.put(there);
  bool unload = false;
  if constexpr (requires { d.unload; }) unload = d.unload != nullptr;
  w.put<uint8_t>(unload);
}

template <class Def>
mo_status Child::add(Extra what, mo_context* c, const Def* def) {
  return ask(what, c, [&](Writer& w) {
    w.put<uint8_t>(def != nullptr);
    if (def == nullptr) return;
    const Def d = sized_copy(def);
    put_definition(*this, w, d);
    if constexpr (!std::is_same_v<Def, mo_option_def>) put_callbacks(w, d);
    if constexpr (std::is_same_v<Def, mo_transformation_def>) {
      const Stride stride = stride_of(d.nodes, d.n_nodes);
      const auto* at = reinterpret_cast<const char*>(d.nodes);
      for (uint64_t i = 0; i < stride.readable; ++i, at += stride.bytes) {
        mo_pattern_node n{};
        std::memcpy(static_cast<void*>(&n), at, std::min(stride.bytes, sizeof n));
        put_callbacks(w, n);
      }
    }
  });
}

// Callbacks.

void Child::run_callback(Message m) {
  ChildContext context;
  context.size = sizeof(mo_context);
  context.host = &tables.host;
  Reader r(std::string_view(m.bytes).substr(1), context.arena);
  const auto function = r.get<uint32_t>();
  const auto number = r.get<uint64_t>();
  context.index = r.get<uint32_t>();
  contexts_.push_back(&context);
  Writer result;
  try {
    Writer inner;
    inner.put<uint8_t>(0);
    run(function, number, context, r, inner);
    result = std::move(inner);
  } catch (const std::exception& e) {
    result.put<uint8_t>(1);
    result.string({e.what(), std::strlen(e.what())});
  } catch (...) {
    result.put<uint8_t>(1);
    result.string({nullptr, 0});
  }
  contexts_.pop_back();
  for (TensorProxy* p : context.borrowed) proxies_.release(p);
  Writer w = begin(Kind::done);
  w.raw(result.bytes().data(), result.bytes().size());
  channel_.send(w.bytes(), -1, -1);
}

void Child::run(uint32_t function, uint64_t number, ChildContext& context, Reader& r, Writer& w) {
  borrower_ = &context;
  switch (static_cast<Extra>(function)) {
    case Extra::load:
      return w.put(descriptor_->load(&context));
    case Extra::unload: {
      const auto& d = *static_cast<const mo_frontend_def*>(registered_.at(number).definition.get());
      d.unload(d.user, r.get<void*>());
      return w.put<mo_status>(MO_OK);
    }
    case Extra::release: {
      const Registered& own = registered_.at(number);
      if (own.release != nullptr) own.release(own.definition.get());
      return w.put<mo_status>(MO_OK);
    }
    default:
      break;
  }
  for_each_index<Callbacks::size>([&](auto i) {
    if (i() != function) return;
    using Callback = Callbacks::At<i()>;
    const auto& d = *static_cast<const typename Callback::Def*>(registered_.at(number).definition.get());
    typename Callback::Roles parts;
    parts.receive(*this, r);
    const mo_status status = std::apply(
        [&](auto... args) { return (d.*Callback::slot)(d.user, &context, args...); }, parts.args());
    w.put(status);
    if (status == MO_OK) parts.answer(*this, w);
  });
}

// Life.

void Child::leave() { _exit(0); }

void put_failure(Writer& w, const core::Failure& f) {
  w.string(str(f.code()));
  w.string(str(f.message()));
  w.put<uint64_t>(f.context().size());
  for (const auto& [label, text] : f.context()) {
    w.string(str(label));
    w.string(str(text));
  }
}

// The first message: what the file is, or why it is none.
void Child::serve(const core::FoundPlugin& found) {
  Writer w = begin(Kind::done);
  try {
    const core::PluginEntry entry = open_plugin(found);
    std::string thrown;
    try {
      descriptor_ = entry();
      w.put<uint8_t>(descriptor_ == nullptr ? 1 : 0);
    } catch (const std::exception& e) {
      w.put<uint8_t>(3);
      w.string({e.what(), std::strlen(e.what())});
    } catch (...) {
      w.put<uint8_t>(3);
      w.string({nullptr, 0});
    }
    if (descriptor_ != nullptr) {
      mo_plugin d = sized_copy(descriptor_);
      // What another major has at these places is not known.
      if (d.abi_major != offered_.abi_major)
        for (mo_str* s : {&d.id, &d.version, &d.vendor, &d.license, &d.description, &d.support_url}) *s = {};
      put_definition(*this, w, d);
    }
  } catch (const core::Failure& f) {
    w.put<uint8_t>(2);
    put_failure(w, f);
  }
  try {
    channel_.send(w.bytes(), -1, -1);
    for (;;) {
      double forever = -1;
      Message m;
      {
        const std::lock_guard lock(asking_);
        m = channel_.receive(forever);
      }
      if (static_cast<Kind>(m.bytes.front()) != Kind::call) break;
      run_callback(std::move(m));
    }
    if (descriptor_ != nullptr && descriptor_->size >= sizeof(mo_plugin) && descriptor_->shutdown != nullptr)
      descriptor_->shutdown();
  } catch (const Closed&) {
    leave();
  }
  std::exit(0);
}

// exit() must not run what the host left to be done at its own end.
void leave_at_once(int status, void*) {
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

void run_child(core::Descriptor socket, const core::FoundPlugin& found, const mo_host& host) {
  on_exit(leave_at_once, nullptr);
  fill_tables(host);
  child = new Child(std::move(socket), host);
  child->serve(found);
}

}  // namespace mo::app::isolate
