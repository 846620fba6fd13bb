// Checkpoints of version 1: one table of names and parts of tensors.
#include "loader/checkpoint.hpp"

#include <map>

namespace mo::tensorflow {

namespace {

enum : uint32_t { meta = 1, data = 2 };                            // SavedTensorSlices
enum : uint32_t { meta_tensor = 1 };                               // SavedTensorSliceMeta
enum : uint32_t { meta_name = 1, meta_shape = 2, meta_type = 3 };  // SavedSliceMeta
enum : uint32_t { slice_name = 1, slice_of = 2, slice_data = 3 };  // SavedSlice

struct OldTensor {
  DataType type = DataType::invalid;
  std::vector<int64_t> dims;
  std::vector<std::pair<Slice, Bytes>> parts;  // TensorProtos with neither type nor shape
};

// The values of a TensorProto, one piece of bytes where they are packed that way.
struct Values {
  std::string own;
  Bytes bytes;
};

Values values_of(Bytes tensor_proto, size_t width) {
  Values v;
  std::vector<Bytes> packed;
  std::vector<uint64_t> numbers;
  for (const wire::Field& f : wire::Message(tensor_proto)) {
    switch (f.number) {
      case field::tensor::content:
        packed.push_back(f.bytes());
        break;
      case field::tensor::float_val:
      case field::tensor::double_val:
      case field::tensor::scomplex_val:
      case field::tensor::dcomplex_val:
        if (f.type == wire::length)
          packed.push_back(f.payload);
        else
          numbers.push_back(f.raw);
        break;
      case field::tensor::half_val:
      case field::tensor::int_val:
      case field::tensor::int64_val:
      case field::tensor::bool_val:
      case field::tensor::uint32_val:
      case field::tensor::uint64_val:
        wire::append_integers(f, numbers);
        break;
      default:
        break;
    }
  }
  if (packed.size() == 1 && numbers.empty()) {
    v.bytes = packed[0];
    return v;
  }
  for (const Bytes p : packed) v.own += p;
  for (const uint64_t n : numbers) v.own.append(reinterpret_cast<const char*>(&n), std::min(width, sizeof n));
  return v;
}

class OldCheckpoint : public Checkpoint {
 public:
  OldCheckpoint(Context c, const CheckpointPlace& place)
      : path_(place.path()), file_(place.open(c, "")), table_(file_.bytes(), path_) {
    for (const Table::Entry& e : table_.entries()) {
      for (const wire::Field& f : wire::Message(e.value)) {
        if (f.number == meta) read_meta(f.bytes());
        if (f.number == data) read_slice(f.bytes());
      }
    }
  }

  bool has(std::string_view key) const override { return tensors_.find(key) != tensors_.end(); }

  std::vector<std::string_view> keys() const override {
    std::vector<std::string_view> all;
    for (const auto& [name, t] : tensors_) all.push_back(name);
    return all;
  }

  Tensor read(Context c, std::string_view key, const SliceSpec& part) override {
    try {
      return read_part(c, key, part);
    } catch (const Error& e) {
      throw Error(text('\'', path_, "': '", key, "': ", e.what()), e.status());
    }
  }

  std::vector<std::string_view> read_texts(Context, std::string_view) override { return {}; }

 private:
  void read_meta(Bytes bytes) {
    for (const wire::Field& f : wire::Message(bytes)) {
      if (f.number != meta_tensor) continue;
      std::string_view name;
      OldTensor t;
      for (const wire::Field& part : wire::Message(f.bytes())) {
        if (part.number == meta_name) name = part.bytes();
        if (part.number == meta_shape) t.dims = parse_dims(part.bytes());
        if (part.number == meta_type) t.type = data_type(part.integer());
      }
      OldTensor& known = tensors_[name];
      known.type = t.type;
      known.dims = std::move(t.dims);
    }
  }

  void read_slice(Bytes bytes) {
    std::string_view name;
    Slice slice;
    Bytes values;
    for (const wire::Field& f : wire::Message(bytes)) {
      if (f.number == slice_name) name = f.bytes();
      if (f.number == slice_of) slice = parse_slice(f.bytes());
      if (f.number == slice_data) values = f.bytes();
    }
    tensors_[name].parts.emplace_back(std::move(slice), values);
  }

  Tensor read_part(Context c, std::string_view key, const SliceSpec& part) {
    const auto found = tensors_.find(key);
    require(found != tensors_.end(), "the checkpoint has no such entry");
    const OldTensor& t = found->second;
    require(part.dims.empty() || part.dims == t.dims, "its shape is ", Shape(t.dims),
            ", and the model restores a part ", "of shape ", Shape(part.dims));
    const StoredLayout whole = layout_of(t.type, t.dims);
    std::vector<int64_t> dims;
    for (const Extent& x : resolve_slice(part.slice, t.dims)) dims.push_back(x.length);
    const StoredLayout wanted = layout_of(t.type, dims);
    uint64_t held = 0;
    std::deque<Values> values;  // whose bytes may be their own
    for (const auto& [slice, proto] : t.parts) {
      Values& v = values.emplace_back(values_of(proto, whole.width));
      if (v.bytes.empty()) v.bytes = v.own;
      held += v.bytes.size();
    }
    require(held == whole.bytes, "its parts have ", held, " bytes, and shape ", Shape(t.dims), " takes ",
            whole.bytes);
    if (values.size() == 1 && part.slice.empty() && values[0].own.empty())
      if (const auto view = view_of(c, values[0].bytes, whole)) return *view;
    auto [tensor, out] = Tensor::create_bytes(c, wanted.type, wanted.dims);
    Assembly assembly(t.dims, whole.width, part.slice, static_cast<char*>(out));
    for (size_t i = 0; i < values.size(); ++i) assembly.add(t.parts[i].first, values[i].bytes);
    require(assembly.complete(), "its parts do not make up the whole");
    return tensor;
  }

  // Nothing for bytes of a block that was packed.
  std::optional<Tensor> view_of(Context c, Bytes bytes, const StoredLayout& l) const {
    const Bytes all = file_.bytes();
    const std::less_equal<const char*> before;
    if (bytes.empty() || !before(all.data(), bytes.data()) ||
        !before(bytes.data() + bytes.size(), all.data() + all.size()))
      return std::nullopt;
    return file_.tensor(c, static_cast<uint64_t>(bytes.data() - all.data()), bytes.size(), l.type, l.dims);
  }

  std::string path_;
  File file_;
  Table table_;
  std::map<std::string_view, OldTensor> tensors_;
};

}  // namespace

std::unique_ptr<Checkpoint> open_old_checkpoint(Context c, const CheckpointPlace& place) {
  return std::make_unique<OldCheckpoint>(c, place);
}

}  // namespace mo::tensorflow
