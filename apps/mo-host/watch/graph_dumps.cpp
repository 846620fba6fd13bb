#include "apps/mo-host/watch/graph_dumps.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "apps/mo-host/output/draw_svg.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/views/dot.hpp"
#include "apps/views/text.hpp"
#include "core/schedule/invariants.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

// The transformation, or the group that shared a traversal.
std::string label_of(const core::Ran& ran, const std::vector<std::string>& ids) {
  if (ran.members.size() == 1) return ran.members.front().id;
  for (const core::RunStatistics& s : ran.members)
    if (core::contains(ids, s.id)) return s.id;
  for (const core::RunStatistics& s : ran.members)
    if (s.edits != 0) return s.id;
  return ran.members.front().id;
}

std::string file_name(std::string id) {
  for (char& c : id)
    if (c == '/' || static_cast<unsigned char>(c) <= ' ') c = '_';
  return id;
}

DotOptions marked(const core::Ran& ran, std::string title) {
  DotOptions o;
  o.title = std::move(title);
  for (const core::Journal::Edit& e : ran.edits) {
    if (e.node == core::no_node || e.what == "mark" || e.what == "infer") continue;
    if (ran.graph.space().find(e.serial) == nullptr || !e.graph->alive(e.node)) continue;
    const auto [it, is_new] = o.marks.try_emplace({e.graph, e.node}, Mark::changed);
    if (e.what == "add node") it->second = Mark::made;
  }
  return o;
}

}  // namespace

bool GraphDumps::wanted(const core::Ran& ran) const {
  return (what_.all && ran.edited_something()) ||
         std::any_of(ran.members.begin(), ran.members.end(),
                     [&](const core::RunStatistics& s) { return core::contains(what_.ids, s.id); });
}

void GraphDumps::has_run(const core::Ran& ran) {
  steps_ = std::max(steps_, ran.members.front().step);
  if (!wanted(ran)) return;
  make_folder(what_.folder);
  write(ran, fmt::format("{:03}_{}", steps_, file_name(label_of(ran, what_.ids))));
}

void GraphDumps::write(const core::Ran& ran, const std::string& stem) {
  const std::string path = what_.folder + "/" + stem;
  TextOptions form;
  form.side_file = path + ".bin";
  unlink(form.side_file.c_str());  // to_text appends
  write_file(path + ".txt", to_text(ran.graph, form));
  write_file(path + ".dot", to_dot(ran.graph, marked(ran, stem)));
  if (!draws_) return;
  const std::string problem = draw_svg(path + ".dot", path + ".svg");
  if (problem.empty()) return;
  draws_ = false;
  say_("no drawings are made: " + problem + "; the .dot files are in " + what_.folder);
}

}  // namespace mo::app
