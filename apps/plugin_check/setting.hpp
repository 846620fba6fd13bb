// What a case has to work with, and the tables of what can be tried.
#pragma once

#include "apps/plugin_check/near_calls.hpp"
#include "apps/plugin_check/rules.hpp"
#include "apps/plugin_check/sample.hpp"
#include "apps/plugin_check/world.hpp"

namespace mo::app::checks {

struct Setting {
  const Surroundings& surroundings;
  World& world;  // the plugin is loaded, but for cases about the plugin as a whole
  uint64_t seed = 1;
  size_t rounds = 0;                 // of random cases
  std::string examples;              // a graph in the text form; "" = none
  std::vector<std::string> models;   // files that front-ends may be tried on
  std::vector<std::string> samples;  // of the operation at hand, in the text form
  std::vector<NearCall> near;        // calls near them, also those that infer does not take
  std::string expected;              // registrations, as another process saw them

  core::Session& session() { return world.session(); }
  const core::Registry& registry() { return world.session().registry(); }
};

struct CheckRow {
  int rule;
  void (*run)(Setting&, const std::string& item);  // throws Finding or Skipped
};
std::span<const CheckRow> plugin_checks();
std::span<const CheckRow> conversion_checks();
std::span<const CheckRow> operation_shape_checks();
std::span<const CheckRow> operation_value_checks();
std::span<const CheckRow> operation_other_checks();
std::span<const CheckRow> operation_meaning_checks();
std::span<const CheckRow> transformation_checks();
std::span<const CheckRow> transformation_value_checks();
std::span<const CheckRow> extractor_checks();
std::span<const CheckRow> extractor_result_checks();
std::span<const CheckRow> file_checks();  // front-ends, options, converters
const CheckRow* find_check(int rule);

// Items by name: "opset::Type", an id, "framework:domain:Type:since", a name.
std::string item_of(const core::Operation&);
std::string item_of(const core::Extractor&);
std::vector<std::string> items_of(About, const core::Session&, const core::Plugin&);
const core::Operation& operation_at(Setting&, const std::string& item);

// Rule 220. What it finds, in the text form.
std::vector<std::string> find_calls(Setting&, const std::string& item);

// Runs f on another thread and throws here what it throws there.
void on_thread(const std::function<void()>& f);

// f(sample, operation) on each sample of the item.
template <class F>
void each_sample(Setting& s, const std::string& item, F f) {
  const core::Operation& op = operation_at(s, item);
  for (const std::string& text : s.samples) f(read_sample(s.session(), text), op);
}

// f(sample, operation) on each sample of the item, and on the calls near them.
template <class F>
void each_call(Setting& s, const std::string& item, F f) {
  each_sample(s, item, f);
  const core::Operation& op = operation_at(s, item);
  for (const NearCall& call : s.near)
    if (call.taken()) f(read_sample(s.session(), call.text), op);
}

}  // namespace mo::app::checks
