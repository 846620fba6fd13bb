#include "core/host/registry.hpp"

#include <algorithm>
#include <tuple>

#include "core/host/definitions.hpp"

namespace mo::core {

namespace {

uint64_t operation_key(Symbol op, Symbol opset) { return uint64_t{op} << 32U | opset; }

// A registration that fails stays known, whatever the plugin does with the status.
template <class F>
void noting_problems(Plugin& plugin, F f) {
  try {
    f();
  } catch (const std::exception& e) {
    plugin.problems.emplace_back(e.what());
    throw;
  }
}

template <class T>
std::vector<const T*> in_stable_order(const std::list<T>& items) {
  std::vector<const T*> list;
  list.reserve(items.size());
  for (const T& item : items) list.push_back(&item);
  std::stable_sort(list.begin(), list.end(),
                   [](const T* a, const T* b) { return a->plugin->id < b->plugin->id; });
  return list;
}

template <class T, class Predicate>
const T* first_of(const std::list<T>& items, Predicate is_it) {
  const auto it = std::find_if(items.begin(), items.end(), is_it);
  return it == items.end() ? nullptr : &*it;
}

}  // namespace

Registry::~Registry() {
  for (auto r = releases_.rbegin(); r != releases_.rend(); ++r) r->call(r->self);
}

void Registry::add(const mo_operation_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    Operation o = read_operation(def, plugin, session_);
    claim(o);
    SymbolTable& symbols = session_.space()->symbols;
    const Symbol op = symbols.intern(o.op);
    if (o.op == "_") any_operation_ = op;
    const uint64_t key = operation_key(op, symbols.intern(o.opset));
    operation_index_[key] = &operations_.emplace_back(std::move(o));
    keep_release(operations_.back());
    ++plugin.operations;
  });
}

void Registry::add(const mo_extractor_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    Extractor e = read_extractor(def, plugin);
    claim(e, plugin);
    const Symbol op = session_.space()->symbols.intern(e.op);
    extractor_index_[op].push_back(&extractors_.emplace_back(std::move(e)));
    keep_release(extractors_.back());
    ++plugin.extractors;
  });
}

void Registry::add(const mo_transformation_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    Transformation t = read_transformation(def, plugin, session_);
    claim(t);
    const Transformation& kept = transformations_.emplace_back(std::move(t));
    transformation_index_[kept.id] = &kept;
    keep_release(kept);
    ++plugin.transformations;
  });
}

void Registry::add(const mo_frontend_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    FrontEnd f = read_frontend(def, plugin);
    claim(f);
    keep_release(frontends_.emplace_back(std::move(f)));
    ++plugin.frontends;
  });
}

void Registry::add(const mo_option_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    OptionDef o = read_option(def, plugin);
    claim(o);
    options_.push_back(std::move(o));
    ++plugin.options;
  });
}

void Registry::add(const mo_converter_def& def, Plugin& plugin) {
  noting_problems(plugin, [&] {
    Converter c = read_converter(def, plugin);
    claim(c);
    keep_release(converters_.emplace_back(std::move(c)));
    ++plugin.converters;
  });
}

void Registry::add_interface(mo_str name, uint32_t revision, const void* table, Plugin& plugin) {
  noting_problems(plugin, [&] {
    Interface i = read_interface(name, revision, table, plugin);
    claim(i);
    interfaces_.push_back(std::move(i));
    ++plugin.interfaces;
  });
}

void Registry::remove_all_of(const Plugin& plugin) {
  const auto of_plugin = [&](const auto& item) { return item.plugin == &plugin; };
  for (auto r = releases_.rbegin(); r != releases_.rend(); ++r)
    if (of_plugin(*r)) r->call(r->self);
  std::erase_if(releases_, of_plugin);
  std::erase_if(operation_index_, [&](const auto& entry) { return of_plugin(*entry.second); });
  std::erase_if(transformation_index_, [&](const auto& entry) { return of_plugin(*entry.second); });
  for (auto& [op, list] : extractor_index_)
    std::erase_if(list, [&](const Extractor* e) { return of_plugin(*e); });
  operations_.remove_if(of_plugin);
  extractors_.remove_if(of_plugin);
  transformations_.remove_if(of_plugin);
  frontends_.remove_if(of_plugin);
  options_.remove_if(of_plugin);
  converters_.remove_if(of_plugin);
  interfaces_.remove_if(of_plugin);
}

const Operation* Registry::operation(Symbol op, Symbol opset) const {
  auto it = operation_index_.find(operation_key(op, opset));
  if (it == operation_index_.end() && any_operation_ != 0)
    it = operation_index_.find(operation_key(any_operation_, opset));
  return it == operation_index_.end() ? nullptr : it->second;
}

const Operation* Registry::operation(std::string_view op, std::string_view opset) const {
  const SymbolTable& symbols = session_.space()->symbols;
  return operation(symbols.find(op), symbols.find(opset));
}

bool Registry::same_framework(std::string_view a, std::string_view b) const {
  if (a == b) return true;
  const FrontEnd* f = frontend(a);
  return f != nullptr && f == frontend(b);
}

std::vector<const Extractor*> Registry::extractors(std::string_view framework, std::string_view domain,
                                                   std::string_view op, int32_t version) const {
  std::vector<const Extractor*> found;
  const auto it = extractor_index_.find(session_.space()->symbols.find(op));
  if (it == extractor_index_.end()) return found;
  for (const Extractor* e : it->second) {
    const bool in_range = version == 0 || (version >= e->since && (e->until == 0 || version <= e->until));
    if (in_range && e->domain == domain &&
        (e->framework.empty() || same_framework(e->framework, framework)) &&
        (e->plugin->framework.empty() || same_framework(e->plugin->framework, framework)))
      found.push_back(e);
  }
  const auto rank = [](const Extractor* e) {
    const int64_t last = e->until == 0 ? INT32_MAX : e->until;
    return std::tuple(e->plugin->built_in, e->framework.empty(), last - e->since,
                      std::string_view(e->plugin->id));
  };
  if (found.size() > 1)
    std::stable_sort(found.begin(), found.end(),
                     [&](const Extractor* a, const Extractor* b) { return rank(a) < rank(b); });
  return found;
}

const Extractor* Registry::extractor(std::string_view framework, std::string_view domain, std::string_view op,
                                     int32_t version) const {
  const auto found = extractors(framework, domain, op, version);
  return found.empty() ? nullptr : found.front();
}

const Transformation* Registry::transformation(std::string_view id) const {
  const auto it = transformation_index_.find(id);
  return it == transformation_index_.end() ? nullptr : it->second;
}

const FrontEnd* Registry::frontend(std::string_view name) const {
  return first_of(frontends_, [&](const FrontEnd& f) {
    return f.name == name || std::find(f.aliases.begin(), f.aliases.end(), name) != f.aliases.end();
  });
}

const Interface* Registry::find_interface(std::string_view name, uint32_t revision) const {
  return first_of(interfaces_, [&](const Interface& i) { return i.revision == revision && i.name == name; });
}

const Converter* Registry::converter(std::string_view type_name) const {
  return first_of(converters_, [&](const Converter& c) { return c.type_name == type_name; });
}

const OptionDef* Registry::option(std::string_view name) const {
  return first_of(options_, [&](const OptionDef& o) { return o.name == name; });
}

bool Registry::serves(const Transformation& t, std::string_view framework) const {
  const auto is_it = [&](std::string_view name) { return same_framework(name, framework); };
  return (t.plugin->framework.empty() || is_it(t.plugin->framework)) &&
         (t.frameworks.empty() || std::any_of(t.frameworks.begin(), t.frameworks.end(), is_it));
}

std::vector<const Operation*> Registry::operations() const { return in_stable_order(operations_); }
std::vector<const Extractor*> Registry::extractors() const { return in_stable_order(extractors_); }
std::vector<const Transformation*> Registry::transformations() const {
  return in_stable_order(transformations_);
}
std::vector<const FrontEnd*> Registry::frontends() const { return in_stable_order(frontends_); }
std::vector<const OptionDef*> Registry::options() const { return in_stable_order(options_); }
std::vector<const Converter*> Registry::converters() const { return in_stable_order(converters_); }
std::vector<const Interface*> Registry::interfaces() const { return in_stable_order(interfaces_); }

}  // namespace mo::core
