// Operators that read what nobody had in mind: inputs of rank 0 to 6 and of unknown rank, without elements and with more than
// memory has, constants where tensors are usual. Whatever they read, a conversion ends with a result or with an error that
// names the operator.
//
// A few models of each operator are tried, the same ones in each run. MO_ODD_SHAPES=200 tries so many of each,
// MO_ODD_SEED=7 others.
#pragma once

#include "apps/frontends/choose_frontend.hpp"
#include "conversion_test.hpp"
#include "core/support/contains.hpp"
#include "load.hpp"

#include <optional>
#include <random>
#include <set>

namespace mo::test {

struct OddInput {
  enum Kind { absent, open, constant } kind = open;
  bool integers = false;
  std::optional<std::vector<int64_t>> dims;  // none: of unknown rank; -1: a size that is not known
  Shape shape() const {
    if (!dims) return Shape::unknown();
    Shape s;
    for (const int64_t d : *dims) s.push_back(d < 0 ? any_dim : Dim(d));
    return s;
  }
  std::string said() const { return text(kind == constant ? " constant " : " ", shape()); }
  core::InputSpec as(std::string name) const {
    core::InputSpec in;
    in.name = std::move(name);
    in.shape = shape();
    return in;
  }
  size_t count() const {
    size_t n = 1;
    for (const int64_t d : *dims) n *= static_cast<size_t>(d);
    return n;
  }
};

class OddShapes {
 public:
  static size_t of_each(size_t usual) {
    const char* n = std::getenv("MO_ODD_SHAPES");
    return n != nullptr ? std::stoul(n) : sanitized ? (usual + 1) / 2 : usual;
  }
  explicit OddShapes(const char* framework) : framework_(framework) { renew(); }

  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }
  std::vector<OddInput> inputs() {
    std::vector<OddInput> list;
    for (size_t n = 1 + below(6); n > 0; --n) list.push_back(input());
    return list;
  }
  // A new file: the session still has the one before.
  std::string write(std::string_view name, std::string_view bytes) const {
    remove(name);
    return folder_.write(name, bytes);
  }
  void remove(std::string_view name) const { std::filesystem::remove(folder_ / name); }
  // All that plugins register for the framework, by `domain` and name.
  std::vector<std::pair<std::string, std::string>> operators() const {
    std::set<std::pair<std::string, std::string>> all;
    for (const core::Extractor* e : session_->registry().extractors())
      if (e->framework == framework_) all.emplace(e->domain, e->op);
    for (const core::Transformation* t : session_->registry().transformations()) {
      if (!core::contains(t->frameworks, framework_)) continue;
      add(all, t->ops);
      if (t->nodes.size() == 1) add(all, t->nodes[0].ops);
    }
    return {all.begin(), all.end()};
  }
  // Nothing, or what is wrong with how it ends.
  std::string complaint_about(const std::string& model, std::string_view node,
                              std::vector<core::InputSpec> inputs = {},
                              const std::map<std::string, core::Attribute>& options = {}) {
    if (++served_ % 2048 == 0) renew();
    for (const auto& [name, value] : options) session_->set_option(name, value);
    core::ConvertOptions o;
    o.frontend = app::choose_frontend;
    o.input_model = model;
    o.framework = framework_;
    o.inputs = std::move(inputs);
    o.emit.model_name = "model";
    core::ConvertResult result;
    std::string problem;
    try {
      (void)core::prepare_model(*session_, o, result);
      ++converted_;
    } catch (const core::Failure& f) {
      problem = problem_of(f, node);
    }
    session_->close_model();
    session_->loose_graphs().clear();
    session_->declined.clear();
    return problem;
  }
  size_t converted() const { return converted_; }

 private:
  // "::Relu", and of ONNX "::com.microsoft.Gelu".
  void add(std::set<std::pair<std::string, std::string>>& all, const std::vector<std::string>& ops) const {
    for (const std::string& op : ops) {
      if (!op.starts_with("::")) continue;
      const std::string full = op.substr(2);
      const size_t dot = framework_ == "onnx" ? full.rfind('.') : full.npos;
      all.emplace(dot == full.npos ? "" : full.substr(0, dot),
                  dot == full.npos ? full : full.substr(dot + 1));
    }
  }
  void renew() {
    session_ = std::make_unique<core::Session>(core::host_table());
    load_and_open_built_in(*session_);
  }
  OddInput input() {
    OddInput in;
    in.integers = below(4) == 0;
    const size_t kind = below(8);
    if (kind == 0) return {OddInput::absent, false, {}};
    if (kind == 1) return in;  // nothing is known
    in.dims.emplace(below(7));
    if (kind < 5) {
      in.kind = OddInput::constant;
      const int64_t size = below(8) == 0 ? 0 : 1 + static_cast<int64_t>(below(2));
      for (int64_t& d : *in.dims) d = size;
      return in;
    }
    constexpr int64_t sizes[] = {1, 2, 4, -1, 0, int64_t{1} << 40};
    const int64_t all = sizes[below(6)];
    for (int64_t& d : *in.dims) d = below(6) == 0 ? sizes[below(6)] : all;
    return in;
  }
  static std::string problem_of(const core::Failure& f, std::string_view node) {
    const std::string said = f.render();
    // An operator may read more than it was given, and shapes are told to inputs by their names.
    if (f.exit() == core::Exit::usage && said.find("--input") != said.npos) return "";
    if (f.exit() != core::Exit::model) return "it is no fault of the model: " + said;
    for (const std::string_view inner :
         {"std::", "vector::", "basic_string", "bad_alloc", "max_size", "stoi", "json.exception"})
      if (said.find(inner) != said.npos) return "a text for nobody: " + said;
    // An operator becomes nodes that are called after it or what it reads; before that, a file without names counts its
    // operators and tensors. One that gives nothing is left out, and then there may be no model.
    const auto says = [&said](std::string_view what) { return said.find(what) != said.npos; };
    const bool named =
        says(node) || says("\n  node ") || says("operator 0 (") || says("tensor ") || f.code() == "MO0207";
    return named ? "" : "it names no operator: " + said;
  }
  static uint64_t seed() {
    const char* s = std::getenv("MO_ODD_SEED");
    return s == nullptr ? 1 : std::stoull(s);
  }

  TemporaryFolder folder_;
  std::string framework_;
  std::mt19937_64 random_{seed()};
  std::unique_ptr<core::Session> session_;
  size_t served_ = 0, converted_ = 0;
};

}  // namespace mo::test
