// What plugins register: read, checked, kept; and taken back.
#include "core/registry/at_work.hpp"
#include "core/registry/counts.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

namespace {

// A registration that fails stays known, whatever the plugin does with the status.
template <class F>
void noting_problems(Plugin& plugin, F f) {
  try {
    f();
  } catch (const std::exception& e) {
    plugin.problems.push_back(reason_of(e));
    throw;
  }
}

}  // namespace

// Also kept when it yields to another: the plugin has handed it over, and it may be needed again.
template <class T>
void Registry::keep(T&& item, std::list<T>& all) {
  claim(item);
  const T& kept = all.emplace_back(std::forward<T>(item));
  if constexpr (requires { kept.release; })
    if (kept.release != nullptr) releases_.push_back({kept.plugin, kept.release, kept.self});
  close(kept);
  Plugin& plugin = own(*kept.plugin);
  if (kept.yields_to != nullptr) {
    ++plugin.withdrawn;
    return;
  }
  enter(kept);
  ++count_of(plugin, kept);
}

void Registry::add(const mo_operation_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    keep(read_operation(def, plugin, session_), operations_);
    const Operation& o = operations_.back();
    if (!is_operation_set(o.opset)) plugin.own_operations.emplace_back(o.op, o.opset);
  });
}

void Registry::add(const mo_extractor_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] { keep(read_extractor(def, plugin), extractors_); });
}

void Registry::add(const mo_transformation_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] { keep(read_transformation(def, plugin, session_), transformations_); });
}

void Registry::add(const mo_frontend_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] { keep(read_frontend(def, plugin), frontends_); });
}

void Registry::add(const mo_option_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] { keep(read_option(def, plugin), options_); });
}

void Registry::add(const mo_converter_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] { keep(read_converter(def, plugin), converters_); });
}

void Registry::add_interface(mo_str name, uint32_t revision, const void* table, Plugin& plugin) {
  noting_problems(plugin, [&] { keep(read_interface(name, revision, table, plugin), interfaces_); });
}

// Whoever yielded to it is there again.
template <class T>
void Registry::take_back(const Plugin& plugin, std::list<T>& all) {
  for (T& item : all)
    if (item.plugin == &plugin) {
      item.yields_to = &plugin;  // and so takes the place of no other one that goes
      remove_from_lookup(item);
    } else if (item.yields_to == &plugin) {
      item.yields_to = nullptr;
      enter(item);
      Plugin& other = own(*item.plugin);
      --other.withdrawn;
      ++count_of(other, item);
    }
  all.remove_if([&](const T& item) { return item.plugin == &plugin; });
}

void Registry::remove_all_of(const Plugin& plugin) {
  const auto of_plugin = [&](const auto& item) { return item.plugin == &plugin; };
  for (auto r = releases_.rbegin(); r != releases_.rend(); ++r)
    if (of_plugin(*r)) {
      const Working working(r->plugin, "release");
      r->call(r->self);
    }
  std::erase_if(releases_, of_plugin);
  std::erase_if(deferred_, [&](const auto& entry) { return entry.second == &plugin; });
  std::erase_if(closed_, [&](const FrontEnd* f) { return f->plugin == &plugin; });
  take_back(plugin, operations_);
  take_back(plugin, extractors_);
  take_back(plugin, transformations_);
  take_back(plugin, frontends_);
  take_back(plugin, options_);
  take_back(plugin, converters_);
  take_back(plugin, interfaces_);
}

}  // namespace mo::core
