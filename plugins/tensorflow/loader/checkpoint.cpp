#include "loader/checkpoint.hpp"

#include <algorithm>
#include <filesystem>

namespace mo::tensorflow {

namespace fs = std::filesystem;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string prefix_of(const std::string& file) {
  for (const std::string_view end : {".index", ".meta"})
    if (file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0)
      return file.substr(0, file.size() - end.size());
  constexpr std::string_view form = ".data-00000-of-00000";
  if (file.size() <= form.size()) return file;
  const std::string_view tail = std::string_view(file).substr(file.size() - form.size());
  for (size_t i = 0; i < form.size(); ++i)
    if (form[i] == '0' ? !is_digit(tail[i]) : tail[i] != form[i]) return file;
  return file.substr(0, file.size() - form.size());
}

std::unique_ptr<Checkpoint> open_checkpoint(Context c, const ModelSource& source,
                                            const CheckpointPlace& named) {
  const CheckpointPlace place{named.folder, prefix_of(named.prefix)};
  const std::string path = place.path();
  std::error_code ignored;
  if (exists(source, path + ".index")) return open_bundle(c, place);
  require(source.is_in_memory() ? exists(source, named.path()) : fs::is_regular_file(named.path(), ignored),
          "there is no checkpoint '", path, "': neither '", path, ".index' nor a file of this name");
  return open_old_checkpoint(c, named);
}

StoredLayout layout_of(DataType type, const std::vector<int64_t>& dims) {
  StoredLayout l{element_type_of(type), dims, 0, 0};
  const bool complex = type == DataType::complex64 || type == DataType::complex128;
  if (complex) {
    l.type = type == DataType::complex64 ? ElementType::f32 : ElementType::f64;
    l.dims.push_back(2);
  }
  require(l.type != ElementType::unknown && l.type != ElementType::string, "its type is ",
          data_type_name(type), ", expected numbers");
  l.width = static_cast<size_t>(bits(l.type)) / (complex ? 4 : 8);
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return l;
  l.bytes = l.width;
  bool fits = true;
  for (const int64_t d : dims)
    fits = !__builtin_mul_overflow(l.bytes, static_cast<uint64_t>(d), &l.bytes) && fits;
  require(fits && l.bytes <= INT64_MAX, "its shape ", Shape(dims), " has more elements than memory");
  return l;
}

}  // namespace mo::tensorflow
