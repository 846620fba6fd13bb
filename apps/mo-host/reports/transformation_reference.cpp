#include "apps/mo-host/reports/transformation_reference.hpp"

#include <algorithm>
#include <sstream>

#include "core/schedule/schedule.hpp"

namespace mo::app {

namespace {

// Without what all lines are indented by, and without empty lines around it.
std::string dedented(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  size_t indent = std::string::npos;
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    indent = std::min(indent, first);
    lines.push_back(line);
  }
  std::string out;
  for (const std::string& line : lines) out += line.substr(indent) + "\n";
  return out;
}

void append_graph(std::string& md, const std::string& text) {
  md += "\n```text\n" + dedented(text) + "```\n";
}

}  // namespace

std::string transformation_reference(const core::Session& session) {
  std::string md;
  for (const core::Scheduled& s : core::make_schedule(session, {})) {
    const core::Transformation* t = s.transformation;
    if (t == nullptr || t->before.empty() || t->after.empty()) continue;
    md += "\n## " + t->id + "\n\n" + t->doc + "\n";
    append_graph(md, t->before);
    md += "\nbecomes\n";
    append_graph(md, t->after);
  }
  return md;
}

}  // namespace mo::app
