#include "interpreter.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mo/error.hpp>
#include <mo/text.hpp>
#include <mutex>
#include <set>
#include <vector>

namespace mo::python {

namespace {

struct Functions {
  int (*is_initialized)() = nullptr;
  void (*initialize)(int) = nullptr;
  void* (*save_thread)() = nullptr;
  int (*ensure)() = nullptr;
  void (*release)(int) = nullptr;
  int (*run)(const char*, void*) = nullptr;
  void (*set_program)(const wchar_t*) = nullptr;  // not in every version
};

template <class F>
bool find(void* library, const char* name, F& function) {
  void* symbol = dlsym(library, name);
  static_assert(sizeof symbol == sizeof function);
  std::memcpy(&function, &symbol, sizeof function);
  return symbol != nullptr;
}

bool find_all(void* library, Functions& f) {
  find(library, "Py_SetProgramName", f.set_program);
  return find(library, "Py_IsInitialized", f.is_initialized) &&
         find(library, "Py_InitializeEx", f.initialize) &&
         find(library, "PyEval_SaveThread", f.save_thread) && find(library, "PyGILState_Ensure", f.ensure) &&
         find(library, "PyGILState_Release", f.release) && find(library, "PyRun_SimpleStringFlags", f.run);
}

struct Found {
  std::string program, executable, version, library, numpy;
};

// One line each of what an interpreter says of itself; empty where it cannot be run.
std::vector<std::string> ask(const std::string& program) {
  std::string quoted = "'";
  for (const char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string command =
      quoted +
      "' -c 'import sys, os, sysconfig as s, importlib.util as u\n"
      "v = s.get_config_var; d, n = v(\"LIBDIR\") or \"\", v(\"INSTSONAME\") or \"\"\n"
      "print(sys.executable, \"%d.%d\" % sys.version_info[:2], os.path.join(d, n),\n"
      "      u.find_spec(\"numpy\") is not None, sep=\"\\n\")' 2>/dev/null";
  std::vector<std::string> lines;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::string text;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  if (pclose(pipe) != 0) return lines;
  for (size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines.size() == 4 ? lines : std::vector<std::string>{};
}

// Names and paths to try, in order.
std::vector<std::string> candidates(const std::string& wanted) {
  if (!wanted.empty()) return {wanted};
  std::vector<std::string> list;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string own = variable("MO_PYTHON"); !own.empty()) return {own};
  if (const std::string venv = variable("VIRTUAL_ENV"); !venv.empty()) list.push_back(venv + "/bin/python3");
  const std::string path = variable("PATH") + ":/usr/bin";
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    if (end > at) list.push_back(path.substr(at, end - at) + "/python3");
    at = end + 1;
  }
  return list;
}

bool new_enough(const std::string& version) {
  return version.rfind("3.", 0) == 0 && std::atoi(version.c_str() + 2) >= 7;
}

Found look_for(const std::string& wanted) {
  std::string seen;
  std::set<std::string> asked;
  for (const std::string& program : candidates(wanted)) {
    if (program.find('/') != program.npos && access(program.c_str(), X_OK) != 0) {
      if (!wanted.empty()) seen += "\n  " + program + ": cannot be run";
      continue;
    }
    if (!asked.insert(program).second) continue;
    const auto lines = ask(program);
    if (lines.empty()) {
      seen += "\n  " + program + ": does not run";
      continue;
    }
    const Found f{program, lines[0], lines[1], lines[2], lines[3]};
    if (!new_enough(f.version))
      seen += "\n  " + program + ": is Python " + f.version + "; 3.7 or later is needed";
    else if (access(f.library.c_str(), R_OK) != 0 || f.library.find(".so") == f.library.npos)
      seen += "\n  " + program + ": Python " + f.version +
              " has no shared library (of Debian the package libpython3; elsewhere build it with "
              "--enable-shared)";
    else if (f.numpy != "True")
      seen += "\n  " + program + ": has no numpy; `" + program + " -m pip install numpy` gets it";
    else
      return f;
  }
  fail("Python extensions need an interpreter with numpy, and none was found",
       seen.empty() ? std::string(": there is no python3") : std::string("; tried:" + seen),
       "\n  hint: name one with --python /path/to/python3 or MO_PYTHON");
}

class Interpreter {
 public:
  explicit Interpreter(const std::string& wanted) {
    // The program itself may be one, or have opened one.
    if (find_all(RTLD_DEFAULT, functions_) && functions_.is_initialized() != 0) return;
    const Found found = look_for(wanted);
    // Modules of Python find its functions in the process.
    void* library = dlopen(found.library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
      fail(found.program, ": its library cannot be opened: ", dlerror(), "; name another one with --python");
    if (!find_all(library, functions_))
      fail(found.library, " is no library of Python 3; name another interpreter with --python");
    if (functions_.set_program != nullptr) {
      static std::wstring name;  // for good
      name.assign(found.executable.begin(), found.executable.end());
      functions_.set_program(name.c_str());
    }
    // It takes the user's locale on; the program's numbers are written in its own.
    const std::string locale = std::setlocale(LC_ALL, nullptr);
    functions_.initialize(0);
    std::setlocale(LC_ALL, locale.c_str());
    functions_.save_thread();
  }

  bool run(const std::string& program) const {
    const int state = functions_.ensure();
    const int status = functions_.run(program.c_str(), nullptr);
    functions_.release(state);
    return status == 0;
  }

 private:
  Functions functions_;
};

}  // namespace

bool run(const std::string& wanted, const std::string& program) {
  static const Interpreter interpreter(wanted);
  return interpreter.run(program);
}

}  // namespace mo::python
