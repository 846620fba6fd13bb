// Rules about what extractors make: 264 to 266.
#include <mo/conventions.h>

#include "apps/plugin_check/extractor_trial.hpp"
#include "core/infer/infer.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"

namespace mo::app::checks {

namespace {

void known_framework(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  std::vector<std::string> known;
  for (const core::FrontEnd* f : s.registry().frontends()) {
    known.push_back(f->name);
    known.insert(known.end(), f->aliases.begin(), f->aliases.end());
  }
  if (known.empty()) throw Skipped{"no front-end is loaded"};
  if (core::contains(known, e.framework)) return;
  const std::string hint = core::did_you_mean(e.framework, known);
  broken("no front-end reads models of '", e.framework, "'", hint.empty() ? "" : "; " + hint);
}

// f(graph, node) for each result of the extractor that has an operation of an opset.
template <class F>
void each_result(Setting& s, const std::string& item, F f) {
  const core::Extractor& e = extractor_at(s, item);
  size_t made = 0;
  for (const core::Attribute& value :
       {core::Attribute(), core::Attribute(int64_t{1}), core::Attribute(std::string("a"))})
    for (const uint32_t inputs : {1U, 2U, 3U}) {
      const ExtractorTrial t = try_extractor(
          s, e, [&](std::string_view) { return value; }, inputs, 1);
      if (!t.answer.ok()) continue;
      for (const core::NodeId n : t.graph->nodes()) {
        const std::string_view op = t.graph->op(n);
        const bool plain =
            op == core::words::parameter || op == core::words::result || op == core::words::constant;
        if (plain || t.graph->opset(n).empty()) continue;
        ++made;
        f(*t.graph, n);
      }
    }
  if (made == 0) throw Skipped{"no source attributes are known from which it makes an operation"};
}

void defined_operation(Setting& s, const std::string& item) {
  each_result(s, item, [&](const core::Graph& g, core::NodeId n) {
    if (operation_of(s.session(), g, n) != nullptr || is_looked_for(s, g.op(n))) return;
    std::vector<std::string> known;
    for (const core::Operation* o : s.registry().operations()) known.push_back(item_of(*o));
    const std::string made = text(g.opset(n), "::", g.op(n)), hint = core::did_you_mean(made, known);
    broken("it makes ", made, ", which no plugin that is loaded defines and no transformation looks for",
           hint.empty() ? "" : "; " + hint);
  });
}

// Attributes that plugins and host agree on.
bool is_agreed_on(std::string_view name) {
  return name == MO_ATTR_STOP_VALUE || name == MO_ATTR_KEEPS_DIMENSION_ORDER ||
         name == MO_ATTR_DIMENSION_ORDER;
}

void declared_attributes(Setting& s, const std::string& item) {
  each_result(s, item, [&](const core::Graph& g, core::NodeId n) {
    const core::Operation* op = operation_of(s.session(), g, n);
    // A transformation of the same plugin may need to know more than the operation does.
    if (op == nullptr || op->op == "_" || is_looked_for(s, g.op(n), &s.world.plugin())) return;
    for (const auto& [key, value] : g.node(n).attributes.items()) {
      if (op->find(key) != nullptr || is_agreed_on(g.symbols().text(key))) continue;
      std::vector<std::string> known;
      for (const core::AttributeDef& d : op->attributes) known.push_back(d.name);
      const std::string hint = core::did_you_mean(g.symbols().text(key), known);
      broken("it sets '", g.symbols().text(key), "', which ", item_of(*op), " does not declare",
             hint.empty() ? "" : "; " + hint);
    }
  });
}

constexpr CheckRow result_rows[] = {
    {264, known_framework}, {265, defined_operation}, {266, declared_attributes}};

}  // namespace

std::span<const CheckRow> extractor_result_checks() { return result_rows; }

}  // namespace mo::app::checks
