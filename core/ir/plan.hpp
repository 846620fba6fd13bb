// What will be written, before anything is: layers with their ids, bodies, constants. Planning finds whatever
// keeps the model from being written.
#pragma once

#include "core/ir/problems.hpp"
#include "core/registry/session.hpp"

#include <mo/port_map.hpp>

#include <deque>
#include <memory>

namespace mo::core {

// What layers of one operation have in common.
struct LayerKind {
  enum Form { parameter, result, constant, other } form = other;
  const Operation* operation = nullptr;  // of `other`
  std::string header;                    // ` type="…" version="…"`, escaped
  std::string problem;                   // why it cannot be written; empty: it can
  std::string_view code, hint;           // of the problem
};

inline constexpr uint32_t no_layer = ~uint32_t{0};

struct Layer {
  NodeId node;
  uint32_t inputs;  // without unconnected ones at the end; the id of the first output
  const LayerKind* kind;
  uint32_t constant = 0;  // index into ModelPlan::constants
};

struct LayerEdge {
  uint32_t from, from_port, to, to_port;  // ids
};

struct GraphPlan;

struct Body {
  std::string prefix;  // "then_"
  std::vector<PortMapEntry> port_map;
  std::vector<int64_t> back_edges;
  std::unique_ptr<GraphPlan> plan;
};

struct GraphPlan {
  const Graph* graph = nullptr;
  std::vector<Layer> layers;     // by id
  std::vector<uint32_t> id_of;   // by node
  std::vector<LayerEdge> edges;  // kept, because walking a large graph once more costs more than writing them
  std::unordered_map<uint32_t, std::vector<Body>> bodies;  // by id
  // Model inputs and outputs without a tensor name get one: it is how the runtime's users address them.
  std::unordered_map<uint64_t, std::string> given_names;

  static uint64_t key(PortRef p) { return uint64_t{p.node} << 32 | p.port; }
};

// What reads the files.
struct IrReader {
  int ir_version = 11;
  const Release* release = &newest_release;
};

struct ModelPlan {
  int ir_version;
  std::deque<LayerKind> kinds;
  GraphPlan main;
  std::vector<const mo_tensor*> constants;  // in order of layers, bodies where their layer is
  size_t layers = 0;                        // those of bodies, too
};

// Adds to the problems; they are not checked here.
ModelPlan plan_model(const Session&, const Graph&, const IrReader&, Problems&);

// Where a node is, for messages: "'x'", or "'loop' > 'x'" in a body.
std::string path_of(const Graph&, NodeId);

}  // namespace mo::core
