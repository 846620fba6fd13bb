// What holds for the built-in plugins as a whole.
#include "all_tests.hpp"
#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "apps/views/text.hpp"
#include "core/host/host_tables.hpp"
#include "load.hpp"
#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Onnx, TheOrderOfLoadingChangesNothing) {
  const std::string folder = plugin_folder;
  std::vector<std::string> plugins;
  for (const auto& e : std::filesystem::directory_iterator(folder))
    if (e.path().extension() == ".so") plugins.push_back(e.path());
  std::sort(plugins.begin(), plugins.end());
  ASSERT_GE(plugins.size(), 2U);
  for (const char* name : {"small_cnn", "swish_spellings"}) {
    std::string xml, bin;
    // Each plugin is the first one twice, and each pair is loaded in both orders.
    for (size_t turn = 0; turn < 2 * plugins.size(); ++turn) {
      if (turn == plugins.size()) std::reverse(plugins.begin(), plugins.end());
      core::Session session{core::host_table()};
      load_only(session, plugins);
      core::ConvertOptions options;
      options.frontend = app::choose_frontend;
      options.input_model = text(MO_SOURCE_DIR "/tests/data/", name, ".onnx");
      options.emit.model_name = name;
      app::IrFiles files(session, {.folder = folder_ / "out"});
      convert(session, options, files);
      const std::string xml_now = read(files.paths().xml), bin_now = read(files.paths().bin);
      ASSERT_FALSE(xml_now.empty());
      if (xml.empty()) {
        xml = xml_now;
        bin = bin_now;
      }
      EXPECT_EQ(xml_now, xml) << "loaded first: " << plugins.front();
      EXPECT_EQ(bin_now, bin);
      std::rotate(plugins.begin(), plugins.begin() + 1, plugins.end());
    }
  }
}

// Operators that no other test converts; the checks of the fixture do the rest.
struct Lone {
  std::string id;
  int version;
  std::string op;
  std::vector<OnnxType> inputs;  // of shape [1,3,2,2]; more are initializers
  std::vector<OnnxTensor> initializers = {};
  bool broadcast = false;
};

class Lones : public Onnx {
 protected:
  std::string model_of(const Lone& l) {
    ModelBuilder m(l.version);
    std::vector<std::string> names;
    for (const OnnxType t : l.inputs) {
      names.push_back(text("x", names.size()));
      m.input(names.back(), t, {1, 3, 2, 2});
    }
    for (const OnnxTensor& t : l.initializers) {
      names.push_back(text("w", names.size()));
      m.initializer(names.back(), t);
    }
    const std::string y =
        l.broadcast ? m.op(l.op, names, {{"broadcast", 1}, {"axis", 0}}) : m.op(l.op, names);
    m.output(y);
    return failure_of(m);
  }
};

TEST_F(Lones, AreConverted) {
  const auto f = OnnxType::float32, b = OnnxType::boolean, i = OnnxType::int32;
  const OnnxTensor index = OnnxTensor::of<int64_t>({1, 1, 1, 1}, {0});
  const OnnxTensor update = floats({1, 1, 1, 1}, {7});
  const Lone rows[] = {
      {"log_softmax", 11, "LogSoftmax", {f}},
      {"global_lp_pool", 2, "GlobalLpPool", {f}},
      {"scatter", 9, "Scatter", {f}, {index, update}},
      {"scatter_elements", 11, "ScatterElements", {f}, {index, update}},
      {"scatter_nd", 11, "ScatterND", {f}, {OnnxTensor::of<int64_t>({1, 4}, {0, 0, 0, 0}), floats({1}, {7})}},
      {"round", 11, "Round", {f}},
      {"div", 6, "Div", {f, f}, {}, true},
      {"and", 6, "And", {b, b}, {}, true},
      {"or", 6, "Or", {b, b}, {}, true},
      {"xor", 6, "Xor", {b, b}, {}, true},
      {"equal", 6, "Equal", {i, i}, {}, true},
      {"greater", 6, "Greater", {f, f}, {}, true},
      {"less", 6, "Less", {f, f}, {}, true},
      {"mean_variance_normalization", 9, "MeanVarianceNormalization", {f}},
      {"image_scaler", 6, "ImageScaler", {f}},
      {"affine", 6, "Affine", {f}},
      {"reduce_l1", 13, "ReduceL1", {f}},
      {"reduce_l2", 13, "ReduceL2", {f}},
      {"reduce_prod", 13, "ReduceProd", {f}},
      {"reduce_max", 13, "ReduceMax", {f}},
      {"reduce_min", 13, "ReduceMin", {f}},
      {"cum_sum", 11, "CumSum", {f}, {OnnxTensor::of<int64_t>({}, {1})}},
      {"is_na_n", 9, "IsNaN", {f}},
      {"is_inf", 10, "IsInf", {f}},
  };
  for (const Lone& l : rows) {
    const int before = TwiceEqualsOnce::checked()["onnx.front." + l.id];
    EXPECT_EQ(model_of(l), "") << l.op;
    EXPECT_GT(TwiceEqualsOnce::checked()["onnx.front." + l.id], before) << l.op;
  }
}

// The last of the program: by then each transformation has been applied twice somewhere.
class EachOnce : public ::testing::Environment {
 public:
  void TearDown() override {
    if (!all_tests_run()) return;
    core::Session session{core::host_table()};
    load_and_open_built_in(session);
    for (const core::Transformation* t : session.registry().transformations())
      if (t->id.rfind("onnx.", 0) == 0) {
        EXPECT_TRUE(TwiceEqualsOnce::checked()[t->id] > 0) << "no test applies " << t->id;
      }
  }
};
const auto* const each_once = ::testing::AddGlobalTestEnvironment(new EachOnce);

}  // namespace
}  // namespace mo::test
