#include "apps/mo-host/reports/conversion_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "apps/explore/node_facts.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/table.hpp"

namespace mo::app {

uint64_t peak_memory_kib() {
  char text[4096];
  const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = read(fd, text, sizeof text);
  close(fd);
  const std::string_view status(text, n < 0 ? 0 : static_cast<size_t>(n));
  const size_t at = status.find("VmHWM:");
  if (at == std::string_view::npos) return 0;
  const size_t digits = status.find_first_of("0123456789", at);
  uint64_t kib = 0;
  if (digits != std::string_view::npos) std::from_chars(text + digits, text + status.size(), kib);
  return kib;
}

std::string summary(const Program& program, const core::ConvertOptions& o, const core::ConvertResult& r,
                    const IrPaths& files) {
  std::string plugins;
  for (const core::Plugin* p : r.used)
    plugins += fmt::format("{}{} {}", plugins.empty() ? "" : ", ", p->id, p->version);
  std::string out = fmt::format("converted {} to IR version {} in {:.2f} s, peak memory {}\n", o.input_model,
                                r.ir.ir_version, program.seconds(), size_text(peak_memory_kib() * 1024));
  out += fmt::format("  framework  {}\n  layers     {} from {} nodes of the model\n", r.framework,
                     r.ir.layers, r.source_nodes);
  out += fmt::format("  plugins    {}\n", wrapped(plugins, 13, 110));
  for (const auto& [op, nodes] : r.needed_at_run_time)
    out += fmt::format("  needs      the runtime must know {}::{} ({} {}), from {} {}\n", op->opset, op->op,
                       nodes, nodes == 1 ? "layer" : "layers", op->plugin->id, op->plugin->version);
  out += fmt::format("  written    {} ({})\n             {} ({})\n", files.xml, size_text(r.ir.xml_bytes),
                     files.bin, size_text(r.ir.bin_bytes));
  return out;
}

std::string timing_text(const Program& program, const core::ConvertResult& r) {
  Table t{"phases", {"phase", "ms"}, {}, {}};
  t.rows.push_back({"start", fmt::format("{:.1f}", program.seconds_to_start() * 1e3)});
  for (const core::PhaseTime& p : r.phases)
    t.rows.push_back({p.name, fmt::format("{:.1f}", p.seconds * 1e3)});
  t.rows.push_back({"total", fmt::format("{:.1f}", program.seconds() * 1e3)});
  return as_text(t);
}

std::string timing_json(const Program& program, const core::ConvertResult& r) {
  std::string phases = fmt::format("\"start\": {:.3f}", program.seconds_to_start() * 1e3);
  for (const core::PhaseTime& p : r.phases)
    phases += fmt::format(", {}: {:.3f}", quoted_json(p.name), p.seconds * 1e3);
  return fmt::format(
      "{{\"total_ms\": {:.3f}, \"phases\": {{{}}}, \"nodes\": {}, \"layers\": {}, \"peak_kib\": {}}}\n",
      program.seconds() * 1e3, phases, r.source_nodes, r.ir.layers, peak_memory_kib());
}

std::string profile_text(const core::ConvertResult& r) {
  Table t{"transformations",
          {"step", "transformation", "ms", "applied", "declined", "edits", "nodes before", "after"},
          {},
          "no transformation ran"};
  // Most of them look for what a model does not have: those are counted, and the one that took longest is named.
  size_t idle = 0;
  double of_idle = 0;
  const core::RunStatistics* longest = nullptr;
  for (const core::RunStatistics& s : r.transformations) {
    if (s.matches == 0 && s.declined == 0 && s.edits == 0) {
      ++idle;
      of_idle += s.seconds;
      if (longest == nullptr || s.seconds > longest->seconds) longest = &s;
      continue;
    }
    t.rows.push_back({s.step == 0 ? "" : fmt::format("{}", s.step), s.id,
                      fmt::format("{:.2f}", s.seconds * 1e3), fmt::format("{}", s.matches),
                      fmt::format("{}", s.declined), fmt::format("{}", s.edits),
                      fmt::format("{}", s.nodes_before), fmt::format("{}", s.nodes_after)});
  }
  const std::string rest =
      longest == nullptr
          ? std::string()
          : fmt::format("{} found nothing to do, {:.2f} ms together; the longest of them: {}, {:.2f} ms\n",
                        idle, of_idle * 1e3, longest->id, longest->seconds * 1e3);
  return (t.rows.empty() && longest != nullptr ? std::string() : as_text(t)) + rest;
}

}  // namespace mo::app
