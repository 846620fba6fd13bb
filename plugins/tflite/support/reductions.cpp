#include "support/reductions.hpp"

#include <algorithm>
#include <array>

namespace mo::tflite {

namespace {

constexpr Reduction of_sums(std::string_view body) { return {body, "Add", "ReduceSum", "", "sum"}; }
constexpr Reduction of_products(std::string_view body) {
  return {body, "Multiply", "ReduceProd", "", "prod"};
}
constexpr Reduction of_maxima(std::string_view body) { return {body, "Maximum", "ReduceMax", "", "max"}; }
constexpr Reduction of_minima(std::string_view body) { return {body, "Minimum", "ReduceMin", "", "min"}; }
constexpr Reduction of_all(std::string_view body) {
  return {body, "LogicalAnd", "", "ReduceLogicalAnd", "prod"};
}
constexpr Reduction of_any(std::string_view body) {
  return {body, "LogicalOr", "", "ReduceLogicalOr", "sum"};
}

constexpr std::array reductions = {
    of_sums("STABLEHLO_ADD"),
    of_sums("ADD"),
    of_products("STABLEHLO_MULTIPLY"),
    of_products("MUL"),
    of_maxima("STABLEHLO_MAXIMUM"),
    of_maxima("MAXIMUM"),
    of_minima("STABLEHLO_MINIMUM"),
    of_minima("MINIMUM"),
    of_all("STABLEHLO_AND"),
    of_all("LOGICAL_AND"),
    of_all("ALL"),
    of_any("STABLEHLO_OR"),
    of_any("LOGICAL_OR"),
    of_any("ANY"),
};

constexpr std::string_view known = "sums, products, maxima, minima, 'and' and 'or'";

std::string body_of(const SourceNode& n, size_t i) {
  const auto all = n.native<std::vector<std::string>>("body");
  return i < all.size() ? all[i] : std::string();
}

const Reduction& reduction_of(const std::string& op, std::string_view what, ElementType type,
                              std::string_view does) {
  const auto* const found =
      std::find_if(reductions.begin(), reductions.end(), [&](const Reduction& r) { return r.body == op; });
  require(found != reductions.end(), "its ", what, " is ", op, ", but the IR ", does, " by ", known);
  const bool boolean = type == ElementType::boolean;
  require(!(boolean ? found->of_booleans : found->of_numbers).empty(), "it ", does, ' ',
          boolean ? "booleans" : "numbers", " by ", op, ", for which the IR has no operation");
  return *found;
}

}  // namespace

const Reduction& reduction_of_body(const SourceNode& n, size_t i, ElementType type, std::string_view does) {
  const std::string op = body_of(n, i);
  require(!op.empty(), "its sub-graph is not one operator of both arguments, but the IR ", does, " by ",
          known);
  return reduction_of(op, "sub-graph", type, does);
}

const Reduction& reduction_of_function(const SourceNode& n, ElementType type, std::string_view does) {
  return reduction_of(n.native<std::string>("reduce_function"), "function", type, does);
}

bool replaces(const SourceNode& n, size_t i) { return body_of(n, i) == "its second argument"; }

}  // namespace mo::tflite
