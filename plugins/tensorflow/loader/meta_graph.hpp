// MetaGraphDef: a graph with its inputs, outputs and objects; SavedModel: several of them.
#pragma once

#include "loader/attributes.hpp"

#include <map>

namespace mo::tensorflow {

struct Signature {
  std::map<std::string_view, std::string_view> inputs, outputs;  // name of the argument: "node:0"
};

struct MetaGraph {
  Bytes graph_def;
  std::vector<std::string_view> tags;
  std::map<std::string_view, Signature> signatures;
  Bytes objects;  // SavedObjectGraph; empty in files of TensorFlow 1
};

MetaGraph parse_meta_graph(Bytes);
// The graph with these tags, or the only one there is. Errors list those that there are.
MetaGraph choose_meta_graph(Context, Bytes saved_model, const std::vector<std::string>& tags);
// "serving_default", or the only one; a warning names the others. nullptr when there is none.
const Signature* choose_signature(Context, const MetaGraph&);

}  // namespace mo::tensorflow
