// Writes TensorFlow Lite files of any content, right or wrong. Fields go by their numbers, as the format has
// them.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstring>
#include <string>
#include <variant>
#include <vector>

namespace mo::test {

enum class LiteType : int8_t {
  f32 = 0,
  f16 = 1,
  i32 = 2,
  u8 = 3,
  i64 = 4,
  string = 5,
  boolean = 6,
  i16 = 7,
  complex64 = 8,
  i8 = 9,
  f64 = 10,
  resource = 13,
  i4 = 17,
  i2 = 19,
  u4 = 20
};

// A field of a table of options.
struct LiteOption {
  uint16_t field;
  std::variant<bool, int8_t, int32_t, int64_t, float, std::string, std::vector<int32_t>, std::vector<int64_t>,
               std::vector<float>>
      value;
};

struct LiteQuantization {
  std::vector<float> scale = {};
  std::vector<int64_t> zero = {};
  int32_t axis = 0;
  // Scales in another tensor, for blocks of the last dimension.
  int32_t block = 0, block_scales = -1, block_zeros = -1;
};

struct LiteSparseDim {
  bool sparse = false;
  int32_t size = 0;
  std::vector<int32_t> segments = {}, indices = {};
};

struct LiteTensor {
  std::string name = {};
  LiteType type = LiteType::f32;
  std::vector<int32_t> dims = {};
  std::string data = {};  // a constant when it is not empty
  LiteQuantization quantization = {};
  std::vector<int32_t> signature = {};
  bool is_variable = false;
  // Dimensions in the order in which they are walked; behind those of the tensor stand those of blocks.
  std::vector<LiteSparseDim> sparse = {};
  std::vector<int32_t> order = {}, block_map = {};
  int64_t buffer = -1;    // another one than its own
  uint32_t external = 0;  // the id of one in another file
};

struct LiteOperator {
  int32_t code = 0;
  std::vector<int32_t> inputs = {}, outputs = {};
  uint8_t options_type = 0;
  std::vector<LiteOption> options = {};
  std::string custom = {}, custom_options = {};
  bool second_options = false;
  int32_t version = 1;
  std::vector<int32_t> intermediates = {};
  // Custom options elsewhere in the file: offset and size.
  std::pair<uint64_t, uint64_t> outside_options = {0, 0};
};

struct LiteSignature {
  std::string key;
  uint32_t graph = 0;
  std::vector<std::pair<std::string, uint32_t>> inputs, outputs;
};

template <class T>
std::string lite_bytes(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct LiteGraph {
  std::vector<LiteTensor> tensors;
  std::vector<LiteOperator> operators;
  std::vector<int32_t> inputs, outputs;
  std::string name = {};

  int32_t tensor(LiteTensor t) {
    tensors.push_back(std::move(t));
    return static_cast<int32_t>(tensors.size()) - 1;
  }
  int32_t input(LiteTensor t) { return inputs.emplace_back(tensor(std::move(t))); }
  int32_t output(LiteTensor t) { return outputs.emplace_back(tensor(std::move(t))); }
  template <class T>
  int32_t constant(LiteType type, std::vector<int32_t> dims, const std::vector<T>& values,
                   LiteQuantization q = {}) {
    return tensor({.name = "c" + std::to_string(tensors.size()),
                   .type = type,
                   .dims = std::move(dims),
                   .data = lite_bytes(values),
                   .quantization = std::move(q)});
  }
  int32_t floats(std::vector<int32_t> dims, const std::vector<float>& values) {
    return constant(LiteType::f32, std::move(dims), values);
  }
  int32_t ints(const std::vector<int32_t>& values) {
    return constant(LiteType::i32, {static_cast<int32_t>(values.size())}, values);
  }
};

class LiteFile {
 public:
  std::vector<LiteGraph> graphs = std::vector<LiteGraph>(1);
  std::vector<LiteSignature> signatures;
  uint32_t version = 3;
  std::string behind;  // after the FlatBuffer; buffers with this offset lie there
  struct Outside {
    uint64_t offset, size;
  };
  std::vector<std::pair<std::string, Outside>> outside;  // tensors by name
  struct External {
    uint32_t id = 0, group = 0;
    int64_t offset = 0, length = 0;
    std::string packing = "unpacked";
  };
  std::vector<External> external;
  std::vector<std::string> groups;  // files of external buffers

  LiteGraph& main() { return graphs.front(); }

  std::string bytes() const {
    Writer w(*this);
    return w.run();
  }

 private:
  using Builder = flatbuffers::FlatBufferBuilder;
  using Offset = flatbuffers::uoffset_t;

  class Writer {
   public:
    explicit Writer(const LiteFile& file) : file_(file) {}
    std::string run() {
      b_.ForceDefaults(true);
      buffers_.push_back(table({}));
      std::vector<Offset> graphs;
      for (const LiteGraph& g : file_.graphs) graphs.push_back(graph(g));
      std::vector<Offset> signatures;
      for (const LiteSignature& s : file_.signatures) signatures.push_back(signature(s));
      std::vector<Offset> external, groups;
      for (const External& e : file_.external)
        external.push_back(table({{0, static_cast<int32_t>(e.id)},
                                  {1, static_cast<int32_t>(e.group)},
                                  {2, e.offset},
                                  {3, e.length},
                                  {4, e.packing}}));
      for (const std::string& name : file_.groups) groups.push_back(table({{0, name}}));
      const Offset codes = list(codes_), all = list(graphs), buffers = list(buffers_),
                   signed_ = list(signatures), files = list(groups), elsewhere = list(external);
      const auto start = b_.StartTable();
      b_.AddElement<uint32_t>(at(0), file_.version, 0);
      add(1, codes);
      add(2, all);
      add(4, buffers);
      if (!signatures.empty()) add(7, signed_);
      if (!groups.empty()) add(8, files);
      if (!external.empty()) add(9, elsewhere);
      b_.Finish(flatbuffers::Offset<void>(b_.EndTable(start)), "TFL3");
      return std::string(reinterpret_cast<const char*>(b_.GetBufferPointer()), b_.GetSize()) + file_.behind;
    }

   private:
    static flatbuffers::voffset_t at(uint16_t field) {
      return static_cast<flatbuffers::voffset_t>(4 + 2 * field);
    }
    void add(uint16_t field, Offset offset) { b_.AddOffset(at(field), flatbuffers::Offset<void>(offset)); }
    Offset list(const std::vector<Offset>& tables) {
      std::vector<flatbuffers::Offset<void>> offsets(tables.begin(), tables.end());
      return b_.CreateVector(offsets).o;
    }

    Offset table(const std::vector<LiteOption>& fields) {
      std::vector<Offset> made(fields.size(), 0);
      for (size_t i = 0; i < fields.size(); ++i)
        made[i] = std::visit([&](const auto& v) { return content(v); }, fields[i].value);
      const auto start = b_.StartTable();
      for (size_t i = 0; i < fields.size(); ++i)
        std::visit([&](const auto& v) { element(fields[i].field, v, made[i]); }, fields[i].value);
      return b_.EndTable(start);
    }
    template <class T>
    Offset content(const T& v) {
      if constexpr (std::is_same_v<T, std::string>)
        return b_.CreateString(v).o;
      else if constexpr (std::is_scalar_v<T>)
        return 0;
      else
        return b_.CreateVector(v).o;
    }
    template <class T>
    void element(uint16_t field, const T& v, Offset made) {
      if constexpr (std::is_same_v<T, bool>)
        b_.AddElement<uint8_t>(at(field), v ? 1 : 0, 0);
      else if constexpr (std::is_scalar_v<T>)
        b_.AddElement<T>(at(field), v, T{});
      else
        add(field, made);
    }

    uint32_t buffer(const LiteTensor& t) {
      if (t.buffer >= 0) return static_cast<uint32_t>(t.buffer);
      for (const auto& [name, place] : file_.outside) {
        if (name != t.name) continue;
        buffers_.push_back(
            table({{1, static_cast<int64_t>(place.offset)}, {2, static_cast<int64_t>(place.size)}}));
        return static_cast<uint32_t>(buffers_.size()) - 1;
      }
      if (t.data.empty()) return 0;
      b_.ForceVectorAlignment(t.data.size(), 1, 16);
      const Offset data = b_.CreateVector(reinterpret_cast<const uint8_t*>(t.data.data()), t.data.size()).o;
      const auto start = b_.StartTable();
      add(0, data);
      buffers_.push_back(b_.EndTable(start));
      return static_cast<uint32_t>(buffers_.size()) - 1;
    }

    Offset positions(const std::vector<int32_t>& values) { return table({{0, values}}); }
    Offset sparsity(const LiteTensor& t) {
      std::vector<Offset> dims;
      std::vector<int32_t> order = t.order;
      for (const LiteSparseDim& d : t.sparse) {
        if (t.order.empty()) order.push_back(static_cast<int32_t>(order.size()));
        const Offset segments = d.sparse ? positions(d.segments) : 0,
                     indices = d.sparse ? positions(d.indices) : 0;
        const auto start = b_.StartTable();
        b_.AddElement<int8_t>(at(0), d.sparse ? 1 : 0, 0);
        b_.AddElement<int32_t>(at(1), d.size, 0);
        if (d.sparse) {
          b_.AddElement<uint8_t>(at(2), 1, 0);
          add(3, segments);
          b_.AddElement<uint8_t>(at(4), 1, 0);
          add(5, indices);
        }
        dims.push_back(b_.EndTable(start));
      }
      const Offset traversal = b_.CreateVector(order).o, metadata = list(dims);
      const Offset blocks = t.block_map.empty() ? 0 : b_.CreateVector(t.block_map).o;
      const auto start = b_.StartTable();
      add(0, traversal);
      if (blocks != 0) add(1, blocks);
      add(2, metadata);
      return b_.EndTable(start);
    }

    Offset in_blocks(const LiteQuantization& q) {
      const Offset details = table({{0, q.block_scales}, {1, q.block_zeros}, {2, q.block}});
      const auto start = b_.StartTable();
      b_.AddElement<uint8_t>(at(4), 2, 0);
      add(5, details);
      return b_.EndTable(start);
    }

    Offset tensor(const LiteTensor& t) {
      const uint32_t held = buffer(t);
      const LiteQuantization& q = t.quantization;
      Offset quantization = 0;
      if (!q.scale.empty()) quantization = table({{2, q.scale}, {3, q.zero}, {6, q.axis}});
      if (q.block != 0) quantization = in_blocks(q);
      const Offset sparse = t.sparse.empty() ? 0 : sparsity(t);
      const Offset shape = b_.CreateVector(t.dims).o, name = b_.CreateString(t.name).o;
      const Offset signature = t.signature.empty() ? 0 : b_.CreateVector(t.signature).o;
      const auto start = b_.StartTable();
      add(0, shape);
      b_.AddElement<int8_t>(at(1), static_cast<int8_t>(t.type), 0);
      b_.AddElement<uint32_t>(at(2), held, 0);
      add(3, name);
      if (quantization != 0) add(4, quantization);
      b_.AddElement<uint8_t>(at(5), t.is_variable ? 1 : 0, 0);
      if (sparse != 0) add(6, sparse);
      if (signature != 0) add(7, signature);
      b_.AddElement<uint8_t>(at(8), 1, 0);
      if (t.external != 0) b_.AddElement<uint32_t>(at(10), t.external, 0);
      return b_.EndTable(start);
    }

    Offset op(const LiteOperator& o) {
      const Offset custom = o.custom.empty() ? 0 : b_.CreateString(o.custom).o;
      const auto code = b_.StartTable();
      b_.AddElement<int8_t>(at(0), static_cast<int8_t>(o.code > 127 ? 127 : o.code), 0);
      if (custom != 0) add(1, custom);
      b_.AddElement<int32_t>(at(2), o.version, 1);
      b_.AddElement<int32_t>(at(3), o.code, 0);
      codes_.push_back(b_.EndTable(code));
      const Offset inputs = b_.CreateVector(o.inputs).o, outputs = b_.CreateVector(o.outputs).o;
      const Offset within = o.intermediates.empty() ? 0 : b_.CreateVector(o.intermediates).o;
      const Offset options = o.options_type == 0 ? 0 : table(o.options);
      const Offset raw = o.custom_options.empty()
                             ? 0
                             : b_.CreateVector(reinterpret_cast<const uint8_t*>(o.custom_options.data()),
                                               o.custom_options.size())
                                   .o;
      const auto start = b_.StartTable();
      b_.AddElement<uint32_t>(at(0), static_cast<uint32_t>(codes_.size()) - 1, 0);
      add(1, inputs);
      add(2, outputs);
      if (options != 0) {
        b_.AddElement<uint8_t>(at(o.second_options ? 11 : 3), o.options_type, 0);
        add(o.second_options ? 12 : 4, options);
      }
      if (raw != 0) add(5, raw);
      if (within != 0) add(8, within);
      if (o.outside_options.second != 0) {
        b_.AddElement<uint64_t>(at(9), o.outside_options.first, 0);
        b_.AddElement<uint64_t>(at(10), o.outside_options.second, 0);
      }
      return b_.EndTable(start);
    }

    Offset graph(const LiteGraph& g) {
      std::vector<Offset> tensors, operators;
      for (const LiteTensor& t : g.tensors) tensors.push_back(tensor(t));
      for (const LiteOperator& o : g.operators) operators.push_back(op(o));
      const Offset all = list(tensors), ops = list(operators), name = b_.CreateString(g.name).o;
      const Offset inputs = b_.CreateVector(g.inputs).o, outputs = b_.CreateVector(g.outputs).o;
      const auto start = b_.StartTable();
      add(0, all);
      add(1, inputs);
      add(2, outputs);
      add(3, ops);
      add(4, name);
      return b_.EndTable(start);
    }

    Offset signature(const LiteSignature& s) {
      const auto maps = [&](const auto& entries) {
        std::vector<Offset> made;
        for (const auto& [name, tensor] : entries)
          made.push_back(table({{0, name}, {1, static_cast<int32_t>(tensor)}}));
        return list(made);
      };
      const Offset inputs = maps(s.inputs), outputs = maps(s.outputs), key = b_.CreateString(s.key).o;
      const auto start = b_.StartTable();
      add(0, inputs);
      add(1, outputs);
      add(2, key);
      b_.AddElement<uint32_t>(at(4), s.graph, 0);
      return b_.EndTable(start);
    }

    const LiteFile& file_;
    Builder b_;
    std::vector<Offset> codes_, buffers_;
  };
};

}  // namespace mo::test
