#include "loader/front_end.hpp"

#include "loader/files.hpp"
#include "loader/fused.hpp"
#include "loader/gluoncv.hpp"
#include "loader/graph_reader.hpp"
#include "loader/model.hpp"
#include "loader/options.hpp"
#include "loader/upgrade.hpp"

namespace mo::mxnet {

int MxnetFrontEnd::probe(const ProbeInfo& p) const {
  if (looks_like_arrays(p.head)) return 95;
  if (looks_like_symbol(p.head)) return 80;
  return p.extension == ".params" || p.extension == ".nd" ? 50 : 0;
}

std::unique_ptr<FrontEndModel> MxnetFrontEnd::load(Context c, std::string_view path, Graph graph) {
  const Files files = find_files(c, std::string(path));
  const File file = files.symbol_is_found ? open_found(c, files.symbol) : File::open(c, files.symbol);
  Symbol symbol = read_symbol(file.bytes(), files.symbol);
  if (flag(c, option_name::legacy))
    c.log(MO_LOG_INFO, "--legacy_mxnet_model is not needed: symbols of old releases are upgraded anyway");
  expand_fused(symbol);
  upgrade(symbol);
  if (flag(c, option_name::gluoncv_ssd)) join_ssd_detection(symbol);
  auto model = std::make_unique<MxnetModel>(std::move(symbol));
  graph.set(MO_GRAPH_FRAMEWORK, "mxnet");
  graph.set(MO_GRAPH_LAYOUT, "NCHW");
  GraphReader(c, *model, model->symbol(), load_arrays(c, files), graph).read();
  return model;
}

}  // namespace mo::mxnet
