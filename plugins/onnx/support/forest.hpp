// Decision trees as tables that all samples go down at the same time: in each step, where a sample is in a
// tree says which feature is compared with which number, and where it is next.
#pragma once

#include "support/classical.hpp"

namespace mo::onnx::ml {

enum class Branch : uint8_t { leq, lt, gte, gt, eq, neq, member };

class Forest {
 public:
  // Numbers are compared as `type`, f32 or f64.
  explicit Forest(ElementType type) : type_(type) {}

  // Nodes of branches and leaves are added in any order; a branch names others by what add_* gave, or will
  // give.
  struct Node {
    Branch branch = Branch::leq;
    int64_t feature = 0;
    double value = 0;
    std::vector<double> members;
    size_t yes = 0, no = 0;  // places in the list of nodes
    bool missing_is_yes = false;
    bool leaf = false;
    std::vector<std::pair<int64_t, double>> weights;  // of a leaf: target and number
  };
  std::vector<Node> nodes;
  std::vector<size_t> roots;

  enum class Sum : uint8_t { average, sum, least, greatest };
  // [samples, targets] of x, [samples, features], for the operator n.
  OutPort scores(const Build& b, const SourceNode& n, const OutPort& x, int64_t targets, Sum how) const;

 private:
  struct Tables;
  Tables tables() const;
  OutPort step(const Build& b, const Tables& t, const OutPort& x, const OutPort& place) const;
  OutPort weights(const Build& b, const Tables& t, int64_t targets, double absent) const;
  double before(double v) const;

  ElementType type_;
};

}  // namespace mo::onnx::ml
