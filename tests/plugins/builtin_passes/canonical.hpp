// Two graphs that mean the same have the same canonical text: nodes in the order in which the results need
// them, without the names of what is inside, tensor names and rt_info.
#pragma once

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "apps/views/text.hpp"

namespace mo::test {

class CanonicalText {
 public:
  static std::string of(const core::Graph& g) {
    std::istringstream in(app::to_text(g));
    std::string line;
    std::getline(in, line);  // "mo-graph 1"
    std::getline(in, line);  // "graph … {"
    std::vector<std::string> lines;
    while (std::getline(in, line)) lines.push_back(line);
    return CanonicalText(lines).text();
  }

 private:
  struct Line {
    std::string label, op, inputs, rest;
  };

  explicit CanonicalText(const std::vector<std::string>& lines) {
    static const std::regex head(R"re(  %(\d+) = (\S+) "(?:[^"\\]|\\.)*"(?: \(([^)]*)\))?(.*))re");
    std::vector<std::string> body;
    for (const std::string& line : lines) {
      std::smatch m;
      if (std::regex_match(line, m, head)) {
        order_.push_back(m[1]);
        Line l{m[1], m[2], m[3], stripped(m[4])};
        // What every graph has may be written without version and attributes.
        static const std::regex plain(R"re((Parameter|Const|Result)(@opset1)?)re"),
            braces(R"re( \{element_type[^}]*\})re");
        if (std::smatch word; std::regex_match(l.op, word, plain)) l.op = std::string(word[1]);
        if (l.op == "Parameter") l.rest = std::regex_replace(l.rest, braces, "");
        lines_[m[1]] = l;
      } else if (line.starts_with("    ")) {
        body.push_back(line.substr(2));
      } else if (line != "}" && !order_.empty()) {  // the end of a body
        std::istringstream of_body(CanonicalText(body).text());
        std::string& rest = lines_[order_.back()].rest;
        for (std::string part; std::getline(of_body, part);) rest += "\n  " + part;
        rest += "\n" + stripped(line);
        body.clear();
      }
    }
  }

  static std::string stripped(std::string rest) {
    static const std::regex noise(
        R"re( names\("(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\)| rt \{[^}]*\}| native \d+| marked\b| to\([^)]*\)| from_shape| bounds\[[^\]]*\])re");
    return std::regex_replace(rest, noise, "");
  }

  std::string text() {
    for (const std::string& label : order_)
      if (lines_[label].op.starts_with("Parameter")) visit(label);
    for (const std::string& label : order_)
      if (lines_[label].op.starts_with("Result")) visit(label);
    return out_;
  }

  void visit(const std::string& label) {
    if (number_.count(label) != 0) return;
    static const std::regex reference(R"(%(\d+)(:\d+)?|_)");
    const Line& line = lines_[label];
    std::string args;
    const std::sregex_iterator end;
    std::vector<std::pair<std::string, std::string>> inputs;
    for (std::sregex_iterator i(line.inputs.begin(), line.inputs.end(), reference); i != end; ++i) {
      if ((*i)[1].matched) visit((*i)[1]);
      inputs.emplace_back((*i)[1], (*i)[2]);
    }
    for (const auto& [source, port] : inputs)
      args += (args.empty() ? "" : ", ") + (source.empty() ? "_" : "%" + number_[source] + port);
    const std::string number = std::to_string(number_.size());
    number_[label] = number;
    const bool result = line.op.starts_with("Result");
    out_ += (result ? "" : "%" + number + " = ") + line.op + (args.empty() ? "" : " (" + args + ")") +
            line.rest + "\n";
  }

  std::vector<std::string> order_;
  std::map<std::string, Line> lines_;
  std::map<std::string, std::string> number_;
  std::string out_;
};

}  // namespace mo::test
