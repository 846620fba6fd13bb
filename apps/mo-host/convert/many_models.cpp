#include "apps/mo-host/convert/many_models.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <list>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/mo-host/convert/cache.hpp"
#include "apps/mo-host/convert/conversion.hpp"
#include "apps/mo-host/convert/model_list.hpp"
#include "apps/mo-host/convert/models_progress.hpp"
#include "apps/mo-host/crash/crash_handlers.hpp"
#include "apps/mo-host/crash/current_work.hpp"
#include "apps/mo-host/crash/watchdog.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/processes/run_in_copy.hpp"
#include "apps/session/failure_at_hand.hpp"
#include "core/support/descriptor.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;
using Line = nlohmann::ordered_json;

std::string line_of(const Line& j) { return j.dump(-1, ' ', false, Line::error_handler_t::replace) + "\n"; }

Line failure_json(const Failure& f) {
  Line j{{"ok", false},
         {"exit", static_cast<int>(f.exit())},
         {"code", f.code()},
         {"error", f.render()},
         {"message", f.message()}};
  for (const auto& [label, text] : f.context()) j["about"][label] = text;
  return j;
}

uint64_t bytes_below(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    const uint64_t bytes = std::filesystem::file_size(path, error);
    return error ? 0 : bytes;
  }
  uint64_t sum = 0;
  for (std::filesystem::recursive_directory_iterator i(path, error), end; !error && i != end;
       i.increment(error))
    if (i->is_regular_file(error)) sum += i->file_size(error);
  return sum;
}

// One model of the manifest.
struct Task {
  std::string model;  // as its result calls it
  std::string stem;   // path of the result without .xml
  uint64_t bytes = 0;
  const Arguments* arguments = nullptr;
  std::optional<Failure> wrong;  // it cannot be begun
};

Line convert_task(Program& program, const Task& task) {
  Line warnings = Line::array();
  WarningLimit limit;
  program.session().log_sink = [&](const core::LogLine& line) {
    if (line.level >= MO_LOG_WARNING && limit.takes(line)) warnings.push_back(line.render());
  };
  Line result;
  try {
    const Conversion c = convert_one(program, *task.arguments);
    const core::ConvertResult& r = c.result;
    result = {{"ok", true},
              {"framework", r.framework},
              {"nodes", r.source_nodes},
              {"layers", r.ir.layers},
              {"xml", c.files.xml},
              {"bin", c.files.bin},
              {"xml_bytes", r.ir.xml_bytes},
              {"bin_bytes", r.ir.bin_bytes}};
    if (!c.page.empty()) result["page"] = c.page;
    if (task.arguments->has("cache")) result["cached"] = c.cached;
  } catch (...) {
    result = failure_json(failure_at_hand());
  }
  for (const auto& [plugin, what] : limit.left_out()) warnings.push_back(what);
  if (!warnings.empty()) result["warnings"] = std::move(warnings);
  return result;
}

std::string read_all(int fd) {
  std::string out;
  char part[4096];
  lseek(fd, 0, SEEK_SET);
  for (ssize_t n; (n = read(fd, part, sizeof part)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) out.append(part, static_cast<size_t>(n));
  }
  return out;
}

// A copy of this process at work on one task.
class Worker {
 public:
  Worker(Program& program, const Task& task)
      : task_(task),
        answer_(memfd_create("result", MFD_CLOEXEC)),
        words_(memfd_create("stderr", MFD_CLOEXEC)) {
    if (answer_.get() < 0 || words_.get() < 0) throw no_process();
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) throw no_process();
    if (pid_ == 0) work(program, parent);
  }
  ~Worker() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  pid_t pid() const { return pid_; }
  const Task& task() const { return task_; }

  // It has ended with this status, and has used that much.
  Line result(int status, const rusage& used) {
    pid_ = 0;
    Line out{{"model", task_.model}};
    const std::string answer = read_all(answer_.get());
    Line said = Line::parse(answer, nullptr, false);
    if (said.is_discarded()) {
      const std::string last_words = read_all(words_.get());
      const size_t code = last_words.find("error MO");
      const std::string how = WIFSIGNALED(status) ? fmt::format("by the signal {}", WTERMSIG(status))
                                                  : fmt::format("with the exit code {}", WEXITSTATUS(status));
      said = {{"ok", false},
              {"exit", WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 70},
              {"code", code == std::string::npos ? "MO0143" : last_words.substr(code + 6, 6)},
              {"error", code == std::string::npos
                            ? fmt::format("error MO0143: the conversion was ended {}, without a result\n{}",
                                          how, last_words)
                            : last_words.substr(code)}};
    }
    out.update(said);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin_;
    out["ms"] = std::round(time.count() * 10) / 10;
    out["peak_kib"] = used.ru_maxrss;
    return out;
  }

 private:
  static Failure no_process() {
    return Failure(Exit::output, "MO0142",
                   std::string("no process can be started for a model: ") + std::strerror(errno))
        .with("hint", "--jobs with a smaller number");
  }

  [[noreturn]] void work(Program& program, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    expect_no_exit();
    start_watchdog();
    watch_session(&program.session());
    // Lines of results are the parent's to write.
    dup2(words_.get(), STDERR_FILENO);
    const core::Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
    dup2(nowhere.get(), STDOUT_FILENO);
    Line result;
    if (program.early().isolation.ids.empty()) {
      result = convert_task(program, task_);
    } else {
      // A process of a plugin talks to one process only.
      try {
        Program own(program, Program::Says::as_the_other);
        result = convert_task(own, task_);
      } catch (const Failure& f) {
        result = failure_json(f);
      }
    }
    (void)write_all(answer_.get(), result.dump(-1, ' ', false, Line::error_handler_t::replace));
    end_of_main();
    _exit(0);
  }

  const Task& task_;
  core::Descriptor answer_, words_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  pid_t pid_ = -1;
};

// What a model will be called, found in the way a conversion finds it. The session takes what is said last.
std::vector<Task> tasks_of(Program& program, const std::vector<ListedModel>& models) {
  std::vector<Task> tasks;
  std::map<std::string, size_t> taken;
  for (const ListedModel& m : models) {
    Task t;
    t.model = m.model;
    t.arguments = &m.arguments;
    try {
      const core::ConvertOptions o = model_options(program, m.arguments);
      t.model = o.input_model;
      t.bytes = bytes_below(o.input_model);
      t.stem = ir_place(m.arguments).folder + "/" + o.emit.model_name;
    } catch (const Failure& f) {
      t.wrong = f;
    }
    for (const std::string& written : {t.stem, m.arguments.path("explore"), m.arguments.path("depfile")}) {
      if (written.empty()) continue;
      const auto [at, is_new] = taken.emplace(written, tasks.size());
      if (!is_new)
        throw Failure(Exit::usage, "MO0141",
                      fmt::format("models {} and {} of the manifest both write '{}'", at->second + 1,
                                  tasks.size() + 1, written))
            .with("model", t.model)
            .with("hint", "give one of them another output_dir or model_name");
    }
    tasks.push_back(std::move(t));
  }
  return tasks;
}

size_t jobs_of(const Arguments& a) {
  if (!a.has("jobs")) return std::max(1U, std::thread::hardware_concurrency());
  const int64_t jobs = a.integer("jobs");
  if (jobs < 1)
    throw Failure(Exit::usage, "MO0104",
                  "--jobs is '" + a.text("jobs") + "'; expected a whole number from 1 on");
  return static_cast<size_t>(jobs);
}

}  // namespace

void convert_as_line(Program& program, const Arguments& a) {
  Task task;
  task.model = core::resolve_path(a.operands().empty() ? a.text("input_model") : a.operands().front());
  task.arguments = &a;
  Line result{{"model", task.model}};
  result.update(convert_task(program, task));
  program.progress().clear();
  print(line_of(result));
  if (!result["ok"])
    throw Failure(Exit{result["exit"].get<int>()}, result["code"].get<std::string>(),
                  result.value("message", ""));
}

void convert_many(Program& program, const Arguments& a) {
  const size_t jobs = jobs_of(a);
  const std::string path = a.text("manifest") == "-" ? "-" : a.path("manifest");
  const auto models = read_model_list(path, a, program.session().registry());
  // The options are looked at in a session that converts nothing.
  const std::vector<Task> tasks = [&] {
    Program looking(program, Program::Says::errors);
    return tasks_of(looking, models);
  }();
  program.progress().disable();
  if (std::ranges::any_of(tasks, [](const Task& t) { return t.arguments->has("cache"); }))
    Cache::prepare(program);
  uint64_t bytes = 0;
  for (const Task& t : tasks) bytes += t.bytes;
  ModelsProgress bar(tasks.size(), bytes, isatty(STDERR_FILENO) == 1 && !a.flag("stream_output"),
                     program.silent());
  size_t failed = 0, from_cache = 0;
  std::map<std::string, std::vector<std::string>> by_code;  // models that failed
  const auto finish = [&](const Task& t, const Line& result) {
    if (!result["ok"]) ++failed;
    if (!result["ok"]) by_code[result.value("code", "")].push_back(t.model);
    if (result.value("cached", false)) ++from_cache;
    bar.clear();
    print(line_of(result));
    bar.done(t.bytes, !result["ok"]);
    bar.draw(a.flag("progress"));
  };
  std::list<Worker> workers;
  for (size_t next = 0; next < tasks.size() || !workers.empty();) {
    if (next < tasks.size() && workers.size() < jobs) {
      const Task& t = tasks[next++];
      if (t.wrong) {
        Line result{{"model", t.model}};
        result.update(failure_json(*t.wrong));
        finish(t, result);
      } else {
        workers.emplace_back(program, t);
      }
      continue;
    }
    int status = 0;
    rusage used{};
    const pid_t ended = wait4(-1, &status, 0, &used);
    if (ended < 0 && errno == EINTR) continue;
    const auto worker = std::ranges::find(workers, ended, &Worker::pid);
    if (worker == workers.end()) continue;  // a process of a plugin
    finish(worker->task(), worker->result(status, used));
    workers.erase(worker);
  }
  bar.clear();
  // On a terminal the bar is gone; elsewhere its last line stays.
  if (!program.silent() && isatty(STDERR_FILENO) == 1)
    fmt::print(stderr, "{} of {} models converted{}, {:.1f} s\n", tasks.size() - failed, tasks.size(),
               from_cache == 0 ? "" : fmt::format(", {} of them from the cache", from_cache),
               program.seconds());
  if (failed == 0) return;
  std::string table;
  for (const auto& [code, failures] : by_code)
    table += fmt::format("{}{} {:>5}  {}{}", table.empty() ? "" : "\n", code, failures.size(),
                         failures.front(), failures.size() == 1 ? "" : ", …");
  throw Failure(Exit::model, "MO0140",
                fmt::format("{} of {} models of '{}' were not converted", failed, tasks.size(), path))
      .with("failed", table)
      .with("hint", "the lines with \"ok\":false say why");
}

}  // namespace mo::app
