// A body of an operation, while it is put together.
#pragma once

#include <mo/graph.hpp>
#include <mo/port_map.hpp>

namespace mo::mxnet {

class Body {
 public:
  explicit Body(const Graph& g) : graph_(g) {}
  const Graph& graph() const { return graph_; }

  // A Parameter that has input `external` of the operation, or of it one slice of dimension 0 after the
  // other.
  OutPort parameter(size_t external, bool sliced = false);
  // A Result that is output `external` of the operation, or one slice of it. Gives its number.
  int64_t result(const OutPort& x, size_t external, bool sliced = false);
  // A Result that says whether there is another iteration.
  void condition(const OutPort& x);
  // What the Result has is in the next iteration what the Parameter has.
  void feed_back(int64_t result, int64_t parameter) { edges_.insert(edges_.end(), {result, parameter}); }
  int64_t parameters() const { return parameters_; }

  // Attributes "<prefix>body" and those that belong to it.
  void set(const Node& n, std::string_view prefix) const;

 private:
  void add(bool output, int64_t external, int64_t internal, bool sliced, std::string_view purpose = {});

  Graph graph_;
  std::vector<std::string> lines_;
  std::vector<int64_t> edges_;
  int64_t parameters_ = 0, results_ = 0;
};

}  // namespace mo::mxnet
