// Every operation that is newer than opset7, for release 2021.4: it is written by older operations, which
// give the numbers of the value tables of plugin opset and of OpenVINO's own tests, or it is refused by its
// name and the first release that has it.
#include "tests/plugins/builtin_passes/layout_lab.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "core/ir/emitter.hpp"
#include "core/registry/opsets.hpp"

namespace mo::test {
namespace older_release {

constexpr int newest = 7;

struct Row {
  std::string place, op, attributes;          // "MatMul@opset1"
  std::vector<std::string> parameters;        // by input: "f32[2]", or nothing
  std::vector<std::string> constants;         // by input: "i64[2] {1,2}", or nothing
  std::vector<Numbers> inputs;                // of the parameters
  std::vector<std::vector<double>> expected;  // by output
  double within = 1e-3;
};

static Numbers numbers_of(const std::string& tensor) {
  Numbers n;
  const size_t open = tensor.find('['), close = tensor.find(']'), brace = tensor.find('{');
  const auto each = [](std::string list, auto f) {
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(',', at), list.size());
      f(list.substr(at, end - at));
      at = end + 1;
    }
  };
  each(tensor.substr(open + 1, close - open - 1),
       [&](const std::string& d) { n.dims.push_back(std::stoll(d)); });
  each(tensor.substr(brace + 1, tensor.size() - brace - 2), [&](const std::string& v) {
    n.values.push_back(v == "true" ? 1 : v == "false" ? 0 : std::stod(v));
  });
  return n;
}

static std::vector<Row> rows_of(const std::filesystem::path& path) {
  std::vector<Row> all;
  std::ifstream file(path);
  std::string line;
  bool wanted = false;
  for (size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      const size_t brace = line.find(" {");
      const std::string op = line.substr(0, brace);
      wanted = core::opset_number(op.substr(op.find('@') + 1)) > newest;
      if (!wanted) continue;
      all.emplace_back();
      all.back().op = op;
      all.back().attributes = line.substr(brace + 2, line.size() - brace - 3);
      all.back().place = text(path.filename().string(), ":", number, ": ", op);
      continue;
    }
    if (!wanted) continue;
    Row& row = all.back();
    const size_t space = line.find(' ', 2);
    const std::string word = line.substr(2, space - 2),
                      rest = space == std::string::npos ? "" : line.substr(space + 1);
    const bool is_parameter = word == "param" && rest.find('"') == std::string::npos;
    if (word == "gives") {
      row.expected.push_back(numbers_of(rest).values);
    } else if (word == "within") {
      row.within = std::max({row.within, std::stod(rest), std::stod(rest.substr(rest.find(' ')))});
    } else if (word == "param" || word == "const") {
      row.parameters.push_back(is_parameter ? rest.substr(0, rest.find(' ')) : "");
      row.constants.push_back(is_parameter ? "" : rest);
      if (is_parameter) row.inputs.push_back(numbers_of(rest));
    }
  }
  return all;
}

// The first outputs of the row as a network.
static std::string network(const Row& row, size_t outputs) {
  std::string lines, list, all;
  for (size_t i = 0; i < row.parameters.size(); ++i) {
    const std::string& p = row.parameters[i];
    if (row.constants[i] != "_")
      lines += p.empty() ? text("%i", i, " = Const -> ", row.constants[i], "\n")
                         : text("%i", i, " = Parameter -> ", p, "\n");
    list += text(i == 0 ? "" : ", ", row.constants[i] == "_" ? std::string("_") : text("%i", i));
  }
  for (size_t i = 0; i < row.expected.size(); ++i) all += i == 0 ? "_" : ", _";
  lines += text("%y = ", row.op, " (", list, ") {", row.attributes, "} -> (", all, ")\n");
  for (size_t i = 0; i < outputs; ++i) lines += text("Result (%y:", i, ")\n");
  return lines;
}

static void expect_old(const core::Graph& g) {
  for (const core::NodeId n : g.nodes()) EXPECT_LE(core::opset_number(g.opset(n)), newest) << g.op(n);
}

class Release2021 {
 public:
  Release2021() {
    lab_.session.set_option("target", std::string("2021.4"));
    schedule_ = make_schedule(lab_.session, {});
  }
  std::set<std::string> newer_operations() const {
    std::set<std::string> all;
    for (const core::Operation* o : lab_.session.registry().operations())
      if (core::opset_number(o->opset) > newest) all.insert(o->op + "@" + o->opset);
    return all;
  }

  // Whether the network is written by older operations; otherwise it has been refused as it should.
  bool is_lowered(const std::string& op, const std::string& lines, const std::vector<Numbers>& inputs = {},
                  const std::vector<std::vector<double>>& expected = {}, double within = 0) {
    const core::GraphPtr g = lab_.graph(lines);
    run_phase(lab_.session, *g, schedule_, MO_PHASE_BACK);
    core::infer_all(lab_.session, *g);
    core::EmitOptions options;
    options.ir_version = 10;
    try {
      check_ir(lab_.session, *g, options);
    } catch (const core::Failure& f) {
      // Inputs and outputs of that release have elements.
      if (f.render().find("is newer than") == std::string::npos &&
          f.render().find("no input or output with a dimension of 0") != std::string::npos)
        return false;
      const size_t at = op.find('@');
      const core::Registry& registry = lab_.session.registry();
      const core::Operation* known = registry.operation(op.substr(0, at), op.substr(at + 1));
      if (known == nullptr) {
        ADD_FAILURE() << "nobody defines " << op;
        return false;
      }
      const std::string name = op.substr(at + 1) + "::" + op.substr(0, at);
      EXPECT_THAT(f.render(), testing::HasSubstr(name + " is newer than IR version 10"));
      EXPECT_THAT(f.render(), testing::HasSubstr(text("the first release that has it is ",
                                                      core::first_release_of(registry, *known))));
      return false;
    }
    expect_old(*g);
    const auto got = lab_.values(*g, inputs);
    for (size_t i = 0; i < expected.size(); ++i) expect_near(got.at(i).values, expected[i], within);
    return true;
  }

 private:
  static void expect_near(const std::vector<double>& got, const std::vector<double>& want, double within) {
    ASSERT_EQ(got.size(), want.size());
    double greatest = 1;
    for (const double w : want)
      if (std::isfinite(w)) greatest = std::max(greatest, std::abs(w));
    for (size_t i = 0; i < want.size(); ++i) {
      if (got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))) continue;
      EXPECT_NEAR(got[i], want[i], within * greatest) << "element " << i;
    }
  }

  LayoutLab lab_;
  std::vector<core::Scheduled> schedule_;
};

// Those without figures that a row could have: numbers by chance, strings, bodies.
static const std::map<std::string, std::string> networks = {
    {"RandomUniform@opset8", R"(
      %s = Const -> i64[1] {3}
      %a = Const -> f32[] {0}
      %b = Const -> f32[] {1}
      %y = RandomUniform@opset8 (%s, %a, %b) {output_type=f32, global_seed=1, op_seed=2}
      Result (%y))"},
    {"Multinomial@opset13", R"(
      %p = Parameter -> f32[2,4]
      %n = Const -> i64[1] {3}
      %y = Multinomial@opset13 (%p, %n) {convert_type=i64, with_replacement=true, log_probs=false, global_seed=1, op_seed=2}
      Result (%y))"},
    {"StringTensorUnpack@opset15", R"(
      %x = Parameter -> string[2]
      %y = StringTensorUnpack@opset15 (%x) -> (_, _, _)
      Result (%y:0))"},
    {"StringTensorPack@opset15", R"(
      %b = Parameter -> i32[2]
      %e = Parameter -> i32[2]
      %s = Parameter -> u8[8]
      %y = StringTensorPack@opset15 (%b, %e, %s)
      Result (%y))"},
    {"If@opset8", R"(
      %c = Parameter -> boolean[]
      %x = Parameter -> f32[2]
      %y = If@opset8 (%c, %x) {
        then_port_map=["in 1 -> 0", "out 0 <- 0"], then_body=graph { %a = Parameter -> f32[2]
          %b = ReLU@opset1 (%a)
          Result (%b) },
        else_port_map=["in 1 -> 0", "out 0 <- 0"], else_body=graph { %a = Parameter -> f32[2]
          %b = Abs@opset1 (%a)
          Result (%b) }}
      Result (%y))"},
    {"ErfInv@opset17", R"(
      %x = Parameter -> f32[2]
      %y = ErfInv@opset17 (%x)
      Result (%y))"},
    {"GroupedMatMul@opset17", R"(
      %a = Parameter -> f32[4,3]
      %b = Parameter -> f32[2,5,3]
      %o = Parameter -> i32[2]
      %y = GroupedMatMul@opset17 (%a, %b, %o)
      Result (%y))"},
    {"RGBtoNV12@opset17", R"(
      %x = Parameter -> u8[1,4,4,3]
      %y = RGBtoNV12@opset17 (%x) {single_plane=true}
      Result (%y))"},
    {"BGRtoNV12@opset17", R"(
      %x = Parameter -> u8[1,4,4,3]
      %y = BGRtoNV12@opset17 (%x) {single_plane=true}
      Result (%y))"},
};

TEST(OlderRelease, NewerOperationsAreLoweredOrRefusedByName) {
  Release2021 release;
  std::set<std::string> lowered, seen;
  std::vector<std::filesystem::path> tables{MO_SOURCE_DIR "/tests/conformance/openvino/op_reference.txt"};
  for (const auto& file : std::filesystem::directory_iterator(MO_SOURCE_DIR "/tests/plugins/opset/values"))
    if (file.path().extension() == ".txt") tables.push_back(file.path());
  for (const auto& table : tables)
    for (const Row& row : rows_of(table)) {
      SCOPED_TRACE(row.place);
      seen.insert(row.op);
      // Often only what a second output gives is new.
      for (size_t outputs = row.expected.size();; outputs = 1) {
        const std::vector<std::vector<double>> expected(
            row.expected.begin(), row.expected.begin() + static_cast<std::ptrdiff_t>(outputs));
        bool done = false;
        ASSERT_NO_THROW(
            done = release.is_lowered(row.op, network(row, outputs), row.inputs, expected, row.within));
        if (done) lowered.insert(row.op);
        if (done || outputs == 1) break;
      }
    }
  for (const auto& [op, lines] : networks) {
    SCOPED_TRACE(op);
    seen.insert(op);
    EXPECT_FALSE(release.is_lowered(op, lines));
  }
  EXPECT_EQ(seen, release.newer_operations());
  // packaging/docs/manual/releases.md has what they become.
  const std::set<std::string> expected{
      "AdaptiveAvgPool@opset8",
      "AdaptiveMaxPool@opset8",
      "AvgPool@opset14",
      "BitwiseAnd@opset13",
      "BitwiseNot@opset13",
      "BitwiseOr@opset13",
      "BitwiseXor@opset13",
      "ConvertPromoteTypes@opset14",
      "DeformableConvolution@opset8",
      "DetectionOutput@opset8",
      "EmbeddingBagOffsets@opset15",
      "EmbeddingBagPacked@opset15",
      "Eye@opset9",
      "Gather@opset8",
      "GatherND@opset8",
      "GridSample@opset9",
      "GroupNormalization@opset12",
      "IRDFT@opset9",
      "Identity@opset16",
      "Interpolate@opset11",
      "IsFinite@opset10",
      "IsInf@opset10",
      "IsNaN@opset10",
      "MaxPool@opset14",
      "NonMaxSuppression@opset9",
      "OneHot@opset16",
      "Pad@opset12",
      "PriorBox@opset8",
      "RDFT@opset9",
      "ROIAlign@opset9",
      "ScaledDotProductAttention@opset13",
      "ScatterElementsUpdate@opset12",
      "ScatterNDUpdate@opset15",
      "SearchSorted@opset15",
      "Slice@opset8",
      "SoftMax@opset8",
      "SoftSign@opset9",
      "Squeeze@opset15",
      "TopK@opset11",
  };
  EXPECT_THAT(lowered, testing::ElementsAreArray(expected));
}

}  // namespace older_release
}  // namespace mo::test
