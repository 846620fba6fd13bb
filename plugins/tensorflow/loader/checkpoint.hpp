// Values of variables that stand in files of their own.
#pragma once

#include "loader/slices.hpp"
#include "loader/table.hpp"

#include <mo/model_files.hpp>

namespace mo::tensorflow {

class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  virtual bool has(std::string_view key) const = 0;
  // A view of the file where the value stands there in one piece. Errors name file and key.
  virtual Tensor read(Context, std::string_view key, const SliceSpec& part) = 0;
  // The elements of a tensor of strings.
  virtual std::vector<std::string_view> read_texts(Context, std::string_view key) = 0;
  virtual std::vector<std::string_view> keys() const = 0;
};

// Where a checkpoint is: below `folder`, where all of its files must lie, `prefix` is what their names begin
// with, or one of them: prefix.index, prefix.data-00000-of-00001, or a file of its own as TensorFlow wrote
// before version 1.
struct CheckpointPlace {
  std::string folder, prefix;

  bool empty() const { return prefix.empty(); }
  // As users are told.
  std::string path() const { return folder.empty() ? prefix : folder + "/" + prefix; }
  File open(Context c, std::string_view suffix) const {
    return File::open_below(c, folder, text(prefix, suffix));
  }
};

std::unique_ptr<Checkpoint> open_checkpoint(Context, const ModelSource&, const CheckpointPlace&);
// Without .index, .meta or .data-00000-of-00001 at its end.
std::string prefix_of(const std::string& file);

std::unique_ptr<Checkpoint> open_bundle(Context, const CheckpointPlace&);
std::unique_ptr<Checkpoint> open_old_checkpoint(Context, const CheckpointPlace&);

// The bytes of elements; errors for what the IR has no type for.
struct StoredLayout {
  ElementType type = ElementType::unknown;
  std::vector<int64_t> dims;  // complex numbers are pairs along a last dimension
  size_t width = 0;           // of one element, or of a pair
  uint64_t bytes = 0;
};
StoredLayout layout_of(DataType type, const std::vector<int64_t>& dims);

}  // namespace mo::tensorflow
