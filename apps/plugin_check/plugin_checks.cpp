// Rules about the plugin as a whole: 200 to 213 and 244.
#include <sys/stat.h>
#include <unistd.h>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "apps/plugin_check/setting.hpp"
#include "apps/plugin_check/tap.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "core/host/library.hpp"

namespace mo::app::checks {

namespace {

void same_descriptor(Setting& s, const std::string&) {
  const core::Discovery found =
      discover(s.surroundings.file, {.any_owner = true, .allow_writable_folders = true});
  if (found.plugins.size() != 1) throw Skipped{"the file is not a plugin"};
  const core::PluginEntry entry = open_plugin(found.plugins.front());
  const mo_plugin* first = entry();
  const mo_plugin* second = entry();
  const mo_plugin* third = nullptr;
  on_thread([&] { third = entry(); });
  if (first != second || first != third)
    broken("mo_plugin_entry returned ",
           first == second ? "another descriptor on another thread" : "another descriptor",
           " when it was called again; expected the same static object each time");
}

// The first line in which two texts differ.
std::string first_difference(const std::string& expected, const std::string& got) {
  std::string line;
  const auto lines = [](const std::string& t) {
    std::vector<std::string> list;
    for (size_t at = 0; at < t.size();) {
      const size_t end = std::min(t.find('\n', at), t.size());
      list.push_back(t.substr(at, end - at));
      at = end + 1;
    }
    return list;
  };
  const auto a = lines(expected), b = lines(got);
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string x = i < a.size() ? a[i] : "nothing", y = i < b.size() ? b[i] : "nothing";
    if (x != y) return text("'", y, "'; expected '", x, "'");
  }
  return {};
}

// With what the same process sees when nothing is special: that processes differ is rule 207.
void compare_registrations(Setting& s, const World& world, const std::string& where) {
  const std::string got = registrations(world.session(), world.plugin());
  if (got == s.expected) return;
  World plain(s.surroundings);
  plain.load();
  const std::string here = registrations(plain.session(), plain.plugin());
  if (got != here) broken(where, " it registers ", first_difference(here, got));
}

void load_or_find(World& world, const std::string& where) {
  try {
    world.load();
  } catch (const core::Failure& f) {
    broken(where, " it is refused: ", f.render());
  }
}

void is_loaded(Setting& s, const std::string&) { load_or_find(s.world, ""); }

void each_session(Setting& s, const std::string&) {
  s.world.load();
  const std::string first = registrations(s.session(), s.world.plugin());
  for (const char* which : {"in a second session", "in a session after others have ended"}) {
    World again(s.surroundings);
    load_or_find(again, which);
    if (const std::string got = registrations(again.session(), again.plugin()); got != first)
      broken(which, " it registers ", first_difference(first, got));
  }
}

void another_thread(Setting& s, const std::string&) {
  on_thread([&] { load_or_find(s.world, "on another thread"); });
  compare_registrations(s, s.world, "on another thread");
}

struct ProcessState {
  std::string folder, locale, environment, handlers;
  mode_t mask;
  int rounding;
  static ProcessState now() {
    ProcessState p;
    std::error_code error;
    p.folder = std::filesystem::current_path(error).string();
    p.locale = std::setlocale(LC_ALL, nullptr);
    for (char** e = environ; *e != nullptr; ++e) p.environment += text(*e, "\n");
    for (int i = 1; i < 32; ++i) {
      struct sigaction a {};
      if (sigaction(i, nullptr, &a) == 0)
        p.handlers += text(i, ":", reinterpret_cast<uintptr_t>(a.sa_handler), " ");
    }
    p.mask = umask(0);
    umask(p.mask);
    p.rounding = std::fegetround();
    return p;
  }
};

void leaves_process(Setting& s, const std::string&) {
  const ProcessState before = ProcessState::now();
  s.world.load();
  const ProcessState after = ProcessState::now();
  const auto expect = [](bool same, std::string_view what) {
    if (!same) broken("loading changed ", what, " of the process");
  };
  expect(before.folder == after.folder, "the current folder");
  expect(before.locale == after.locale, "the locale");
  expect(before.environment == after.environment, "the environment");
  expect(before.handlers == after.handlers, "signal handlers");
  expect(before.mask == after.mask, "the umask");
  expect(before.rounding == after.rounding, "the rounding mode");
}

// What is written to standard output while it lives.
class Captured {
 public:
  Captured() : file_(std::tmpfile()) {
    std::fflush(stdout);
    saved_ = dup(STDOUT_FILENO);
    if (file_ != nullptr) dup2(fileno(file_), STDOUT_FILENO);
  }
  ~Captured() {
    put_back();
    if (file_ != nullptr) std::fclose(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  size_t bytes() {
    put_back();
    struct stat status {};
    return file_ != nullptr && fstat(fileno(file_), &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
  }

 private:
  void put_back() {
    if (saved_ < 0) return;
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
    saved_ = -1;
  }
  std::FILE* file_;
  int saved_ = -1;
};

void silent(Setting& s, const std::string&) {
  Captured output;
  s.world.load();
  if (const size_t n = output.bytes(); n != 0)
    broken("while it was loaded it wrote ", n, " bytes to standard output");
}

// The process that runs the case ends as a program does; see run_case.
void ends_well(Setting& s, const std::string&) { s.world.load(); }

void each_process(Setting& s, const std::string&) {
  s.world.load();
  if (const std::string got = registrations(s.session(), s.world.plugin()); got != s.expected)
    broken("in another process it registers ", first_difference(s.expected, got));
}

void larger_host(Setting& s, const std::string&) {
  const TapScope tapped(s.session(), true);
  const std::string where =
      text("on a host with ABI ", MO_ABI_MAJOR, ".", MO_ABI_MINOR + 7, " and larger tables");
  load_or_find(s.world, where);
  compare_registrations(s, s.world, where);
}

void nothing_found(Setting& s, const std::string&) {
  const TapScope tapped(s.session());
  tap().finds_nothing = true;
  try {
    s.world.load();
  } catch (const core::Failure& f) {
    if (f.message().find("MOX-026") != std::string::npos || f.message().find("no text") != std::string::npos)
      broken("without interfaces and options: ", f.message());
  }
}

void failing_load(Setting& s, const std::string&) {
  constexpr size_t most = 300;
  for (size_t n = 1; n <= most; ++n) {
    const TapScope tapped(s.session());
    tap().fail_at = n;
    tap().status = n % 2 != 0 ? MO_ERROR : MO_NO_MEMORY;
    bool loaded = false;
    try {
      s.world.load();
      loaded = true;
    } catch (const core::Failure& f) {
      if (f.message().find("MOX-026") != std::string::npos ||
          f.message().find("and no text") != std::string::npos)
        broken("when ", tap().failed, " fails: ", f.message());
    }
    if (!loaded) continue;
    if (tap().failed.empty()) return;
    compare_registrations(
        s, s.world, text("after ", tap().failed, " (host call no. ", n, ") had failed load returned MO_OK:"));
    return;  // it is loaded now, and cannot be loaded again
  }
}

constexpr CheckRow plugin_rows[] = {
    {200, same_descriptor}, {201, is_loaded},     {202, each_session}, {203, another_thread},
    {204, leaves_process},  {205, silent},        {206, ends_well},    {207, each_process},
    {210, larger_host},     {213, nothing_found}, {244, failing_load},
};

}  // namespace

std::span<const CheckRow> plugin_checks() { return plugin_rows; }

}  // namespace mo::app::checks
