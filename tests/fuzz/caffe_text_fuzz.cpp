// A prototxt and the weights beside it, in one input: whatever they are, the loader and all that follows end
// with a graph or a message. The text ends at the first zero byte.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "apps/plugin_search/load_plugins.hpp"
#include "built.hpp"
#include "core/convert/convert.hpp"
#include "core/host/host_tables.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::core;
  static const std::filesystem::path folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "mo-caffe-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return std::filesystem::path(name);
  }();
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t end = all.find('\0');
  const bool has_weights = end != std::string_view::npos;
  const auto write = [](const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  };
  const std::string text = (folder / "net.prototxt").string(), weights = (folder / "net.caffemodel").string();
  write(text, all.substr(0, end));
  if (has_weights) write(weights, all.substr(end + 1));
  try {
    Session session{host_table()};
    LoadRequest plugins;
    plugins.built_in = mo::test::plugin_folder;
    load_plugins(session, plugins);
    session.set_option("allow_missing_weights", true);
    session.log_sink = [](const LogLine&) {};
    ConvertOptions options;
    options.input_model = has_weights ? weights : text;
    options.framework = "caffe";
    options.emit.model_name = "model";
    ConvertResult result;
    prepare_model(session, options, result);
  } catch (const mo::Error&) {
    return 0;
  } catch (const Failure&) {
    return 0;
  }
  return 0;
}
