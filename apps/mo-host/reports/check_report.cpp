#include "apps/mo-host/reports/check_report.hpp"

#include <fmt/format.h>

#include "apps/mo-host/output/table.hpp"
#include "apps/survey/verdict.hpp"

namespace mo::app {

namespace {

// Names stand for dimensions of any size; otherwise name=size.
std::string dim_text(const SurveyedPort& p, size_t i) {
  const Dim& d = p.shape[i];
  const std::string name = p.dim_names.empty() ? std::string() : p.dim_names[i];
  if (name.empty()) return text(d);
  return d == any_dim ? name : text(name, '=', d);
}

std::string shape_text(const SurveyedPort& p) {
  if (!p.shape.has_rank()) return "[...]";
  std::string out = "[";
  for (size_t i = 0; i < p.shape.size(); ++i) out += (i == 0 ? "" : ",") + dim_text(p, i);
  return out + "]";
}

std::string by_text(const SurveyedOperation& o) {
  const std::string some = fmt::format("{}", fmt::join(o.by, ", "));
  if (o.open == 0) return some;
  if (some.empty()) return "nobody";
  return fmt::format("{}; nobody for {} of them", some, o.open);
}

std::string open_text(const SurveyedOperation& o) {
  std::string out = fmt::format("\n{}, {} {}, ", operation_name(o), o.open, o.open == 1 ? "node" : "nodes");
  for (size_t i = 0; i < o.open_examples.size(); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", o.open_examples[i]);
  if (o.open > o.open_examples.size()) out += fmt::format(" and {} more", o.open - o.open_examples.size());
  out += "\n";
  for (const std::string& line : o.why) out += "  " + line + "\n";
  for (const std::string& line : o.near) out += "  " + line + "\n";
  if (o.why.empty() && o.near.empty()) out += "  no plugin knows it, or one of a similar name\n";
  return out;
}

std::string ports_text(const char* title, const std::vector<SurveyedPort>& ports) {
  Table t{title, {title, "type", "shape"}, {}, fmt::format("no {}", title)};
  for (const SurveyedPort& p : ports) t.rows.push_back({p.name, type_text(p), shape_text(p)});
  return as_text(t);
}

}  // namespace

std::string check_text(const core::ConvertOptions& options, const ModelSurvey& survey,
                       const std::vector<std::string>& configurations) {
  std::string out = options.input_model + ": " + survey.framework;
  for (const std::string& i : survey.imports) out += ", " + i;
  out += "\n\n" + ports_text("inputs", survey.inputs) + "\n" + ports_text("outputs", survey.outputs) + "\n";
  Table t{"Operations",
          {"domain", "operation", "version", "nodes", "converted by"},
          {},
          "the model has no operations"};
  for (const SurveyedOperation& o : survey.operations)
    t.rows.push_back({o.domain.empty() ? "-" : o.domain, o.op,
                      o.version == 0 ? "?" : std::to_string(o.version), std::to_string(o.nodes), by_text(o)});
  out += as_text(t);
  for (const SurveyedOperation& o : survey.operations)
    if (o.open != 0) out += open_text(o);
  for (const std::string& p : survey.problems) out += "\nfails: " + p + "\n";
  const auto open = open_inputs(survey);
  if (!open.empty()) out += "\nconverted as they are, unless an option says more:\n";
  for (const OpenInput& i : open) out += fmt::format("  {}: {}\n", i.what, i.option);
  for (const std::string& c : configurations)
    out += fmt::format("\na configuration fits: --transformations_config {}\n", c);
  for (const std::string& f : survey.missing_files) out += fmt::format("\nmissing file: {}\n", f);
  return out;
}

}  // namespace mo::app
