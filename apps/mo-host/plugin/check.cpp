// `plugin check FILE|FOLDER`: tries the rules for plugins out, and says which are broken.
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/plugin_check/report.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "apps/session/options.hpp"
#include "apps/session/own_search_path.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

checks::Level level_named(const std::string& name) {
  for (const auto level : {checks::Level::smoke, checks::Level::compat, checks::Level::strict})
    if (name == checks::name_of(level)) return level;
  return checks::Level::fuzz;
}

std::set<int> rules_named(const std::vector<std::string>& names) {
  std::set<int> numbers;
  for (const std::string& name : names) {
    const checks::RuleRow* found = nullptr;
    for (const checks::RuleRow& r : checks::rules())
      if (checks::name_of(r) == name) found = &r;
    if (found == nullptr)
      throw core::Failure(core::Exit::usage, "MO0104",
                          "--without: '" + name + "' is not a rule that is checked")
          .with("hint", "rules are named MOX-200 and up; packaging/docs/abi_rules.md has them all");
    numbers.insert(found->number);
  }
  return numbers;
}

std::vector<core::FoundPlugin> plugins_of(const std::string& path, bool allow_writable) {
  const std::string resolved = core::resolve_path(path);
  const core::Discovery found = discover(resolved, {.any_owner = true,
                                                    .allow_writable_folders = allow_writable,
                                                    .loaders = loaders_beside(own_search_path().built_in)});
  if (!found.refused.empty()) throw core::Failure(found.refused.front().second).with("file", resolved);
  if (found.plugins.empty())
    throw core::refusal(core::Rule::nothing_registered, "'" + path + "' has no plugin to check")
        .with("path", resolved);
  return found.plugins;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Shows on a terminal what is being tried.
void show_progress(const checks::CaseResult& c, size_t number) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::string line = std::to_string(number) + " " + checks::name_of(c);
  std::fprintf(stderr, "\r\033[K%.100s", line.c_str());
}

checks::CheckRequest request_of(const Program& program, const Arguments& a) {
  checks::CheckRequest r;
  r.surroundings.built_in = own_search_path().built_in;
  if (program.early().extensions) r.surroundings.others = *program.early().extensions;
  r.surroundings.prefer = program.preferred();
  r.surroundings.allow_writable_folders = program.early().allow_writable_folders;
  for (const OptionRow& o : host_options()) r.surroundings.reserved_options.emplace_back(o.name);
  r.level = level_named(a.text("level"));
  r.filter = a.has("replay") ? a.text("replay") : a.text("filter");
  r.without = rules_named(core::split(a.text("without")));
  r.seed = static_cast<uint64_t>(a.integer("seed"));
  r.rounds = static_cast<size_t>(std::max<int64_t>(a.integer("cases"), 1));
  r.seconds = static_cast<int>(std::clamp<int64_t>(a.integer("case_timeout"), 1, 86400));
  r.in_process = a.flag("in_process");
  r.models = a.paths("models");
  if (a.has("replay")) r.level = checks::Level::fuzz;
  return r;
}

// Whoever reads the exit code wants to know whether anything was tried.
core::Failure could_not_run(const core::Failure& f) {
  core::Failure told(core::Exit::usage, f.code(), f.message());
  for (const auto& [label, text] : f.context()) told.with(label, text);
  return told;
}

}  // namespace

void check_word(Program& program, const Arguments& arguments, const std::vector<std::string>& operands) {
  size_t number = 0;
  checks::CheckRequest request = request_of(program, arguments);
  request.done = [&](const checks::CaseResult& c) { show_progress(c, ++number); };
  std::vector<checks::PluginReport> reports;
  try {
    for (const core::FoundPlugin& found :
         plugins_of(operands.front(), program.early().allow_writable_folders)) {
      request.surroundings.file = found.path;
      request.surroundings.folder = found.folder;
      request.examples = text_of(checks::examples_path(found.folder.empty() ? found.path : found.folder));
      reports.push_back(checks::check_plugin(request));
    }
  } catch (const core::Failure& f) {
    throw could_not_run(f);
  }
  if (number != 0 && isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);

  const checks::ReportHead head{request.level, request.seed};
  const std::string format = arguments.text("format");
  const std::string text = format == "json"    ? checks::json_report(reports, head)
                           : format == "junit" ? checks::junit_report(reports, head)
                                               : checks::text_report(reports, head);
  const std::string to = arguments.path("output_file");
  if (to.empty()) {
    print(text);
  } else {
    write_file(to, text);
    print(checks::summary(reports, head));
  }
  size_t tried = 0, failed = 0;
  for (const checks::PluginReport& r : reports) {
    tried += r.count(checks::Verdict::passed) + r.count(checks::Verdict::failed);
    failed += r.count(checks::Verdict::failed);
  }
  if (tried == 0)
    throw core::Failure(core::Exit::usage, "MO0127", "no case was tried")
        .with("hint",
              "see --filter, --replay, --without and --level; a case is named like "
              "MOX-222/com.acme::ScaledShift");
  if (failed != 0)
    throw core::Failure(core::Exit::model, "MO0128",
                        std::to_string(failed) + " of " + std::to_string(tried) + " cases failed");
}

}  // namespace mo::app
