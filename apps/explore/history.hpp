// How a graph became what it is: its nodes as they were first, and then what differs from one look to the
// next. A graph of 10 000 nodes and 100 transformations is told in little more than the 10 000 nodes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/explore/node_facts.hpp"

namespace mo::app {

class GraphHistory {
 public:
  // All of the graph and its bodies. Both give the members "nodes" (what is new or differs, the parts that
  // differ) and "gone" (numbers) of a JSON object; "" when nothing differs.
  std::string look(const core::Graph& main);
  // The same when nothing differs but what these edits touched.
  std::string look(const core::Graph& main, std::span<const core::Journal::Edit>);

  SharedTexts& texts() { return texts_; }
  Numbers& numbers() { return numbers_; }

 private:
  using Place = std::pair<uint32_t, core::NodeId>;  // graph, by serial
  struct Difference {
    std::string nodes, gone;
    std::string json() const;
  };
  void see(const core::Graph&, core::NodeId, Difference&);
  void see_all(const core::Graph&, std::set<Place>& seen, Difference&);
  void forget(const Place&, Difference&);

  SharedTexts texts_;
  Numbers numbers_;
  struct Known {
    uint32_t number;
    NodeFacts facts;
  };
  std::map<Place, Known> known_;
};

}  // namespace mo::app
