#include "support/reshape_codes.hpp"

namespace mo::mxnet {

namespace {

using Item = ReshapeItem;

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
        require(code >= -1, "attribute 'shape' is ", codes_, "; ", code, " is not a code of Reshape");
        items_.push_back({code, 0, 0, 1});
        ++next_;
    }
  }

  Ints codes_;
  size_t rank_, at_ = 0, next_ = 0;
  std::vector<Item> items_;
};

// -4 comes before its two numbers, whichever way the list is read.
Ints turned(Ints codes) {
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

}  // namespace

std::vector<Item> reshape_items(const Ints& codes, size_t rank, bool reverse) {
  if (!reverse) return Codes(codes, rank).read();
  auto items = Codes(turned(codes), rank).read();
  std::reverse(items.begin(), items.end());
  for (Item& i : items)
    if (i.end != 0) i = {i.number, rank - i.end, rank - i.begin, i.divisor};
  return items;
}

}  // namespace mo::mxnet
