#include "apps/plugin_check/setting.hpp"

#include <exception>
#include <thread>

namespace mo::app::checks {

const CheckRow* find_check(int rule) {
  for (const auto rows :
       {plugin_checks(), conversion_checks(), operation_shape_checks(), operation_value_checks(),
        operation_other_checks(), operation_meaning_checks(), transformation_checks(),
        transformation_value_checks(), extractor_checks(), extractor_result_checks(), file_checks()})
    for (const CheckRow& row : rows)
      if (row.rule == rule) return &row;
  return nullptr;
}

std::string item_of(const core::Operation& o) { return o.opset + "::" + o.op; }

std::string item_of(const core::Extractor& e) {
  return text(e.framework, ":", e.domain, ":", e.op, e.since != 0 ? text(":", e.since) : "");
}

std::vector<std::string> items_of(About about, const core::Session& session, const core::Plugin& plugin) {
  const core::Registry& r = session.registry();
  std::vector<std::string> names;
  const auto add = [&](const auto& list, const auto& name) {
    for (const auto* i : list)
      if (i->plugin == &plugin) names.push_back(name(*i));
  };
  switch (about) {
    case About::plugin:
      names.push_back(plugin.id);
      break;
    case About::operation:
      add(r.operations(), [](const core::Operation& o) { return item_of(o); });
      break;
    case About::transformation:
      add(r.transformations(), [](const core::Transformation& t) { return t.id; });
      break;
    case About::extractor:
      add(r.extractors(), [](const core::Extractor& e) { return item_of(e); });
      break;
    case About::frontend:
      add(r.frontends(), [](const core::FrontEnd& f) { return f.name; });
      break;
    case About::option:
      add(r.options(), [](const core::OptionDef& o) { return o.name; });
      break;
    case About::converter:
      add(r.converters(), [](const core::Converter& c) { return c.type_name; });
      break;
  }
  return names;
}

const core::Operation& operation_at(Setting& s, const std::string& item) {
  const size_t colons = item.rfind("::");
  const core::Operation* op = s.registry().operation(item.substr(colons + 2), item.substr(0, colons));
  if (op == nullptr) broken("the operation ", item, " is not registered");
  return *op;
}

std::vector<std::string> find_calls(Setting& s, const std::string& item) {
  constexpr size_t most = 4, tries = 4000;
  const core::Operation& op = operation_at(s, item);
  const SampleSearch search = find_samples(s.session(), op, s.seed, most, tries, s.examples);
  if (search.found.empty())
    broken("no legal call is known after ", tries, " tries; the last was refused with: ", search.last_refusal,
           "\nGive one: a node of the operation in a graph in the text form, in the file of the plugin's "
           "name with "
           ".check.txt in the place of .mo.so");
  std::vector<std::string> texts;
  for (const Sample& sample : search.found) texts.push_back(sample_text(sample));
  return texts;
}

void on_thread(const std::function<void()>& f) {
  std::exception_ptr thrown;
  std::thread thread([&] {
    try {
      f();
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace mo::app::checks
