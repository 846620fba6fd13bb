#include "apps/mo-host/runtimes/openvino_c.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace mo::app::openvino_c {

namespace {

namespace fs = std::filesystem;

// An archive's libraries find one another only where its setupvars.sh has been read: what the library needs is loaded
// before it, from where it lies in an archive.
void load_what_is_needed(const fs::path& library) {
  std::error_code error;
  const fs::path folder = library.parent_path();
  for (const auto& file : fs::directory_iterator(folder / "../../3rdparty/tbb/lib", error))
    if (file.path().filename().string().starts_with("libtbb.so."))
      (void)dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string name = fs::canonical(library, error).filename().string();
  if (const size_t c = name.find("_c.so"); c != std::string::npos)
    (void)dlopen((folder / (name.substr(0, c) + name.substr(c + 2))).c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

void* Library::load(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr && path.find('/') != std::string::npos) {
    load_what_is_needed(path);
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return handle;
}

Symbol Library::optional(const char* name) const { return {dlsym(handle_, name)}; }

Symbol Library::required(const char* name) const {
  const Symbol found = optional(name);
  if (found.at == nullptr) throw std::runtime_error("it has no function " + std::string(name));
  return found;
}

void Library::expect(Status status, const char* doing) const {
  if (status == 0) return;
  const char* said = last_error == nullptr ? nullptr : last_error();
  if (said == nullptr || *said == 0) said = error_info(status);
  throw std::runtime_error(std::string(doing) + ": " + (said == nullptr ? "" : said));
}

}  // namespace mo::app::openvino_c
