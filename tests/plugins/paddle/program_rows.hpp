// Programs as rows of text, which tests/conformance/paddle_rows makes, and files that are written from them.
//
//   case relu6
//   input x0 f32 2x3 given spread 1
//   op 1.data - > 1:f32:2x3 | name=s:x0 shape=A:2,3 dtype=t:float32
//   op 1.relu6 1 > 2:f32:2x3 |
//   op 1.fetch 2 > 3:f32:2x3 | name=s:fetch_name_0 col=i:0
//   gives f32 2x3 0 0.2 0 0.5 0.1 0
//
// Attributes are a letter for their kind and a value. A program with a line "block 0 -1 …" is a ProgramDesc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::test::paddle_rows {

struct Tensor {
  std::string name, type;
  std::vector<int64_t> dims;
  std::vector<double> values;
  bool is_parameter = false;  // and no input
};

struct Row {
  std::string name;
  std::vector<Tensor> inputs, outputs;                            // outputs as Paddle computes them
  std::vector<std::vector<std::string>> lines;                    // words of the program
  std::vector<std::pair<std::string, std::vector<double>>> held;  // parameters
  bool is_pir() const;
};
void PrintTo(const Row& r, std::ostream* out);

std::vector<Row> parse(const std::string& text);
// Of a file beside this one.
std::vector<Row> read(const std::string& file);

struct Files {
  std::string program, parameters;  // no parameters: no file
};
// Inputs that are parameters lie with the parameters.
Files files_of(const Row& row);
std::string file_name(const Row& row);  // of the program

// One record of a file of parameters.
std::string record(int64_t type, const std::vector<int64_t>& dims, const std::string& values);
std::string bytes_of(const std::string& type, const std::vector<double>& values);
int64_t type_number(const std::string& type);

}  // namespace mo::test::paddle_rows
