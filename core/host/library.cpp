#include "core/host/library.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <mo/text.hpp>
#include <mutex>
#include <vector>

#include "core/host/found_plugin.hpp"
#include "core/registry/at_work.hpp"
#include "core/registry/refusal.hpp"
#include "core/registry/registry.hpp"

namespace mo::core {

namespace {

struct Loaded {
  std::mutex mutex;
  // A shared_library closes its file when it is destroyed, so these never are.
  std::map<std::pair<uint64_t, uint64_t>, boost::dll::shared_library> libraries;  // by device and inode
  // The system knows a library by the name it was asked for: the number of a descriptor is not used again.
  std::vector<std::shared_ptr<const Descriptor>> descriptors;
  struct Shutdown {
    void (*call)();
    Plugin plugin;  // a copy: its session may be gone
  };
  std::list<Shutdown> shutdowns;  // in order of loading
  size_t still_to_call = 0;       // the first so many of them
};

// On purpose without a destructor: plugin code may run until the very end of the process.
Loaded& loaded() {
  static auto* all = new Loaded;
  return *all;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      ::abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text(name.get(), " (", symbol, ")") : symbol;
}

std::string after(std::string_view s, std::string_view mark) {
  const size_t at = s.find(mark);
  return at == std::string_view::npos ? std::string() : std::string(s.substr(at + mark.size()));
}

// glibc's sentence, sorted by what its reader can do.
Failure explain(const std::string& sentence) {
  if (std::string symbol = after(sentence, "undefined symbol: "); !symbol.empty()) {
    symbol = symbol.substr(0, symbol.find_first_of(", \t("));
    return refusal(Rule::symbol_missing, text("the library needs the symbol ", demangled(symbol),
                                              ", which neither it nor a library it names defines"));
  }
  if (const size_t at = sentence.find(": cannot open shared object file"); at != std::string::npos)
    return refusal(Rule::library_missing,
                   text("the library needs ", sentence.substr(0, at), ", which is not found"));
  if (const std::string version = after(sentence, ": version `"); !version.empty())
    return refusal(
        Rule::library_missing,
        text("the library needs version ", version.substr(0, version.find('\'')), " of ",
             sentence.substr(0, sentence.find(": version `")), ", which this system does not have"));
  return refusal(Rule::not_loadable, text("the system cannot load the library: ", sentence));
}

// dlfcn.h declares that dlopen() never throws, so that an exception of an initialiser would end the process
// wherever the compiler believes it. It does not know what this calls.
using Open = void* (*)(const char*, int);
Open volatile const open_library = &dlopen;

// What a library makes while it is opened is made by code of its own, which may throw.
void load_library(boost::dll::shared_library& library, const std::string& path,
                  boost::system::error_code& error) {
  const auto refused = [](std::string_view what) {
    return refusal(Rule::exception_left, text("an initialiser of the library let a C++ exception out (", what,
                                              "); expected that opening it only prepares it"));
  };
  try {
    void* const opened = open_library(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
      error = make_error_code(boost::system::errc::bad_file_descriptor);
      return;
    }
    library.load(path, error, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    dlclose(opened);  // held once from here on
  } catch (const std::exception& e) {
    throw refused(reason_of(e));
  } catch (...) {
    throw refused("not a std::exception");
  }
}

}  // namespace

PluginEntry open_plugin(const FoundPlugin& found) {
  Loaded& all = loaded();
  const std::lock_guard lock(all.mutex);
  auto& library = all.libraries[{found.device, found.inode}];
  if (!library.is_loaded()) {
    boost::system::error_code error;
    (void)dlerror();
    load_library(library, found.library(), error);
    if (error) {
      const char* why = dlerror();
      throw explain(why != nullptr ? why : error.message());
    }
    if (found.locked != nullptr) all.descriptors.push_back(found.locked);
  }
  return &library.get<const mo_plugin*()>("mo_plugin_entry");
}

std::string FoundPlugin::library() const {
  if (locked == nullptr) return canonical;
  std::string open = text("/proc/self/fd/", locked->get());
  return access(open.c_str(), R_OK) == 0 ? open : canonical;
}

bool is_open(const FoundPlugin& found) {
  Loaded& all = loaded();
  const std::lock_guard lock(all.mutex);
  const auto it = all.libraries.find({found.device, found.inode});
  return it != all.libraries.end() && it->second.is_loaded();
}

void shut_down_at_exit(void (*shutdown)(), const Plugin& plugin) {
  Loaded& all = loaded();
  const std::lock_guard lock(all.mutex);
  for (const Loaded::Shutdown& known : all.shutdowns)
    if (known.call == shutdown) return;
  all.shutdowns.insert(std::next(all.shutdowns.begin(), static_cast<std::ptrdiff_t>(all.still_to_call++)),
                       {shutdown, plugin});
  // Once per plugin: what its library made while it was opened is destroyed after this handler has run.
  (void)std::atexit([] { shut_down_plugins(); });
}

void shut_down_plugins() noexcept {
  Loaded& all = loaded();
  for (;;) {
    const Loaded::Shutdown* next = nullptr;
    {
      const std::lock_guard lock(all.mutex);
      if (all.still_to_call == 0) return;
      next = &*std::next(all.shutdowns.begin(), static_cast<std::ptrdiff_t>(--all.still_to_call));
    }
    const Working working(&next->plugin, "shutdown");
    try {
      next->call();
    } catch (...) {  // nobody is left to act on it
    }
  }
}

}  // namespace mo::core
