#include "program_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace mo::test::paddle_rows {

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text, char by) {
  Words parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

std::vector<int64_t> dims_of(const std::string& text) {
  std::vector<int64_t> dims;
  if (text != "s")
    for (const std::string& d : split(text, 'x')) dims.push_back(std::stoll(d));
  return dims;
}

struct TypeNames {
  const char *row, *python;
  int64_t number;
};
constexpr TypeNames types[] = {{"bool", "bool", 0},     {"i16", "int16", 1},   {"i32", "int32", 2},
                               {"i64", "int64", 3},     {"f16", "float16", 4}, {"f32", "float32", 5},
                               {"f64", "float64", 6},   {"u8", "uint8", 20},   {"i8", "int8", 21},
                               {"bf16", "bfloat16", 22}};

std::vector<double> made(const Words& words, size_t at, size_t count) {
  std::vector<double> v;
  const std::string& how = words[at];
  const double by = std::stod(words[at + 1]);
  for (size_t k = 0; k < count; ++k) {
    const auto n = static_cast<int64_t>(k);
    if (how == "spread")
      v.push_back(static_cast<double>(static_cast<float>(by * static_cast<double>((n * 7) % 11 - 5) / 10.0)));
    else if (how == "count")
      v.push_back(static_cast<double>((n * 5) % static_cast<int64_t>(by)));
    else if (how == "thirds")
      v.push_back(n % 3 == 0 ? 1 : 0);
    else
      v.push_back(std::stod(words[at + 1 + k]));
  }
  return v;
}

size_t count_of(const std::vector<int64_t>& dims) {
  size_t n = 1;
  for (const int64_t d : dims) n *= static_cast<size_t>(d);
  return n;
}

// Fields of protobuf.
class Message {
 public:
  Message& integer(uint32_t field, int64_t value) {
    varint(field << 3);
    varint(static_cast<uint64_t>(value));
    return *this;
  }
  Message& bytes(uint32_t field, std::string_view value) {
    varint(field << 3 | 2U);
    varint(value.size());
    out_ += value;
    return *this;
  }
  Message& number(uint32_t field, float value) {
    varint(field << 3 | 5U);
    return raw(value);
  }
  Message& number(uint32_t field, double value) {
    varint(field << 3 | 1U);
    return raw(value);
  }
  const std::string& out() const { return out_; }

 private:
  template <class T>
  Message& raw(T v) {
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
    return *this;
  }
  void varint(uint64_t v) {
    for (; v >= 128; v >>= 7) out_ += static_cast<char>((v & 127) | 128);
    out_ += static_cast<char>(v);
  }
  std::string out_;
};

std::string described(const std::string& type, const std::vector<int64_t>& dims) {
  Message m;
  m.integer(1, type_number(type));
  for (const int64_t d : dims) m.integer(2, d);
  return m.out();
}

// kind:value of an attribute of ProgramDesc.
std::string desc_attribute(const std::string& word) {
  const size_t equals = word.find('='), colon = word.find(':', equals);
  const char kind = word[equals + 1];
  std::string value = word.substr(colon + 1);
  if (value == "~") value.clear();
  const std::map<char, int64_t> kinds{{'i', 0},  {'f', 1},  {'s', 2},  {'I', 3},  {'F', 4},
                                      {'S', 5},  {'b', 6},  {'B', 7},  {'k', 8},  {'l', 9},
                                      {'L', 11}, {'D', 12}, {'d', 15}, {'c', 16}, {'C', 17}};
  Message m;
  m.bytes(1, word.substr(0, equals)).integer(2, kinds.at(kind));
  const auto scalar = [](const std::string& s) {
    Message one;
    const std::string digits = s.substr(1);
    if (s[0] == 'b') one.integer(1, 1).integer(2, std::stoll(digits));
    if (s[0] == 'l') one.integer(1, 2).integer(3, std::stoll(digits));
    if (s[0] == 'd') one.integer(1, 3).number(4, std::stod(digits));
    return one.out();
  };
  switch (kind) {
    case 'i':
      m.integer(3, std::stoll(value));
      break;
    case 'f':
      m.number(4, std::stof(value));
      break;
    case 's':
      m.bytes(5, value);
      break;
    case 'b':
      m.integer(10, std::stoll(value));
      break;
    case 'k':
      m.integer(12, std::stoll(value));
      break;
    case 'l':
      m.integer(13, std::stoll(value));
      break;
    case 'd':
      m.number(19, std::stod(value));
      break;
    case 'c':
      m.bytes(20, scalar(value));
      break;
    default:
      for (const std::string& part : split(value, ',')) {
        if (kind == 'I') m.integer(6, std::stoll(part));
        if (kind == 'F') m.number(7, std::stof(part));
        if (kind == 'S') m.bytes(8, part);
        if (kind == 'B') m.integer(11, std::stoll(part));
        if (kind == 'L') m.integer(15, std::stoll(part));
        if (kind == 'D') m.number(16, std::stod(part));
        if (kind == 'C') m.bytes(21, scalar(part));
      }
  }
  return m.out();
}

// "name=f32:2x3!" or "name=array-f32:2x3"; inputs of the row that are parameters are persistable.
std::string desc_variable(const std::string& word, const std::map<std::string, std::string>& parameters) {
  const size_t equals = word.find('='), colon = word.find(':', equals);
  const std::string name = word.substr(0, equals);
  std::string type = word.substr(equals + 1, colon - equals - 1), dims = word.substr(colon + 1);
  const bool is_array = type.starts_with("array-"), held = dims.back() == '!' || parameters.count(name) != 0;
  if (is_array) type.erase(0, 6);
  if (dims.back() == '!') dims.pop_back();
  const std::string tensor = Message().bytes(1, described(type, dims_of(dims))).out();
  const std::string var_type = Message().integer(1, is_array ? 13 : 7).bytes(is_array ? 4 : 3, tensor).out();
  return Message().bytes(1, name).bytes(2, var_type).integer(3, held ? 1 : 0).out();
}

std::string slots_of(Message& op, uint32_t field, const Words& words, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    const size_t equals = words[i].find('=');
    Message slot;
    slot.bytes(1, words[i].substr(0, equals));
    for (const std::string& v : split(words[i].substr(equals + 1), '+')) slot.bytes(2, v);
    op.bytes(field, slot.out());
  }
  return op.out();
}

size_t place(const Words& words, const char* mark) {
  return static_cast<size_t>(std::find(words.begin(), words.end(), mark) - words.begin());
}

std::string program_desc(const Row& row, const std::map<std::string, std::string>& parameters) {
  Message program;
  std::string block;
  const auto finish = [&] {
    if (!block.empty()) program.bytes(1, block);
    block.clear();
  };
  for (const Words& line : row.lines) {
    if (line[0] == "block") {
      finish();
      Message m;
      m.integer(1, std::stoll(line[1])).integer(2, std::stoll(line[2]));
      for (size_t i = 3; i < line.size(); ++i) m.bytes(3, desc_variable(line[i], parameters));
      block = m.out();
      continue;
    }
    const size_t gives = place(line, ">"), about = place(line, "|");
    // An input that is a parameter is not fed.
    if (line[1] == "feed" && parameters.count(line[gives + 1].substr(line[gives + 1].find('=') + 1)) != 0)
      continue;
    Message op;
    slots_of(op, 1, line, 2, gives);
    slots_of(op, 2, line, gives + 1, about);
    op.bytes(3, line[1]);
    for (size_t i = about + 1; i < line.size(); ++i) op.bytes(4, desc_attribute(line[i]));
    block += Message().bytes(4, op.out()).out();
  }
  finish();
  return program.bytes(4, Message().integer(1, 2006002).out()).out();
}

std::string in_quotes(std::string_view s) { return "\"" + std::string(s) + "\""; }

// "f32:2x3", "vec(f32:2;i64:s)", "array-f32:2" or "none".
std::string pir_type(const std::string& text) {
  if (text == "none") return R"({"#": "NULL"})";
  if (text.starts_with("vec(")) {
    std::string all;
    for (const std::string& part : split(text.substr(4, text.size() - 5), ';'))
      all += (all.empty() ? "" : ", ") + pir_type(part);
    return R"({"#": "0.t_vec", "D": [)" + all + "]}";
  }
  std::string rest = text;
  const bool is_array = rest.starts_with("array-");
  if (is_array) rest.erase(0, 6);
  const size_t colon = rest.find(':');
  std::string element = rest.substr(0, colon), dims;
  if (element == "u8") element = "ui8";
  for (const int64_t d : dims_of(rest.substr(colon + 1)))
    dims += (dims.empty() ? "" : ", ") + std::to_string(d);
  return std::string(R"({"#": ")") + (is_array ? "1.t_dense_tensor_array" : "0.t_dtensor") +
         R"(", "D": [{"#": "0.t_)" + element + R"("}, [)" + dims + R"(], "NCHW")" +
         (is_array ? "]}" : ", [], 0]}");
}

std::string pir_attribute(const std::string& word) {
  const size_t equals = word.find('='), colon = word.find(':', equals);
  const char kind = word[equals + 1];
  std::string value = word.substr(colon + 1);
  if (value == "~") value.clear();
  const std::map<char, std::string> kinds{{'b', "0.a_bool"}, {'i', "0.a_i32"}, {'l', "0.a_i64"},
                                          {'f', "0.a_f32"},  {'d', "0.a_f64"}, {'s', "0.a_str"},
                                          {'t', "1.a_dtype"}};
  std::string data;
  if (kind == 'v') {
    data = R"({"#": "0.a_f64", "VD": )" + in_quotes(value) + "}";
  } else if (kind == 'A') {
    std::string list;
    for (const std::string& v : split(value, ',')) list += (list.empty() ? "" : ", ") + v;
    data = R"({"#": "1.a_intarray", "D": [)" + list + "]}";
  } else if (kinds.count(kind) != 0) {
    const bool is_text = kind == 's' || kind == 't';
    data = R"({"#": ")" + kinds.at(kind) + R"(", "D": )" +
           (is_text       ? in_quotes(value)
            : kind == 'b' ? (value == "1" ? "true" : "false")
                          : value) +
           "}";
  } else {
    const auto letter = static_cast<char>(std::tolower(kind));
    std::string list;
    for (const std::string& v : split(value, ','))
      list += (list.empty() ? "" : ", ") + std::string(R"({"#": ")") + kinds.at(letter) + R"(", "D": )" +
              (letter == 's'   ? in_quotes(v)
               : letter == 'b' ? (v == "1" ? "true" : "false")
                               : v) +
              "}";
    data = R"({"#": "0.a_array", "D": [)" + list + "]}";
  }
  return R"({"N": )" + in_quotes(word.substr(0, equals)) + R"(, "AT": )" + data + "}";
}

std::string id_and_type(const std::string& word, const char* key) {
  const size_t colon = word.find(':');
  return std::string("{\"") + key + "\": " + word.substr(0, colon) + R"(, "TT": )" +
         pir_type(word.substr(colon + 1)) + "}";
}

std::string parameter_text(const std::string& name, const std::string& result, bool held) {
  return R"({"#": "p", "A": [0, 1, 1, )" + in_quotes(name) + R"(], "DA": [], "O": )" + result +
         R"(, "OA": [)" + (held ? "1" : "0") + R"(, 0, 1], "QA": []})";
}

class PirText {
 public:
  PirText(const Row& row, const std::map<std::string, std::string>& parameters)
      : row_(row), parameters_(parameters) {}
  std::string text() {
    const std::string ops = operations();
    return R"({"base_code": {"magic": "pir", "trainable": false, "version": 4}, "program": {"regions": [{"#": "region_0", "blocks": [{"#": "block_0", "args": [], "ops": [)" +
           ops + "]}]}]}}";
  }

 private:
  std::string operations() {
    std::string all;
    while (at_ < row_.lines.size() && row_.lines[at_][0] != "end") {
      const std::string op = operation(row_.lines[at_++]);
      all += (all.empty() ? "" : ", ") + op;
    }
    return all;
  }
  std::string operation(const Words& line) {
    if (line[0] == "parameter")
      return parameter_text(line[2], R"({"%": )" + line[1] + R"(, "TT": )" + pir_type(line[3]) + "}",
                            line[4] == "1");
    const size_t gives = place(line, ">"), about = place(line, "|");
    for (size_t i = about + 1; i < line.size() && line[1] == "1.data"; ++i)
      if (line[i].starts_with("name=s:") && parameters_.count(line[i].substr(7)) != 0)
        return parameter_text(line[i].substr(7), id_and_type(line[gives + 1], "%"), true);
    std::string inputs, outputs, attributes, regions;
    if (line[2] != "-")
      for (const std::string& v : split(line[2], ','))
        inputs += (inputs.empty() ? "" : ", ") + std::string(R"({"%": )") + v + "}";
    for (size_t i = gives + 1; i < about; ++i)
      outputs += (outputs.empty() ? "" : ", ") + id_and_type(line[i], "%");
    for (size_t i = about + 1; i < line.size(); ++i)
      attributes += (attributes.empty() ? "" : ", ") + pir_attribute(line[i]);
    while (at_ < row_.lines.size() && row_.lines[at_][0] == "block") {
      const Words& block = row_.lines[at_++];
      std::string arguments;
      for (size_t i = 1; i < block.size(); ++i)
        arguments += (arguments.empty() ? "" : ", ") + id_and_type(block[i], "#");
      const std::string ops = operations();
      ++at_;
      regions += (regions.empty() ? "" : ", ") +
                 std::string(R"({"#": "region", "blocks": [{"#": "block", "args": [)") + arguments +
                 R"(], "ops": [)" + ops + "]}]}";
    }
    std::string all = R"({"#": )" + in_quotes(line[1]) + R"(, "A": [)" + attributes + R"(], "I": [)" +
                      inputs + R"(], "O": [)" + outputs + R"(], "OA": [])";
    if (!regions.empty()) all += R"(, "regions": [)" + regions + "]";
    return all + "}";
  }

  const Row& row_;
  const std::map<std::string, std::string>& parameters_;
  size_t at_ = 0;
};

template <class T>
void put(std::string& out, T v) {
  out.append(reinterpret_cast<const char*>(&v), sizeof v);
}

uint16_t half_of(double v) {  // of numbers that fit
  if (v == 0) return std::signbit(v) ? 0x8000 : 0;
  const int e = std::ilogb(v);
  const auto bits =
      static_cast<uint16_t>(std::lround(std::ldexp(std::abs(v), 10 - e)) - 1024 + ((e + 15) << 10));
  return static_cast<uint16_t>(bits | (v < 0 ? 0x8000 : 0));
}

}  // namespace

bool Row::is_pir() const {
  return std::none_of(lines.begin(), lines.end(), [](const Words& l) {
    return l[0] == "block" && l.size() > 2 && l[1] == "0" && l[2] == "-1";
  });
}

void PrintTo(const Row& r, std::ostream* out) { *out << r.name; }

int64_t type_number(const std::string& type) {
  for (const TypeNames& t : types)
    if (type == t.row) return t.number;
  throw std::runtime_error("no type is called " + type);
}

std::string bytes_of(const std::string& type, const std::vector<double>& values) {
  std::string out;
  for (const double v : values) {
    if (type == "f32") put(out, static_cast<float>(v));
    if (type == "f64") put(out, v);
    if (type == "f16") put(out, half_of(v));
    if (type == "i64") put(out, static_cast<int64_t>(v));
    if (type == "i32") put(out, static_cast<int32_t>(v));
    if (type == "i8") put(out, static_cast<int8_t>(v));
    if (type == "u8" || type == "bool") put(out, static_cast<uint8_t>(v));
  }
  return out;
}

std::string record(int64_t type, const std::vector<int64_t>& dims, const std::string& values) {
  Message description;
  description.integer(1, type);
  for (const int64_t d : dims) description.integer(2, d);
  std::string out;
  put(out, uint32_t{0});
  put(out, uint64_t{0});
  put(out, uint32_t{0});
  put(out, static_cast<int32_t>(description.out().size()));
  return out + description.out() + values;
}

std::string file_name(const Row& row) { return row.is_pir() ? "model.json" : "model.pdmodel"; }

Files files_of(const Row& row) {
  std::map<std::string, std::string> parameters;  // records by name
  for (const Tensor& t : row.inputs)
    if (t.is_parameter) parameters[t.name] = record(type_number(t.type), t.dims, bytes_of(t.type, t.values));
  const std::map<std::string, std::string> given = parameters;
  const auto add = [&](const std::string& name, const std::string& type_and_dims) {
    const size_t colon = type_and_dims.find(':');
    const std::string type = type_and_dims.substr(0, colon);
    for (const auto& [key, values] : row.held)
      if (key == name)
        parameters[name] =
            record(type_number(type), dims_of(type_and_dims.substr(colon + 1)), bytes_of(type, values));
  };
  for (const Words& line : row.lines) {
    if (line[0] == "parameter") add(line[2], line[3]);
    if (line[0] != "block" || row.is_pir()) continue;
    for (size_t i = 3; i < line.size(); ++i)
      if (line[i].back() == '!')
        add(line[i].substr(0, line[i].find('=')),
            line[i].substr(line[i].find('=') + 1, line[i].size() - line[i].find('=') - 2));
  }
  Files files;
  for (const auto& [name, bytes] : parameters) files.parameters += bytes;
  files.program = row.is_pir() ? PirText(row, given).text() : program_desc(row, given);
  return files;
}

std::vector<Row> read(const std::string& file) {
  std::ifstream in(std::string(MO_SOURCE_DIR) + "/tests/plugins/paddle/" + file);
  std::stringstream all;
  all << in.rdbuf();
  return parse(all.str());
}

std::vector<Row> parse(const std::string& all) {
  std::istringstream in(all);
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    Words words;
    std::istringstream text(line);
    for (std::string word; text >> word;) words.push_back(word);
    if (words[0] == "case") {
      rows.push_back({words[1], {}, {}, {}, {}});
    } else if (words[0] == "input") {
      Tensor t{words[1], words[2], dims_of(words[3]), {}, words[4] == "parameter"};
      t.values = made(words, 5, count_of(t.dims));
      rows.back().inputs.push_back(std::move(t));
    } else if (words[0] == "gives") {
      Tensor t{"", words[1], dims_of(words[2]), {}, false};
      for (size_t i = 3; i < words.size(); ++i) t.values.push_back(std::stod(words[i]));
      rows.back().outputs.push_back(std::move(t));
    } else if (words[0] == "holds") {
      std::vector<double> values;
      for (size_t i = 2; i < words.size(); ++i) values.push_back(std::stod(words[i]));
      rows.back().held.emplace_back(words[1], std::move(values));
    } else {
      rows.back().lines.push_back(std::move(words));
    }
  }
  return rows;
}

}  // namespace mo::test::paddle_rows
