// mo/equation.hpp: the equation of an Einsum as every runtime reads it.
#ifndef MO_EQUATION_HPP
#define MO_EQUATION_HPP

#include <algorithm>
#include <string>
#include <string_view>

namespace mo {

// Without blanks and with the result written out: "ij, jk" becomes "ij,jk->ik". What the frameworks
// leave out is the ellipsis, when an input has one, and the labels that are met once, by their codes;
// OpenVINO 2021.4 takes all labels there.
inline std::string explicit_equation(std::string_view equation) {
  std::string all;
  for (const char c : equation)
    if (c != ' ') all += c;
  if (all.find("->") != std::string::npos) return all;
  std::string once;
  for (const char c : all)
    if (c != '.' && c != ',' && std::count(all.begin(), all.end(), c) == 1) once += c;
  std::sort(once.begin(), once.end());
  return all + "->" + (all.find("...") != std::string::npos ? "..." : "") + once;
}

}  // namespace mo

#endif  // MO_EQUATION_HPP
