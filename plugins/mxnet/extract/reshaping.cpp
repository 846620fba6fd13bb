// Reshape with its codes: 0 keeps a dimension, -1 follows from the others, -2 keeps all that are left, -3
// multiplies two, -4 splits one into the next two numbers. With `reverse` dimensions are counted from the
// last.
#include "support/items.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace reshaping {

// A dimension of the result: a number, or the product of dimensions begin to end of what is read, divided.
struct Item {
  int64_t number = 0;  // -1: it follows from the others
  size_t begin = 0, end = 0;
  int64_t divisor = 1;
  bool copies() const { return end == begin + 1 && divisor == 1; }
};

class Codes {
 public:
  Codes(Ints codes, size_t rank) : codes_(std::move(codes)), rank_(rank) {}
  std::vector<Item> read() {
    for (at_ = 0; at_ < codes_.size(); ++at_) add(codes_[at_]);
    return std::move(items_);
  }

 private:
  void take(size_t count) {
    require(next_ + count <= rank_, "attribute 'shape' is ", codes_, ", but what it reads has only ", rank_,
            " dimensions");
    items_.push_back({0, next_, next_ + count, 1});
    next_ += count;
  }
  void split() {
    require(at_ + 2 < codes_.size() && next_ < rank_, "attribute 'shape' is ", codes_,
            "; expected two numbers after -4");
    const int64_t first = codes_[at_ + 1], second = codes_[at_ + 2];
    require((first > 0 || first == -1) && (second > 0 || second == -1) && first + second != -2,
            "attribute 'shape' is ", codes_, "; expected two numbers after -4, one of them -1 at most");
    const auto part = [&](int64_t own, int64_t other) {
      items_.push_back(own > 0 ? Item{own, 0, 0, 1} : Item{0, next_, next_ + 1, other});
    };
    part(first, second);
    part(second, first);
    ++next_;
    at_ += 2;
  }
  void add(int64_t code) {
    switch (code) {
      case 0:
        return take(1);
      case -2:
        while (next_ < rank_) take(1);
        return;
      case -3:
        return take(2);
      case -4:
        return split();
      default:
        require(code >= -1, "attribute 'shape' is ", codes_, "; ", code, " is no code of Reshape");
        items_.push_back({code, 0, 0, 1});
        ++next_;
    }
  }

  Ints codes_;
  size_t rank_, at_ = 0, next_ = 0;
  std::vector<Item> items_;
};

// -4 comes before its two numbers, whichever way the list is read.
static Ints turned(Ints codes) {
  for (size_t i = 0; i + 2 < codes.size(); ++i)
    if (codes[i] == -4) {
      const int64_t first = codes[i + 1], second = codes[i + 2];
      codes[i] = first;
      codes[i + 1] = second;
      codes[i + 2] = -4;
      i += 2;
    }
  std::reverse(codes.begin(), codes.end());
  return codes;
}

static std::vector<Item> items_of(const Ints& codes, size_t rank, bool reverse) {
  if (!reverse) return Codes(codes, rank).read();
  auto items = Codes(turned(codes), rank).read();
  std::reverse(items.begin(), items.end());
  for (Item& i : items)
    if (i.end != 0) i = {i.number, rank - i.end, rank - i.begin, i.divisor};
  return items;
}

static OutPort value_of(const Build& b, const OutPort& x, const Item& i) {
  if (i.end == 0) return b.list({i.number});
  OutPort size = b.dim(x, static_cast<int64_t>(i.begin));
  for (size_t d = i.begin + 1; d < i.end; ++d)
    size = b.op("Multiply", "opset1", {size, b.dim(x, static_cast<int64_t>(d))});
  return i.divisor == 1 ? size : b.op("Divide", "opset1", {size, b.list({i.divisor})});
}

// Numbers alone where they say it, so that the batch stays open; 0 at its place keeps a dimension.
static std::optional<Ints> plain(const OutPort& x, const std::vector<Item>& items) {
  Ints dims;
  size_t open = 0;
  for (const Item& i : items) open += i.end == 0 && i.number == -1 ? 1 : 0;
  for (size_t k = 0; k < items.size(); ++k) {
    const Item& i = items[k];
    const Shape s = x.shape();
    int64_t size = i.number;
    if (i.end != 0 && i.copies() && i.begin == k) {
      size = 0;
    } else if (i.end != 0) {
      size = 1;
      for (size_t d = i.begin; d < i.end && size > 0; ++d)
        size = s.has_rank() && s[d].is_static() ? size * s[d].value() : -1;
      if (size > 0) {
        require(size % i.divisor == 0, "dimension ", i.begin, " of ", s, " cannot be split by ", i.divisor);
        size /= i.divisor;
      } else if (open++ != 0) {
        return std::nullopt;
      }
    }
    dims.push_back(size);
  }
  return dims;
}

static OutPort reshaped(const Build& b, const OutPort& x, const std::vector<Item>& items) {
  (void)shape_of(b, x);
  if (const auto dims = plain(x, items)) return b.reshape(x, *dims);
  Ports parts;
  for (const Item& i : items) parts.push_back(value_of(b, x, i));
  return b.reshape(x, b.concat(parts));
}

// Files of the first releases: 0 is what is left.
static OutPort by_target_shape(const Build& b, const SourceNode& n) {
  Ints dims = ints_of(n, "target_shape");
  require(!dims.empty(), "attribute 'shape' is missing");
  for (int64_t& d : dims)
    if (d == 0) d = -1;
  if (n.native("keep_highest", false)) dims.front() = 0;
  return b.reshape(b.in(0), dims);
}

static Ports reshape(Build& b, const SourceNode& n) {
  const Ints codes = ints_of(n, "shape");
  if (codes.empty()) return {by_target_shape(b, n)};
  const bool reverse = n.native("reverse", false);
  const bool simple = std::all_of(codes.begin(), codes.end(), [](int64_t c) { return c >= -1; });
  if (simple && !reverse) return {b.reshape(b.in(0), codes)};
  return {reshaped(b, b.in(0), items_of(codes, rank_of(b, b.in(0)), reverse))};
}

static Ports like(Build& b, const SourceNode& n) {
  for (const std::string_view name : {"lhs_begin", "lhs_end", "rhs_begin", "rhs_end"})
    require(!n.has_native(name), "attribute '", name, "' of reshape_like is not supported");
  return {b.reshape(b.in(0), b.shape_of(b.in(1)))};
}

static Ports flatten(Build& b, const SourceNode&) { return {b.reshape(b.in(0), Ints{0, -1})}; }

static Ports expand_dims(Build& b, const SourceNode& n) {
  return {b.unsqueeze(b.in(0), b.list({n.native<int64_t>("axis")}))};
}

static Ports squeeze(Build& b, const SourceNode& n) {
  const Shape s = shape_of(b, b.in(0));
  Ints axes = ints_of(n, "axis");
  if (axes.empty()) {
    require(s.has_rank(), "which dimensions are 1 is not known; give the inputs shapes with --input_shape");
    for (size_t i = 0; i < s.size(); ++i)
      if (s[i] == Dim(1)) axes.push_back(static_cast<int64_t>(i));
  }
  if (axes.empty()) return {b.in(0)};
  if (s.has_rank() && axes.size() == s.size()) return {b.reshape(b.in(0), b.list({1}))};
  return {b.squeeze(b.in(0), axes)};
}

}  // namespace reshaping

void register_reshaping(Items& items) {
  items.convert<reshaping::reshape>("Reshape reshape _np_reshape _npx_reshape");
  items.convert<reshaping::like>("reshape_like");
  items.convert<reshaping::flatten>("Flatten flatten");
  items.convert<reshaping::expand_dims>("expand_dims _npi_expand_dims");
  items.convert<reshaping::squeeze>("squeeze _np_squeeze");
}

}  // namespace mo::mxnet
