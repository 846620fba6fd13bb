#include "loader/array_reader.hpp"

#include <array>
#include <cstring>

namespace mo::mxnet {

namespace {

constexpr uint32_t form_1 = 0xF993FAC8, form_2 = 0xF993FAC9, form_3 = 0xF993FACA;
constexpr int64_t greatest_rank = 32;

constexpr std::array types{ElementType::f32, ElementType::f64, ElementType::f16, ElementType::u8,
                           ElementType::i32, ElementType::i8,  ElementType::i64, ElementType::boolean,
                           ElementType::i16, ElementType::u16, ElementType::u32, ElementType::u64,
                           ElementType::bf16};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::vector<Array> read() {
    const auto magic = number<uint64_t>("its first word");
    require(magic == list_magic, "it begins with ", magic, "; expected ", list_magic);
    (void)number<uint64_t>("a reserved word");
    std::vector<Array> all = arrays();
    set_names(all);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Array& a) { return a.values.type == ElementType::unknown; }),
              all.end());
    return all;
  }

 private:
  // `what` of `n` bytes must still be there.
  void need(uint64_t n, std::string_view what) const {
    if (n > bytes_.size() - at_)
      wrong(what, " takes ", n, " bytes, but the file has only ", bytes_.size() - at_, " more");
  }
  template <class... Args>
  [[noreturn]] void wrong(const Args&... what) const {
    fail("byte ", at_, array_ == SIZE_MAX ? std::string() : text(", in array ", array_), ": ", what...);
  }
  template <class T>
  T number(std::string_view what) {
    T v;
    need(sizeof v, what);
    std::memcpy(&v, bytes_.data() + at_, sizeof v);
    at_ += sizeof v;
    return v;
  }
  // How many there are of what takes at least `least` bytes each.
  uint64_t count(std::string_view what, uint64_t least) {
    const auto n = number<uint64_t>(what);
    if (n > (bytes_.size() - at_) / least) wrong(what, " is ", n, ", more than fit into the file");
    return n;
  }

  std::vector<Array> arrays() {
    std::vector<Array> all(count("the number of arrays", 4));
    for (array_ = 0; array_ < all.size(); ++array_) read_array(all[array_]);
    array_ = SIZE_MAX;
    return all;
  }

  void set_names(std::vector<Array>& all) {
    const uint64_t n = count("the number of names", 8);
    if (n != 0 && n != all.size()) wrong("there are ", n, " names of ", all.size(), " arrays");
    if (n == 0 && !all.empty()) wrong("its arrays have no names");
    for (Array& a : all) {
      const auto size = number<uint64_t>("the length of a name");
      need(size, "a name");
      a.name = bytes_.substr(at_, size);
      at_ += size;
      const std::string_view kind = a.name.substr(0, 4);
      a.is_auxiliary = kind == "aux:";
      if (a.is_auxiliary || kind == "arg:") a.name.remove_prefix(4);
    }
  }

  template <class T>
  std::vector<int64_t> dims(int64_t rank) {
    if (rank > greatest_rank) wrong("it has ", rank, " dimensions; expected at most ", greatest_rank);
    std::vector<int64_t> list;
    for (int64_t i = 0; i < rank; ++i) list.push_back(static_cast<int64_t>(number<T>("a dimension")));
    return list;
  }
  std::vector<int64_t> shape() { return dims<int64_t>(number<int32_t>("the number of its dimensions")); }

  void read_array(Array& a) {
    const auto word = number<uint32_t>("the form of an array");
    if (word == form_2 || word == form_3) {
      read_newer(a, word == form_3);
      return;
    }
    if (word == form_1) {
      const auto rank = number<int32_t>("the number of its dimensions");
      if (rank < 0) wrong("it has ", rank, " dimensions");
      a.dims = dims<int64_t>(rank);
    } else {
      a.dims = dims<uint32_t>(word);
    }
    if (!a.dims.empty()) read_dense(a);
  }

  void read_newer(Array& a, bool with_scalars) {
    const auto storage = number<int32_t>("the storage of an array");
    if (storage < -1 || storage > Array::csr || (with_scalars && storage > 0))
      wrong("storage ", storage, " is not known");
    a.storage = storage == -1 ? Array::dense : static_cast<Array::Storage>(storage);
    if (a.storage != Array::dense) {
      read_sparse(a);
      return;
    }
    const auto rank = number<int32_t>("the number of its dimensions");
    if (rank < (with_scalars ? -1 : 0)) wrong("it has ", rank, " dimensions");
    a.dims = dims<int64_t>(rank);
    const bool open = std::any_of(a.dims.begin(), a.dims.end(), [](int64_t d) { return d == -1; });
    if (with_scalars ? rank >= 0 && !open : rank != 0) read_dense(a);
  }

  void skip_device() {
    (void)number<int32_t>("the kind of a device");
    (void)number<int32_t>("the number of a device");
  }
  ElementType type() {
    const auto t = number<int32_t>("a type");
    if (t < 0 || static_cast<size_t>(t) >= types.size()) wrong("type ", t, " is not known");
    return types[static_cast<size_t>(t)];
  }
  void read_elements(Array::Part& p) {
    p.bytes = static_cast<uint64_t>(bits(p.type)) / 8;
    for (const int64_t d : p.dims)
      if (d < 0 || __builtin_mul_overflow(p.bytes, static_cast<uint64_t>(d), &p.bytes))
        wrong("its shape ", p.dims, " is not the shape of an array");
    need(p.bytes, text("an array of shape ", p.dims));
    p.offset = at_;
    at_ += p.bytes;
  }
  void read_dense(Array& a) {
    skip_device();
    a.values.type = type();
    a.values.dims = a.dims;
    read_elements(a.values);
  }

  // Where shapes of a sparse array do not fit one another.
  void check_sparse(const Array& a) const {
    const bool rows = a.storage == Array::row_sparse;
    const std::vector<int64_t>& kept = a.values.dims;
    bool fits = rows ? !a.dims.empty() : a.dims.size() == 2 && kept.size() == 1;
    for (const Array::Part& p : a.indices)
      fits = fits && p.dims.size() == 1 && (p.type == ElementType::i64 || p.type == ElementType::i32);
    if (fits && rows)
      fits = kept.size() == a.dims.size() && std::equal(kept.begin() + 1, kept.end(), a.dims.begin() + 1) &&
             a.indices[0].dims[0] == kept[0];
    if (fits && !rows) fits = a.indices[0].dims[0] - 1 == a.dims[0] && a.indices[1].dims[0] == kept[0];
    if (!fits) wrong("the parts of the sparse array of shape ", a.dims, " do not fit one another");
    // What the file does not hold is made up, so the file bounds it.
    const uint64_t most = (uint64_t{1} << 24) + 64 * static_cast<uint64_t>(bytes_.size());
    uint64_t n = 1;
    for (const int64_t d : a.dims)
      if (d < 0 || __builtin_mul_overflow(n, static_cast<uint64_t>(d), &n) || n > most)
        wrong("a sparse array of shape ", a.dims, " is too large");
  }
  void read_sparse(Array& a) {
    a.values.dims = shape();
    a.dims = shape();
    if (a.dims.empty()) {
      a.values.type = ElementType::unknown;
      return;
    }
    skip_device();
    a.values.type = type();
    a.indices.resize(a.storage == Array::row_sparse ? 1 : 2);
    for (Array::Part& p : a.indices) {
      p.type = type();
      p.dims = shape();
    }
    read_elements(a.values);
    for (Array::Part& p : a.indices) read_elements(p);
    check_sparse(a);
  }

  std::string_view bytes_;
  size_t at_ = 0;
  size_t array_ = SIZE_MAX;  // the one that is being read
};

}  // namespace

std::vector<Array> read_arrays(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace mo::mxnet
