// Runs the built program as a user does, and keeps what it says.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "built.hpp"
#include "temporary_folder.hpp"

namespace mo::test {

namespace fs = std::filesystem;

inline std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

inline void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

using Folder = TemporaryFolder;

struct Outcome {
  int code = -1;  // 128 + signal when it was killed
  std::string out, err;
};

struct ProgramOptions {
  std::vector<std::string> environment;  // "NAME=value"
  std::string folder;                    // working directory
  std::string program = host_program;
  rlim_t largest_file = RLIM_INFINITY;
  bool no_processes = false;  // it cannot start any
  bool hides_proc = false;    // nothing is below /proc; only root can do that
};

// From here on, fork fails in this process. There is no other limit that root keeps.
inline void refuse_processes() {
  sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(126);
}

inline void hide_proc() {
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", "/proc", "tmpfs", 0, nullptr) != 0)
    _exit(125);
}

inline Outcome run(const std::vector<std::string>& words, const ProgramOptions& options = {}) {
  const Folder work;
  const std::string out = work / "out", err = work / "err";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start the program");
  if (child == 0) {
    const int to_out = open(out.c_str(), O_WRONLY | O_CREAT, 0600),
              to_err = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(to_out, 1);
    dup2(to_err, 2);
    const rlimit files{options.largest_file, RLIM_INFINITY};
    if (options.largest_file != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &files);
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
    // Extensions of whoever runs the tests must not take part.
    setenv("XDG_DATA_HOME", work.path().c_str(), 1);
    setenv("XDG_CACHE_HOME", work.path().c_str(), 1);
    for (const char* name :
         {"MO_EXTENSIONS_PATH", "MO_PREFER", "MO_ENABLED_TRANSFORMS", "MO_DISABLED_TRANSFORMS",
          "MO_PROFILE_PASS_ENABLE", "MO_ENABLE_VISUALIZE_TRACING"})
      unsetenv(name);
    for (const std::string& e : options.environment) {
      const size_t equals = e.find('=');
      setenv(e.substr(0, equals).c_str(), e.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> argv{const_cast<char*>(options.program.c_str())};
    for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    if (options.hides_proc) hide_proc();
    if (options.no_processes) refuse_processes();
    execv(options.program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out), read_text(err)};
}

// With the framework of the tests; see plugins/toy.cpp.
inline const std::string toy = zoo("toy");

inline const std::string small_model =
    "toy 1\n"
    "input x f32 1,3\n"
    "const w 1 2 3\n"
    "node Add sum x,w -> s\n"
    "node Copy copy s -> y\n"
    "output y\n";

inline Outcome convert(const std::string& model, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"--input_model", model, "--extensions", toy};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

// The whole of what an error says, with the path of the folder written as DIR.
inline std::string without_path(std::string text, const Folder& folder) {
  const std::string path = folder.path().string();
  for (size_t at = text.find(path); at != std::string::npos; at = text.find(path, at))
    text.replace(at, path.size(), "DIR");
  return text;
}

}  // namespace mo::test
