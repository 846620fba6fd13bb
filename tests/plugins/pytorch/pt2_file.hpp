// Archives of torch.export, made here as its releases write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <mo/text.hpp>
#include <string>
#include <vector>

namespace mo::test {

// Entries that are stored as they are, their bytes at a multiple of 64, as torch writes them: sizes stand in the
// directory only, and the local header has another extra field.
class ZipFile {
 public:
  ZipFile& add(const std::string& name, std::string_view bytes, uint16_t method = 0) {
    const size_t header = out_.size();
    put<uint32_t>(out_, 0x04034b50);
    put<uint16_t>(out_, 0);
    put<uint16_t>(out_, 0x0808);
    put<uint16_t>(out_, method);
    out_.append(16, '\0');  // time, checksum, sizes: they follow
    put<uint16_t>(out_, static_cast<uint16_t>(name.size()));
    const size_t padding = (64 - (out_.size() + 2 + name.size() + 4) % 64) % 64;
    put<uint16_t>(out_, static_cast<uint16_t>(4 + padding));
    out_ += name + "FB";
    put<uint16_t>(out_, static_cast<uint16_t>(padding));
    out_.append(padding, 'Z');
    out_ += bytes;
    put<uint32_t>(directory_, 0x02014b50);
    directory_.append(6, '\0');
    put<uint16_t>(directory_, method);
    directory_.append(8, '\0');
    put<uint32_t>(directory_, static_cast<uint32_t>(bytes.size()));
    put<uint32_t>(directory_, static_cast<uint32_t>(bytes.size()));
    put<uint16_t>(directory_, static_cast<uint16_t>(name.size()));
    directory_.append(12, '\0');
    put<uint32_t>(directory_, static_cast<uint32_t>(header));
    directory_ += name;
    ++count_;
    return *this;
  }
  std::string bytes() const {
    std::string all = out_ + directory_;
    put<uint32_t>(all, 0x06054b50);
    put<uint32_t>(all, 0);
    put<uint16_t>(all, count_);
    put<uint16_t>(all, count_);
    put<uint32_t>(all, static_cast<uint32_t>(directory_.size()));
    put<uint32_t>(all, static_cast<uint32_t>(out_.size()));
    put<uint16_t>(all, 0);
    return all;
  }

 private:
  template <class T>
  static void put(std::string& to, T v) {
    to.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  std::string out_, directory_;
  uint16_t count_ = 0;
};

// A look at a storage.
struct StoredWeight {
  std::string storage;  // its bytes
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  int dtype = 7;
  std::string file = {};  // weights of one file have one storage
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
inline StoredWeight floats(const std::vector<float>& values, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return {bytes_of(values), sizes, strides};
}

// One tensor of a sentence of Python's pickle, or what stands in the place of its function.
inline std::string pickled(const std::map<std::string, StoredWeight>& weights,
                           const std::string& function = "torch._utils\n_rebuild_tensor_v2") {
  const auto word = [](std::string_view s) {
    std::string out = "X";
    const auto n = static_cast<uint32_t>(s.size());
    out.append(reinterpret_cast<const char*>(&n), 4);
    return out + std::string(s);
  };
  const auto number = [](int64_t v) {
    std::string out = "J";
    const auto n = static_cast<int32_t>(v);
    out.append(reinterpret_cast<const char*>(&n), 4);
    return out;
  };
  const auto tuple = [&](const std::vector<int64_t>& list) {
    std::string out = "(";
    for (const int64_t v : list) out += number(v);
    return out + "t";
  };
  const std::string dictionary = "ccollections\nOrderedDict\n)R";
  std::string out = "\x80\x02" + dictionary + "(";
  for (const auto& [name, w] : weights) {
    const std::string key = w.file.empty() ? name : w.file;
    out += word(name) + 'c' + function + "\n((" + word("storage") + "ctorch\nFloatStorage\n" + word(key) +
           word("cpu") + number(static_cast<int64_t>(w.storage.size() / 4)) + "tQ" + number(w.offset) +
           tuple(w.sizes) + tuple(w.strides) + "\x89" + dictionary + "tR";
  }
  return out + "u.";
}
inline std::string torch_save(const std::map<std::string, StoredWeight>& weights, const std::string& pickle) {
  ZipFile zip;
  zip.add("archive/data.pkl", pickle);
  for (const auto& [name, w] : weights)
    zip.add("archive/data/" + (w.file.empty() ? name : w.file), w.storage);
  return zip.bytes();
}

// Arguments as the program has them.
namespace arg {
inline std::string tensor(std::string_view name) { return text(R"({"as_tensor": {"name": ")", name, "\"}}"); }
inline std::string integer(int64_t v) { return text(R"({"as_int": )", v, '}'); }
inline std::string number(double v) { return text(R"({"as_float": )", v, '}'); }
inline std::string symbol(std::string_view name) {
  return text(R"({"as_sym_int": {"as_name": ")", name, "\"}}");
}
inline std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& s : list) out += (out.empty() ? "" : ", ") + s;
  return out;
}
inline std::string tensors(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& n : names) list.push_back("{\"name\": \"" + n + "\"}");
  return "{\"as_tensors\": [" + joined(list) + "]}";
}
inline std::string integers(const std::vector<int64_t>& values) {
  std::vector<std::string> list;
  for (const int64_t v : values) list.push_back(text(v));
  return "{\"as_ints\": [" + joined(list) + "]}";
}
inline std::string graph(const std::string& json) {
  return R"({"as_graph": {"name": "body", "graph": )" + json + "}}";
}
}  // namespace arg

// A graph of the program. Sizes are numbers, or texts of expressions.
class Pt2Graph {
 public:
  using Arguments = std::vector<std::pair<std::string, std::string>>;
  using Sizes = std::vector<std::string>;

  Pt2Graph& tensor(const std::string& name, const Sizes& sizes = {}, int dtype = 7) {
    std::vector<std::string> list, strides;
    for (const std::string& s : sizes) {
      const bool number = s.find_first_not_of("0123456789") == std::string::npos;
      list.push_back(number ? R"({"as_int": )" + s + "}"
                            : R"({"as_expr": {"expr_str": ")" + s + R"(", "hint": {"as_int": 4}}})");
    }
    int64_t stride = 1;
    for (size_t i = sizes.size(); i-- != 0;) {
      strides.insert(strides.begin(), text(R"({"as_int": )", stride, '}'));
      stride *= std::max(std::atoi(sizes[i].c_str()), 1);
    }
    tensors_.push_back(text('"', name, R"(": {"dtype": )", dtype, R"(, "sizes": [)", arg::joined(list),
                            R"(], "strides": [)", arg::joined(strides),
                            R"(], "storage_offset": {"as_int": 0}, "layout": 7})"));
    return *this;
  }
  Pt2Graph& input(const std::string& name, const Sizes& sizes = {}, int dtype = 7) {
    inputs_.push_back(arg::tensor(name));
    return tensor(name, sizes, dtype);
  }
  // With one result, of which the sizes are said.
  Pt2Graph& node(const std::string& target, const Arguments& arguments, const std::string& result,
                 const Sizes& sizes = {}, int dtype = 7) {
    tensor(result, sizes, dtype);
    return call(target, arguments, arg::tensor(result), result);
  }
  Pt2Graph& call(const std::string& target, const Arguments& arguments, const std::string& results,
                 const std::string& name, const std::string& metadata = "") {
    std::vector<std::string> list;
    for (const auto& [n, a] : arguments) list.push_back(R"({"name": ")" + n + R"(", "arg": )" + a + "}");
    nodes_.push_back(R"({"target": ")" + target + R"(", "inputs": [)" + arg::joined(list) +
                     R"(], "outputs": [)" + results + R"(], "name": ")" + name + R"(", "metadata": {)" +
                     metadata + "}}");
    return *this;
  }
  Pt2Graph& output(const std::string& argument) {
    outputs_.push_back(argument);
    return *this;
  }
  std::string json() const {
    return R"({"inputs": [)" + arg::joined(inputs_) + R"(], "outputs": [)" + arg::joined(outputs_) +
           R"(], "nodes": [)" + arg::joined(nodes_) + R"(], "tensor_values": {)" + arg::joined(tensors_) +
           "}}";
  }

 private:
  std::vector<std::string> inputs_, outputs_, nodes_, tensors_;
};

// A whole program.
class Pt2File {
 public:
  using Sizes = Pt2Graph::Sizes;
  Pt2Graph graph;
  int major = 8, minor = 20;
  std::map<std::string, StoredWeight> weights;

  Pt2File& input(const std::string& name, const Sizes& sizes = {}, int dtype = 7) {
    graph.input(name, sizes, dtype);
    inputs_.push_back(R"({"user_input": {"arg": )" + arg::tensor(name) + "}}");
    return *this;
  }
  // kind: "parameter", "buffer" or "tensor_constant".
  Pt2File& weight(const std::string& kind, const std::string& name, const std::string& fqn,
                  const StoredWeight& w) {
    Sizes sizes;
    for (const int64_t d : w.sizes) sizes.push_back(text(d));
    graph.input(name, sizes, w.dtype);
    inputs_.push_back("{\"" + kind + R"(": {"arg": {"name": ")" + name + "\"}, \"" + kind + R"(_name": ")" +
                      fqn + "\"}}");
    weights[fqn] = w;
    return *this;
  }
  Pt2File& parameter(const std::string& fqn, const StoredWeight& w) {
    return weight("parameter", fqn, fqn, w);
  }
  Pt2File& output(const std::string& name) {
    graph.output(arg::tensor(name));
    outputs_.push_back(R"({"user_output": {"arg": )" + arg::tensor(name) + "}}");
    return *this;
  }
  // Of a program without writes in place.
  Pt2File& changes(const std::string& buffer, const std::string& name) {
    graph.output(arg::tensor(name));
    outputs_.push_back(R"({"buffer_mutation": {"arg": {"name": ")" + name + R"("}, "buffer_name": ")" +
                       buffer + "\"}}");
    return *this;
  }
  Pt2File& range(const std::string& expression, const std::string& low, const std::string& high) {
    ranges_.push_back('"' + expression + R"(": {"min_val": )" + low + R"(, "max_val": )" + high + "}");
    return *this;
  }

  std::string json() const {
    return R"({"graph_module": {"graph": )" + graph.json() + R"(, "signature": {"input_specs": [)" +
           arg::joined(inputs_) + R"(], "output_specs": [)" + arg::joined(outputs_) +
           R"(]}}, "range_constraints": {)" + arg::joined(ranges_) +
           text(R"(}, "schema_version": {"major": )", major, R"(, "minor": )", minor,
                R"(}, "torch_version": "2.15.0"})");
  }
  // As torch 2.9 and later write it.
  std::string bytes() const {
    ZipFile zip;
    std::vector<std::string> config;
    std::map<std::string, std::string> files;
    for (const auto& [name, w] : weights) {
      const std::string file = w.file.empty() ? text("weight_", files.size()) : w.file;
      files[file] = w.storage;
      const auto list = [](const std::vector<int64_t>& values) {
        std::vector<std::string> all;
        for (const int64_t v : values) all.push_back(text(R"({"as_int": )", v, '}'));
        return arg::joined(all);
      };
      config.push_back(text('"', name, R"(": {"path_name": ")", file,
                            R"(", "is_param": true, "use_pickle": false, )", R"("tensor_meta": {"dtype": )",
                            w.dtype, R"(, "sizes": [)", list(w.sizes), R"(], "strides": [)", list(w.strides),
                            R"(], "storage_offset": {"as_int": )", w.offset, R"(}, "layout": 7}})"));
    }
    for (const auto& [file, bytes] : files) zip.add("net/data/weights/" + file, bytes);
    zip.add("net/data/weights/model_weights_config.json", "{\"config\": {" + arg::joined(config) + "}}");
    zip.add("net/models/model.json", json());
    zip.add("net/byteorder", "little");
    return zip.bytes();
  }
  // As torch 2.8 does.
  std::string pickled_bytes() const {
    ZipFile zip;
    zip.add("net/models/model.json", json());
    zip.add("net/data/weights/model.pt", torch_save(weights, pickled(weights)));
    return zip.bytes();
  }
  // As torch 2.4 to 2.7 do.
  std::string old_bytes() const {
    ZipFile zip;
    zip.add("serialized_exported_program.json", json());
    zip.add("serialized_state_dict.pt", torch_save(weights, pickled(weights)));
    zip.add("version", text(major, '.', minor));
    return zip.bytes();
  }

 private:
  std::vector<std::string> inputs_, outputs_, ranges_;
};

}  // namespace mo::test
