// A program as both formats have it: blocks of operations that read and write values.
#pragma once

#include <mo/shape.hpp>
#include <mo/types.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mo::paddle {

using Ints = std::vector<int64_t>;

struct Value {
  std::string name;                            // "": the file has none
  int64_t number = 0;                          // that PIR has for it
  std::string type_name;                       // of its elements
  ElementType type = ElementType::unknown;     // the IR has no other for it
  std::optional<Ints> dims;                    // -1: open; nothing where the file says nothing
  size_t members = 1;                          // of a value that stands for a list of tensors
  std::vector<std::optional<size_t>> ranks{};  // of its members
  bool is_list = false, is_array = false;
  // Its values lie in the file of parameters.
  bool is_parameter = false;
  // A parameter that no file holds: the state of random numbers.
  bool is_state = false;
};

using Attribute = std::variant<bool, int64_t, double, std::string, Ints, std::vector<double>,
                               std::vector<bool>, std::vector<std::string>>;

// Arguments that belong together: "X" of ProgramDesc, "0" of the first operand or result of PIR.
struct Slot {
  std::string name;
  std::vector<size_t> values;
};

struct Operation {
  std::string type;
  std::vector<Slot> inputs, outputs;
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::vector<size_t> blocks;  // that it runs
  uint64_t place = 0;          // in the file

  const Attribute* find(std::string_view name) const;
  // The value of a slot that has one; nothing where it is left out.
  std::optional<size_t> input(std::string_view slot) const;
  std::optional<size_t> output(std::string_view slot) const;
  int64_t integer(std::string_view attribute, int64_t fallback) const;
};

struct Block {
  std::vector<size_t> arguments;
  std::vector<Operation> operations;
};

struct Program {
  bool is_pir = false;
  std::vector<Value> values;
  std::vector<Block> blocks;  // the first one is the program
};

// "0.t_f32", "float32" or the number that VarType has for it; unknown for what the IR has no type for.
ElementType element_type(std::string_view name);
ElementType element_type(int64_t number);
std::string type_name(int64_t number);

// "conv2d 'conv2d_0.tmp_0'", for messages.
std::string describe(const Program& p, const Operation& op);

Program read_program_desc(std::string_view bytes);
Program read_pir(std::string_view text);

bool looks_like_program_desc(std::string_view head);
bool looks_like_pir(std::string_view head);

}  // namespace mo::paddle
