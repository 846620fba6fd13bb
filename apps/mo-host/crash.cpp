#include "apps/mo-host/crash.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "core/support/failure.hpp"
#include "core/support/temporary_files.hpp"

namespace mo::app {

namespace {

// A handler can only reach what lies at a fixed place.
std::atomic<const core::Session*> watched{nullptr};
char model_path[4096];
alignas(16) char handler_stack[64 * 1024];

// Collects a text without allocating, and writes it at once.
class LastWords {
 public:
  LastWords& operator<<(std::string_view s) {
    const size_t n = std::min(s.size(), sizeof text_ - size_);
    std::memcpy(text_ + size_, s.data(), n);
    size_ += n;
    return *this;
  }
  ~LastWords() {
    size_t done = 0;
    while (done < size_) {
      const ssize_t n = write(STDERR_FILENO, text_ + done, size_ - done);
      if (n <= 0) return;
      done += static_cast<size_t>(n);
    }
  }

 private:
  char text_[16 * 1024];
  size_t size_ = 0;
};

std::string_view meaning(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "invalid memory access";
    case SIGABRT:
      return "abort";
    case SIGFPE:
      return "arithmetic error";
    case SIGILL:
      return "invalid instruction";
    default:
      return "bus error";
  }
}

// Innermost first: the first call that knows a thing is the one at hand.
struct AtHand {
  const core::Plugin* plugin = nullptr;
  const core::Transformation* transformation = nullptr;
  const core::Graph* graph = nullptr;
  core::NodeId node = core::no_node;
};

AtHand at_hand(const core::Session* session) {
  AtHand found;
  if (session == nullptr) return found;
  for (size_t depth = session->call_depth(); depth-- > 0;) {
    const core::CallContext& c = session->call_at(depth);
    if (found.plugin == nullptr) found.plugin = c.plugin;
    if (found.transformation == nullptr) found.transformation = c.transformation;
    if (found.graph == nullptr && c.graph != nullptr && c.graph->alive(c.node)) {
      found.graph = c.graph;
      found.node = c.node;
    }
  }
  return found;
}

void describe(LastWords& out, const AtHand& a) {
  if (a.graph != nullptr)
    out << "  node    '" << a.graph->name(a.node) << "' (" << a.graph->op(a.node) << ")\n";
  if (a.transformation != nullptr) out << "  pass    " << a.transformation->id << "\n";
  if (a.plugin != nullptr && !a.plugin->id.empty())
    out << "  plugin  " << a.plugin->id << " " << a.plugin->version << " (" << a.plugin->path << ")\n";
  if (a.plugin != nullptr && !a.plugin->support_url.empty())
    out << "  support " << a.plugin->support_url << "\n";
  if (model_path[0] != 0) out << "  model   " << model_path << "\n";
}

[[noreturn]] void on_crash(int signal, siginfo_t* info, void*) {
  core::remove_temporary_files();
  const AtHand a = at_hand(watched.load());
  auto code = core::Exit::internal;
  {
    LastWords out;
    // A page of a mapping that its file no longer has.
    if (signal == SIGBUS && info->si_code == BUS_ADRERR) {
      code = core::Exit::model;
      out << "error MO0208: a file that is being read has become shorter, or cannot be read any more\n";
      describe(out, a);
      out << "  hint    leave the model and the files beside it alone until the conversion ends\n";
    } else if (a.plugin != nullptr) {
      code = core::Exit::plugin;
      out << "error MO0809: plugin " << (a.plugin->id.empty() ? a.plugin->path : a.plugin->id) << " crashed ("
          << meaning(signal) << ")\n";
      describe(out, a);
      out << "  hint    nothing was written; report this to whoever the plugin is from\n";
    } else {
      out << "error MO0901: mo-host crashed (" << meaning(signal) << "); this is a bug of mo-host\n";
      describe(out, a);
      out << "  hint    nothing was written; report the command and these lines, with the model if you can\n";
    }
  }
  _exit(static_cast<int>(code));
}

void on_interrupt(int signal) {
  core::remove_temporary_files();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

void install_signal_handlers() {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction crash {};
  crash.sa_sigaction = on_crash;
  crash.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) sigaction(s, &crash, nullptr);
  struct sigaction interrupt {};
  interrupt.sa_handler = on_interrupt;
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    sigaction(s, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(s, &interrupt, nullptr);  // nohup stays in force
  }
  // A limit on the size of files is then an error of the write, which is reported with the file's name.
  signal(SIGXFSZ, SIG_IGN);
}

void watch_session(const core::Session* session) { watched.store(session); }

void watch_model(const std::string& path) {
  const size_t n = std::min(path.size(), sizeof model_path - 1);
  std::memcpy(model_path, path.data(), n);
  model_path[n] = 0;
}

}  // namespace mo::app
