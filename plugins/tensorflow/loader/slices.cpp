#include "loader/slices.hpp"

#include <bit>
#include <charconv>

namespace mo::tensorflow {

Slice parse_slice(Bytes bytes) {
  Slice slice;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number != 1) continue;
    Extent e;
    for (const wire::Field& part : wire::Message(f.bytes())) {
      if (part.number == 1) e.start = part.signed_integer();
      if (part.number == 2) e.length = part.signed_integer();
    }
    slice.push_back(e);
  }
  return slice;
}

static int64_t parse_size(std::string_view s, std::string_view spec) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  require(error == std::errc() && end == s.data() + s.size() && n >= 0 && !s.empty(), "'", spec,
          "' says no part of a variable; expected its shape and a part, as in '10 20 0,5:-'");
  return n;
}

SliceSpec parse_slice_spec(std::string_view spec) {
  SliceSpec out;
  std::string_view rest = spec;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!rest.empty() ||
        (word.find(':') == std::string_view::npos && word.find(',') == std::string_view::npos &&
         word.find('-') == std::string_view::npos)) {
      out.dims.push_back(parse_size(word, spec));
      continue;
    }
    for (std::string_view part = word; !part.empty();) {
      const size_t colon = std::min(part.find(':'), part.size());
      const std::string_view extent = part.substr(0, colon);
      part.remove_prefix(std::min(colon + 1, part.size()));
      if (extent == "-") {
        out.slice.push_back({});
        continue;
      }
      const size_t comma = std::min(extent.find(','), extent.size());
      out.slice.push_back({parse_size(extent.substr(0, comma), spec),
                           parse_size(extent.substr(std::min(comma + 1, extent.size())), spec)});
    }
  }
  require(out.slice.empty() || out.slice.size() == out.dims.size(), "'", spec, "' has ", out.dims.size(),
          " sizes and a part of ", out.slice.size(), " dimensions");
  return out;
}

Slice resolve_slice(const Slice& slice, const std::vector<int64_t>& dims) {
  require(slice.empty() || slice.size() == dims.size(), "a part of ", slice.size(),
          " dimensions of a tensor of shape ", Shape(dims));
  Slice out(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    const Extent e = slice.empty() ? Extent{} : slice[i];
    out[i] = {e.length == -1 ? 0 : e.start, e.length == -1 ? dims[i] : e.length};
    require(out[i].start >= 0 && out[i].length >= 0 && out[i].length <= dims[i] &&
                out[i].start <= dims[i] - out[i].length,
            "a part from ", e.start, " of length ", e.length, " is outside of dimension ", i, " of shape ",
            Shape(dims));
  }
  return out;
}

namespace {

// Numbers and strings whose bytes are in the order of the values, as TensorFlow's OrderedCode has them.
void put_size(std::string& out, uint64_t v) {
  const int bytes = (std::bit_width(v) + 7) / 8;
  out += static_cast<char>(bytes);
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((v >> (8 * i)) & 0xffU);
}

void put_text(std::string& out, std::string_view s) {
  for (const char c : s) {
    out += c;
    if (c == '\0') out += '\xff';
    if (c == '\xff') out += '\0';
  }
  out += '\0';
  out += '\x01';
}

void put_signed(std::string& out, int64_t v) {
  const uint64_t size = v < 0 ? ~static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  // Seven bits in each byte after those that say how many bytes there are; the sign comes first.
  const int bytes = std::bit_width(size) / 7 + 1;
  const char sign = v < 0 ? '\xff' : '\0';
  std::string all(10, sign);
  for (int i = 0; i < 8; ++i)
    all[static_cast<size_t>(9 - i)] = static_cast<char>((static_cast<uint64_t>(v) >> (8 * i)) & 0xffU);
  std::string tail = all.substr(static_cast<size_t>(10 - bytes));
  const uint32_t ones = 0xffff0000U >> bytes;  // as many ones from the front as there are bytes
  tail[0] = static_cast<char>(static_cast<uint32_t>(tail[0]) ^ ((ones >> 8) & 0xffU));
  if (bytes > 1) tail[1] = static_cast<char>(static_cast<uint32_t>(tail[1]) ^ (ones & 0xffU));
  out += tail;
}

}  // namespace

std::string key_of_slice(std::string_view tensor, const Slice& slice) {
  std::string key;
  put_size(key, 0);
  put_text(key, tensor);
  put_size(key, slice.size());
  for (const Extent& e : slice) {
    put_signed(key, e.length == -1 ? 0 : e.start);
    put_signed(key, e.length);
  }
  return key;
}

static size_t elements_of(const Slice& s) {
  size_t n = 1;
  for (const Extent& e : s) n *= static_cast<size_t>(e.length);
  return n;
}

Assembly::Assembly(const std::vector<int64_t>& dims, size_t width, const Slice& region, char* out)
    : dims_(dims),
      width_(width),
      region_(resolve_slice(region, dims)),
      out_(out),
      filled_(elements_of(region_)) {}

bool Assembly::complete() const { return std::find(filled_.begin(), filled_.end(), false) == filled_.end(); }

void Assembly::add(const Slice& slice, Bytes elements) {
  const Slice s = resolve_slice(slice, dims_);
  require(elements_of(s) * width_ == elements.size(), "a part of a variable has ", elements.size(),
          " bytes; expected ", elements_of(s) * width_);
  Slice common(s.size());
  for (size_t i = 0; i < s.size(); ++i) {
    const int64_t begin = std::max(s[i].start, region_[i].start);
    const int64_t end = std::min(s[i].start + s[i].length, region_[i].start + region_[i].length);
    if (begin >= end) return;
    common[i] = {begin, end - begin};
  }
  copy(0, 0, 0, s, common, elements);
}

// Rows of the last dimension; `from` and `to` count elements in the part and in the region.
void Assembly::copy(size_t dim, size_t from, size_t to, const Slice& slice, const Slice& common,
                    Bytes elements) {
  if (dim + 1 < slice.size()) {
    for (int64_t i = common[dim].start; i < common[dim].start + common[dim].length; ++i) {
      const auto a =
          from * static_cast<size_t>(slice[dim].length) + static_cast<size_t>(i - slice[dim].start);
      const auto b =
          to * static_cast<size_t>(region_[dim].length) + static_cast<size_t>(i - region_[dim].start);
      copy(dim + 1, a, b, slice, common, elements);
    }
    return;
  }
  size_t count = 1;
  if (!slice.empty()) {
    from = from * static_cast<size_t>(slice[dim].length) +
           static_cast<size_t>(common[dim].start - slice[dim].start);
    to = to * static_cast<size_t>(region_[dim].length) +
         static_cast<size_t>(common[dim].start - region_[dim].start);
    count = static_cast<size_t>(common[dim].length);
  }
  for (size_t i = to; i < to + count; ++i) {
    require(!filled_[i], "parts of a variable overlap");
    filled_[i] = true;
  }
  std::memcpy(out_ + to * width_, elements.data() + from * width_, count * width_);
}

}  // namespace mo::tensorflow
