// Lists of arrays, .params and .nd, of every release: found without looking at the elements, which stay where
// they lie in the file.
#pragma once

#include <mo/frontend.hpp>

#include <unordered_map>

namespace mo::mxnet {

constexpr uint64_t list_magic = 0x112;  // the first 8 bytes, little-endian

struct Array {
  enum Storage : int32_t { dense = 0, row_sparse = 1, csr = 2 };
  struct Part {  // elements in the file
    uint64_t offset = 0, bytes = 0;
    ElementType type = ElementType::unknown;
    std::vector<int64_t> dims;
  };
  std::string_view name;  // without arg: and aux:
  bool is_auxiliary = false;
  Storage storage = dense;
  std::vector<int64_t> dims;
  Part values;
  std::vector<Part> indices;  // row numbers; or where rows begin, and column numbers
};

class ArrayFile {
 public:
  // Errors: the file is no list of arrays, with the byte and the array.
  ArrayFile(Context c, std::string path);
  ArrayFile(File file, std::string path);
  const std::string& path() const { return path_; }
  const std::vector<Array>& arrays() const { return arrays_; }
  // f32, as a view of the file: in no memory, but where the array is sparse. `packed`: one of 8 bits keeps
  // its type. Errors name the array.
  Tensor tensor(Context c, const Array& a, bool packed = false) const;

 private:
  std::string path_;
  File file_;
  std::vector<Array> arrays_;
};

// Arrays by name, of one or of several files. Of several arrays of one name the last one counts.
class Arrays {
 public:
  Arrays() = default;
  bool empty() const { return by_name_.empty(); }
  void add(const std::shared_ptr<const ArrayFile>& file, const Array& a) { by_name_[a.name] = {file, &a}; }
  void add_all(const std::shared_ptr<const ArrayFile>& file) {
    for (const Array& a : file->arrays()) add(file, a);
  }
  bool has(std::string_view name) const { return by_name_.count(name) != 0; }
  std::optional<Tensor> find(Context c, std::string_view name, bool packed = false) const;
  struct Held {
    std::shared_ptr<const ArrayFile> file;
    const Array* array = nullptr;
  };
  const std::unordered_map<std::string_view, Held>& all() const { return by_name_; }

 private:
  std::unordered_map<std::string_view, Held> by_name_;  // names are the files'
};

}  // namespace mo::mxnet
