#include "loader/merge.hpp"

#include "loader/options.hpp"

#include <mo/lazy.hpp>

#include <filesystem>
#include <fstream>
#include <map>

namespace mo::mxnet {

namespace fs = std::filesystem;

namespace {

std::string needed(Context c, std::string_view name) {
  const auto value = option<std::string>(c, name);
  if (!value)
    fail_option(name,
                "is missing; --nd_prefix_name and --pretrained_model_name belong together, with "
                "--input_symbol");
  return *value;
}

std::shared_ptr<const ArrayFile> open_arrays(Context c, std::string_view option, const fs::path& path) {
  if (!fs::exists(path)) fail_option(option, "there is no '", path.string(), "'");
  return std::make_shared<const ArrayFile>(c, path.string());
}

// The file itself, or its name without .params.
fs::path pretrained_path(const std::string& given) {
  return fs::exists(given) ? fs::path(given) : fs::path(given + ".params");
}

class Writer {
 public:
  explicit Writer(const fs::path& path) : path_(path), file_(path, std::ios::binary) {}
  template <class T>
  void number(T v) {
    file_.write(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void bytes(const void* data, uint64_t n) {
    file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(n));
  }
  void name(std::string_view s) {
    number(static_cast<uint64_t>(s.size()));
    bytes(s.data(), s.size());
  }
  void finish() {
    file_.close();
    require(file_.good(), "'", path_.string(), "' cannot be written");
  }

 private:
  fs::path path_;
  std::ofstream file_;
};

void save(Context c, const Arrays& arrays, const ArrayFile& states, const fs::path& path) {
  const std::map<std::string_view, Arrays::Held> sorted(arrays.all().begin(), arrays.all().end());
  Writer w(path);
  w.number(list_magic);
  w.number(uint64_t{0});
  w.number(static_cast<uint64_t>(sorted.size()));
  for (const auto& [name, held] : sorted) {
    const Tensor t = held.file->tensor(c, *held.array);
    w.number(uint32_t{0xF993FAC9});
    w.number(int32_t{0});  // dense
    w.number(static_cast<int32_t>(t.rank()));
    for (const int64_t d : t.dims()) w.number(d);
    for (const int32_t v : {1, 0, 0}) w.number(v);  // CPU 0, f32
    read_pieces<float>(c, t, [&](uint64_t, const float* v, size_t n) { w.bytes(v, n * sizeof *v); });
  }
  w.number(static_cast<uint64_t>(sorted.size()));
  for (const auto& [name, held] : sorted) w.name(text(held.file.get() == &states ? "aux:" : "arg:", name));
  w.finish();
  c.log(MO_LOG_INFO, text("the merged arrays are in '", path.string(), "'"));
}

}  // namespace

Arrays merged_arrays(Context c) {
  const std::string prefix = needed(c, option_name::nd_prefix),
                    pretrained = needed(c, option_name::pretrained);
  (void)needed(c, option_name::symbol);
  const fs::path path = pretrained_path(pretrained), folder = path.parent_path();
  const auto base = open_arrays(c, option_name::pretrained, path);
  const auto arguments = open_arrays(c, option_name::nd_prefix, folder / (prefix + "_args.nd"));
  const auto states = open_arrays(c, option_name::nd_prefix, folder / (prefix + "_auxs.nd"));
  Arrays arrays;
  for (const Array& a : base->arrays())
    if (!a.is_auxiliary) arrays.add(base, a);  // the states are the other file's alone
  arrays.add_all(arguments);
  arrays.add_all(states);
  if (flag(c, option_name::save_params)) {
    const std::string stem = path.stem().string();
    const size_t dash = stem.rfind('-');
    save(c, arrays, *states,
         folder / text(prefix, dash == std::string::npos ? "-0000" : stem.substr(dash), ".params"));
  }
  return arrays;
}

}  // namespace mo::mxnet
