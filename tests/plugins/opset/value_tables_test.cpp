// The tables in values/: expected values there come from ir_check or numpy. Each row is also checked with
// less known about its inputs, and for tightness: what is inferred for intervals of dimensions is the hull of
// their instances.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/plugins/opset/op_case_run.hpp"

namespace mo::test {
namespace value_tables {

using namespace mo::core;

struct Row {
  size_t line = 0;
  OpCase op;
  std::vector<bool> fixed;         // by input: a shape, axes and the like
  std::vector<std::string> gives;  // "f32[2] {1,2}"
  double relative = 0, absolute = 0;
};

// MO_VALUE_TABLES names other tables: more rows than are worth keeping.
static std::filesystem::path folder() {
  const char* other = std::getenv("MO_VALUE_TABLES");
  return other != nullptr ? other : MO_SOURCE_DIR "/tests/plugins/opset/values";
}

static std::vector<std::string> tables() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder()))
    if (file.path().extension() == ".txt") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The head of each file says what its lines are.
static std::vector<Row> rows(const std::string& table) {
  std::vector<Row> all;
  std::ifstream file(folder() / (table + ".txt"));
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      all.emplace_back();
      const size_t brace = line.find(" {");
      all.back().line = number;
      all.back().op.op = line.substr(0, brace);
      all.back().op.attributes = line.substr(brace + 2, line.size() - brace - 3);
      all.back().op.outputs = 0;
      continue;
    }
    Row& row = all.back();
    const size_t space = line.find(' ', 2);
    const std::string word = line.substr(2, space - 2),
                      rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (word == "loose") {
      row.op.loose = true;
    } else if (word == "gives") {
      row.gives.push_back(rest);
      ++row.op.outputs;
    } else if (word == "within") {
      row.relative = std::stod(rest);
      row.absolute = std::stod(rest.substr(rest.find(' ')));
    } else {
      row.op.inputs.push_back(rest);
      row.fixed.push_back(word == "const");
    }
  }
  return all;
}

static std::vector<double> numbers(const std::string& gives) {
  std::vector<double> values;
  std::string list = gives.substr(gives.find('{') + 1);
  list.pop_back();
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string item = list.substr(at, end - at);
    values.push_back(item == "true" ? 1 : item == "false" ? 0 : std::stod(item));
    at = end + 1;
  }
  return values;
}

struct Tolerance {
  double relative = 0, absolute = 0;
};
static Tolerance usual(ElementType t) {
  switch (t) {
    case ElementType::f16:
      return {4e-3, 2e-3};
    case ElementType::bf16:
      return {2e-2, 1e-2};
    case ElementType::f64:
      return {1e-6, 1e-6};
    default:
      return {2e-4, 1e-5};
  }
}

// "" or how an output differs from what a row says.
static std::string difference(const TensorState& got, const std::string& gives, const Row& row) {
  const std::string head = gives.substr(0, gives.find(' '));
  if (text(name(got.type), got.shape) != head) return describe(got) + ", expected " + head;
  if (!got.value) return "no value, expected " + gives;
  const std::vector<double> want = numbers(gives);
  Tolerance within = usual(got.type);
  if (row.relative != 0) within.relative = row.relative;
  if (row.absolute != 0) within.absolute = row.absolute;
  if (!is_float(got.type)) within = {};
  double greatest = 0;
  for (const double w : want)
    if (std::isfinite(w)) greatest = std::max(greatest, std::abs(w));
  for (size_t i = 0; i < want.size(); ++i) {
    const double g = number_at(*got.value, i), w = want[i];
    if (g == w || (std::isnan(g) && std::isnan(w))) continue;
    // A sum of large numbers may be as wrong as its largest result.
    if (std::abs(g - w) <=
        within.absolute + within.relative * std::abs(w) + 0.05 * within.relative * greatest)
      continue;
    return text("element ", i, " is ", g, ", expected ", w);
  }
  return "";
}

// Up to three dimensions of the inputs become intervals of up to three numbers.
class Widen {
 public:
  explicit Widen(unsigned seed) : random_(seed) {}
  OpCase operator()(const Row& row) {
    OpCase c = row.op;
    unsigned left = 1 + below(3);
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      std::string& in = c.inputs[i];
      if (row.fixed[i] || in.find('"') != std::string::npos) continue;
      in = in.substr(0, in.find(' '));
      const size_t open = in.find('[');
      std::string dims;
      for (size_t at = open + 1; at + 1 < in.size();) {
        const size_t end = in.find_first_of(",]", at);
        const int64_t d = std::stoll(in.substr(at, end - at));
        const bool wide = left > 0 && below(3) == 0;
        const int64_t low = std::max<int64_t>(0, d - below(2)), high = std::max(d, low + 1 + below(2));
        dims += (dims.empty() ? "" : ",") + (wide ? text(low, "..", high) : text(d));
        left -= wide ? 1 : 0;
        at = end + 1;
      }
      in = in.substr(0, open + 1) + dims + "]";
    }
    return c;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::mt19937 random_;
};

// "" or what is wrong with what is inferred for `wide`: it must cover every legal instance, and when all are
// legal it must be their hull. `compared` counts the hulls.
static std::string not_the_hull(const OpCase& wide, size_t& compared) {
  std::vector<std::vector<Dim>> hull;
  const Outcome partial = run(wide);
  bool all = true, any = false;
  for (const OpCase& one : instances(wide)) {
    const Outcome exact = run(one);
    if (!exact.error.empty()) {
      all = false;
      continue;
    }
    if (!partial.error.empty()) return partial.error + "\nbut legal is " + ::testing::PrintToString(one);
    for (size_t i = 0; i < exact.outputs.size(); ++i) {
      const std::string what = gap(partial.outputs[i], exact.outputs[i]);
      if (!what.empty())
        return text("output ", i, ": ", what, "; said ", describe(partial.outputs[i]), " for ",
                    describe(exact.outputs[i]));
      const Shape& shape = exact.outputs[i].shape;
      if (!shape.has_rank() || (any && shape.size() != hull[i].size())) all = false;
      if (!all) continue;
      if (!any) hull.emplace_back(shape.begin(), shape.end());
      for (size_t k = 0; k < shape.size(); ++k) hull[i][k] = unite(hull[i][k], shape[k]);
    }
    any = any || all;
  }
  if (!all || !any) return "";
  ++compared;
  for (size_t i = 0; i < hull.size(); ++i) {
    const Shape& shape = partial.outputs[i].shape;
    const std::string said = shape.has_rank() ? text(std::vector<Dim>(shape.begin(), shape.end())) : "[...]";
    if (said != text(hull[i]))
      return text("output ", i, " is ", said, ", the hull of all instances is ", text(hull[i]));
  }
  return "";
}

class ValueTable : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string place(const Row& row) {
    return text("values/", GetParam(), ".txt:", row.line, ": ", row.op.op);
  }
};

TEST_P(ValueTable, GivesWhatTheRowsSay) {
  for (const Row& row : rows(GetParam())) {
    SCOPED_TRACE(place(row));
    const Outcome r = run(row.op);
    if (!r.error.empty()) {
      ADD_FAILURE() << r.error;
      continue;
    }
    for (size_t i = 0; i < row.gives.size(); ++i)
      EXPECT_EQ(difference(r.outputs[i], row.gives[i], row), "") << "output " << i;
  }
}

TEST_P(ValueTable, IsCoveredWithLessKnown) {
  for (const Row& row : rows(GetParam())) {
    if (row.op.loose) continue;
    SCOPED_TRACE(place(row));
    const Outcome exact = run(row.op);
    if (!exact.error.empty()) continue;  // the other test says so
    for (unsigned seed = 0; seed < 12; ++seed) {
      const OpCase less = Blur(seed)(row.op);
      const Outcome partial = run(less);
      std::string what = partial.error;
      for (size_t i = 0; what.empty() && i < exact.outputs.size(); ++i) {
        what = gap(partial.outputs[i], exact.outputs[i]);
        if (!what.empty())
          what += "; said " + describe(partial.outputs[i]) + " for " + describe(exact.outputs[i]);
      }
      if (what.empty()) continue;
      ADD_FAILURE() << ::testing::PrintToString(less) << "\n" << what;
      break;
    }
  }
}

TEST_P(ValueTable, IsAsTightAsItsInstances) {
  size_t compared = 0;
  for (const Row& row : rows(GetParam())) {
    if (row.op.loose) continue;
    SCOPED_TRACE(place(row));
    for (unsigned seed = 0; seed < 12; ++seed) {
      const OpCase wide = Widen(seed)(row);
      const std::string what = not_the_hull(wide, compared);
      if (what.empty()) continue;
      ADD_FAILURE() << ::testing::PrintToString(wide) << "\n" << what;
      break;
    }
  }
  RecordProperty("hulls", text(compared));
  // Inputs of detectors depend on one another, so that fewer of their instances are legal.
  EXPECT_GT(2 * compared, rows(GetParam()).size()) << "too few rows have only legal instances";
}

INSTANTIATE_TEST_SUITE_P(Values, ValueTable, ::testing::ValuesIn(tables()),
                         [](const auto& table) { return table.param; });

}  // namespace value_tables
}  // namespace mo::test
