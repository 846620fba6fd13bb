#include "core/host/loader.hpp"

#include <unistd.h>

#include <filesystem>
#include <map>

#include "core/registry/at_work.hpp"
#include "core/registry/counts.hpp"
#include "core/registry/refusal.hpp"

namespace mo::core {

PluginEntry Gate::open(Session&, const FoundPlugin& found, bool built_in) {
  // A crash report that knows no callback has to name the files it may be about.
  if (!built_in) note_foreign(found.path);
  return open_plugin(found);
}

namespace {

Failure all_of(const std::vector<Failure>& failures) {
  if (failures.size() == 1) return failures.front();
  Failure f(Exit::plugin, failures.front().code(), text(failures.size(), " plugins cannot be used"));
  constexpr size_t most_told = 20;
  for (size_t i = 0; i < std::min(failures.size(), most_told); ++i)
    f.with(text("no. ", i + 1), failures[i].render());
  if (failures.size() > most_told) f.with("not told", text(failures.size() - most_told, " more"));
  return f;
}

class Loading {
 public:
  Loading(Session& session, Gate& gate) : session_(session), gate_(gate) {}

  LoadReport run(std::vector<PluginPlace> places) {
    gate_.before_all(session_, places);
    std::vector<std::string> folders;
    for (const PluginPlace& p : places)
      for (const FoundPlugin& f : p.found.plugins)
        if (!f.folder.empty()) folders.push_back(f.folder);
    if (!folders.empty()) session_.set_option("foreign_folders", folders);
    Origin last = Origin::built_in;
    for (const PluginPlace& p : places) {
      if (p.origin != last) throw_failures();
      last = p.origin;
      const size_t failures_before = failures_.size();
      const auto used = take(p);
      if (p.origin == Origin::named && failures_.size() == failures_before) expect_something(p, used);
      if (p.origin == Origin::searched) leave_out_failures();
    }
    throw_failures();
    return std::move(report_);
  }

 private:
  using Origin = PluginPlace::Origin;

  void expect_something(const PluginPlace& place, const std::vector<const Plugin*>& used) {
    const auto registers = [](const Plugin* p) { return p->total() + p->withdrawn != 0; };
    if (std::none_of(used.begin(), used.end(), registers)) failures_.push_back(nothing_from(place, used));
  }

  void leave_out_failures() {
    for (const Failure& f : failures_)
      session_.log(MO_LOG_WARNING, text("a plugin is left out\n", f.render()));
    failures_.clear();
  }

  void throw_failures() const {
    if (!failures_.empty()) throw all_of(failures_);
  }

  // The plugins of what was found, those that were loaded before included.
  std::vector<const Plugin*> take(const PluginPlace& place) {
    for (const auto& [path, reason] : place.found.skipped) report_.skipped.push_back({path, reason, false});
    for (const auto& [path, why] : place.found.refused) {
      Failure f = why;
      refuse(path, with_advice(std::move(f.with("file", path)), nullptr));
    }
    std::vector<const Plugin*> used;
    for (const FoundPlugin& f : place.found.plugins)
      if (const Plugin* p = load(f, place.origin == Origin::built_in)) used.push_back(p);
    return used;
  }

  const Plugin* load(const FoundPlugin& found, bool built_in) {
    const auto [it, is_new] = by_file_.try_emplace({found.device, found.inode}, nullptr, found.path);
    if (!is_new) {
      report_.skipped.push_back({found.path, text("the same file as ", it->second.second), false});
      return it->second.first;
    }
    try {
      const Plugin& p = load_one(found, built_in);
      it->second.first = &p;
      report_.loaded.push_back(&p);
      session_.log(MO_LOG_INFO,
                   text(p.on_demand ? "known " : "loaded ", p.id, " ", p.version, " from ", p.path, ": ",
                        in_words(p, p.withdrawn), p.on_demand ? "; opened when one is needed" : "",
                        session_.registry().has_closed(p) ? "; more when a model is its own" : ""),
                   &p);
      for (const std::string& note : p.notes) session_.log(MO_LOG_INFO, note, &p);
      return &p;
    } catch (Failure& f) {
      refuse(found.path, with_advice(std::move(f.with("file", found.path)), nullptr));
      return nullptr;
    }
  }

  const Plugin& load_one(const FoundPlugin& found, bool built_in) {
    if (const Plugin* p = gate_.known(session_, found, built_in)) return *p;
    return load_plugin(session_, open(found, built_in), found.path, built_in, found.framework, &gate_);
  }

  // Libraries run code of their own while they are opened: a crash report has to name the file.
  PluginEntry open(const FoundPlugin& found, bool built_in) {
    Plugin unknown;
    unknown.path = found.path;
    Call call(session_);
    call->plugin = &unknown;
    return gate_.open(session_, found, built_in);
  }

  void refuse(const std::string& path, Failure why) {
    report_.skipped.push_back({path, in_one_line(why), true});
    failures_.push_back(std::move(why));
  }

  static Failure nothing_from(const PluginPlace& place, const std::vector<const Plugin*>& used) {
    std::string seen;
    const auto add = [&](std::string_view file, std::string_view why) {
      seen += text(seen.empty() ? "" : "\n", file, ": ", why);
    };
    for (const Plugin* p : used) add(p->path, text("plugin ", p->id, " ", p->version, " registers nothing"));
    for (const auto& [file, why] : place.found.skipped) add(file, why);
    Failure f = refusal(
        Rule::nothing_registered,
        text("'", place.asked, "' gives nothing to this host; expected a plugin that registers something"));
    f.with("path", place.path).with("seen", seen.empty() ? "no file whose name ends in .so" : seen);
    return with_advice(std::move(f), nullptr);
  }

  Session& session_;
  Gate& gate_;
  LoadReport report_;
  std::vector<Failure> failures_;
  // By device and inode.
  std::map<std::pair<uint64_t, uint64_t>, std::pair<const Plugin*, std::string>> by_file_;
};

}  // namespace

LoadReport load_places(Session& session, std::vector<PluginPlace> places,
                       const std::vector<std::string>& prefer, Gate& gate) {
  if (!prefer.empty()) session.registry().prefer(prefer);
  return Loading(session, gate).run(std::move(places));
}

}  // namespace mo::core
