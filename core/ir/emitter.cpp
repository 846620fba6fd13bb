#include "core/ir/emitter.hpp"

#include "core/ir/constants.hpp"
#include "core/ir/layers.hpp"
#include "core/ir/metadata.hpp"
#include "core/ir/output_file.hpp"
#include "core/support/utf8.hpp"

namespace mo::core {

namespace {

// Readers look for the version in the first 512 bytes, which a long name must not push it out of.
std::string_view short_name(std::string_view name) {
  constexpr size_t longest = 64;
  if (name.size() <= longest) return name;
  size_t end = 0;
  while (const size_t length = utf8_length(name, end)) {
    if (end + length > longest) break;
    end += length;
  }
  return name.substr(0, end);
}

int version_of(const Graph& g, const EmitOptions& options) {
  if (options.ir_version != 0) return options.ir_version;
  const Attribute* a = g.attribute("ir_version");
  const int64_t* said = a == nullptr ? nullptr : std::get_if<int64_t>(a);
  return said != nullptr && *said == 10 ? 10 : 11;
}

}  // namespace

EmitResult emit_ir(Session& session, const Graph& graph, const EmitOptions& options) {
  const int version = version_of(graph, options);
  if (version != 10 && version != 11)
    throw Failure(Exit::usage, "MO0709", text("there is no IR version ", version))
        .with("hint", "10 and 11 can be written");
  Problems problems(version);
  const ModelPlan model = plan_model(session, graph, version, problems);
  problems.check();
  const ConstantPlan constants = plan_constants(model.constants);

  OutputPair files(options.output_dir, file_stem(options.model_name));
  XmlWriter xml([&](std::string_view bytes) { files.xml().write(bytes); });
  xml.raw("<?xml version=\"1.0\"?>\n<net").attribute("name", short_name(options.model_name));
  xml.attribute("version", version).raw(">");
  LayerWriter(session, model, constants.offsets, xml, problems).graph(model.main, 1);
  write_metadata(xml, metadata_of(graph, options), version);
  xml.raw("\n</net>\n").flush();
  problems.check();
  write_constants(files.bin(), constants, session.progress_sink);
  files.commit(options.fsync);

  EmitResult result;
  result.ir_version = version;
  result.xml_path = files.xml().path();
  result.bin_path = files.bin().path();
  result.xml_bytes = files.xml().size();
  result.bin_bytes = files.bin().size();
  result.layers = model.layers;
  result.shared_constants = constants.shared;
  return result;
}

}  // namespace mo::core
