#include "apps/mo-host/explore/report_page.hpp"

#include <filesystem>

#include "apps/mo-host/explore/page.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/session/target.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

nlohmann::ordered_json options_json(const Arguments& a) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [name, value] : a.given())
    if (name != "explore" && name != "output_file" && name != "input_model")
      list.push_back({"--" + std::string(name), value == "true" ? "" : value});
  return list;
}

uint64_t bytes_of(const std::string& path) {
  std::error_code error;
  const uint64_t bytes =
      std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
  return error ? 0 : bytes;
}

}  // namespace

std::string page_file(const Arguments& a, const core::ConvertOptions& options) {
  if (a.has("explore")) return a.path("explore");
  for (const OptionRow& row : a.rows())
    if (row.name == "output_file" && row.commands == for_explore)
      return a.has("output_file") ? a.path("output_file")
                                  : core::resolve_path(options.emit.model_name + ".html");
  return {};
}

ReportPage::ReportPage(Program& program, const Arguments& a, core::ConvertOptions& options, std::string file)
    : notes_(program), file_(std::move(file)) {
  options.phase_started = [this, before = options.phase_started](std::string_view name) {
    notes_.phase(name);
    if (before) before(name);
  };
  notes_.about("model", options.input_model);
  notes_.about("modelBytes", bytes_of(options.input_model));
  notes_.about("name", options.emit.model_name);
  notes_.about("target", std::string(target_of(a).name));
  notes_.about("options", options_json(a));
}

void ReportPage::write() { write_file(file_, page_with(notes_.data())); }

void ReportPage::write(const core::ConvertResult& r, const IrPaths& files) {
  notes_.finished(r, files);
  write();
}

void ReportPage::write_failed(const core::Failure& f) {
  notes_.failed(f);
  write();
}

}  // namespace mo::app
