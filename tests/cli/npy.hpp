// Arrays as numpy writes them.
#pragma once

#include <string>
#include <vector>

namespace mo::test {

template <class T>
std::string npy(const std::string& descr, const std::string& shape, const std::vector<T>& values) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00\x76\x00", 10);
  out += header;
  return out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace mo::test
