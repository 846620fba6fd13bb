// ProgramDesc, the protobuf message of `.pdmodel` and `__model__`.
#include "loader/program.hpp"

#include <mo/wire.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

namespace mo::paddle {

namespace desc {
namespace {

using wire::Field;
using wire::Message;

// Field numbers are those of Paddle's framework.proto.
namespace program_desc {
constexpr uint32_t blocks = 1, version = 4;
}
namespace block_desc {
constexpr uint32_t index = 1, parent = 2, variables = 3, operators = 4;
}
namespace var_desc {
constexpr uint32_t name = 1, type = 2, persistable = 3;
}
namespace var_type {
constexpr uint32_t kind = 1, dense = 3, array = 4;
}
namespace tensor_desc {
constexpr uint32_t type = 1, dims = 2;
}
namespace op_desc {
constexpr uint32_t inputs = 1, outputs = 2, type = 3, attributes = 4;
}
namespace slot_desc {
constexpr uint32_t name = 1, arguments = 2;
}
namespace attribute {
constexpr uint32_t name = 1, type = 2, integer = 3, number = 4, text = 5, integers = 6, numbers = 7,
                   texts = 8, boolean = 10, booleans = 11, block = 12, long_integer = 13, blocks = 14,
                   long_integers = 15, doubles = 16, variable = 17, variables = 18, double_number = 19,
                   scalar = 20, scalars = 21;
}
// Attribute types.
enum class Kind : int64_t {
  integer,
  number,
  text,
  integers,
  numbers,
  texts,
  boolean,
  booleans,
  block,
  long_integer,
  blocks,
  long_integers,
  doubles,
  variable,
  variables,
  double_number,
  scalar,
  scalars
};
// Types of variables that are no tensors.
constexpr int64_t feed_list = 9, fetch_list = 10, step_scopes = 11, tensor_array = 13, reader = 15, raw = 17;
constexpr size_t most_blocks = 4096;

int32_t small(const Field& f) { return static_cast<int32_t>(f.integer()); }

struct Variable {
  Value value;
  bool persistable = false;
};

void read_tensor_desc(std::string_view bytes, Value& to) {
  Ints dims;
  for (const Field& f : Message(bytes)) {
    if (f.number == tensor_desc::type) {
      to.type = element_type(int64_t{small(f)});
      to.type_name = type_name(small(f));
    }
    if (f.number == tensor_desc::dims) wire::append_integers(f, dims);
  }
  for (const int64_t d : dims) require(d >= -1, "variable '", to.name, "' has a dimension of ", d);
  to.dims = std::move(dims);
}

// LoDTensorDesc and its like have the description first.
void read_described(std::string_view bytes, Value& to) {
  for (const Field& f : Message(bytes))
    if (f.number == 1) read_tensor_desc(f.bytes(), to);
}

int64_t read_var_type(std::string_view bytes, Value& to) {
  int64_t kind = -1;
  for (const Field& f : Message(bytes)) {
    if (f.number == var_type::kind) kind = small(f);
    if (f.number == var_type::dense || f.number == var_type::array) read_described(f.bytes(), to);
  }
  to.is_array = kind == tensor_array;
  return kind;
}

Variable read_variable(std::string_view bytes) {
  Variable v;
  int64_t kind = -1;
  std::string_view type;
  for (const Field& f : Message(bytes)) {
    if (f.number == var_desc::name) v.value.name = f.bytes();
    if (f.number == var_desc::type) type = f.bytes();
    if (f.number == var_desc::persistable) v.persistable = f.integer() != 0;
  }
  kind = read_var_type(type, v.value);
  const std::array no_parameters{feed_list, fetch_list, step_scopes, reader, raw};
  v.value.is_parameter =
      v.persistable && std::find(no_parameters.begin(), no_parameters.end(), kind) == no_parameters.end();
  return v;
}

Attribute read_scalar(std::string_view bytes) {
  int64_t type = 0, integer = 0;
  bool boolean = false;
  double number = 0;
  for (const Field& f : Message(bytes)) {
    if (f.number == 1) type = small(f);
    if (f.number == 2) boolean = f.integer() != 0;
    if (f.number == 3) integer = f.signed_integer();
    if (f.number == 4) {
      require(f.type == wire::fixed64, "the file is damaged: a number has another type");
      number = std::bit_cast<double>(f.raw);
    }
  }
  require(type >= 1 && type <= 3, "an attribute is a complex number, which the IR does not have");
  if (type == 1) return boolean;
  if (type == 2) return integer;
  return number;
}

// Integers where all are, else doubles.
Attribute joined(const std::vector<Attribute>& scalars) {
  Ints ints;
  std::vector<double> numbers;
  bool whole = true;
  for (const Attribute& s : scalars) {
    const auto* real = std::get_if<double>(&s);
    whole = whole && real == nullptr;
    int64_t integer = 0;
    if (const auto* i = std::get_if<int64_t>(&s)) integer = *i;
    if (const auto* b = std::get_if<bool>(&s)) integer = *b ? 1 : 0;
    ints.push_back(integer);
    numbers.push_back(real != nullptr ? *real : static_cast<double>(integer));
  }
  return whole ? Attribute(std::move(ints)) : Attribute(std::move(numbers));
}

struct ReadAttribute {
  std::string name;
  std::optional<Attribute> value;
  std::vector<size_t> blocks;
  std::vector<std::string> variables;
};

// What the message has of each type; `type` says which one counts.
class AttributeReader {
 public:
  explicit AttributeReader(std::string_view bytes) {
    for (const Field& f : Message(bytes)) read(f);
  }
  ReadAttribute take() {
    ReadAttribute a{std::move(name_), {}, {}, {}};
    switch (kind_) {
      case Kind::integer:
      case Kind::long_integer:
        a.value = integer_;
        break;
      case Kind::number:
      case Kind::double_number:
        a.value = number_;
        break;
      case Kind::text:
        a.value = std::move(text_);
        break;
      case Kind::integers:
      case Kind::long_integers:
        a.value = std::move(integers_);
        break;
      case Kind::numbers:
      case Kind::doubles:
        a.value = std::move(numbers_);
        break;
      case Kind::texts:
        a.value = std::move(texts_);
        break;
      case Kind::boolean:
        a.value = boolean_;
        break;
      case Kind::booleans:
        a.value = std::move(booleans_);
        break;
      case Kind::block:
      case Kind::blocks:
        a.blocks = std::move(blocks_);
        break;
      case Kind::variable:
      case Kind::variables:
        a.variables = std::move(variables_);
        break;
      case Kind::scalar:
        if (!scalars_.empty()) a.value = scalars_.front();
        break;
      case Kind::scalars:
        a.value = joined(scalars_);
        break;
      default:
        fail("attribute '", a.name, "' is of type ", static_cast<int64_t>(kind_), ", which is not known");
    }
    return a;
  }

 private:
  void read(const Field& f) {
    switch (f.number) {
      case attribute::name:
        name_ = f.bytes();
        break;
      case attribute::type:
        kind_ = static_cast<Kind>(f.integer());
        break;
      case attribute::integer:
        integer_ = small(f);
        break;
      case attribute::long_integer:
        integer_ = f.signed_integer();
        break;
      case attribute::number:
        number_ = static_cast<double>(f.f32());
        break;
      case attribute::double_number:
        doubles(f);
        number_ = numbers_.empty() ? 0 : numbers_.back();
        break;
      case attribute::text:
        text_ = f.bytes();
        break;
      case attribute::integers: {
        std::vector<int32_t> some;
        wire::append_integers(f, some);
        integers_.insert(integers_.end(), some.begin(), some.end());
        break;
      }
      case attribute::long_integers:
        wire::append_integers(f, integers_);
        break;
      case attribute::numbers: {
        require(f.type == wire::fixed32 || f.type == wire::length,
                "the file is damaged: a number has another type");
        std::vector<float> some;
        wire::append_fixed(f, some);
        numbers_.insert(numbers_.end(), some.begin(), some.end());
        break;
      }
      case attribute::doubles:
        doubles(f);
        break;
      case attribute::texts:
        texts_.emplace_back(f.bytes());
        break;
      case attribute::boolean:
        boolean_ = f.integer() != 0;
        break;
      case attribute::booleans: {
        std::vector<uint8_t> some;
        wire::append_integers(f, some);
        for (const uint8_t b : some) booleans_.push_back(b != 0);
        break;
      }
      case attribute::block:
      case attribute::blocks: {
        std::vector<uint32_t> some;
        wire::append_integers(f, some);
        blocks_.insert(blocks_.end(), some.begin(), some.end());
        break;
      }
      case attribute::variable:
      case attribute::variables:
        variables_.emplace_back(f.bytes());
        break;
      case attribute::scalar:
      case attribute::scalars:
        scalars_.push_back(read_scalar(f.bytes()));
        break;
      default:
        break;
    }
  }
  void doubles(const Field& f) {
    require(f.type == wire::fixed64 || f.type == wire::length,
            "the file is damaged: a number has another type");
    wire::append_fixed(f, numbers_);
  }

  std::string name_, text_;
  Kind kind_ = Kind::integer;
  int64_t integer_ = 0;
  double number_ = 0;
  bool boolean_ = false;
  Ints integers_;
  std::vector<double> numbers_;
  std::vector<bool> booleans_;
  std::vector<std::string> texts_, variables_;
  std::vector<size_t> blocks_;
  std::vector<Attribute> scalars_;
};

// Of no meaning for what is computed; call stacks may be most of the file.
bool is_for_training(std::string_view attribute) {
  return attribute.substr(0, 3) == "op_" || attribute == "with_quant_attr";
}

// By which the node is known: it stands first.
bool is_main_output(std::string_view slot) {
  return slot == "Out" || slot == "Y" || slot == "Output" || slot == "out";
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  Program read() {
    std::vector<std::string_view> blocks;
    for (const Field& f : Message(bytes_))
      if (f.number == program_desc::blocks) blocks.push_back(f.bytes());
    require(!blocks.empty(), "the program has no blocks");
    require(blocks.size() <= most_blocks, "the program has ", blocks.size(), " blocks; up to ", most_blocks,
            " are read");
    scopes_.resize(blocks.size());
    program_.blocks.resize(blocks.size());
    for (size_t i = 0; i < blocks.size(); ++i) declare(i, blocks[i]);
    for (size_t i = 0; i < blocks.size(); ++i)
      for (const Field& f : Message(blocks[i]))
        if (f.number == block_desc::operators)
          program_.blocks[i].operations.push_back(operation(i, f.bytes()));
    return std::move(program_);
  }

 private:
  struct Scope {
    int64_t parent = -1;
    std::unordered_map<std::string, size_t> names;
  };
  void declare(size_t block, std::string_view bytes) {
    for (const Field& f : Message(bytes)) {
      if (f.number == block_desc::parent) scopes_[block].parent = small(f);
      if (f.number != block_desc::variables) continue;
      Variable v = read_variable(f.bytes());
      v.value.is_parameter = v.value.is_parameter && block == 0;
      scopes_[block].names.emplace(v.value.name, program_.values.size());
      program_.values.push_back(std::move(v.value));
    }
    const int64_t parent = scopes_[block].parent;
    require(block == 0 || (parent >= 0 && parent < static_cast<int64_t>(block)), "block ", block,
            " is within block ", parent, ", expected an earlier one");
  }
  // Variables of blocks around a block are seen in it.
  size_t variable(size_t block, std::string_view name) {
    const std::string key(name);
    for (auto at = static_cast<int64_t>(block); at >= 0;
         at = at == 0 ? -1 : scopes_[static_cast<size_t>(at)].parent) {
      const auto& names = scopes_[static_cast<size_t>(at)].names;
      if (const auto found = names.find(key); found != names.end()) return found->second;
    }
    Value v;
    v.name = key;
    scopes_[block].names.emplace(key, program_.values.size());
    program_.values.push_back(std::move(v));
    return program_.values.size() - 1;
  }
  Slot slot(size_t block, std::string_view bytes) {
    Slot s;
    for (const Field& f : Message(bytes)) {
      if (f.number == slot_desc::name) s.name = f.bytes();
      if (f.number == slot_desc::arguments) s.values.push_back(variable(block, f.bytes()));
    }
    return s;
  }
  Operation operation(size_t block, std::string_view bytes) {
    Operation op;
    op.place = static_cast<uint64_t>(bytes.data() - bytes_.data());
    for (const Field& f : Message(bytes)) {
      if (f.number == op_desc::type) op.type = f.bytes();
      if (f.number == op_desc::inputs) op.inputs.push_back(slot(block, f.bytes()));
      if (f.number == op_desc::outputs) op.outputs.push_back(slot(block, f.bytes()));
    }
    require(!op.type.empty(), "an operator has no type");
    for (const Field& f : Message(bytes))
      if (f.number == op_desc::attributes) add_attribute(block, op, f.bytes());
    // Values that belong to attributes are inputs like others.
    std::stable_partition(op.outputs.begin(), op.outputs.end(),
                          [](const Slot& s) { return is_main_output(s.name); });
    return op;
  }
  void add_attribute(size_t block, Operation& op, std::string_view bytes) {
    try {
      ReadAttribute a = AttributeReader(bytes).take();
      if (is_for_training(a.name)) return;
      for (const size_t b : a.blocks) {
        require(b < scopes_.size(), "attribute '", a.name, "' is block ", b, ", but there are ",
                scopes_.size());
        op.blocks.push_back(b);
      }
      if (!a.variables.empty()) {
        Slot& s = op.inputs.emplace_back(Slot{a.name, {}});
        for (const std::string& v : a.variables) s.values.push_back(variable(block, v));
      }
      if (a.value) op.attributes.emplace_back(std::move(a.name), std::move(*a.value));
    } catch (const Error& e) {
      fail(describe(program_, op), ": ", e.what());
    }
  }

  std::string_view bytes_;
  Program program_;
  std::vector<Scope> scopes_;
};

}  // namespace
}  // namespace desc

// The first block, its number 0, and that none is around it.
bool looks_like_program_desc(std::string_view head) {
  if (head.empty() || head.front() != '\x0a') return false;
  size_t at = 1;
  while (at < head.size() && at < 11 && (static_cast<uint8_t>(head[at]) & 0x80U) != 0) ++at;
  return head.substr(std::min(at + 1, head.size()))
      .starts_with(std::string_view("\x08\x00\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13));
}

Program read_program_desc(std::string_view bytes) { return desc::Reader(bytes).read(); }

}  // namespace mo::paddle
