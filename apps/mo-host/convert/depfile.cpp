#include "apps/mo-host/convert/depfile.hpp"

#include "apps/mo-host/convert/files_read.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/processes/program_path.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

// As make wants names: blanks, # and $ are its own. What it cannot be told, a line break, ends no rule.
std::string escaped(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c == '\n' ? '?' : c;
  }
  return out;
}

}  // namespace

std::vector<std::string> dependencies(const Program& program) {
  std::set<std::string> all = files_read(program);
  for (const core::Plugin* p : program.plugins().loaded)
    if (!p->path.empty()) all.insert(core::resolve_path(p->path));
  all.insert(program_path());
  return {all.begin(), all.end()};
}

void write_depfile(const std::string& path, const Program& program, const IrPaths& ir) {
  std::string rule = escaped(core::resolve_path(ir.xml)) + " " + escaped(core::resolve_path(ir.bin)) + ":";
  for (const std::string& file : dependencies(program)) rule += " \\\n  " + escaped(file);
  write_file(path, rule + "\n");
}

}  // namespace mo::app
