#include "apps/mo-host/reports/lists.hpp"

#include <fmt/format.h>

#include "apps/explore/source_files.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/session/target.hpp"
#include "apps/survey/source_operators.hpp"
#include "core/registry/opsets.hpp"
#include "core/schedule/schedule.hpp"

namespace mo::app {

namespace {

std::string offers(const core::Plugin& p) {
  std::string out;
  const auto add = [&](size_t n, const char* one, const char* many) {
    if (n != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, n == 1 ? one : many);
  };
  add(p.frontends, "front-end", "front-ends");
  add(p.operations, "operation", "operations");
  add(p.extractors, "extractor", "extractors");
  add(p.transformations, "transformation", "transformations");
  add(p.options, "option", "options");
  add(p.converters, "converter", "converters");
  add(p.interfaces, "interface", "interfaces");
  if (p.withdrawn != 0) out += fmt::format("{}{} withdrawn", out.empty() ? "" : ", ", p.withdrawn);
  for (const std::string& note : p.notes) out += "; " + note;
  return out;
}

std::string versions(const SourceOperator& e) {
  if (e.since == 0 && e.until == 0) return "any";
  if (e.until == 0) return fmt::format("{}..", e.since);
  return e.since == e.until ? fmt::format("{}", e.since) : fmt::format("{}..{}", e.since, e.until);
}

std::string_view phase_name(int32_t phase) {
  constexpr std::string_view names[] = {"load",        "front", "pre_middle", "middle",
                                        "post_middle", "back",  "emit"};
  return phase >= MO_PHASE_LOAD && phase <= MO_PHASE_EMIT ? names[phase - MO_PHASE_LOAD] : "?";
}

std::string_view kind_name(int32_t kind) {
  constexpr std::string_view names[] = {
      "graph", "op", "pattern", "matcher", "config scope", "config points", "config general"};
  return kind >= 1 && kind <= static_cast<int32_t>(std::size(names)) ? names[kind - 1] : "?";
}

std::string_view value_name(int32_t kind) {
  constexpr std::string_view names[] = {"flag", "string", "int", "float", "list", "path"};
  return kind >= 1 && kind <= static_cast<int32_t>(std::size(names)) ? names[kind - 1] : "?";
}

// Of an operation of the runtime's sets the first release that has it.
std::string first_release(const Program& program, const core::Operation& o) {
  return core::opset_number(o.opset) == 0
             ? ""
             : std::string(core::first_release_of(program.session().registry(), o));
}

// A column with the file of each, where --where asks for it.
class FileColumn {
 public:
  using FilesOf = SourceFiles (*)(const core::Registry&);
  FileColumn(const Program& program, const Arguments& a, std::initializer_list<FilesOf> all)
      : asked_(a.flag("where")) {
    if (asked_)
      for (const FilesOf of : all) files_.merge(of(program.session().registry()));
  }
  std::vector<std::string> heads(std::vector<std::string> heads) const {
    if (asked_) heads.emplace_back("file");
    return heads;
  }
  std::vector<std::string> row(const core::Registered* item, std::vector<std::string> cells) const {
    const auto file = files_.find(item);
    if (asked_) cells.push_back(file == files_.end() ? "" : file->second);
    return cells;
  }

 private:
  bool asked_;
  SourceFiles files_;
};

}  // namespace

Table plugin_table(const Program& program, const Arguments&) {
  Table t{"Plugins", {"plugin", "version", "ABI", "offers", "file"}, {}, "no plugin is loaded"};
  for (const core::Plugin* p : program.plugins().loaded)
    t.rows.push_back({p->id, p->version, fmt::format("{}.{}", p->abi_major, p->abi_minor),
                      offers(*p) + (p->framework.empty() ? "" : " (for " + p->framework + " only)"),
                      p->path});
  for (const core::SkippedFile& s : program.plugins().skipped)
    if (s.refused) t.rows.push_back({"refused", "", "", s.reason, s.path});
  return t;
}

Table operation_table(const Program& program, const Arguments& a) {
  const core::Release& target = target_of(a);
  const FileColumn files(program, a, {source_files_of_operations});
  Table t{a.has("target") ? fmt::format("Operations that release {} has", target.name) : "Operations",
          files.heads({"opset", "operation", "since", "inputs", "outputs", "plugin", "what it is"}),
          {},
          "no plugin defines operations"};
  const auto range = [](uint32_t least, uint32_t most) {
    return least == most        ? fmt::format("{}", least)
           : most == UINT32_MAX ? fmt::format("{}..", least)
                                : fmt::format("{}..{}", least, most);
  };
  auto list = program.session().registry().operations();
  std::stable_sort(list.begin(), list.end(), [](const core::Operation* x, const core::Operation* y) {
    // opset2 before opset10
    return std::tuple(x->opset.size(), std::string_view(x->opset), std::string_view(x->op)) <
           std::tuple(y->opset.size(), std::string_view(y->opset), std::string_view(y->op));
  });
  for (const core::Operation* o : list)
    if (const std::string first = first_release(program, *o); first <= target.name)
      t.rows.push_back(files.row(o, {o->opset, o->op, first, range(o->min_inputs, o->max_inputs),
                                     range(o->min_outputs, o->max_outputs), o->plugin->id, o->doc}));
  return t;
}

Table source_operator_table(const Program& program, const Arguments& a) {
  const FileColumn files(program, a, {source_files_of_extractors, source_files_of_transformations});
  Table t{"Operators that are converted",
          files.heads({"framework", "operator", "versions", "by", "plugin"}),
          {},
          "no plugin converts operators"};
  const core::Registry& r = program.session().registry();
  for (const SourceOperator& o : source_operators(r))
    if (!a.has("framework") || o.framework.empty() || r.same_framework(o.framework, a.text("framework")))
      t.rows.push_back(
          files.row(o.item, {o.framework.empty() ? "any" : o.framework, o.name, versions(o),
                             o.transformation.empty() ? "extractor" : o.transformation, o.item->plugin->id}));
  return t;
}

Table transformation_table(const Program& program, const Arguments& a) {
  const core::Session& session = program.session();
  const auto schedule = core::make_schedule(session, {a.text("framework"), {}, {}});
  if (a.flag("order")) {
    Table t{"Order of transformations",
            {"transformation", "runs", "why here"},
            {},
            "no plugin has transformations"};
    for (const core::Scheduled& s : schedule)
      t.rows.push_back({s.transformation == nullptr ? "-- " + s.id : s.id,
                        s.transformation == nullptr ? ""
                        : s.runs                    ? "yes"
                                                    : "no",
                        s.why});
    return t;
  }
  const FileColumn files(program, a, {source_files_of_transformations});
  Table t{"Transformations, in the order they run",
          files.heads({"transformation", "phase", "kind", "on", "frameworks", "plugin", "what it does"}),
          {},
          "no plugin has transformations"};
  for (const core::Scheduled& s : schedule)
    if (const core::Transformation* x = s.transformation)
      t.rows.push_back(
          files.row(x, {x->id, std::string(phase_name(x->phase)), std::string(kind_name(x->kind)),
                        x->enabled ? "yes" : "no",
                        x->frameworks.empty() ? "all" : fmt::format("{}", fmt::join(x->frameworks, " ")),
                        x->plugin->id, x->doc}));
  return t;
}

Table frontend_table(const Program& program, const Arguments&) {
  Table t{"Front-ends", {"framework", "also", "files", "plugin"}, {}, "no plugin reads models"};
  for (const core::FrontEnd* f : program.session().registry().frontends())
    t.rows.push_back({f->name, fmt::format("{}", fmt::join(f->aliases, " ")),
                      fmt::format("{}", fmt::join(f->extensions, " ")), f->plugin->id});
  return t;
}

Table option_table(const Program& program, const Arguments&) {
  Table t{"Options of plugins",
          {"option", "kind", "default", "plugin", "what it does"},
          {},
          "no plugin has options"};
  for (const core::OptionDef* o : program.session().registry().options())
    t.rows.push_back({"--" + o->name, o->choices.empty() ? std::string(value_name(o->kind)) : o->choices,
                      o->fallback, o->plugin->id, o->help});
  return t;
}

}  // namespace mo::app
