// Everything that keeps a model from being written, told at once.
#pragma once

#include "core/support/failure.hpp"

#include <map>
#include <string>
#include <vector>

namespace mo::core {

class Problems {
 public:
  explicit Problems(int ir_version) : ir_version_(ir_version) {}

  // `what` is a sentence about all nodes it is said of: "no plugin defines ext::Foo".
  void add(std::string_view code, std::string what, std::string node, std::string_view hint = {});
  void check() const;

 private:
  struct Group {
    std::string code, what, hint;
    std::vector<std::string> nodes;
  };
  int ir_version_;
  std::vector<Group> groups_;
  std::map<std::string, size_t, std::less<>> index_;  // by what
};

}  // namespace mo::core
