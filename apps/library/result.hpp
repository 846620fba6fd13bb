// What mo_result shows, and what it is kept in.
#pragma once

#include <mo/host.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "apps/ir_files/ir_files.hpp"
#include "apps/run/runnable.hpp"

namespace mo::app {

class Result : public mo_result {
 public:
  Result() : mo_result{} { size = sizeof(mo_result); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  // Room for so many bytes of weights; nullptr: there is none.
  std::byte* make_room(uint64_t bytes);
  // Weights that lie elsewhere, or in the room.
  void set_weights(const std::byte* at, uint64_t bytes);
  void set_xml(std::string);
  void set_files(IrPaths);
  void set_report(std::string json);
  // Copied: values may look into what the caller takes away.
  void set_outputs(const std::vector<Output>&);

 private:
  struct Kept {
    std::string name;
    std::vector<int64_t> dims;
    std::vector<std::byte> bytes;
  };
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };

  std::string xml_;
  IrPaths files_;
  std::unique_ptr<std::byte[], Free> weights_;
  std::string report_;
  std::vector<Kept> outputs_;
  std::vector<mo_array> arrays_;
};

}  // namespace mo::app
