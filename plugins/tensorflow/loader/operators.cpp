#include "loader/operators.hpp"

#include "loader/encode.hpp"

#include <charconv>

namespace mo::tensorflow {

namespace {

template <class T>
T number_of(std::string_view s) {
  T v{};
  std::from_chars(s.data(), s.data() + s.size(), v);
  return v;
}

std::string encode_shape(std::string_view dims) {
  if (dims == "?") return encode::boolean(field::shape::unknown_rank, true);
  return {};  // the tables have no other shapes than scalars
}

// One value as a field of AttrValue, or of its list.
std::string encode_value(std::string_view v) {
  using namespace field;
  if (v.front() == '\'') return encode::bytes(attr::s, v.substr(1, v.size() - 2));
  if (v == "true" || v == "false") return encode::boolean(attr::b, v == "true");
  if (v.front() == '<') return encode::bytes(attr::shape, encode_shape(v.substr(1, v.size() - 2)));
  const bool numeric = (v.front() >= '0' && v.front() <= '9') || v.front() == '-';
  if (!numeric && v != "inf") return encode::integer(attr::type, static_cast<uint64_t>(data_type_of_name(v)));
  if (v.find_first_of(".ein") != std::string_view::npos) return encode::single(attr::f, number_of<float>(v));
  return encode::integer(attr::i, static_cast<uint64_t>(number_of<int64_t>(v)));
}

std::string encode_default(std::string_view v) {
  if (v.front() != '[') return encode_value(v);
  std::string list;
  v = v.substr(1, v.size() - 2);
  while (!v.empty()) {
    const size_t end = std::min(v.find(','), v.size());
    list += encode_value(v.substr(0, end));
    v.remove_prefix(std::min(end + 1, v.size()));
  }
  return encode::bytes(field::attr::list, list);
}

Operator::Output parse_output(std::string_view s) {
  Operator::Output o;
  if (const size_t colon = s.find(':'); colon != std::string_view::npos) {
    o.name = s.substr(0, colon);
    s.remove_prefix(colon + 1);
  }
  if (const size_t star = s.find('*'); star != std::string_view::npos) {
    o.count_attribute = s.substr(0, star);
    o.list = star == 0;
    s.remove_prefix(star + 1);
  }
  o.type = data_type_of_name(s);
  if (o.type == DataType::invalid) o.type_attribute = s;
  return o;
}

// Up to the next blank that is not in quotes; takes it from `line`.
std::string_view next_word(std::string_view& line) {
  bool quoted = false;
  size_t end = 0;
  for (; end < line.size() && (quoted || line[end] != ' '); ++end)
    if (line[end] == '\'') quoted = !quoted;
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

Operator parse_operator(std::string_view line) {
  Operator op;
  std::string_view outputs = next_word(line);
  while (!outputs.empty() && outputs != "-") {
    const size_t end = std::min(outputs.find(','), outputs.size());
    op.outputs.push_back(parse_output(outputs.substr(0, end)));
    outputs.remove_prefix(std::min(end + 1, outputs.size()));
  }
  while (!line.empty()) {
    const std::string_view word = next_word(line);
    const size_t equals = word.find('=');
    op.defaults.emplace(word.substr(0, equals), encode_default(word.substr(equals + 1)));
  }
  return op;
}

using OperatorLines = std::unordered_map<std::string_view, std::string_view>;

OperatorLines read_tables() {
  OperatorLines lines;
  lines.reserve(1000);
  for (std::string_view table : {array_operators, math_operators, special_math_operators, neural_operators,
                                 image_operators, control_flow_operators, data_flow_operators,
                                 state_operators, random_operators, sparse_operators, string_operators}) {
    while (!table.empty()) {
      const size_t end = std::min(table.find('\n'), table.size());
      const std::string_view line = table.substr(0, end);
      const size_t blank = line.find(' ');
      if (blank != std::string_view::npos) lines.emplace(line.substr(0, blank), line.substr(blank + 1));
      table.remove_prefix(std::min(end + 1, table.size()));
    }
  }
  return lines;
}

}  // namespace

const Operator* Operators::find(std::string_view op) {
  static const OperatorLines lines = read_tables();  // as long as a small model takes
  const auto line = lines.find(op);
  if (line == lines.end()) return nullptr;
  const auto known = known_.find(line->first);
  if (known != known_.end()) return &known->second;
  return &known_.emplace(line->first, parse_operator(line->second)).first->second;
}

}  // namespace mo::tensorflow
