#include "apps/mo-host/reports/check_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/mo-host/output/table.hpp"

namespace mo::app {

namespace {

using nlohmann::ordered_json;

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

std::string type_text(ElementType t) { return t == ElementType::unknown ? "?" : std::string(name(t)); }

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
  for (const SurveyedPort& p : ports) t.rows.push_back({p.name, type_text(p.type), shape_text(p)});
  return as_text(t);
}

ordered_json ports_json(const std::vector<SurveyedPort>& ports) {
  ordered_json list = ordered_json::array();
  for (const SurveyedPort& p : ports) {
    ordered_json port{{"name", p.name}, {"type", type_text(p.type)}, {"shape", nullptr}};
    if (p.shape.has_rank()) {
      port["shape"] = ordered_json::array();
      for (size_t i = 0; i < p.shape.size(); ++i) {
        const Dim& d = p.shape[i];
        ordered_json dim{{"min", d.min}, {"max", nullptr}};
        if (!d.is_unbounded()) dim["max"] = d.max;
        if (!p.dim_names.empty() && !p.dim_names[i].empty()) dim["name"] = p.dim_names[i];
        port["shape"].push_back(std::move(dim));
      }
    }
    list.push_back(std::move(port));
  }
  return list;
}

}  // namespace

std::string operation_name(const SurveyedOperation& o) {
  return o.domain.empty() ? o.op : o.domain + "." + o.op;
}

std::vector<OpenInput> open_inputs(const ModelSurvey& survey) {
  std::vector<OpenInput> list;
  std::set<std::string> names;
  for (const SurveyedPort& p : survey.inputs) {
    if (!p.shape.has_rank()) {
      list.push_back({fmt::format("the rank of input '{}' is not known", p.name),
                      fmt::format("--input '{}[...]' with its dimensions", p.name)});
      continue;
    }
    std::string dims;
    for (size_t i = 0; i < p.shape.size(); ++i) {
      if (p.shape[i].is_static()) continue;
      if (!p.dim_names.empty() && !p.dim_names[i].empty()) {
        names.insert(p.dim_names[i]);
        continue;
      }
      dims += fmt::format("{}{}", dims.empty() ? "" : ", ", i);
    }
    if (!dims.empty())
      list.push_back({fmt::format("input '{}' is of any size in dimension {}", p.name, dims),
                      fmt::format("--input '{}{}' with numbers for '?'", p.name, text(p.shape))});
  }
  for (const std::string& n : names)
    list.push_back({fmt::format("dimension '{}' is of any size", n), fmt::format("--input_shape {}=N", n)});
  return list;
}

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

std::string check_json(const core::ConvertOptions& options, const ModelSurvey& survey,
                       const std::vector<std::string>& configurations) {
  ordered_json operations = ordered_json::array();
  for (const SurveyedOperation& o : survey.operations) {
    ordered_json row{{"domain", o.domain}, {"operation", o.op}, {"version", o.version},
                     {"nodes", o.nodes},   {"by", o.by},        {"open", o.open}};
    if (o.open != 0) {
      row["why"] = o.why;
      row["near"] = o.near;
      row["examples"] = o.open_examples;
    }
    operations.push_back(std::move(row));
  }
  ordered_json hints = ordered_json::array();
  for (const OpenInput& i : open_inputs(survey)) hints.push_back({{"what", i.what}, {"option", i.option}});
  const ordered_json all{{"model", options.input_model},
                         {"framework", survey.framework},
                         {"imports", survey.imports},
                         {"convertible", survey.all_convertible() && survey.missing_files.empty()},
                         {"inputs", ports_json(survey.inputs)},
                         {"outputs", ports_json(survey.outputs)},
                         {"operations", std::move(operations)},
                         {"problems", survey.problems},
                         {"open_inputs", std::move(hints)},
                         {"configurations", configurations},
                         {"missing_files", survey.missing_files}};
  return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace mo::app
