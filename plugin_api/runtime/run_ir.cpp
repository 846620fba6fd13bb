// Runs an IR in OpenVINO with an extension, and compares what it computes.
//
//   run_ir EXTENSION MODEL.xml NAME=FILE.npy... [--tolerance T]
//
// A name is that of an input, which gets the numbers of the file, or of an output, which has to have them. Prints the
// largest difference of each output. Exit status: 0, or 1 for a larger difference than T (0.0001 of the largest number
// that is expected), 2 for anything else.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <openvino/openvino.hpp>
#include <sstream>
#include <stdexcept>

namespace {

struct Array {
  std::string type;  // "<f4"
  ov::Shape shape;
  std::string bytes;
};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  const size_t end = at == std::string::npos ? at : text.find(to, at + from.size());
  if (end == std::string::npos) throw std::runtime_error("it is no file of NumPy");
  return text.substr(at + from.size(), end - at - from.size());
}

Array read_npy(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  if (!in) throw std::runtime_error(path + " cannot be read");
  const std::string text = all.str();
  if (text.size() < 12 || text.compare(1, 5, "NUMPY") != 0)
    throw std::runtime_error(path + " is no file of NumPy");
  const bool first_version = text[6] == 1;
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(text[i])); };
  const size_t start = first_version ? 10 : 12;
  const size_t length = byte(8) | byte(9) << 8U | (first_version ? 0 : byte(10) << 16U | byte(11) << 24U);
  const std::string head = text.substr(start, length);
  Array a;
  a.type = between(head, "'descr': '", "'");
  if (head.find("'fortran_order': False") == std::string::npos)
    throw std::runtime_error(path + " is in Fortran's order");
  std::string sizes = between(head, "'shape': (", ")");
  std::replace(sizes.begin(), sizes.end(), ',', ' ');
  std::istringstream list(sizes);
  for (size_t size = 0; list >> size;) a.shape.push_back(size);
  a.bytes = text.substr(start + length);
  return a;
}

ov::element::Type type_of(const std::string& descr) {
  static const std::map<std::string, ov::element::Type> types{
      {"<f4", ov::element::f32},     {"<f8", ov::element::f64}, {"<f2", ov::element::f16},
      {"|b1", ov::element::boolean}, {"|i1", ov::element::i8},  {"<i2", ov::element::i16},
      {"<i4", ov::element::i32},     {"<i8", ov::element::i64}, {"|u1", ov::element::u8},
      {"<u2", ov::element::u16},     {"<u4", ov::element::u32}, {"<u8", ov::element::u64}};
  const auto found = types.find(descr);
  if (found == types.end()) throw std::runtime_error("numbers of type " + descr + " are not compared");
  return found->second;
}

template <class T>
double at(const void* data, size_t i) {
  return static_cast<double>(static_cast<const T*>(data)[i]);
}
double number(ov::Tensor t, size_t i) {
  const ov::element::Type type = t.get_element_type();
  const void* data = t.data();
  if (type == ov::element::f32) return at<float>(data, i);
  if (type == ov::element::f64) return at<double>(data, i);
  if (type == ov::element::f16) return static_cast<float>(static_cast<const ov::float16*>(data)[i]);
  if (type == ov::element::i8) return at<int8_t>(data, i);
  if (type == ov::element::i16) return at<int16_t>(data, i);
  if (type == ov::element::i32) return at<int32_t>(data, i);
  if (type == ov::element::i64) return at<int64_t>(data, i);
  if (type == ov::element::u16) return at<uint16_t>(data, i);
  if (type == ov::element::u32) return at<uint32_t>(data, i);
  if (type == ov::element::u64) return at<uint64_t>(data, i);
  return at<uint8_t>(data, i);
}

ov::Tensor tensor_of(const Array& a) {
  ov::Tensor t(type_of(a.type), a.shape);
  if (t.get_byte_size() != a.bytes.size()) throw std::runtime_error("a file of NumPy is cut off");
  if (!a.bytes.empty()) std::memcpy(t.data(), a.bytes.data(), a.bytes.size());
  return t;
}

// The largest difference, and the largest number that is expected.
std::pair<double, double> compare(const ov::Tensor& got, const ov::Tensor& expected) {
  std::ostringstream said;
  if (got.get_shape() != expected.get_shape()) {
    said << "its shape is " << got.get_shape() << ", expected " << expected.get_shape();
    throw std::runtime_error(said.str());
  }
  double worst = 0, largest = 0;
  for (size_t i = 0; i < expected.get_size(); ++i) {
    const double a = number(got, i), b = number(expected, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    worst = std::max(worst, std::isfinite(a - b) ? std::abs(a - b) : HUGE_VAL);
  }
  for (size_t i = 0; i < expected.get_size(); ++i)
    if (const double b = std::abs(number(expected, i)); std::isfinite(b)) largest = std::max(largest, b);
  return {worst, largest};
}

int run(const std::vector<std::string>& words) {
  double tolerance = 1e-4;
  std::map<std::string, ov::Tensor> arrays;
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--tolerance" && i + 1 < words.size()) {
      tolerance = std::stod(words[++i]);
      continue;
    }
    const size_t equals = words[i].find('=');
    if (equals == std::string::npos) throw std::runtime_error("'" + words[i] + "' is not NAME=FILE.npy");
    arrays[words[i].substr(0, equals)] = tensor_of(read_npy(words[i].substr(equals + 1)));
  }
  ov::Core core;
  core.add_extension(words[0]);
  ov::CompiledModel compiled =
      core.compile_model(core.read_model(words[1]), "CPU", ov::hint::inference_precision(ov::element::f32));
  ov::InferRequest request = compiled.create_infer_request();
  const auto of_port = [&](const ov::Output<const ov::Node>& port) {
    // Some frameworks number what an operator gives: "y:0" is meant by "y", too.
    for (const std::string& name : port.get_names())
      for (const std::string& called : {name, name.substr(0, name.rfind(':'))})
        if (const auto found = arrays.find(called); found != arrays.end()) return found;
    return arrays.end();
  };
  for (const auto& input : compiled.inputs()) {
    const auto found = of_port(input);
    if (found == arrays.end())
      throw std::runtime_error("the input '" + input.get_any_name() + "' is given no file");
    request.set_tensor(input, found->second);
  }
  request.infer();
  size_t compared = 0;
  bool good = true;
  for (const auto& output : compiled.outputs()) {
    const auto found = of_port(output);
    if (found == arrays.end()) continue;
    ++compared;
    const auto [worst, largest] = compare(request.get_tensor(output), found->second);
    good = good && worst <= tolerance * std::max(1.0, largest);
    std::cout << output.get_any_name() << ": largest difference " << worst << "\n";
  }
  if (compared == 0) throw std::runtime_error("no output was given numbers to be compared with");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: " << argv[0] << " EXTENSION MODEL.xml NAME=FILE.npy... [--tolerance T]\n";
    return 2;
  }
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::cerr << argv[0] << ": " << e.what() << "\n";
    return 2;
  }
}
