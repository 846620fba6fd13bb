// Lists of arrays, of two kinds as the first byte says: 0 is the bytes of a file; from the bytes after a 1 a
// list is made in which lengths and counts are right but for the few that these bytes spoil.
#include <array>
#include <cstring>

#include "custom_mutator.hpp"
#include "one_model.hpp"

namespace {

constexpr const char* symbol = R"({"nodes": [{"op": "null", "name": "a", "inputs": []},
  {"op": "null", "name": "b", "inputs": []}, {"op": "null", "name": "c", "inputs": []},
  {"op": "elemwise_add", "name": "d", "inputs": [[0, 0, 0], [1, 0, 0]]},
  {"op": "FullyConnected", "name": "e", "attrs": {"num_hidden": "2", "no_bias": "True"}, "inputs": [[3, 0, 0], [2, 0, 0]]}],
  "heads": [[4, 0, 0]]})";

class List {
 public:
  List(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}
  std::string bytes() {
    const uint64_t count = 1 + next() % 4;
    put(uint64_t{0x112});
    put(uint64_t{0});
    put(spoilt(count));
    for (uint64_t i = 0; i < count; ++i) add_array();
    put(spoilt(count));
    for (uint64_t i = 0; i < count; ++i) {
      put(spoilt(uint64_t{5}));
      out_ += i % 2 == 0 ? "arg:" : "aux:";
      out_ += static_cast<char>('a' + i);
    }
    return out_;
  }

 private:
  uint8_t next() { return at_ == end_ ? uint8_t{0} : *at_++; }
  template <class T>
  void put(T v) {
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  template <class T>
  T spoilt(T v) {
    constexpr std::array<int64_t, 8> limits{0, 1, -1, 33, INT32_MAX, INT64_MAX, INT64_MIN, 1 << 20};
    const uint8_t how = next();
    return how < 248 ? v : static_cast<T>(limits[how - 248]);
  }
  void add_shape(const std::vector<int64_t>& dims, bool old) {
    put(spoilt(static_cast<int32_t>(dims.size())));
    for (const int64_t d : dims) {
      if (old)
        put(spoilt(static_cast<uint32_t>(d)));
      else
        put(spoilt(d));
    }
  }
  void add_array() {
    constexpr std::array<uint32_t, 4> forms{0, 0xF993FAC8, 0xF993FAC9, 0xF993FACA};
    constexpr std::array<size_t, 13> widths{4, 8, 2, 1, 4, 1, 8, 1, 2, 2, 4, 8, 2};
    const size_t form = next() % 4, type = next() % widths.size(), storage = form == 2 ? next() % 3 : 0;
    std::vector<int64_t> dims{1 + next() % 4, 1 + next() % 4};
    if (form != 0) put(forms[form]);
    if (form >= 2) put(spoilt(static_cast<int32_t>(storage)));
    size_t kept = static_cast<size_t>(dims[0] * dims[1]);
    if (storage != 0) {
      kept = 1 + next() % 3;
      add_shape(storage == 1 ? std::vector<int64_t>{static_cast<int64_t>(kept), dims[1]}
                             : std::vector<int64_t>{static_cast<int64_t>(kept)},
                false);
    }
    add_shape(dims, form == 0);
    put(int64_t{1});  // the device
    put(spoilt(static_cast<int32_t>(type)));
    std::vector<size_t> indices;
    if (storage == 1) indices = {kept};
    if (storage == 2) indices = {static_cast<size_t>(dims[0]) + 1, kept};
    for (const size_t n : indices) {
      put(spoilt(int32_t{6}));
      add_shape({static_cast<int64_t>(n)}, false);
    }
    const size_t elements = storage == 1 ? kept * static_cast<size_t>(dims[1]) : kept;
    for (size_t i = 0; i < elements * widths[type]; ++i) put(next());
    for (const size_t n : indices)
      for (size_t i = 0; i < n; ++i) put(spoilt(static_cast<int64_t>(next() % 5)));
  }

  const uint8_t *at_, *end_;
  std::string out_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  if (size == 0) return 0;
  const std::string bytes = (data[0] & 1) == 0
                                ? std::string(reinterpret_cast<const char*>(data) + 1, size - 1)
                                : List(data + 1, data + size).bytes();
  const auto folder = fuzz_folder() / "arrays";
  if (static std::filesystem::path written; std::exchange(written, folder) != folder)
    write_file(folder / "net-symbol.json", symbol);
  write_file(folder / "net-0000.params", bytes);
  Reader("mxnet", "mxnet").read(folder / "net-0000.params");
  return 0;
}
