// What is shown of a node, as pieces of JSON that can be compared one by one.
#pragma once

#include "core/graph/graph.hpp"

namespace mo::app {

// Texts that many nodes have, each once: "Add", "f32[1,64,56,56]".
class SharedTexts {
 public:
  uint32_t number(std::string_view text);
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<std::string> all_;
};

// Numbers that nodes and graphs keep for as long as anything is told of them.
class Numbers {
 public:
  uint32_t node(const core::Graph& g, core::NodeId n) {
    return number(nodes_, (uint64_t{g.serial()} << 32) | n);
  }
  uint32_t graph(uint32_t serial) { return number(graphs_, serial); }

 private:
  static uint32_t number(std::unordered_map<uint64_t, uint32_t>& of, uint64_t key) {
    return of.try_emplace(key, static_cast<uint32_t>(of.size())).first->second;
  }
  std::unordered_map<uint64_t, uint32_t> nodes_, graphs_;
};

struct NodeFacts {
  enum Part { graph, op, opset, name, inputs, outputs, attributes, rt_info, bodies, part_count };
  static constexpr std::array<const char*, part_count> keys{"g", "o", "s", "n", "i", "t", "a", "r", "b"};
  // JSON; "" where there is nothing to say.
  std::array<std::string, part_count> parts;
};

NodeFacts node_facts(const core::Graph&, core::NodeId, SharedTexts&, Numbers&);

// A string of JSON, quotes included; bytes that are no UTF-8 are replaced.
std::string quoted_json(std::string_view);
// The value as the text form of a graph writes it, cut off where it gets long; of large tensors type and
// shape only.
std::string short_text(const core::Attribute&);

}  // namespace mo::app
