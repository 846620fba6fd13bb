// Inferring one operation, and what is known of it with less known of its inputs.
#pragma once

#include <mo/tensor.hpp>
#include <random>

#include "core/graph/graph.hpp"
#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {

bool starts(const std::string& s, std::string_view with);
bool is_constant(const std::string& input);  // with a value

struct Outcome {
  std::string error;
  std::vector<core::TensorState> outputs;
};
Outcome run(const OpCase& c);

double number_at(const mo_tensor& t, size_t i);
size_t count_of(const mo_tensor& t);
std::string describe(const core::TensorState& t);
// The dimensions, and after them what is known about the elements: of floats in whole numbers, rounded
// outwards. Nothing when the rank is not known or an element is no finite number.
std::optional<std::vector<Bound>> known_of(const core::TensorState& t);

// "" or how `partial` fails to cover `exact`.
std::string gap(const core::TensorState& partial, const core::TensorState& exact);

// Every row in which all intervals of the inputs ("2..4") are numbers; nothing when there are none or too
// many.
std::vector<OpCase> instances(const OpCase& c);

// Rows with less known.
class Blur {
 public:
  explicit Blur(unsigned seed) : random_(seed) {}
  OpCase operator()(OpCase c);

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string dim(int64_t d);
  std::string dims(const std::string& list);
  std::string parameter(const std::string& in);
  std::string constant(const std::string& in);
  std::mt19937 random_;
};

}  // namespace mo::test
