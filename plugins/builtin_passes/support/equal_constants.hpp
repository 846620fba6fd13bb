// Constants that are equal.
#pragma once

#include <mo/sdk.hpp>

#include <unordered_map>

namespace mo::builtin_passes {

class EqualConstants {
 public:
  // The first one that was seen of those equal to this: the constant itself when it is new. An empty port for
  // what is not compared.
  OutPort first_like(const OutPort& constant);

 private:
  std::unordered_map<std::string, OutPort> first_;
  std::unordered_map<std::string, std::vector<OutPort>> more_;  // long ones that only look like the first
};

}  // namespace mo::builtin_passes
