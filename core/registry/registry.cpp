#include "core/registry/registry.hpp"

#include <algorithm>
#include <tuple>

#include "core/registry/at_work.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

namespace {

uint64_t operation_key(Symbol op, Symbol opset) { return uint64_t{op} << 32U | opset; }

template <class T>
std::vector<const T*> in_stable_order(const std::list<T>& items) {
  std::vector<const T*> list;
  list.reserve(items.size());
  for (const T& item : items)
    if (item.yields_to == nullptr) list.push_back(&item);
  std::stable_sort(list.begin(), list.end(),
                   [](const T* a, const T* b) { return a->plugin->id < b->plugin->id; });
  return list;
}

template <class T, class Predicate>
const T* first_of(const std::list<T>& items, Predicate is_it) {
  const auto it = std::find_if(items.begin(), items.end(),
                               [&](const T& t) { return t.yields_to == nullptr && is_it(t); });
  return it == items.end() ? nullptr : &*it;
}

}  // namespace

Registry::~Registry() {
  for (auto r = releases_.rbegin(); r != releases_.rend(); ++r) {
    const Working working(r->plugin, "release");
    r->call(r->self);
  }
}

void Registry::enter(const Operation& o) {
  SymbolTable& symbols = session_.space()->symbols;
  const Symbol op = symbols.intern(o.op);
  if (o.op == "_") any_operation_ = op;
  operation_index_[operation_key(op, symbols.intern(o.opset))] = &o;
}

void Registry::enter(const Extractor& e) {
  extractor_index_[session_.space()->symbols.intern(e.op)].push_back(&e);
}

void Registry::enter(const Transformation& t) {
  transformation_index_.enter(t.id, t);
  if (!t.group.empty()) group_index_.enter(t.group, t);
}

void Registry::remove_from_lookup(const Operation& o) {
  std::erase_if(operation_index_, [&](const auto& entry) { return entry.second == &o; });
}

void Registry::remove_from_lookup(const Extractor& e) {
  std::erase(extractor_index_[session_.space()->symbols.find(e.op)], &e);
}

void Registry::remove_from_lookup(const Transformation& t) {
  transformation_index_.remove(t.id, t);
  if (group_index_.find(t.group) != &t) return;
  group_index_.remove(t.group, t);
  const auto* other =
      first_of(transformations_, [&](const Transformation& o) { return &o != &t && o.group == t.group; });
  if (other != nullptr) group_index_.enter(t.group, *other);
}

size_t Registry::preference(const Plugin& p) const {
  return static_cast<size_t>(std::find(preferred_.begin(), preferred_.end(), p.id) - preferred_.begin());
}

void Registry::defer(std::string_view op, std::string_view opset, const Plugin& plugin) {
  SymbolTable& symbols = session_.space()->symbols;
  const Symbol symbol = symbols.intern(op);
  if (op == "_") any_operation_ = symbol;
  deferred_[operation_key(symbol, symbols.intern(opset))] = &plugin;
}

bool Registry::is_deferred(std::string_view op, std::string_view opset) const {
  const SymbolTable& symbols = session_.space()->symbols;
  return deferred_.contains(operation_key(symbols.find(op), symbols.find(opset)));
}

void Registry::open_deferred(const Plugin& plugin) const {
  // First, as what it registers now is looked up, too.
  std::erase_if(deferred_, [&](const auto& entry) { return entry.second == &plugin; });
  open(plugin);
}

const Operation* Registry::find_operation(uint64_t key) const {
  auto it = operation_index_.find(key);
  if (it == operation_index_.end() && !deferred_.empty())
    if (const auto deferred = deferred_.find(key); deferred != deferred_.end()) {
      open_deferred(*deferred->second);
      it = operation_index_.find(key);
    }
  return it == operation_index_.end() ? nullptr : it->second;
}

const Operation* Registry::operation(Symbol op, Symbol opset) const {
  const Operation* found = find_operation(operation_key(op, opset));
  return found == nullptr && any_operation_ != 0 ? find_operation(operation_key(any_operation_, opset))
                                                 : found;
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
  const auto rank = [this](const Extractor* e) {
    const int64_t last = e->until == 0 ? INT32_MAX : e->until;
    return std::tuple(preference(*e->plugin), e->plugin->built_in, e->framework.empty(), last - e->since,
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
  if (const Transformation* t = transformation_index_.find(id); t != nullptr || closed_.empty()) return t;
  open_contents();
  return transformation_index_.find(id);
}

std::vector<const Transformation*> Registry::transformations(std::string_view id) const {
  if (const Transformation* t = transformation(id)) return {t};
  std::vector<const Transformation*> list = transformations();
  std::erase_if(list, [&](const Transformation* t) { return id.empty() || t->group != id; });
  return list;
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

const OptionDef* Registry::option(std::string_view name) const { return option_index_.find(name); }

bool Registry::serves(const Transformation& t, std::string_view framework) const {
  const auto is_it = [&](std::string_view name) { return same_framework(name, framework); };
  return (t.plugin->framework.empty() || is_it(t.plugin->framework)) &&
         (t.frameworks.empty() || std::any_of(t.frameworks.begin(), t.frameworks.end(), is_it));
}

std::vector<const Operation*> Registry::operations() const {
  while (!deferred_.empty()) {
    const Plugin* next = nullptr;
    for (const auto& [key, plugin] : deferred_)
      if (next == nullptr || plugin->index < next->index) next = plugin;
    open_deferred(*next);
  }
  return in_stable_order(operations_);
}
std::vector<const Operation*> Registry::operations_of(const Plugin& plugin) const {
  std::vector<const Operation*> list = in_stable_order(operations_);
  std::erase_if(list, [&](const Operation* o) { return o->plugin != &plugin; });
  return list;
}
std::vector<const Extractor*> Registry::extractors() const { return in_stable_order(extractors_); }
std::vector<const Transformation*> Registry::transformations() const {
  return in_stable_order(transformations_);
}
std::vector<const FrontEnd*> Registry::frontends() const { return in_stable_order(frontends_); }
std::vector<const OptionDef*> Registry::options() const { return in_stable_order(options_); }
std::vector<const Converter*> Registry::converters() const { return in_stable_order(converters_); }
std::vector<const Interface*> Registry::interfaces() const { return in_stable_order(interfaces_); }

}  // namespace mo::core
