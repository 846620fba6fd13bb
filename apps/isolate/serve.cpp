// What an isolated plugin asks of the host, executed by the functions that any plugin calls.
#include <algorithm>
#include <array>

#include "apps/isolate/definitions.hpp"
#include "apps/isolate/isolated.hpp"
#include "core/registry/abi.hpp"

namespace mo::app::isolate {

namespace {

// Host functions.

template <size_t i>
void serve_call(Isolated& plugin, mo_context* c, Reader& r, Writer& w) {
  using Call = HostCallAt<i>;
  HostRoles<i> parts;
  parts.receive(plugin.shared(), r);
  r.end();
  const auto& table = core::table_of<typename Call::Table>(*c->host);
  const auto* slot = reinterpret_cast<const char*>(&(table.*Call::slot));
  if (slot + sizeof(table.*Call::slot) > reinterpret_cast<const char*>(&table) + table.size)
    throw Violation("a host function is called that is not offered");
  // The plugin's process has what it was answered to itself.
  const uint64_t mark = c->host->mark_lent(c);
  const mo_status status =
      std::apply([&](auto... args) { return (table.*Call::slot)(c, args...); }, parts.args());
  w.put(status);
  if (status == MO_OK) parts.answer(plugin.shared(), w);
  (void)c->host->release_lent(c, mark);
}

using ServeCall = void (*)(Isolated&, mo_context*, Reader&, Writer&);

template <size_t i>
constexpr ServeCall server() {
  if constexpr (HostCallAt<i>::is_message)
    return &serve_call<i>;
  else
    return nullptr;
}
template <size_t... i>
constexpr std::array<ServeCall, sizeof...(i)> all_calls(std::index_sequence<i...>) {
  return {server<i>()...};
}
constexpr auto calls = all_calls(std::make_index_sequence<core::host_function_count>{});

// Registrations.

// The `user` of a registration: which one of which plugin.
struct Target {
  std::shared_ptr<Isolated> plugin;
  uint64_t number = 0;
  std::vector<std::unique_ptr<Target>> nodes;  // of a pattern

  static void release(void* self) {
    const std::unique_ptr<Target> target(static_cast<Target*>(self));
    target->plugin->tell(Extra::release, target->number, [](Shared&, Writer&) {});
  }
  static void unload(void* self, void* model) {
    const auto* target = static_cast<const Target*>(self);
    target->plugin->tell(Extra::unload, target->number, [&](Shared&, Writer& w) { w.put(model); });
  }
};

// A callback of the host's own in the place of the plugin's.
template <size_t i, class Arguments>
struct Standin;
template <size_t i, class... A>
struct Standin<i, std::tuple<A...>> {
  static mo_status call(void* self, mo_context* c, A... args) {
    const auto* target = static_cast<const Target*>(self);
    using Roles = typename Callbacks::At<i>::Roles;
    const std::tuple<A...> all(args...);
    return target->plugin->ask(
        i, target->number, c, [&](Shared& side, Writer& w) { Roles::send(side, w, all); },
        [&](Shared& side, Reader& r) { Roles::take(side, r, all); });
  }
};

template <class Def>
void stand_in(Reader& r, Def& d, Target& target, const std::shared_ptr<Isolated>& plugin) {
  target.plugin = plugin;
  target.number = r.get<uint64_t>();
  const auto there = r.get<uint32_t>();
  const bool unload = r.flag();
  for_each_callback<Def>([&](auto i) {
    using Callback = Callbacks::At<i()>;
    if ((there >> i() & 1U) != 0) d.*Callback::slot = &Standin<i(), typename Callback::Arguments>::call;
  });
  d.user = &target;
  if constexpr (requires { d.release; }) d.release = &Target::release;
  if constexpr (requires { d.unload; }) d.unload = unload ? &Target::unload : nullptr;
}

// Nodes are as far apart as the plugin has them.
void stand_in_for_nodes(Reader& r, const mo_transformation_def& d, Target& target) {
  const Stride stride = stride_of(d.nodes, d.n_nodes);
  auto* at = reinterpret_cast<char*>(const_cast<mo_pattern_node*>(d.nodes));
  for (uint64_t i = 0; i < stride.readable; ++i, at += stride.bytes) {
    mo_pattern_node n{};
    std::memcpy(static_cast<void*>(&n), at, std::min(stride.bytes, sizeof n));
    stand_in(r, n, *target.nodes.emplace_back(std::make_unique<Target>()), target.plugin);
    std::memcpy(at, &n, std::min(stride.bytes, sizeof n));
  }
}

template <class Def>
void serve_registration(const std::shared_ptr<Isolated>& plugin, mo_context* c, Reader& r, Writer& w,
                        mo_status (*mo_registry_api::*add)(mo_context*, const Def*)) {
  const auto& table = core::table_of<mo_registry_api>(*c->host);
  if (!r.flag()) return w.put((table.*add)(c, nullptr));
  Def d{};
  get_definition(plugin->shared(), r, d);
  auto target = std::make_unique<Target>();
  if constexpr (!std::is_same_v<Def, mo_option_def>) stand_in(r, d, *target, plugin);
  if constexpr (std::is_same_v<Def, mo_transformation_def>) stand_in_for_nodes(r, d, *target);
  r.end();
  const mo_status status = (table.*add)(c, &d);
  // From now on the registry has it, and releases it.
  if (status == MO_OK && !std::is_same_v<Def, mo_option_def>) (void)target.release();
  w.put(status);
}

}  // namespace

core::Descriptor serve(const std::shared_ptr<Isolated>& plugin, Reader& r, Writer& w) {
  const auto function = r.get<uint32_t>();
  const auto context = r.get<uint32_t>();
  if (function < calls.size()) {
    if (calls[function] == nullptr) throw Violation("something is asked for that has a message of its own");
    calls[function](*plugin, plugin->context_at(context), r, w);
    return {};
  }
  const auto what = static_cast<Extra>(function);
  if (what == Extra::tensor_bytes || what == Extra::file_bytes) {
    const auto handle = r.get<uint64_t>();
    r.end();
    Writer bytes;
    try {
      core::Descriptor file = what == Extra::tensor_bytes ? plugin->shared().put_tensor_bytes(bytes, handle)
                                                          : plugin->shared().put_file_bytes(bytes, handle);
      w.put<mo_status>(MO_OK);
      w.raw(bytes.bytes().data(), bytes.bytes().size());
      return file;
    } catch (const Error& e) {  // of a lazy tensor
      w.put<mo_status>(e.status() == MO_OK ? MO_ERROR : e.status());
      w.string(str(std::string_view(e.what())));
      return {};
    }
  }
  mo_context* c = plugin->context_at(context);
  switch (what) {
    case Extra::log: {
      const auto level = r.get<int32_t>();
      c->host->log(c, level, r.string());
      w.put<mo_status>(MO_OK);
      break;
    }
    case Extra::last_error:
      w.put<mo_status>(MO_OK);
      w.string(c->host->last_error(c));
      break;
    case Extra::add_operation:
      serve_registration(plugin, c, r, w, &mo_registry_api::operation);
      break;
    case Extra::add_extractor:
      serve_registration(plugin, c, r, w, &mo_registry_api::extractor);
      break;
    case Extra::add_transformation:
      serve_registration(plugin, c, r, w, &mo_registry_api::transformation);
      break;
    case Extra::add_frontend:
      serve_registration(plugin, c, r, w, &mo_registry_api::frontend);
      break;
    case Extra::add_option:
      serve_registration(plugin, c, r, w, &mo_registry_api::option);
      break;
    case Extra::add_converter:
      serve_registration(plugin, c, r, w, &mo_registry_api::converter);
      break;
    case Extra::add_interface: {
      const std::string name(r.view());
      plugin->session().log(MO_LOG_WARNING,
                            text("the interface '", name, "' revision ", r.get<uint32_t>(),
                                 " is not offered to others while its plugin runs isolated"),
                            static_cast<core::CallContext*>(c)->plugin);
      w.put<mo_status>(MO_OK);
      break;
    }
    case Extra::in_source:
      w.put(core::table_of<mo_registry_api>(*c->host).in_source(c, r.string()));
      break;
    default:
      throw Violation("something is asked for that does not exist");
  }
  r.end();
  return {};
}

}  // namespace mo::app::isolate
