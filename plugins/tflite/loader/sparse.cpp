// Constants that list only what is not zero. Their dimensions are walked in an order of their own, the last
// ones inside blocks; each is dense, or a list of the positions at which something stands.
#include "loader/tensors.hpp"

namespace mo::tflite {

namespace {

// A list of positions, of 8, 16 or 32 bits.
Ints positions(format::SparseIndexVector type, const void* list) {
  const auto of = [&]<class T>(const T* vector) { return list_of<int64_t>(vector->values()); };
  if (list != nullptr && type == format::SparseIndexVector::Int32Vector)
    return of(static_cast<const format::Int32Vector*>(list));
  if (list != nullptr && type == format::SparseIndexVector::Uint16Vector)
    return of(static_cast<const format::Uint16Vector*>(list));
  if (list != nullptr && type == format::SparseIndexVector::Uint8Vector)
    return of(static_cast<const format::Uint8Vector*>(list));
  fail("a sparse dimension has no list of positions");
}

struct WalkedDim {
  bool is_sparse = false;
  int64_t size = 0;        // of a dense one
  Ints segments, indices;  // of a sparse one
};

WalkedDim read_dim(const format::DimensionMetadata& t) {
  WalkedDim d;
  d.is_sparse = t.format() == format::DimensionType::SPARSE_CSR;
  d.size = t.dense_size();
  if (d.is_sparse) {
    d.segments = positions(t.array_segments_type(), t.array_segments());
    d.indices = positions(t.array_indices_type(), t.array_indices());
  }
  return d;
}

class Walk {
 public:
  Walk(Bytes values, const TensorInfo& t, char* out)
      : values_(values), dims_(t.dims), width_(static_cast<size_t>(t.type->bits) / 8), out_(out) {
    order_ = list_of<int64_t>(t.sparsity->traversal_order());
    blocked_ = list_of<int64_t>(t.sparsity->block_map());
    const auto* list = t.sparsity->dim_metadata();
    const size_t steps = flatbuffers::VectorLength(list);
    require(order_.size() == steps && order_.size() == dims_.size() + blocked_.size(), "its sparsity walks ",
            order_.size(), " dimensions in ", steps, " steps, expected ", dims_.size() + blocked_.size());
    std::vector<bool> seen(order_.size(), false);
    for (const int64_t o : order_) {
      require(o >= 0 && o < static_cast<int64_t>(order_.size()) && !seen[static_cast<size_t>(o)],
              "its traversal_order ", order_, " is not an order");
      seen[static_cast<size_t>(o)] = true;
    }
    for (const int64_t b : blocked_)
      require(b >= 0 && b < static_cast<int64_t>(dims_.size()), "its block_map ", blocked_,
              " is outside of its shape ", dims_);
    for (flatbuffers::uoffset_t i = 0; i < steps; ++i) walked_.push_back(read_dim(*list->Get(i)));
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
