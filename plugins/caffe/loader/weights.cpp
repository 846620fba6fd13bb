#include "loader/weights.hpp"

namespace mo::caffe {

namespace {

namespace field {
enum : uint32_t { net_layers = 2, net_layer = 100 };
enum : uint32_t { layer_name = 1, layer_blobs = 7 };
enum : uint32_t { v1_layer = 1, v1_name = 4, v1_blobs = 6 };
enum : uint32_t { v0_name = 1, v0_blobs = 50 };
enum : uint32_t { num = 1, width = 4, data = 5, shape = 7, double_data = 8, dim = 1 };
}  // namespace field

struct BlobMessage {
  std::vector<int64_t> dims;
  std::vector<Bytes> floats, doubles;  // packed
  std::vector<float> loose;            // one by one
  std::vector<double> loose_doubles;
  uint64_t count() const {
    uint64_t n = loose.size() + loose_doubles.size();
    for (const Bytes b : floats) n += b.size() / sizeof(float);
    for (const Bytes b : doubles) n += b.size() / sizeof(double);
    return n;
  }
};

void check_packed(Bytes payload, size_t width) {
  require(payload.size() % width == 0, "its data has ", payload.size(), " bytes; expected a multiple of ",
          width);
}

BlobMessage parse_blob(Bytes bytes) {
  BlobMessage b;
  std::vector<int64_t> old(4, 1);
  bool has_old = false, has_shape = false;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number >= field::num && f.number <= field::width) {
      old[f.number - 1] = static_cast<int32_t>(f.integer());
      has_old = true;
    } else if (f.number == field::shape) {
      has_shape = true;
      for (const wire::Field& d : wire::Message(f.bytes()))
        if (d.number == field::dim) wire::append_integers(d, b.dims);
      require(b.dims.size() <= 32, "it has more than 32 dimensions");  // as Caffe has it
    } else if (f.number == field::data) {
      if (f.type != wire::length) {
        b.loose.push_back(f.f32());
        continue;
      }
      check_packed(f.payload, sizeof(float));
      b.floats.push_back(f.payload);
    } else if (f.number == field::double_data) {
      if (f.type != wire::length) {
        wire::append_fixed(f, b.loose_doubles);
        continue;
      }
      check_packed(f.payload, sizeof(double));
      b.doubles.push_back(f.payload);
    }
  }
  if (!has_shape && has_old) b.dims = old;
  const bool no_shape = !has_shape && !has_old;
  if (no_shape) b.dims = {static_cast<int64_t>(b.count())};
  uint64_t n = 1;
  for (const int64_t d : b.dims)
    require(d >= 0 && !__builtin_mul_overflow(n, static_cast<uint64_t>(d), &n), "its shape ", b.dims,
            " is not a shape of a blob");
  require(n == b.count(), "its shape ", b.dims, " takes ", n, " numbers, but it holds ", b.count());
  return b;
}

// All elements in one piece; f(pointer to the next ones).
template <class T>
void copy_all(const BlobMessage& b, T* out) {
  for (const Bytes part : b.floats) {
    for (size_t i = 0; i < part.size(); i += sizeof(float)) {
      float v = 0;
      std::memcpy(&v, part.data() + i, sizeof v);
      *out++ = static_cast<T>(v);
    }
  }
  for (const float v : b.loose) *out++ = static_cast<T>(v);
  for (const Bytes part : b.doubles) {
    for (size_t i = 0; i < part.size(); i += sizeof(double)) {
      double v = 0;
      std::memcpy(&v, part.data() + i, sizeof v);
      *out++ = static_cast<T>(v);
    }
  }
  for (const double v : b.loose_doubles) *out++ = static_cast<T>(v);
}

void read_v0(Bytes bytes, std::string_view& name, std::vector<Bytes>& blobs) {
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::v0_name) name = f.bytes();
    if (f.number == field::v0_blobs) blobs.push_back(f.bytes());
  }
}

}  // namespace

Weights::Weights(Context c, std::string_view path) : file_(File::open(c, path)) {
  const Bytes all = file_.bytes();
  require(all.substr(0, 8) != "\x89HDF\r\n\x1a\n", "'", path,
          "' is an HDF5 file; save the weights as a .caffemodel (snapshot_format: BINARYPROTO)");
  const auto add = [this](std::string_view name, LayerBlobs layer) {
    // Of layers of one name the last one counts, as when Caffe copies them one after the other.
    if (!layer.blobs.empty() || layers_.count(name) == 0) layers_[name] = std::move(layer);
  };
  for (const wire::Field& f : wire::Message(all)) {
    if (f.number == field::net_layer) {
      LayerBlobs layer{f.bytes(), {}};
      std::string_view name;
      for (const wire::Field& l : wire::Message(layer.bytes)) {
        if (l.number == field::layer_name) name = l.bytes();
        if (l.number == field::layer_blobs) layer.blobs.push_back(l.bytes());
      }
      add(name, std::move(layer));
    } else if (f.number == field::net_layers) {
      LayerBlobs layer{f.bytes(), {}};
      std::string_view name;
      for (const wire::Field& l : wire::Message(layer.bytes)) {
        if (l.number == field::v1_name) name = l.bytes();
        if (l.number == field::v1_blobs) layer.blobs.push_back(l.bytes());
        if (l.number == field::v1_layer) read_v0(l.bytes(), name, layer.blobs);
      }
      add(name, std::move(layer));
    }
  }
  require(!layers_.empty(), "'", path, "' is not a .caffemodel: it has no layers");
}

const Weights::LayerBlobs* Weights::find(std::string_view layer) const {
  const auto i = layers_.find(layer);
  return i == layers_.end() ? nullptr : &i->second;
}

Tensor Weights::tensor(Context c, Bytes blob) const {
  const BlobMessage b = parse_blob(blob);
  if (b.floats.size() == 1 && b.loose.empty() && b.doubles.empty() && b.loose_doubles.empty()) {
    const Bytes data = b.floats.front();
    const auto offset = data.empty() ? 0 : static_cast<uint64_t>(data.data() - file_.bytes().data());
    return file_.tensor(c, offset, data.size(), ElementType::f32, b.dims);
  }
  auto [tensor, data] = Tensor::create<float>(c, b.dims);
  copy_all(b, data);
  return tensor;
}

Blob read_blob(Bytes blob) {
  const BlobMessage b = parse_blob(blob);
  Blob out{b.dims, std::vector<float>(static_cast<size_t>(b.count()))};
  copy_all(b, out.values.data());
  return out;
}

}  // namespace mo::caffe
