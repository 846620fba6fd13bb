// What the files of a cache say. Others may have written into them: what is damaged is an Error that says how.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mo::app {

struct CacheRead {  // a file that took part
  std::string path, sum;
};

struct KeptResult {
  std::string key, xml, bin, framework;  // xml, bin: sums of the two files
  size_t nodes = 0, layers = 0;
  int ir_version = 0;
};

// `path` is for messages.
std::vector<std::vector<CacheRead>> read_lists(std::string_view text, const std::string& path);
KeptResult read_kept_result(std::string_view text, const std::string& path);

}  // namespace mo::app
