#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/crash/crash_handlers.hpp"
#include "apps/mo-host/crash/watchdog.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/mo-host/runtimes/serve_library.hpp"
#include "apps/mo-host/watch/process_watch.hpp"
#include "apps/session/failure_at_hand.hpp"
#include "core/host/library.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

void run_program(Program& program, std::vector<std::string> words) {
  const CommandRow& command = choose_command(words);
  const bool is_named = !words.empty() && words.front() == command.name;
  if (is_named) words.erase(words.begin());
  const bool asks_version = core::contains(words, "--version") || core::contains(words, "-V");
  program.open(scan_early(words), command.loads_plugins && !asks_version, command.bit == for_convert);
  if (asks_version) return version_command(program, {});
  const core::Registry& registry = program.session().registry();
  const Arguments arguments =
      parse_arguments(words, options_of(command.bit, registry), command.most_operands);
  // `mo-host --help` is about everything, `mo-host dump --help` about one command.
  if (arguments.flag("help")) return print(help_text(is_named ? &command : nullptr, registry));
  command.run(program, arguments);
}

int report(const Failure& f) {
  std::string text = f.render() + "\n";
  if (const size_t colon = text.find(':'); colon != std::string::npos && is_coloured(STDERR_FILENO))
    text = "\033[1;31m" + text.insert(colon, "\033[0m");
  std::fwrite(text.data(), 1, text.size(), stderr);
  return static_cast<int>(f.exit());
}

int report_bug(const char* what) {
  return report(
      Failure(Exit::internal, "MO0902", what)
          .with("program", "mo-host " MO_HOST_VERSION)
          .with("hint",
                "this is a bug of mo-host: report the command and these lines, with the model if you can"));
}

// A file that is opened first would be taken for the one that is closed. As before, nobody reads what is written to it, and
// writing results is an error.
void keep_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0) (void)open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// What one transformation gives back the next one asks for. Pages that were returned to the system in between
// would come again one fault at a time.
void keep_freed_memory() {
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

// A graph of many nodes is memory in small pieces, all over the heap: with pages of 2 MB fewer faults bring
// it, and fewer entries find it. What is asked for and given back here is not touched, and costs nothing;
// where the system has no such pages, nothing changes. Allocators of sanitizers do touch it.
void prefer_huge_pages() {
#ifndef __SANITIZE_ADDRESS__
  constexpr size_t piece = 31 << 20, page = 2 << 20;  // below the size from which pieces are mapped alone
  std::array<void*, 4> pieces{};
  for (void*& p : pieces) p = std::malloc(piece);
  for (void* p : pieces) {
    const auto begin = (reinterpret_cast<uintptr_t>(p) + page - 1) / page * page;
    const auto end = (reinterpret_cast<uintptr_t>(p) + piece) / page * page;
    if (p != nullptr && begin < end)
      (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
  for (void* p : pieces) std::free(p);
#endif
}

int run_and_report(std::vector<std::string> words, Program::Clock::time_point started) {
  try {
    Program program(started);
    run_program(program, std::move(words));
    return 0;
  } catch (...) {
    const Failure f = failure_at_hand();
    return f.code() == "MO0902" ? report_bug(f.what()) : report(f);
  }
}

}  // namespace

}  // namespace mo::app

int main(int argc, char** argv) {
  const auto started = mo::app::Program::Clock::now();
  mo::app::serve_library({argv, argv + argc});
  mo::app::keep_standard_descriptors();
  mo::app::keep_freed_memory();
  mo::app::prefer_huge_pages();
  mo::app::install_signal_handlers();
  mo::app::start_watchdog();
  mo::app::watch_process();
  const int code = mo::app::run_and_report({argv + 1, argv + argc}, started);
  mo::core::shut_down_plugins();
  mo::app::end_of_main();
  return code;
}
