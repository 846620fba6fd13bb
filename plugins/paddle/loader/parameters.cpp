#include "loader/parameters.hpp"

#include <mo/wire.hpp>

#include <algorithm>
#include <filesystem>

namespace mo::paddle {

namespace fs = std::filesystem;

namespace {

// One record after another, numbers little-endian and at any place.
class Records {
 public:
  Records(const File& file, std::string_view bytes) : file_(file), bytes_(bytes) {}
  bool done() const { return at_ == bytes_.size(); }
  size_t at() const { return at_; }

  Tensor read(Context c, const Value& v) {
    require(number<uint32_t>() == 0, "its record is of another version than 0");
    // Sequence lengths, of no meaning for parameters.
    for (auto levels = number<uint64_t>(); levels > 0; --levels) (void)take(number<uint64_t>());
    require(number<uint32_t>() == 0, "its tensor is of another version than 0");
    const auto size = number<int32_t>();
    require(size >= 0, "its description has ", size, " bytes");
    ElementType type = ElementType::unknown;
    std::string called = "nothing";
    Ints dims;
    for (const wire::Field& f : wire::Message(take(static_cast<uint64_t>(size)))) {
      if (f.number == 1) {
        type = element_type(f.signed_integer());
        called = type_name(f.signed_integer());
      }
      if (f.number == 2) wire::append_integers(f, dims);
    }
    require(type != ElementType::unknown, "its elements are of type ", called,
            ", which the IR does not have");
    require(v.type == type, "it is of type ", called, ", but the program says ", v.type_name);
    require(fits(v, dims), "it is of shape ", dims, ", but the program says ", v.dims.value_or(Ints{}));
    uint64_t bytes = static_cast<uint64_t>(bits(type)) / 8;
    for (const int64_t d : dims)
      require(d >= 0 && !__builtin_mul_overflow(bytes, static_cast<uint64_t>(d), &bytes), "it is of shape ",
              dims);
    const size_t begin = at_;
    (void)take(bytes);
    return file_.tensor(c, begin, bytes, type, dims);
  }

 private:
  static bool fits(const Value& v, const Ints& dims) {
    if (!v.dims) return true;
    return std::equal(dims.begin(), dims.end(), v.dims->begin(), v.dims->end(),
                      [](int64_t have, int64_t said) { return said == -1 || said == have; });
  }
  std::string_view take(uint64_t count) {
    require(count <= bytes_.size() - at_, "the file ends within its record, at byte ", bytes_.size());
    const auto part = bytes_.substr(at_, static_cast<size_t>(count));
    at_ += part.size();
    return part;
  }
  template <class T>
  T number() {
    T v;
    std::memcpy(&v, take(sizeof v).data(), sizeof v);
    return v;
  }

  const File& file_;
  std::string_view bytes_;
  size_t at_ = 0;
};

// All in one: the name of the program with another ending.
std::string file_beside(const ModelSource& source, const std::string& program_file) {
  const fs::path path(program_file);
  std::vector<fs::path> names{fs::path(path).replace_extension(".pdiparams")};
  if (path.extension() != ".pdmodel" && path.extension() != ".json") {
    names.insert(names.begin(), path.parent_path() / "__params__");
    names.push_back(path.parent_path() / "params");
  }
  for (const fs::path& p : names)
    if (exists(source, p)) return p.string();
  return {};
}

}  // namespace

bool looks_like_parameters(std::string_view head) {
  return head.size() > 22 && head.substr(0, 16) == std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16) &&
         head[17] == 0 && head[20] == '\x08';
}

Parameters::Parameters(Context c, const Program& program, const ModelSource& source,
                       const std::string& program_file, const std::string& named) {
  std::vector<size_t> order;
  for (size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].is_parameter) order.push_back(i);
  if (order.empty()) return;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return program.values[a].name < program.values[b].name; });
  const std::string all = named.empty() ? file_beside(source, program_file) : named;
  if (all.empty())
    read_separate(c, program, order, source, fs::path(program_file).parent_path().string());
  else
    read_all(c, program, order, all);
}

void Parameters::read_all(Context c, const Program& program, const std::vector<size_t>& order,
                          const std::string& path) {
  const auto& file = files_.emplace_back(std::make_shared<File>(File::open(c, path)));
  Records records(*file, file->bytes());
  for (const size_t id : order) {
    try {
      values_.emplace(id, records.read(c, program.values[id]));
    } catch (const Error& e) {
      fail("'", path, "': parameter '", program.values[id].name, "': ", e.what(),
           hint("do the program and its parameters come from one export?"));
    }
  }
  require(records.done(), "'", path, "' has ", file->bytes().size() - records.at(), " bytes behind the ",
          order.size(), " parameters of the program",
          hint("do the program and its parameters come from one export?"));
}

void Parameters::read_separate(Context c, const Program& program, const std::vector<size_t>& order,
                               const ModelSource& source, const std::string& folder) {
  for (const size_t id : order) {
    const std::string& name = program.values[id].name;
    require(exists(source, fs::path(folder) / name), "the program has ", order.size(),
            " parameters, but there is neither a .pdiparams of its name beside it, nor a file for its "
            "parameter '",
            name, "'", hint("name the file of parameters with --paddle_params"));
    const auto& file =
        files_.emplace_back(std::make_shared<File>(File::open_below(c, folder.empty() ? "." : folder, name)));
    Records records(*file, file->bytes());
    try {
      values_.emplace(id, records.read(c, program.values[id]));
    } catch (const Error& e) {
      fail("'", (fs::path(folder) / name).string(), "': ", e.what());
    }
  }
}

const Tensor& Parameters::value(size_t id) const {
  const auto found = values_.find(id);
  require(found != values_.end(), "it reads a parameter that no file has");
  return found->second;
}

}  // namespace mo::paddle
