// PIR programs, which Paddle 3 writes as JSON. Each operation of the program is parsed by itself, so that no tree
// of the whole file is in memory.
#include "loader/program.hpp"

#include <mo/json.hpp>

#include <limits>
#include <unordered_map>

namespace mo::paddle {

namespace pir {
namespace {

constexpr int64_t first_version = 1, last_version = 4;
constexpr size_t most_blocks = 4096;
constexpr size_t most_values = size_t{1} << 28;

// Finds values in JSON without keeping what they are made of.
class JsonText {
 public:
  explicit JsonText(std::string_view text) : text_(text) { skip_space(); }

  // f(key, text of the value) for an object.
  template <class F>
  void each_member(F f) {
    take('{');
    if (try_take('}')) return;
    do {
      skip_space();
      const std::string_view key = value();
      if (key.size() < 2 || key.front() != '"') damaged("a key");
      take(':');
      f(key.substr(1, key.size() - 2), value());
    } while (try_take(','));
    take('}');
  }
  template <class F>
  void each_element(F f) {
    take('[');
    if (try_take(']')) return;
    do f(value());
    while (try_take(','));
    take(']');
  }

 private:
  [[noreturn]] void damaged(std::string_view expected) const {
    fail("the file is damaged: expected ", expected, " at character ", at_ + 1, " of ", text_.substr(0, 24),
         "…");
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool try_take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void take(char c) {
    if (!try_take(c)) damaged(std::string_view(&c, 1));
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ >= text_.size()) damaged("the end of a text");
    ++at_;
  }
  std::string_view value() {
    skip_space();
    const size_t begin = at_;
    size_t depth = 0;
    for (; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
        if (depth == 0) break;
        continue;
      }
      const bool closes = c == '}' || c == ']';
      if (depth == 0 && (closes || c == ',' || c == ':')) break;
      if (c == '{' || c == '[') ++depth;
      ++at_;
      if (closes && --depth == 0) break;
    }
    if (depth != 0 || at_ == begin) damaged("a value");
    std::string_view all = text_.substr(begin, at_ - begin);
    while (!all.empty() && std::string_view(" \t\r\n").find(all.back()) != std::string_view::npos)
      all.remove_suffix(1);
    return all;
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::string_view member(std::string_view object, std::string_view name) {
  std::string_view found;
  JsonText(object).each_member([&](std::string_view key, std::string_view value) {
    if (key == name) found = value;
  });
  require(!found.empty(), "the file is damaged: '", name, "' is missing");
  return found;
}

const Json& need(const Json& object, std::string_view key) {
  const Json* found = object.find(key);
  require(found != nullptr, "the file is damaged: '", key, "' is missing");
  return *found;
}

const std::vector<Json>& list_of(const Json& object, std::string_view key) {
  const Json& list = need(object, key);
  require(list.kind() == Json::Kind::list, "the file is damaged: '", key, "' is no list");
  return list.items();
}

std::string name_of(const Json& object) { return need(object, "#").as<std::string>("#"); }

double special_number(std::string_view name) {
  if (name == "INF") return std::numeric_limits<double>::infinity();
  if (name == "-INF") return -std::numeric_limits<double>::infinity();
  require(name == "NaN", "the file is damaged: a number is ", name);
  return std::numeric_limits<double>::quiet_NaN();
}

// A number, a flag or a text.
std::optional<Attribute> plain(const Json& j) {
  switch (j.kind()) {
    case Json::Kind::boolean:
      return j.as<bool>("D");
    case Json::Kind::integer:
      return j.as<int64_t>("D");
    case Json::Kind::number:
      return j.as<double>("D");
    case Json::Kind::string:
      return j.as<std::string>("D");
    default:
      return std::nullopt;
  }
}

template <class T>
std::optional<Attribute> list_as(const std::vector<Attribute>& items) {
  std::vector<T> list;
  for (const Attribute& a : items) {
    const auto* value = std::get_if<T>(&a);
    if (value == nullptr) return std::nullopt;
    list.push_back(*value);
  }
  return list;
}

std::optional<Attribute> joined(const std::vector<Attribute>& items) {
  if (auto ints = list_as<int64_t>(items)) return ints;
  if (auto flags = list_as<bool>(items)) return flags;
  if (auto texts = list_as<std::string>(items)) return texts;
  std::vector<double> numbers;
  for (const Attribute& a : items) {
    if (const auto* number = std::get_if<double>(&a))
      numbers.push_back(*number);
    else if (const auto* integer = std::get_if<int64_t>(&a))
      numbers.push_back(static_cast<double>(*integer));
    else
      return std::nullopt;
  }
  return numbers;
}

// Nothing for what has no meaning outside of Paddle, as the device.
std::optional<Attribute> attribute(const Json& j, int depth = 0) {
  require(depth < 8, "the file is damaged: attributes are nested too deep");
  const std::string kind = name_of(j);
  if (const Json* special = j.find("VD")) return special_number(special->as<std::string>("VD"));
  const Json* data = j.find("D");
  if (data == nullptr || kind == "1.a_place") return std::nullopt;
  const bool is_float = kind == "0.a_f32" || kind == "0.a_f64";
  if (is_float) return data->as<double>("D");
  if (data->is_object()) return data->find("#") != nullptr ? attribute(*data, depth + 1) : std::nullopt;
  if (data->kind() != Json::Kind::list) return plain(*data);
  std::vector<Attribute> items;
  for (const Json& item : data->items()) {
    const auto value = item.is_object() ? attribute(item, depth + 1) : plain(item);
    if (!value) return std::nullopt;
    items.push_back(*value);
  }
  return joined(items);
}

class Reader {
 public:
  explicit Reader(std::string_view all) : begin_(all.data()) {}
  Program read(std::string_view text) {
    program_.is_pir = true;
    check_version(member(text, "base_code"));
    size_t regions = 0;
    JsonText(member(member(text, "program"), "regions")).each_element([&](std::string_view region) {
      require(++regions == 1, "the program has several regions");
      read_region(region);
    });
    require(program_.blocks.size() >= 1, "the program has no blocks");
    return std::move(program_);
  }

 private:
  static void check_version(std::string_view code) {
    const Json j = Json::parse(code, "base_code");
    const auto magic = j.get<std::string>("magic", "");
    require(magic == "pir", "base_code has the magic word '", magic, "', expected 'pir'");
    const auto version = j.get<int64_t>("version");
    require(version >= first_version && version <= last_version, "it is a PIR program of version ", version,
            "; versions ", first_version, " to ", last_version, " are read",
            hint("write the program with Paddle 3.0 to 3.3, or as a .pdmodel with paddle 2.6"));
  }
  void read_region(std::string_view region) {
    size_t blocks = 0;
    JsonText(member(region, "blocks")).each_element([&](std::string_view block) {
      require(++blocks == 1, "the program has several blocks in one region");
      program_.blocks.emplace_back();
      size_t number = 0;
      JsonText(member(block, "ops")).each_element([&](std::string_view op) {
        try {
          add_operation(Json::parse(op, "the program"), 0, op);
        } catch (const Error& e) {
          fail("operation ", number, ": ", e.what());
        }
        ++number;
      });
    });
  }

  void read_type(const Json& type, Value& v) const {
    const std::string kind = name_of(type);
    const Json* data = type.find("D");
    if (data == nullptr || data->kind() != Json::Kind::list) return;
    const auto& d = data->items();
    if (kind == "0.t_vec") {
      v.is_list = true;
      v.members = d.size();
      for (const Json& item : d) {
        Value one;
        read_type(item, one);
        v.type = one.type;
        v.type_name = one.type_name;
        v.ranks.push_back(one.dims ? std::optional(one.dims->size()) : std::nullopt);
      }
      return;
    }
    if (d.size() < 2) return;
    v.is_array = kind == "1.t_dense_tensor_array";
    v.type_name = name_of(d[0]);
    v.type = element_type(std::string_view(v.type_name));
    v.dims = d[1].as<Ints>("the dimensions of a value");
    for (const int64_t n : *v.dims) require(n >= -1, "a value has a dimension of ", n);
  }
  size_t define(const Json& result, std::string_view id_key) {
    const auto id = need(result, id_key).as<int64_t>(id_key);
    require(program_.values.size() < most_values, "the program has too many values");
    Value v;
    v.number = id;
    if (const Json* type = result.find("TT")) read_type(*type, v);
    ids_[id] = program_.values.size();
    program_.values.push_back(std::move(v));
    return program_.values.size() - 1;
  }
  size_t value(int64_t id) const {
    const auto found = ids_.find(id);
    require(found != ids_.end(), "it reads value %", id, ", which nothing before it makes");
    return found->second;
  }

  void add_parameter(const Json& j, Operation& op) {
    const auto& about = list_of(j, "A");
    const auto& flags = list_of(j, "OA");
    require(about.size() >= 4 && !flags.empty(), "the file is damaged: a parameter has no name");
    op.type = "parameter";
    const size_t id = define(need(j, "O"), "%");
    Value& v = program_.values[id];
    v.name = about[3].as<std::string>("the name of a parameter");
    v.is_parameter = flags[0].as<int64_t>("OA") != 0;
    v.is_state = !v.is_parameter;
    op.outputs.push_back({"0", {id}});
  }

  void add_operation(const Json& j, size_t block, std::string_view text) {
    Operation op;
    if (!text.empty()) op.place = static_cast<uint64_t>(text.data() - begin_);
    const std::string name = name_of(j);
    if (name == "p") {
      add_parameter(j, op);
      program_.blocks[block].operations.push_back(std::move(op));
      return;
    }
    const size_t dot = name.find('.');
    require(dot != std::string::npos && dot + 1 < name.size(),
            "the file is damaged: an operation is called '", name, "'");
    op.type = name.substr(dot + 1);
    // The form that writes into its operand; the result is what is read later.
    if (op.type.size() > 1 && op.type.back() == '_' && name[0] == '1') op.type.pop_back();
    for (const Json& a : list_of(j, "A")) {
      const auto key = need(a, "N").as<std::string>("N");
      if (key == "struct_name" || key == "op_callstack" || key == "op_role") continue;
      if (auto value = attribute(need(a, "AT"))) op.attributes.emplace_back(key, std::move(*value));
    }
    size_t position = 0;
    for (const Json& operand : list_of(j, "I")) {
      const auto id = need(operand, "%").as<int64_t>("%");
      if (id != 0) op.inputs.push_back({mo::text(position), {value(id)}});
      ++position;
    }
    if (const Json* regions = j.find("regions"))
      for (const Json& region : regions->items()) op.blocks.push_back(add_region(region));
    position = 0;
    for (const Json& result : list_of(j, "O"))
      op.outputs.push_back({mo::text(position++), {define(result, "%")}});
    program_.blocks[block].operations.push_back(std::move(op));
  }

  size_t add_region(const Json& region) {
    const auto& blocks = list_of(region, "blocks");
    require(blocks.size() == 1, "a region has ", blocks.size(), " blocks, expected one");
    require(program_.blocks.size() < most_blocks, "the program has more than ", most_blocks, " blocks");
    const size_t number = program_.blocks.size();
    program_.blocks.emplace_back();
    // Arguments of blocks that stand one after another may have the same numbers.
    std::vector<std::pair<int64_t, std::optional<size_t>>> outside;
    for (const Json& argument : list_of(blocks[0], "args")) {
      const auto id = need(argument, "#").as<int64_t>("#");
      const auto before = ids_.find(id);
      outside.emplace_back(id, before != ids_.end() ? std::optional(before->second) : std::nullopt);
      const size_t made = define(argument, "#");
      program_.blocks[number].arguments.push_back(made);
    }
    for (const Json& op : list_of(blocks[0], "ops")) add_operation(op, number, {});
    for (const auto& [id, before] : outside) {
      if (before)
        ids_[id] = *before;
      else
        ids_.erase(id);
    }
    return number;
  }

  const char* begin_;
  Program program_;
  std::unordered_map<int64_t, size_t> ids_;
};

}  // namespace
}  // namespace pir

bool looks_like_pir(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  const size_t code = head.find("\"base_code\""), magic = head.find("\"magic\"");
  return first != std::string_view::npos && head[first] == '{' && code != std::string_view::npos &&
         magic != std::string_view::npos && head.find("\"pir\"", magic) != std::string_view::npos;
}

Program read_pir(std::string_view text) { return pir::Reader(text).read(text); }

}  // namespace mo::paddle
