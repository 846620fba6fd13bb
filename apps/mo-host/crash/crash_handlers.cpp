#include "apps/mo-host/crash/crash_handlers.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "apps/files/temporary_files.hpp"
#include "apps/files/uninterrupted.hpp"
#include "apps/mo-host/crash/current_work.hpp"
#include "apps/processes/signals.hpp"
#include "core/registry/at_work.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

namespace {

alignas(16) char handler_stack[64 * 1024];

// exit() before the end of main, and _exit() at any time: nobody but a plugin does that. What it would skip
// is what keeps results whole.
bool is_over = false;
pid_t whose_end = 0;

[[noreturn]] void leave(core::Exit code) {
  for (;;) syscall(SYS_exit_group, static_cast<int>(code));
}

std::string_view what_to_do() {
  // Letting go comes after the result, if there was one.
  return core::at_work.plugin.load() != nullptr
             ? "  hint    report this to whoever the plugin is from; a result that was written is whole\n"
             : "  hint    nothing was written; report this to whoever the plugin is from\n";
}

void describe_foreign(SignalText& out) {
  const core::ForeignLibraries& all = core::foreign_libraries;
  for (size_t i = 0, n = all.count.load(); i < n; ++i)
    out << (i == 0 ? "  one of  " : "          ") << all.paths[i].data() << "\n";
}

// Static objects are destroyed after main(), and nothing says whose they are.
void describe_late_crash(SignalText& out, int signal) {
  out << "error MO0809: a plugin crashed (" << meaning_of(signal)
      << ") at the end of the program, when its static objects were destroyed\n";
  describe_foreign(out);
  out << "  hint    a result that was written is whole; --isolate ID runs a plugin in a process of its own\n";
}

// Nobody can tell who it was from where it is seen: whoever writes where it may not is seen when somebody else reads it.
void describe_spoilt(SignalText& out, int signal) {
  out << "error MO0809: the program crashed (" << meaning_of(signal)
      << ") after plugins that are not its own had run in it\n  last    " << last_foreign_call()
      << "\n  hint    --isolate all runs them in processes of their own: where that works, or ends with the "
         "name of one, the plugin has spoilt the program's memory, and `mo-host plugin check` of it says "
         "how\n";
}

// How often on_crash was entered: what it looks at may be spoilt as well.
volatile sig_atomic_t crashes = 0;

[[noreturn]] void on_crash(int signal, siginfo_t* info, void*) {
  crashes = crashes + 1;
  if (crashes > 1) {
    if (crashes == 2 && *last_foreign_call() != 0) {
      SignalText out;
      describe_spoilt(out, signal);
    }
    leave(*last_foreign_call() != 0 ? core::Exit::plugin : core::Exit::internal);
  }
  remove_temporary_files();
  const CurrentWork a = current_work();
  auto code = core::Exit::internal;
  {
    SignalText out;
    // A page of a mapping that its file no longer has.
    if (signal == SIGBUS && info->si_code == BUS_ADRERR) {
      code = core::Exit::model;
      out << "error MO0208: a file that is being read has become shorter, or cannot be read any more\n";
      describe(out, a);
      out << "  hint    leave the model and the files beside it alone until the conversion ends\n";
    } else if (a.plugin == nullptr && is_over && core::foreign_libraries.count.load() != 0) {
      code = core::Exit::plugin;
      describe_late_crash(out, signal);
    } else if (a.plugin != nullptr && (!a.plugin->built_in || *last_foreign_call() == 0)) {
      code = core::Exit::plugin;
      out << "error MO0809: plugin " << name_of(*a.plugin) << " crashed (" << meaning_of(signal) << ")\n";
      describe(out, a);
      out << what_to_do();
    } else if (*last_foreign_call() != 0) {
      code = core::Exit::plugin;
      describe_spoilt(out, signal);
      describe(out, a);
      describe_foreign(out);
      out << (is_over ? "  hint    a result that was written is whole\n" : "  hint    nothing was written\n");
    } else {
      out << "error MO0901: mo-host crashed (" << meaning_of(signal) << "); this is a bug of mo-host\n";
      describe(out, a);
      out << (is_over ? "  hint    a result that was written is whole; " : "  hint    nothing was written; ")
          << "report the command and these lines, with the model if you can\n";
    }
  }
  leave(code);
}

void on_exit_too_early(int status, void*) {
  if (is_over || getpid() != whose_end) return;  // a copy of the process ends as it likes
  remove_temporary_files();
  const CurrentWork a = current_work();
  {
    SignalText out;
    if (a.plugin != nullptr)
      out << "error MO0810: plugin " << name_of(*a.plugin) << " ended the program";
    else
      out << "error MO0810: a plugin ended the program, nobody knows which";
    out << " (exit code " << static_cast<uint64_t>(static_cast<unsigned>(status) & 0xffU) << ")\n";
    describe(out, a);
    out << what_to_do();
  }
  leave(core::Exit::plugin);
}

void on_interrupt(int signal) {
  if (has_to_wait(signal)) return;
  remove_temporary_files();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

void expect_no_exit() {
  whose_end = getpid();
  on_exit(on_exit_too_early, nullptr);
}

void end_of_main() { is_over = true; }

void install_signal_handlers() {
  expect_no_exit();
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction crash {};
  crash.sa_sigaction = on_crash;
  crash.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int s : crash_signals) sigaction(s, &crash, nullptr);
  struct sigaction interrupt {};
  interrupt.sa_handler = on_interrupt;
  for (const int s : interrupt_signals) {
    struct sigaction old {};
    sigaction(s, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(s, &interrupt, nullptr);  // nohup stays in force
  }
  // A limit on the size of files is then an error of the write, which is reported with the file's name.
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace mo::app

// In the place of the C library's, also for plugins: it would end the program without a word, and with the
// exit code of a conversion that went well.
extern "C" __attribute__((visibility("default"))) void _exit(int status) {
  mo::app::on_exit_too_early(status, nullptr);
  for (;;) syscall(SYS_exit_group, status);
}
