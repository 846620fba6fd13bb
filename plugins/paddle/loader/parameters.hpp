// Parameters: one file with all of them, or a file for each. Values stay where they lie.
#pragma once

#include "loader/program.hpp"

#include <mo/model_files.hpp>
#include <mo/tensor.hpp>

#include <memory>
#include <unordered_map>

namespace mo::paddle {

class Parameters {
 public:
  Parameters() = default;
  // Errors: there is none, or it is not what the program says, with the file.
  Parameters(Context c, const Program& program, const ModelSource& source, const std::string& program_file,
             const std::string& named);
  const Tensor& value(size_t id) const;

 private:
  void read_all(Context c, const Program& program, const std::vector<size_t>& order, const std::string& path);
  void read_separate(Context c, const Program& program, const std::vector<size_t>& order,
                     const ModelSource& source, const std::string& folder);

  std::vector<std::shared_ptr<File>> files_;
  std::unordered_map<size_t, Tensor> values_;
};

// What a file of parameters begins with.
bool looks_like_parameters(std::string_view head);

}  // namespace mo::paddle
