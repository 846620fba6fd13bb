#include "loader/arrays.hpp"

#include "loader/array_reader.hpp"
#include "loader/floats.hpp"

namespace mo::mxnet {

ArrayFile::ArrayFile(Context c, std::string path) : ArrayFile(File::open(c, path), path) {}

ArrayFile::ArrayFile(File file, std::string path) : path_(std::move(path)), file_(std::move(file)) {
  try {
    arrays_ = read_arrays(file_.bytes());
  } catch (const Error& e) {
    throw Error(text("'", path_, "' is damaged, or no list of arrays of MXNet: ", e.what()), e.status(),
                e.where());
  }
}

namespace {

// Number i of a part as T, which is as wide as its type.
template <class T>
T at(std::string_view file, const Array::Part& p, uint64_t i) {
  T v;
  std::memcpy(&v, file.data() + p.offset + i * sizeof v, sizeof v);
  return v;
}

// Row numbers and the like.
int64_t index_at(std::string_view file, const Array::Part& p, uint64_t i) {
  return p.type == ElementType::i32 ? at<int32_t>(file, p, i) : at<int64_t>(file, p, i);
}

uint64_t count_of(const Array::Part& p) {
  uint64_t n = 1;
  for (const int64_t d : p.dims) n *= static_cast<uint64_t>(d);
  return n;
}

// The rows that are kept, each at its place.
void fill_rows(std::string_view file, const Array& a, const std::vector<float>& values, float* out) {
  const uint64_t rows = count_of(a.indices[0]);
  const size_t width = rows == 0 ? 0 : values.size() / rows;
  for (uint64_t r = 0; r < rows; ++r) {
    const int64_t row = index_at(file, a.indices[0], r);
    require(row >= 0 && row < a.dims[0], "its row ", r, " is number ", row, " of ", a.dims[0]);
    std::copy_n(values.data() + r * width, width, out + static_cast<uint64_t>(row) * width);
  }
}

void fill_compressed(std::string_view file, const Array& a, const std::vector<float>& values, float* out) {
  const Array::Part &begins = a.indices[0], &columns = a.indices[1];
  int64_t from = index_at(file, begins, 0);
  require(from == 0, "its first row begins at element ", from);
  for (int64_t r = 0; r < a.dims[0]; ++r) {
    const int64_t to = index_at(file, begins, static_cast<uint64_t>(r) + 1);
    require(to >= from && static_cast<uint64_t>(to) <= values.size(), "its row ", r, " ends at element ", to,
            " of ", values.size());
    for (; from < to; ++from) {
      const int64_t column = index_at(file, columns, static_cast<uint64_t>(from));
      require(column >= 0 && column < a.dims[1], "its element ", from, " is in column ", column, " of ",
              a.dims[1]);
      out[r * a.dims[1] + column] = values[static_cast<size_t>(from)];
    }
  }
}

}  // namespace

static bool is_byte(ElementType t) { return t == ElementType::i8 || t == ElementType::u8; }

Tensor ArrayFile::tensor(Context c, const Array& a, bool packed) const {
  const Array::Part& v = a.values;
  const Tensor stored = file_.tensor(c, v.offset, v.bytes, v.type, v.dims);
  if (a.storage == Array::dense && packed && is_byte(v.type)) return stored;
  if (a.storage == Array::dense) return as_floats(c, stored);
  auto [made, out] = Tensor::create<float>(c, a.dims);
  try {
    if (a.storage == Array::row_sparse)
      fill_rows(file_.bytes(), a, stored.to_floats(), out);
    else
      fill_compressed(file_.bytes(), a, stored.to_floats(), out);
  } catch (const Error& e) {
    fail("array '", a.name, "' of '", path_, "': ", e.what());
  }
  return made;
}

std::optional<Tensor> Arrays::find(Context c, std::string_view name, bool packed) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second.file->tensor(c, *found->second.array, packed);
}

}  // namespace mo::mxnet
