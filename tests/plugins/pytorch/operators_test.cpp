// Calls of operators and what torch computes of them, in rows/:
//
//     aten.add.Tensor (self=f32[2] {1,2}; other=i64[] {3}; alpha=2) -> f32[2] {7,8}
//     aten.cat.default (tensors=(f32[1] {1}; f32[1] {2}); dim=0) -> f32[2] {1,2}
//
// Arguments are numbers, with a dot where they are floats ("j[1.0,2.0]" a complex one), texts, types with "@", tensors, "complex" ones with
// two numbers for each element, lists of these in brackets, and "none". A result that is a list is in brackets;
// "unread" ones are not made.
// All rows of a file are one program, which runs twice: with its tensors as inputs, and as weights, of which
// more is known while it is converted.
#include <cmath>
#include <mo/half.hpp>

#include "pytorch_fixture.hpp"
#include "text_rows.hpp"

namespace mo::test {
namespace {

struct CallTensor {
  RowTensor tensor;
  bool complex = false, read = true;
};

struct CallRow {
  std::string target, place;
  std::vector<std::pair<std::string, std::string>> arguments;  // as they are written
  struct Result {
    std::vector<CallTensor> tensors;
    bool list = false;
  };
  std::vector<Result> results;
};

CallTensor call_tensor_of(std::string_view text) {
  CallTensor t;
  constexpr std::string_view complex = "complex ", unread = "unread ";
  t.read = !text.starts_with(unread);
  if (!t.read) {
    text.remove_prefix(unread.size());
    t.tensor.type = type_of(text.substr(0, text.find('[')));  // its sizes do not matter
    return t;
  }
  t.complex = text.starts_with(complex);
  t.tensor = tensor_of(t.complex ? text.substr(complex.size()) : text);
  return t;
}
std::string inner_of(const std::string& s) { return s.substr(1, s.size() - 2); }

CallRow parse_call(RowReader& in) {
  CallRow row;
  row.target = in.word();
  for (const std::string& a : split_row(in.bracketed('(', ')'))) {
    const size_t is = a.find('=');
    if (is == a.npos) throw std::runtime_error("expected \"name=value\", found \"" + a + '"');
    row.arguments.emplace_back(a.substr(0, is), a.substr(is + 1));
  }
  in.expect("->");
  for (const std::string& r : split_row(in.rest())) {
    CallRow::Result result;
    result.list = r.front() == '(';
    for (const std::string& t : result.list ? split_row(inner_of(r)) : std::vector{r})
      result.tensors.push_back(call_tensor_of(t));
    row.results.push_back(std::move(result));
  }
  return row;
}

int dtype_of(ElementType type, bool complex) {
  using enum ElementType;
  static const std::map<ElementType, int> codes = {{u8, 1},  {i8, 2},  {i16, 3}, {i32, 4},      {i64, 5},
                                                   {f16, 6}, {f32, 7}, {f64, 8}, {boolean, 12}, {bf16, 13}};
  return complex ? 10 : codes.at(type);
}

template <class T>
std::string raw(const RowTensor& t) {
  return bytes_of(elements_of<T>(t));
}
std::string raw_bytes(const RowTensor& t) {
  switch (t.type) {
    case ElementType::f32:
      return raw<float>(t);
    case ElementType::f64:
      return raw<double>(t);
    case ElementType::i64:
      return raw<int64_t>(t);
    case ElementType::i32:
      return raw<int32_t>(t);
    case ElementType::i16:
      return raw<int16_t>(t);
    case ElementType::i8:
      return raw<int8_t>(t);
    case ElementType::u8:
    case ElementType::boolean:
      return raw<uint8_t>(t);
    default:
      throw std::runtime_error("tensors of rows are not " + std::string(name(t.type)));
  }
}

// A program that makes all calls of some rows.
class Program {
 public:
  explicit Program(bool as_weights) : weights_(as_weights) {}

  void add(const CallRow& row) {
    prefix_ = text("r", count_++, "_");
    Pt2Graph::Arguments arguments;
    for (const auto& [name, value] : row.arguments)
      if (value != "none") arguments.emplace_back(name, argument(name, value));
    std::vector<std::string> results, read;
    size_t number = 0;
    for (const CallRow::Result& r : row.results) {
      std::vector<std::string> names;
      for (const CallTensor& t : r.tensors) {
        names.push_back(text(prefix_, "y", number++));
        file_.graph.tensor(names.back(), sizes_of(t), dtype_of(t.tensor.type, t.complex));
        if (t.read) read.push_back(names.back());
      }
      results.push_back(r.list ? arg::tensors(names) : arg::tensor(names.front()));
    }
    file_.graph.call("torch.ops." + row.target, arguments, arg::joined(results), prefix_ + "call");
    for (const std::string& name : read) file_.output(name);
  }
  const Pt2File& file() const { return file_; }
  const std::vector<core::TensorRef>& inputs() const { return inputs_; }

 private:
  // The parts of complex numbers are no dimension of torch's.
  static Pt2File::Sizes sizes_of(const CallTensor& t) {
    Pt2File::Sizes sizes;
    for (const int64_t d : t.tensor.dims) sizes.push_back(text(d));
    if (t.complex) sizes.pop_back();
    return sizes;
  }

  std::string add_tensor(const std::string& name, const std::string& value) {
    const CallTensor t = call_tensor_of(value);
    const std::string full = prefix_ + name, bytes = raw_bytes(t.tensor);
    const int dtype = dtype_of(t.tensor.type, t.complex);
    // A parameter of complex numbers has no counterpart in files of weights here.
    if (weights_ && !t.complex) {
      StoredWeight w{bytes, t.tensor.dims, std::vector<int64_t>(t.tensor.dims.size(), 1)};
      for (size_t i = w.sizes.size(); i-- > 1;) w.strides[i - 1] = w.strides[i] * w.sizes[i];
      w.dtype = dtype;
      file_.parameter(full, w);
    } else {
      file_.input(full, sizes_of(t), dtype);
      inputs_.push_back(core::make_tensor_from_bytes(t.tensor.type, t.tensor.dims, bytes));
    }
    return full;
  }

  static bool is_float(std::string_view s) { return s.find_first_of(".en") != s.npos; }
  static std::string json_number(const std::string& s) {
    if (s == "inf") return "\"Infinity\"";
    if (s == "-inf") return "\"-Infinity\"";
    return s == "nan" ? "\"NaN\"" : s;
  }

  std::string argument(const std::string& name, const std::string& value) {
    if (value == "true" || value == "false") return R"({"as_bool": )" + value + "}";
    if (value.front() == '"') return R"({"as_string": )" + value + "}";
    if (value.front() == '@')
      return text(R"({"as_scalar_type": )", dtype_of(type_of(value.substr(1)), false), '}');
    if (value.front() == '(') return tensor_list(name, split_row(inner_of(value)));
    if (value.find('{') != value.npos) return arg::tensor(add_tensor(name, value));
    if (value.front() == '[') return list(split_row(inner_of(value), ','));
    if (value.front() == 'j') {
      const auto parts = split_row(inner_of(value.substr(1)), ',');
      return R"({"as_complex": {"real": )" + parts.at(0) + R"(, "imag": )" + parts.at(1) + "}}";
    }
    return (is_float(value) ? R"({"as_float": )" : R"({"as_int": )") + json_number(value) + "}";
  }
  std::string tensor_list(const std::string& name, const std::vector<std::string>& parts) {
    const bool optional = std::find(parts.begin(), parts.end(), "none") != parts.end();
    std::vector<std::string> all;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == "none") {
        all.emplace_back(R"({"as_none": true})");
        continue;
      }
      const std::string full = add_tensor(text(name, i), parts[i]);
      all.push_back(optional ? arg::tensor(full) : "{\"name\": \"" + full + "\"}");
    }
    return (optional ? R"({"as_optional_tensors": [)" : R"({"as_tensors": [)") + arg::joined(all) + "]}";
  }
  static std::string list(std::vector<std::string> parts) {
    const bool floats = std::any_of(parts.begin(), parts.end(), is_float);
    for (std::string& p : parts) p = json_number(p);
    return (floats ? R"({"as_floats": [)" : R"({"as_ints": [)") + arg::joined(parts) + "]}";
  }

  bool weights_;
  size_t count_ = 0;
  std::string prefix_;
  Pt2File file_;
  std::vector<core::TensorRef> inputs_;
};

class PytorchOperators : public Pytorch, public testing::WithParamInterface<std::string> {
 protected:
  void check(const std::vector<CallRow>& rows, bool as_weights) {
    Program program(as_weights);
    for (const CallRow& row : rows) program.add(row);
    const core::GraphPtr g = prepare(program.file());
    core::Session& session = *sessions_.back();
    session.executing = true;
    const auto results = core::execute(session, *g, program.inputs());
    size_t at = 0;
    for (const CallRow& row : rows)
      for (const CallRow::Result& r : row.results)
        for (const CallTensor& t : r.tensors)
          if (t.read) compare(row, t.tensor, results.at(at++));
  }

  static void compare(const CallRow& row, const RowTensor& want, const core::TensorRef& value) {
    const Tensor got = Tensor::borrow(session_host(), value.get());
    EXPECT_EQ(name(got.type()), name(want.type)) << row.place << ": " << row.target;
    ASSERT_EQ(got.dims(), want.dims) << row.place << ": " << row.target;
    const bool rounds = want.type == ElementType::f16 || want.type == ElementType::bf16;
    double most = 0;
    for (const double v : want.numbers)
      if (std::isfinite(v)) most = std::max(most, std::abs(v));
    for (size_t i = 0; i < want.numbers.size(); ++i) {
      const double a = got.number(i), b = want.numbers[i];
      if (std::isnan(b) ? std::isnan(a) : a == b) continue;
      const bool near =
          is_float(want.type) && std::abs(a - b) <= (rounds ? 1e-2 : 2e-5) * (std::abs(b) + most + 0.1);
      EXPECT_TRUE(near) << row.place << ": " << row.target << ": element " << i << " is " << a
                        << ", expected " << b;
    }
  }
};

TEST_P(PytorchOperators, GiveWhatTorchGives) {
  std::vector<std::string> wrong;
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/tests/plugins/pytorch/rows/" + GetParam() + ".txt");
  std::vector<CallRow> rows;
  for (const TextRow& text : read_rows(file, GetParam() + ".txt", wrong)) {
    RowReader in(text.text);
    rows.push_back(parse_call(in));
    rows.back().place = text.place;
  }
  ASSERT_TRUE(wrong.empty()) << testing::PrintToString(wrong);
  for (const bool as_weights : {false, true}) {
    try {
      check(rows, as_weights);
    } catch (const std::exception&) {
      // Which one it is.
      for (const CallRow& row : rows) {
        try {
          check({row}, as_weights);
        } catch (const core::Failure& f) {
          ADD_FAILURE() << row.place << ": " << row.target << ": " << f.render();
        } catch (const std::exception& e) {
          ADD_FAILURE() << row.place << ": " << row.target << ": " << e.what();
        }
      }
    }
  }
}

std::vector<std::string> row_files() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MO_SOURCE_DIR) + "/tests/plugins/pytorch/rows"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Rows, PytorchOperators, testing::ValuesIn(row_files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace mo::test
