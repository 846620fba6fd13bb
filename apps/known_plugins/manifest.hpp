// A plugin's manifest: everything it registers, as a file beside it that can be read without running it.
// X.mo.so has X.mo.json, made by the build with `mo-host plugin manifest`.
#pragma once

#include "core/host/loader.hpp"

namespace mo::app {

struct Manifest : core::PluginFacts {
  struct Extractor {
    std::string framework, domain, op;
    int32_t since = 0, until = 0;
    friend bool operator==(const Extractor&, const Extractor&) = default;
  };
  struct Transformation {
    std::string id, phase;
    friend bool operator==(const Transformation&, const Transformation&) = default;
  };
  struct FrontEnd {
    std::string name;
    std::vector<std::string> aliases, extensions;
    friend bool operator==(const FrontEnd&, const FrontEnd&) = default;
  };
  struct Interface {
    std::string name;
    uint32_t revision = 0;
    friend bool operator==(const Interface&, const Interface&) = default;
  };

  std::string file;    // its name, without folders
  std::string digest;  // loaded_digest of the library
  // Each list is sorted.
  std::vector<FrontEnd> frontends;
  std::vector<std::pair<std::string, std::string>> operations;  // opset and name
  std::vector<Extractor> extractors;
  std::vector<Transformation> transformations;
  std::vector<std::string> options, converters;
  std::vector<Interface> interfaces;

  // Nothing but operations is asked for by name alone: such a plugin can be loaded when one is needed.
  bool has_only_operations() const {
    return !operations.empty() && frontends.empty() && extractors.empty() && transformations.empty() &&
           options.empty() && converters.empty() && interfaces.empty();
  }
};

// What a plugin that is loaded says and has registered. Throws Failure when its file cannot be read any more.
Manifest manifest_of(const core::Session&, const core::Plugin&);
// The same without file name and digest.
Manifest contents_of(const core::Session&, const core::Plugin&);

std::string to_json(const Manifest&);
// `path` is for messages. Failure (Exit::plugin, MOX-124) that says what is wrong and where.
Manifest manifest_from_json(const std::string& path, const std::string& text);

// "X.mo.json" of "X.mo.so"; "" when the name of the plugin does not end in ".so".
std::string manifest_path(const std::string& plugin_path);
// Nothing when there is none; Failure (MOX-124) when it cannot be read.
std::optional<Manifest> read_manifest(const std::string& plugin_path);

// "3 operations, 1 extractor": what it lists.
std::string counts(const Manifest&);

// The manifest beside a plugin is of this very file and says what the plugin registered: no manifest is fine.
// The first throws Failure (MOX-120) before anything of the file was run, the others MOX-125 afterwards. The
// library is read only when its loaded_digest is not given.
void check_manifest(const std::string& plugin_path, std::string digest = {});
void check_registered(const core::Session&, const core::Plugin&);
// The same for a plugin that another process has loaded.
void check_registered(const std::string& plugin_path, const Manifest& registered);

// Asks that the manifest beside a plugin is of its file, and says what the plugin registers.
class ManifestGate final : public core::Gate {
 public:
  core::PluginEntry open(core::Session& s, const core::FoundPlugin& found, bool built_in) override {
    check_manifest(found.path);
    return core::Gate::open(s, found, built_in);
  }
  void registered(const core::Session& s, const core::Plugin& p) override { check_registered(s, p); }
};

}  // namespace mo::app
