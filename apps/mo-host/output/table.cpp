#include "apps/mo-host/output/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/explore/node_facts.hpp"

namespace mo::app {

std::string as_text(const Table& t) {
  if (t.rows.empty()) return t.empty + "\n";
  std::vector<size_t> widths;
  for (size_t c = 0; c < t.columns.size(); ++c) {
    size_t w = t.columns[c].size();
    for (const auto& row : t.rows) w = std::max(w, row[c].size());
    widths.push_back(w);
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string l;
    for (size_t c = 0; c < cells.size(); ++c) l += fmt::format("{:<{}}  ", cells[c], widths[c]);
    l.erase(l.find_last_not_of(' ') + 1);
    out += l + "\n";
  };
  line(t.columns);
  for (const auto& row : t.rows) line(row);
  return out;
}

std::string as_markdown(const Table& t) {
  std::string out = "# " + t.title + "\n\n<!-- made by mo-host; do not edit -->\n\n";
  if (t.rows.empty()) return out + t.empty + "\n";
  const auto line = [&](const std::vector<std::string>& cells) {
    out += "|";
    for (const std::string& cell : cells) {
      out += ' ';
      for (const char c : cell) out += c == '|' ? "\\|" : std::string(1, c);
      out += " |";
    }
    out += "\n";
  };
  line(t.columns);
  line(std::vector<std::string>(t.columns.size(), "---"));
  for (const auto& row : t.rows) line(row);
  return out;
}

std::string as_json(const Table& t) {
  std::string out = "[";
  for (const auto& row : t.rows) {
    out += out.size() == 1 ? "\n  {" : ",\n  {";
    for (size_t c = 0; c < row.size(); ++c)
      out += (c == 0 ? "" : ", ") + quoted_json(t.columns[c]) + ": " + quoted_json(row[c]);
    out += "}";
  }
  return out + (t.rows.empty() ? "]\n" : "\n]\n");
}

}  // namespace mo::app
