// Checkpoints of version 2: an index, and shards that hold the values.
#include "loader/checkpoint.hpp"
#include "loader/crc32c.hpp"

#include <map>

namespace mo::tensorflow {

namespace {

struct BundleEntry {
  DataType type = DataType::invalid;
  std::vector<int64_t> dims;
  int64_t shard = 0, offset = 0, size = 0;
  std::vector<Slice> slices;
};

BundleEntry parse_entry_of_bundle(Bytes bytes) {
  BundleEntry e;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == 1) e.type = data_type(f.integer());
    if (f.number == 2) e.dims = parse_dims(f.bytes());
    if (f.number == 3) e.shard = f.signed_integer();
    if (f.number == 4) e.offset = f.signed_integer();
    if (f.number == 5) e.size = f.signed_integer();
    if (f.number == 7) e.slices.push_back(parse_slice(f.bytes()));
  }
  return e;
}

bool is_whole(const Slice& s) {
  return std::all_of(s.begin(), s.end(), [](const Extent& e) { return e.length == -1; });
}

// "00003" of 3.
std::string five_digits(int64_t n) {
  std::string s = text(n);
  return std::string(s.size() < 5 ? 5 - s.size() : 0, '0') + s;
}

class Bundle : public Checkpoint {
 public:
  Bundle(Context c, const CheckpointPlace& place)
      : place_(place),
        prefix_(place.path()),
        index_file_(place.open(c, ".index")),
        index_(index_file_.bytes(), prefix_ + ".index") {
    const Table::Entry* header = index_.find("");
    require(header != nullptr, "'", prefix_, ".index' has no header; is it the index of a checkpoint?");
    for (const wire::Field& f : wire::Message(header->value)) {
      if (f.number == 1) shards_ = f.signed_integer();
      if (f.number == 2)
        require(f.integer() == 0, "'", prefix_, ".index' was written by a big-endian machine, ",
                "which is not supported");
    }
    constexpr int64_t most = 99999;
    require(shards_ > 0 && shards_ <= most, "'", prefix_, ".index' says that there are ", shards_, " shards");
    find_overlaps();
  }

  bool has(std::string_view key) const override { return index_.find(key) != nullptr; }

  std::vector<std::string_view> keys() const override {
    std::vector<std::string_view> all;
    for (const Table::Entry& e : index_.entries())
      if (!e.key.empty()) all.emplace_back(e.key);
    return all;
  }

  Tensor read(Context c, std::string_view key, const SliceSpec& part) override {
    try {
      return read_part(c, key, part);
    } catch (const Error& e) {
      throw Error(text("'", prefix_, ".index': '", key, "': ", e.what()), e.status());
    }
  }

  std::vector<std::string_view> read_texts(Context c, std::string_view key) override {
    const BundleEntry e = entry(key);
    require(e.type == DataType::string, "'", prefix_, ".index': '", key, "' is ", data_type_name(e.type),
            ", expected strings");
    const Bytes all = bytes_of(c, e);
    wire::Reader r(all);
    const Dim count = Shape(e.dims).elements();
    require(static_cast<uint64_t>(count.min) <= all.size(), "'", prefix_, ".index': '", key, "' has ",
            count.min, " strings in ", all.size(), " bytes");
    std::vector<uint64_t> sizes;
    for (int64_t i = 0; i < count.min; ++i) sizes.push_back(r.read_varint());
    (void)r.read_fixed<uint32_t>();  // a checksum of the sizes
    std::vector<std::string_view> list;
    size_t at = r.offset();
    for (const uint64_t n : sizes) {
      require(n <= all.size() - at, "'", prefix_, ".index': '", key,
              "' is damaged: a string ends outside of it");
      list.push_back(all.substr(at, n));
      at += n;
    }
    return list;
  }

 private:
  BundleEntry entry(std::string_view key) const {
    const Table::Entry* found = index_.find(key);
    require(found != nullptr, "the checkpoint has no such entry");
    return parse_entry_of_bundle(found->value);
  }

  Tensor read_part(Context c, std::string_view key, const SliceSpec& part) {
    const BundleEntry e = entry(key);
    require(part.dims.empty() || part.dims == e.dims, "its shape is ", Shape(e.dims),
            ", and the model restores a part ", "of shape ", Shape(part.dims));
    const StoredLayout whole = layout_of(e.type, e.dims);
    const bool divided = !e.slices.empty();
    if (!divided && is_whole(part.slice)) return tensor(c, e, whole);
    std::vector<int64_t> dims;
    for (const Extent& x : resolve_slice(part.slice, e.dims)) dims.push_back(x.length);
    const StoredLayout wanted = layout_of(e.type, dims);
    if (divided)
      check_size(e, key, whole);
    else
      (void)checked(e, whole);
    // Memory for the whole is taken when its parts are there.
    std::vector<Bytes> parts;
    if (!divided) parts.push_back(bytes_of(c, e));
    for (const Slice& s : e.slices) parts.push_back(bytes_of(c, part_of(e, key, s)));
    auto [t, data] = Tensor::create_bytes(c, wanted.type, wanted.dims);
    Assembly assembly(e.dims, whole.width, part.slice, static_cast<char*>(data));
    for (size_t i = 0; i < parts.size(); ++i) assembly.add(divided ? e.slices[i] : Slice(), parts[i]);
    require(assembly.complete(), "its parts do not make up the whole");
    return t;
  }

  BundleEntry part_of(const BundleEntry& whole, std::string_view key, const Slice& s) const {
    if (is_whole(s) && whole.size != 0) return whole;
    const BundleEntry part = entry(key_of_slice(key, s));
    require(part.type == whole.type, "a part of it is ", data_type_name(part.type), ", and the whole is ",
            data_type_name(whole.type));
    return part;
  }

  void check_size(const BundleEntry& e, std::string_view key, const StoredLayout& whole) const {
    uint64_t held = 0;
    for (const Slice& s : e.slices)
      held += static_cast<uint64_t>(std::max<int64_t>(0, part_of(e, key, s).size));
    require(held == whole.bytes, "its parts have ", held, " bytes, and shape ", Shape(e.dims), " takes ",
            whole.bytes);
  }

  const BundleEntry& checked(const BundleEntry& e, const StoredLayout& l) const {
    require(static_cast<uint64_t>(e.size) == l.bytes, "it has ", e.size, " bytes, and shape ", Shape(e.dims),
            " of ", data_type_name(e.type), " takes ", l.bytes);
    return e;
  }

  Tensor tensor(Context c, const BundleEntry& e, const StoredLayout& l) {
    (void)bytes_of(c, checked(e, l));
    return shard(c, e.shard).tensor(c, static_cast<uint64_t>(e.offset), l.bytes, l.type, l.dims);
  }

  Bytes bytes_of(Context c, const BundleEntry& e) {
    const Bytes all = shard(c, e.shard).bytes();
    require(e.offset >= 0 && e.size >= 0 && static_cast<uint64_t>(e.size) <= all.size() &&
                static_cast<uint64_t>(e.offset) <= all.size() - static_cast<uint64_t>(e.size),
            "its ", e.size, " bytes at ", e.offset, " are outside of '", prefix_, suffix_of_shard(e.shard),
            "', which has ", all.size());
    return all.substr(static_cast<size_t>(e.offset), static_cast<size_t>(e.size));
  }

  std::string suffix_of_shard(int64_t n) const {
    return text(".data-", five_digits(n), "-of-", five_digits(shards_));
  }
  const File& shard(Context c, int64_t n) {
    require(n >= 0 && n < shards_, "it is in shard ", n, ", and there are ", shards_);
    const auto known = files_.find(n);
    if (known != files_.end()) return known->second;
    return files_.emplace(n, place_.open(c, suffix_of_shard(n))).first->second;
  }

  // Values that share bytes: a sign of a damaged index, which no checksum of values would tell here.
  void find_overlaps() const {
    struct Range {
      int64_t shard, begin, end;
      std::string_view key;
    };
    std::vector<Range> ranges;
    for (const Table::Entry& t : index_.entries()) {
      if (t.key.empty()) continue;
      const BundleEntry e = parse_entry_of_bundle(t.value);
      require(e.offset >= 0 && e.size >= 0 && e.offset <= INT64_MAX - e.size, "'", prefix_, ".index': '",
              t.key, "' has ", e.size, " bytes at ", e.offset);
      if (e.size != 0) ranges.push_back({e.shard, e.offset, e.offset + e.size, t.key});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
      return std::tie(a.shard, a.begin, a.key) < std::tie(b.shard, b.begin, b.key);
    });
    for (size_t i = 1; i < ranges.size(); ++i)
      require(ranges[i].shard != ranges[i - 1].shard || ranges[i].begin >= ranges[i - 1].end, "'", prefix_,
              ".index' is damaged: '", ranges[i - 1].key, "' and '", ranges[i].key, "' overlap in shard ",
              ranges[i].shard);
  }

  CheckpointPlace place_;
  std::string prefix_;
  File index_file_;
  Table index_;
  int64_t shards_ = 0;
  std::map<int64_t, File> files_;
};

}  // namespace

std::unique_ptr<Checkpoint> open_bundle(Context c, const CheckpointPlace& place) {
  return std::make_unique<Bundle>(c, place);
}

}  // namespace mo::tensorflow
