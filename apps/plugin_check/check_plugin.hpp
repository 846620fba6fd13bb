// Tries the rules out on one plugin: a process and a time limit for each case.
#pragma once

#include <set>

#include "apps/plugin_check/rules.hpp"
#include "apps/plugin_check/world.hpp"

namespace mo::app::checks {

enum class Verdict { passed, failed, skipped };

struct CaseResult {
  int rule = 0;
  std::string item;
  Verdict verdict = Verdict::passed;
  std::string text;  // what was found, or why it was skipped
  double seconds = 0;
};
// What an operation was tried with.
struct Tried {
  std::string item;
  std::vector<std::string> lines;
};
// "MOX-222/com.acme::ScaledShift"
std::string name_of(const CaseResult&);

struct CheckRequest {
  Surroundings surroundings;
  Level level = Level::strict;
  std::string filter;     // a glob for names of cases, of rules or of items; "" = all
  std::set<int> without;  // rules that are left out
  uint64_t seed = 1;
  size_t rounds = 100;      // of each random case
  int seconds = 60;         // a case may take
  bool in_process = false;  // for debuggers: no time limit, and a crash is one
  std::string examples;     // graphs in the text form with calls of the plugin's operations
  std::vector<std::string> models;
  std::function<void(const CaseResult&)> done;  // after each case
};

struct PluginReport {
  std::string file, id, version;
  std::vector<CaseResult> cases;
  std::vector<Tried> tried;
  double seconds = 0;
  size_t count(Verdict) const;
};

// Failure when nothing can be tried at all: the host's own plugins do not load, or the processes do not
// start.
PluginReport check_plugin(const CheckRequest&);

// "X.check.txt" of "X.mo.so", "check.txt" in a folder: where examples are looked for.
std::string examples_path(const std::string& plugin_path);

}  // namespace mo::app::checks
