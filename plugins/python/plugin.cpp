// Runs Python extensions written for OpenVINO's former Model Optimizer. All that they see is the package _mo_host,
// which reaches the host through the same table of functions as any other plugin, by ctypes.
#include <dlfcn.h>

#include <fstream>
#include <mo/sdk.hpp>

#include "interpreter.hpp"

namespace mo::python {

namespace {

std::string package_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&package_folder), &info) == 0) return {};
  std::string path(info.dli_fname);
  for (int up = 0; up < 2; ++up) path.resize(std::min(path.rfind('/'), path.size()));
  return path + "/python";
}

// Of the program's own command line: which interpreter is meant has to be known before options are read.
std::string wanted_interpreter() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string wanted;
  bool next = false;
  for (std::string word; std::getline(file, word, '\0');) {
    if (next) wanted = word;
    next = word == "--python";
    if (word.rfind("--python=", 0) == 0) wanted = word.substr(9);
  }
  return wanted;
}

std::string quoted(const std::string& text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "bytes.fromhex('";
  for (const char c : text) {
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
  return out + "').decode('utf-8', 'surrogateescape')";
}

void load(Registry& registry) {
  mo_context* context = registry.context().get();
  const mo_str name{"python", 6}, help{"the interpreter for extensions in Python", 40}, none{nullptr, 0};
  mo_option_def option{};
  option.size = sizeof option;
  option.name = name;
  option.help = help;
  option.group = none;
  option.kind = MO_OPTION_PATH;
  registry.context().check(context->host->registry->option(context, &option));

  int32_t status = MO_ERROR;
  const std::string program =
      "def _mo_host_load():\n"
      "  import sys\n"
      "  folder = " +
      quoted(package_folder()) +
      "\n"
      "  if folder not in sys.path: sys.path.append(folder)\n"
      "  import _mo_host.start\n"
      "  _mo_host.start.load(" +
      std::to_string(reinterpret_cast<uintptr_t>(context)) + ", " +
      std::to_string(reinterpret_cast<uintptr_t>(&status)) +
      ")\n"
      "try: _mo_host_load()\n"
      "finally: del _mo_host_load\n";
  if (!run(wanted_interpreter(), program))
    fail("the package of Python extensions in ", package_folder(), " cannot be used; see the messages above");
  registry.context().check(status);
}

}  // namespace

}  // namespace mo::python

MO_PLUGIN("org.mo-host.python", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0",
          "runs Python extensions of the Model Optimizer", "", mo::python::load)
