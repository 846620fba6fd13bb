#include "front_end.hpp"

#include "graph_reader.hpp"
#include "metadata.hpp"

namespace mo::ir {

namespace {

// Layers become operations at once: nothing is left to extract.
class NoNatives : public FrontEndModel {
 public:
  bool native_attr(Context, uint64_t, std::string_view) override { return false; }
  std::vector<std::string> native_attr_names(uint64_t) override { return {}; }
  Key native_key(uint64_t) override { return {}; }
};

pugi::xml_document parse(std::string_view content) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(content.data(), content.size());
  if (result) return document;
  const auto place = static_cast<size_t>(std::max<ptrdiff_t>(result.offset, 0));
  const auto line = std::count(
      content.begin(), content.begin() + static_cast<ptrdiff_t>(std::min(place, content.size())), '\n');
  fail("line ", line + 1, " is not well-formed XML: ", result.description());
}

int version_of(pugi::xml_node net) {
  const int64_t version = int_of(net, "version");
  require(version == 10 || version == 11, "the IR has version ", version, "; 10 and 11 can be read");
  return static_cast<int>(version);
}

}  // namespace

int IrFrontEnd::probe(const ProbeInfo& p) const {
  const std::string_view head = p.head.substr(0, 512);
  const size_t net = head.find("<net ");
  if (net == std::string_view::npos) return p.extension == ".xml" ? 10 : 0;
  return head.find("version", net) == std::string_view::npos ? 30 : 95;
}

std::unique_ptr<FrontEndModel> IrFrontEnd::load(Context c, std::string_view path, Graph graph) {
  const File file = File::open(c, path);
  const pugi::xml_document document = parse(file.bytes());
  const pugi::xml_node net = document.child("net");
  require(net, "the file has no element <net>: it is not an IR");
  const int version = version_of(net);
  graph.set(MO_GRAPH_FRAMEWORK, "ir");
  graph.set("ir_version", int64_t{version});
  if (const auto metadata = read_metadata(net, version); !metadata.empty())
    graph.set(MO_GRAPH_IR_METADATA, metadata);
  Weights weights(c, path);
  GraphReader(c, weights, version).read(net, graph);
  return std::make_unique<NoNatives>();
}

}  // namespace mo::ir
