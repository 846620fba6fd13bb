// Constants that list only what is not zero. Their dimensions are walked in an order of their own, the last
// ones inside blocks; each is dense, or a list of the positions at which something stands.
#include "loader/tensors.hpp"

namespace mo::tflite {

namespace {

// A list of positions, of 8, 16 or 32 bits.
Ints positions(const Table* dim, uint16_t type_field, uint16_t field) {
  const auto type = number_of<uint8_t>(dim, type_field);
  const Table* list = type == 0 ? nullptr : table_of(dim, field);
  require(list != nullptr && type <= 3, "a sparse dimension has no list of positions");
  if (type == 1) return Elements<int32_t>(list, 0).list<int64_t>();
  if (type == 2) return Elements<uint16_t>(list, 0).list<int64_t>();
  return Elements<uint8_t>(list, 0).list<int64_t>();
}

struct WalkedDim {
  bool is_sparse = false;
  int64_t size = 0;        // of a dense one
  Ints segments, indices;  // of a sparse one
};

WalkedDim read_dim(const Table* t) {
  namespace f = field::dim_metadata;
  WalkedDim d;
  d.is_sparse = number_of<int8_t>(t, f::format) == 1;
  d.size = number_of<int32_t>(t, f::dense_size);
  if (d.is_sparse) {
    d.segments = positions(t, f::segments_type, f::segments);
    d.indices = positions(t, f::indices_type, f::indices);
  }
  return d;
}

class Walk {
 public:
  Walk(Bytes values, const TensorInfo& t, char* out)
      : values_(values), dims_(t.dims), width_(static_cast<size_t>(t.type->bits) / 8), out_(out) {
    namespace f = field::sparsity;
    order_ = Elements<int32_t>(t.sparsity, f::traversal_order).list<int64_t>();
    blocked_ = Elements<int32_t>(t.sparsity, f::block_map).list<int64_t>();
    const Tables list(t.sparsity, f::dims);
    require(order_.size() == list.size() && order_.size() == dims_.size() + blocked_.size(),
            "its sparsity walks ", order_.size(), " dimensions in ", list.size(), " steps, expected ",
            dims_.size() + blocked_.size());
    std::vector<bool> seen(order_.size(), false);
    for (const int64_t o : order_) {
      require(o >= 0 && o < static_cast<int64_t>(order_.size()) && !seen[static_cast<size_t>(o)],
              "its traversal_order ", order_, " is not an order");
      seen[static_cast<size_t>(o)] = true;
    }
    for (const int64_t b : blocked_)
      require(b >= 0 && b < static_cast<int64_t>(dims_.size()), "its block_map ", blocked_,
              " is outside of its shape ", dims_);
    for (size_t i = 0; i < list.size(); ++i) walked_.push_back(read_dim(list[i]));
    at_.assign(order_.size(), 0);
    find_blocks();
    check_sizes();
  }
  void run() {
    level(0, 0);
    require(next_ == values_.size(), "its buffer has ", values_.size(), " bytes, but its sparsity takes ",
            next_);
  }

 private:
  // Dense dimensions are whole, so that walking takes no longer than the tensor is large.
  void check_sizes() const {
    for (size_t i = 0; i < order_.size(); ++i) {
      const auto o = static_cast<size_t>(order_[i]);
      if (walked_[i].is_sparse || o >= dims_.size()) continue;
      require(walked_[i].size == dims_[o] / block_[o], "its sparsity walks ", walked_[i].size,
              " positions of dimension ", o, " of shape ", dims_);
    }
  }

  // The extent of each block, by the dimension of the tensor.
  void find_blocks() {
    block_.assign(dims_.size(), 1);
    for (size_t i = 0; i < order_.size(); ++i) {
      const auto o = static_cast<size_t>(order_[i]);
      if (o < dims_.size()) continue;
      require(!walked_[i].is_sparse && walked_[i].size > 0, "a block of its sparsity has no size");
      block_[static_cast<size_t>(blocked_[o - dims_.size()])] = walked_[i].size;
    }
  }

  void level(size_t i, size_t parent) {
    if (i == order_.size()) return put();
    const WalkedDim& d = walked_[i];
    const auto o = static_cast<size_t>(order_[i]);
    if (!d.is_sparse) {
      for (int64_t k = 0; k < d.size; ++k) {
        at_[o] = k;
        level(i + 1, parent * static_cast<size_t>(d.size) + static_cast<size_t>(k));
      }
      return;
    }
    require(parent + 1 < d.segments.size(), "its array_segments are too short");
    for (int64_t k = d.segments[parent]; k < d.segments[parent + 1]; ++k) {
      require(k >= 0 && static_cast<size_t>(k) < d.indices.size(), "its array_indices are too short");
      at_[o] = d.indices[static_cast<size_t>(k)];
      level(i + 1, static_cast<size_t>(k));
    }
  }

  void put() {
    require(width_ <= values_.size() - next_, "its buffer has only ", values_.size(), " bytes");
    size_t place = 0;
    for (size_t d = 0; d < dims_.size(); ++d) {
      int64_t index = at_[d] * block_[d];
      for (size_t k = 0; k < blocked_.size(); ++k)
        if (blocked_[k] == static_cast<int64_t>(d)) index += at_[dims_.size() + k];
      require(index >= 0 && index < dims_[d], "its sparsity has position ", index, " in shape ", dims_);
      place = place * static_cast<size_t>(dims_[d]) + static_cast<size_t>(index);
    }
    std::memcpy(out_ + place * width_, values_.data() + next_, width_);
    next_ += width_;
  }

  Bytes values_;
  const Ints& dims_;
  size_t width_, next_ = 0;
  char* out_;
  Ints order_, blocked_, block_, at_;
  std::vector<WalkedDim> walked_;
};

}  // namespace

Tensor make_dense(Context c, Bytes values, const TensorInfo& t) {
  require(t.type->bits >= 8 && !t.is_complex(), "it is sparse and of type ", t.type->name,
          ", which is not supported");
  uint64_t bytes = static_cast<uint64_t>(t.type->bits) / 8;
  for (const int64_t d : t.dims) {
    // The dense form may be huge although the file is small.
    require(!__builtin_mul_overflow(bytes, static_cast<uint64_t>(d), &bytes) && bytes <= uint64_t{1} << 30,
            "it is sparse, and shape ", t.dims, " is too big to be made dense");
  }
  auto [dense, data] = Tensor::create_bytes(c, t.type->type, t.dims);
  if (bytes == 0) return dense;
  Walk(values, t, static_cast<char*>(data)).run();
  return dense;
}

}  // namespace mo::tflite
