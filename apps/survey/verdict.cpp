#include "apps/survey/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ir/emitter.hpp"

namespace mo::app {

using core::Exit;
using core::Failure;
using nlohmann::ordered_json;

std::string type_text(const SurveyedPort& p) {
  return p.type == ElementType::unknown ? "?" : std::string(name(p.type));
}

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

namespace {

ordered_json ports_json(const std::vector<SurveyedPort>& ports) {
  ordered_json list = ordered_json::array();
  for (const SurveyedPort& p : ports) {
    ordered_json port{{"name", p.name}, {"type", type_text(p)}, {"shape", nullptr}};
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

std::string open_operations(const ModelSurvey& survey) {
  std::string list;
  for (const SurveyedOperation& o : survey.operations)
    if (o.open != 0) list += (list.empty() ? "" : ", ") + operation_name(o);
  return list;
}

}  // namespace

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

std::optional<Failure> refused_by(const ModelSurvey& survey, const core::ConvertOptions& options) {
  const auto open = std::ranges::count_if(survey.operations, [](const auto& o) { return o.open != 0; });
  if (!survey.all_convertible())
    return Failure(Exit::unsupported, "MO0403",
                   open == 0 ? "the model cannot be converted"
                             : fmt::format("{} of {} operations of the model cannot be converted", open,
                                           survey.operations.size()))
        .with("missing", open_operations(survey))
        .with("fails", fmt::format("{}", fmt::join(survey.problems, "\n")))
        .with("model", options.input_model);
  if (survey.missing_files.empty()) return std::nullopt;
  return Failure(Exit::model, "MO0210", "files that the model refers to are missing")
      .with("missing", fmt::format("{}", fmt::join(survey.missing_files, "\n")))
      .with("model", options.input_model)
      .with("hint", "copy them into the model's folder");
}

std::optional<Failure> refused_for_target(core::Session& session, const core::ConvertOptions& options) {
  std::optional<Failure> refused;
  core::ConvertResult result;
  try {
    const core::GraphPtr graph = core::prepare_model(session, options, result);
    core::check_ir(session, *graph, options.emit);
  } catch (const Failure& f) {
    refused.emplace(Exit::unsupported, f.code(), f.message());
    for (const auto& [label, line] : f.context()) refused->with(label, line);
    refused->with("model", options.input_model);
  }
  session.close_model();
  return refused;
}

}  // namespace mo::app
