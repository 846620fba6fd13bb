// `run` and `verify`: numbers on the command line.
#include <cstring>

#include "npy.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

const std::string numbers = zoo("numbers");

const std::string doubling = "toy 1\ninput x f32 1,3\nnode Double d x -> y\noutput y\n";

template <class T>
std::vector<T> elements(const std::string& file) {
  const std::string bytes = read_text(file);
  const size_t start = bytes.find('\n') + 1;
  std::vector<T> out((bytes.size() - start) / sizeof(T));
  std::memcpy(out.data(), bytes.data() + start, out.size() * sizeof(T));
  return out;
}

Outcome compute(const std::string& command, std::vector<std::string> more, bool wrong = false) {
  std::vector<std::string> words{command};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--extensions", toy + "," + numbers});
  ProgramOptions options;
  if (wrong) options.environment = {"MO_TOY_WRONG=1"};
  return run(words, options);
}

TEST(Run, GivesFilesOfNumPy) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  write_text(folder / "x.npy", npy<float>("<f4", "1, 3", {1, -2, 0.5}));
  const Outcome o = compute(
      "run", {folder / "a.toy", "--input", "x=" + (folder / "x.npy"), "--output_dir", folder / "out"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(
      o.out,
      "output  type  shape  smallest  largest  mean\ny       f32   [1,3]  -4        2        -0.333333\n");
  EXPECT_EQ(elements<float>(folder / "out/y.npy"), (std::vector<float>{2, -4, 1}));
  EXPECT_EQ(read_text(folder / "out/y.npy"), npy<float>("<f4", "1, 3", {2, -4, 1}));
  EXPECT_NE(read_text(folder / "out/outputs.json").find("\"result\": \"y/result\""), std::string::npos);
}

TEST(Run, ProgressIsThatOfTheComputing) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  for (const std::string command : {"run", "verify"}) {
    const Outcome o = compute(command, {folder / "a.toy", "--seed", "1", "--progress", "--stream_output"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find("[==============================] " + command + " 100 %\n"), std::string::npos)
        << o.err;
  }
}

TEST(Run, AnIrGivesTheSame) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  write_text(folder / "x.npy", npy<double>("<f8", "1, 3", {1, -2, 0.5}));  // becomes f32
  ASSERT_EQ(
      run({"--input_model", folder / "a.toy", "--extensions", toy + "," + numbers, "-o", folder / "ir"}).code,
      0);
  const Outcome o =
      compute("run", {folder / "ir/a.xml", "--input", folder / "x.npy", "--output_dir", folder / "out"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(elements<float>(folder / "out/y.npy"), (std::vector<float>{2, -4, 1}));
}

TEST(Run, ValuesTakeNoMoreMemoryThanTheyMay) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1,3000\nnode Double d x -> y\noutput y\n");
  const auto refused = [&](const char* command, const char* limit, const char* error, const char* where) {
    const Outcome o = compute(command, {folder / "a.toy", "--memory_limit", limit, "--silent"});
    EXPECT_EQ(o.code, 1) << o.err;
    EXPECT_EQ(o.err.find(error), 0U) << o.err;
    EXPECT_NE(o.err.find(where), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("--memory_limit SIZE allows more"), std::string::npos) << o.err;
  };
  const std::string small =
      "error MO0510: a value of 12000 bytes does not fit: values that are computed may take ";
  for (const char* command : {"run", "verify"}) {
    refused(command, "1K", (small + "1024").c_str(), "  input   x");  // inputs that are made up count
    EXPECT_EQ(compute(command, {folder / "a.toy", "--memory_limit", "1M", "--silent"}).code, 0);
  }
  refused("run", "16K", (small + "16384").c_str(), "  node    'd'");
  for (const char* wrong : {"", "-1", "1.5G", "G", "12 M", "99999999999T"}) {
    const Outcome o = compute("run", {folder / "a.toy", std::string("--memory_limit=") + wrong});
    EXPECT_EQ(o.code, 2) << wrong;
    EXPECT_NE(o.err.find("--memory_limit is '"), std::string::npos) << o.err;
  }
}

TEST(Run, RandomInputsFollowTheSeed) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 ?,3\nnode Double d x -> y\noutput y\n");
  const auto values = [&](const std::string& input, const std::string& seed) {
    std::vector<std::string> words{folder / "a.toy", "--seed", seed, "--output_dir", folder / "out"};
    if (!input.empty()) words.insert(words.end(), {"--input", input});
    const Outcome o = compute("run", words);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find("input 'x' gets random values"), std::string::npos) << o.err;
    return elements<float>(folder / "out/y.npy");
  };
  EXPECT_EQ(values("", "0").size(), 3U);
  EXPECT_EQ(values("x[4,3]", "0").size(), 12U);
  EXPECT_EQ(values("", "5"), values("", "5"));
  EXPECT_NE(values("", "5"), values("", "6"));
}

TEST(Run, WrongInputs) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  write_text(folder / "x.npy", npy<float>("<f4", "1, 3", {1, -2, 0.5}));
  write_text(folder / "wide.npy", npy<float>("<f4", "1, 2", {1, -2}));
  write_text(folder / "ints.npy", npy<int32_t>("<i4", "1, 3", {1, 2, 3}));
  write_text(folder / "short.npy", npy<float>("<f4", "100, 3", {1, 2, 3}));
  write_text(folder / "turned.npy", "\x93NUMPY");
  write_text(folder / "other.npy", "hello");
  struct Row {
    std::string input;
    int code;
    std::vector<std::string> parts;
  };
  const Row rows[] = {
      {"y=" + (folder / "x.npy"), 2, {"MO0505", "the model has no input 'y'", "inputs  x"}},
      {"x=" + (folder / "wide.npy"), 2, {"MO0505", "input 'x' is given as f32 [1,2]; expected f32 [1,3]"}},
      {"x=" + (folder / "ints.npy"), 2, {"MO0505", "element type i32 cannot become f32"}},
      {"x=" + (folder / "short.npy"),
       2,
       {"MO0506", "short.npy", "it has 12 bytes of elements; shape [100,3] needs 1200"}},
      {"x=" + (folder / "turned.npy"), 2, {"MO0506", "turned.npy"}},
      {"x=" + (folder / "other.npy"), 2, {"MO0506", "other.npy", "does not begin as a file of NumPy does"}},
      {"x=" + (folder / "none.npy"), 2, {"MO0506", "none.npy", "No such file"}},
      {"x=", 2, {"MO0114", "names no file"}},
      {"x[2,3]", 2, {"MO0505", "shape [2,3] does not fit [1,3]"}},
      {"x=" + (folder / "x.npy") + ",x=" + (folder / "x.npy"), 2, {"MO0505", "input 'x' is given twice"}},
  };
  for (const Row& r : rows) {
    const Outcome o = compute("run", {folder / "a.toy", "--input", r.input});
    EXPECT_EQ(o.code, r.code) << r.input << "\n" << o.err;
    for (const std::string& part : r.parts)
      EXPECT_NE(o.err.find(part), std::string::npos) << part << "\n" << o.err;
    if (o.err.find("MO0505") != std::string::npos) {
      EXPECT_NE(o.err.find("model   " + (folder / "a.toy")), std::string::npos) << o.err;
    }
  }
}

TEST(Run, AnOperationWithoutValuesIsNamed) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = compute("run", {folder / "a.toy"});
  EXPECT_EQ(o.code, 1);
  for (const char* part : {"error MO0504", "'sum' (toy1::Add)", "org.example.toy 1.0.0", "a.toy"})
    EXPECT_NE(o.err.find(part), std::string::npos) << o.err;
}

TEST(Run, ManyCases) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  write_text(folder / "b.toy", small_model);
  write_text(folder / "x.npy", npy<float>("<f4", "1, 3", {1, -2, 0.5}));
  const std::string inputs = "\"inputs\": {\"x\": \"" + (folder / "x.npy") + "\"}";
  write_text(folder / "cases", "{\"model\": \"" + (folder / "a.toy") + "\", " + inputs +
                                   ", \"output_dir\": \"" + (folder / "one") + "\"}\n\n{\"model\": \"" +
                                   (folder / "b.toy") + "\", " + inputs + "}\n");
  const Outcome o = compute("run", {"--cases", folder / "cases"});
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(elements<float>(folder / "one/y.npy"), (std::vector<float>{2, -4, 1}));
  EXPECT_EQ(o.out.find("{\"model\":\"" + (folder / "a.toy") + "\",\"ok\":true}\n"), 0U) << o.out;
  EXPECT_NE(o.out.find("\"ok\":false,\"error\":\"error MO0504"), std::string::npos) << o.out;
  EXPECT_NE(o.err.find("MO0507"), std::string::npos);
  for (const char* line :
       {"{", "[]", "{\"model\": 1}", "{\"inputs\": {}}", "{\"model\": \"a\", \"inputs\": 3}"}) {
    write_text(folder / "cases", line);
    const Outcome bad = compute("run", {"--cases", folder / "cases"});
    EXPECT_EQ(bad.code, 2) << line;
    EXPECT_NE(bad.err.find("line 1 of --cases"), std::string::npos) << bad.err;
  }
}

#if defined(MO_HAVE_PLUGIN_ir) && defined(MO_HAVE_PLUGIN_opset)
// The C library has exponentials for each processor; the last bit of a constant must not depend on them.
TEST(Run, ConstantsAreTheSameOnEveryProcessor) {
  const Folder folder;
  const std::string port = "<port precision=\"FP64\"><dim>64</dim></port>";
  const auto numbered = [&](int id) { return "<port id=\"" + std::to_string(id) + "\"" + port.substr(5); };
  std::string all_layers =
      "<layer id=\"0\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"f64\" shape=\"64\" "
      "offset=\"0\" "
      "size=\"512\"/><output>" +
      numbered(0) + "</output></layer>";
  std::string edges;
  int id = 1;
  for (const char* op : {"Exp", "Log", "Sin", "Cos", "Tanh", "Erf", "Sinh", "Atan", "SoftPlus", "Power"}) {
    const bool two = std::string(op) == "Power";
    const std::string n = std::to_string(id), result = std::to_string(id + 1);
    all_layers += "<layer id=\"" + n + "\" name=\"" + op + "\" type=\"" + op + "\" version=\"" +
                  (std::string(op) == "SoftPlus" ? "opset4" : "opset1") + "\"><input>" + numbered(0) +
                  (two ? numbered(1) : "") + "</input><output>" + numbered(2) + "</output></layer>";
    all_layers += "<layer id=\"" + result + "\" name=\"r" + n +
                  "\" type=\"Result\" version=\"opset1\"><input>" + numbered(0) + "</input></layer>";
    for (int in = 0; in <= (two ? 1 : 0); ++in)
      edges += "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"" + n + "\" to-port=\"" +
               std::to_string(in) + "\"/>";
    edges += "<edge from-layer=\"" + n + "\" from-port=\"2\" to-layer=\"" + result + "\" to-port=\"0\"/>";
    id += 2;
  }
  write_text(folder / "f.xml", "<net name=\"f\" version=\"11\"><layers>" + all_layers + "</layers><edges>" +
                                   edges + "</edges></net>");
  std::vector<double> values;
  for (int i = 0; i < 64; ++i) values.push_back(0.1 + 0.37 * i);
  write_text(folder / "f.bin", std::string(reinterpret_cast<const char*>(values.data()), 512));
  const auto folded = [&](const std::string& where, std::vector<std::string> environment) {
    ProgramOptions options;
    options.environment = std::move(environment);
    const Outcome o = run({"--input_model", folder / "f.xml", "-o", folder / where}, options);
    EXPECT_EQ(o.code, 0) << o.err;
    return read_text(folder / (where + "/f.bin"));
  };
  const std::string here = folded("here", {});
  EXPECT_EQ(here.size(), 5120U);  // everything is folded
  EXPECT_EQ(folded("older", {"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-FMA4"}),
            here);
}
#endif

TEST(Verify, SaysThatNothingChanged) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1,3\nnode Double d x -> y\noutput y\n");
  const Outcome wrong = compute("verify", {folder / "a.toy"});
  EXPECT_EQ(wrong.code, 0) << wrong.err;
  EXPECT_NE(wrong.out.find("input 'x': f32 [1,3], random, seed 0"), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.out.find("equal"), std::string::npos);
}

// Sizes that are open are several, and different ones: a transformation that turns images does not go
// unnoticed.
TEST(Verify, OpenSizesAreDifferent) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 ?,4,?,?\nnode Double d x -> y\noutput y\n");
  const Outcome o = compute("verify", {folder / "a.toy"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("input 'x': f32 [2,4,5,7] of [?,4,?,?], random, seed 0"), std::string::npos) << o.out;
}

#if defined(MO_HAVE_PLUGIN_ir) && defined(MO_HAVE_PLUGIN_opset)
// Numbers that are random but too large for the table that they index are tried smaller.
TEST(Verify, IntegersThatIndexStayWithinWhatTheyIndex) {
  const Folder folder;
  const float table[4] = {1, 2, 3, 4};
  const int32_t axis = 0;
  write_text(folder / "g.bin", std::string(reinterpret_cast<const char*>(table), sizeof table) +
                                   std::string(reinterpret_cast<const char*>(&axis), sizeof axis));
  write_text(folder / "g.xml", R"(<?xml version="1.0"?>
<net name="g" version="11">
<layers>
<layer id="0" name="i" type="Parameter" version="opset1"><data shape="64" element_type="i32"/>
<output><port id="0" precision="I32"><dim>64</dim></port></output></layer>
<layer id="1" name="table" type="Const" version="opset1"><data element_type="f32" shape="2,2" offset="0" size="16"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="2" name="axis" type="Const" version="opset1"><data element_type="i32" shape="" offset="16" size="4"/>
<output><port id="0" precision="I32"/></output></layer>
<layer id="3" name="y" type="Gather" version="opset1"><input><port id="0"><dim>2</dim><dim>2</dim></port>
<port id="1"><dim>64</dim></port><port id="2"/></input>
<output><port id="3" precision="FP32"><dim>64</dim><dim>2</dim></port></output></layer>
<layer id="4" name="y/result" type="Result" version="opset1"><input><port id="0"><dim>64</dim><dim>2</dim></port></input>
</layer>
</layers>
<edges>
<edge from-layer="1" from-port="0" to-layer="3" to-port="0"/><edge from-layer="0" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="2"/><edge from-layer="3" from-port="3" to-layer="4" to-port="0"/>
</edges>
</net>
)");
  const Outcome o = run({"verify", folder / "g.xml"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("input 'i': i32 [64], random from 0 to 1, seed 0"), std::string::npos) << o.out;
}

// A model of sounds takes windows of hundreds of samples.
TEST(Verify, OpenSizesAreThoseOfSoundsWhereItNeedsThem) {
  const Folder folder;
  const int64_t pads[2] = {0, 300};
  write_text(folder / "g.bin", std::string(reinterpret_cast<const char*>(pads), sizeof pads));
  write_text(folder / "g.xml", R"(<?xml version="1.0"?>
<net name="g" version="11">
<layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,?" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>-1</dim><dim>-1</dim></port></output></layer>
<layer id="1" name="pads" type="Const" version="opset1"><data element_type="i64" shape="2" offset="0" size="16"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="y" type="Pad" version="opset1"><data pad_mode="reflect"/>
<input><port id="0"><dim>-1</dim><dim>-1</dim></port><port id="1"><dim>2</dim></port><port id="2"><dim>2</dim></port></input>
<output><port id="3" precision="FP32"><dim>-1</dim><dim>-1</dim></port></output></layer>
<layer id="3" name="y/result" type="Result" version="opset1"><input><port id="0"><dim>-1</dim><dim>-1</dim></port></input>
</layer>
</layers>
<edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="2"/><edge from-layer="2" from-port="3" to-layer="3" to-port="0"/>
</edges>
</net>
)");
  const Outcome o = run({"verify", folder / "g.xml"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("input 'x': f32 [2,512]"), std::string::npos) << o.out;
}
#endif

TEST(Verify, ManyCases) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  write_text(folder / "cases", "{}\n\n{\"inputs\": {\"x\": \"/no/such.npy\"}}\n");
  const Outcome o = compute("verify", {folder / "a.toy", "--cases", folder / "cases"});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.out.find("{\"line\":1,\"ok\":true,\"outputs\":[{\"name\":"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("{\"line\":3,\"ok\":false,\"error\":\"error MO"), std::string::npos) << o.out;
  EXPECT_NE(o.err.find("error MO0508: 1 of 2 cases of"), std::string::npos) << o.err;
  write_text(folder / "cases", "{\"model\": \"b.toy\"}\n");
  EXPECT_EQ(compute("verify", {folder / "a.toy", "--cases", folder / "cases"}).code, 2);
}

TEST(Verify, NamesTheTransformationThatChangesNumbers) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  const Outcome o = compute("verify", {folder / "a.toy"}, true);
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("error MO0508"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("outputs differ after numbers.wrong"), std::string::npos) << o.err;
  EXPECT_NE(o.out.find("differs"), std::string::npos) << o.out;
  EXPECT_EQ(compute("verify", {folder / "a.toy", "--tolerance", "10"}, true).code, 0);
}

TEST(Verify, AFinishedIr) {
  const Folder folder;
  write_text(folder / "a.toy", doubling);
  const std::vector<std::string> words{"--input_model", folder / "a.toy", "--extensions", toy + "," + numbers,
                                       "-o"};
  const auto converted = [&](const std::string& where, bool wrong) {
    std::vector<std::string> all = words;
    all.push_back(folder / where);
    ProgramOptions options;
    if (wrong) options.environment = {"MO_TOY_WRONG=1"};
    EXPECT_EQ(run(all, options).code, 0);
    return folder / (where + "/a.xml");
  };
  EXPECT_EQ(compute("verify", {folder / "a.toy", converted("right", false)}).code, 0);
  const Outcome o = compute("verify", {folder / "a.toy", converted("wrong", true)});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("the IR was made in another way"), std::string::npos) << o.err;
}

TEST(Verify, AnotherOrderOfDimensions) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1,4,3,2\nnode Double d x -> y\noutput y\n");
  const std::vector<std::string> both{"--layout", "x(nhwc->nchw),y(nhwc->nchw)"},
      one{"--layout", "x(nhwc->nchw)"};
  for (const auto& layout : {both, one}) {
    std::vector<std::string> words{folder / "a.toy"};
    words.insert(words.end(), layout.begin(), layout.end());
    const Outcome o = compute("verify", words);
    EXPECT_EQ(o.code, 0) << o.err << o.out;
    std::vector<std::string> convert{
        "--input_model", folder / "a.toy", "--extensions", toy + "," + numbers, "-o", folder / "ir"};
    convert.insert(convert.end(), layout.begin(), layout.end());
    const Outcome made = run(convert, {});
    ASSERT_EQ(made.code, 0) << made.err;
    words.insert(words.begin() + 1, folder / "ir/a.xml");
    const Outcome finished = compute("verify", words);
    EXPECT_EQ(finished.code, 0) << finished.err << finished.out;
  }
}

// Nothing is known of the shape at which it is cut before shapes are computed.
TEST(Verify, WhereAModelIsCutOffLate) {
  const Folder folder;
  write_text(folder / "a.toy",
             "toy 1\ninput x i32 1,3\nnode Double d x -> y\nnode Double e y -> z\noutput z\n");
  const Outcome o = compute("verify", {folder / "a.toy", "--cut", "e{f32}"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("input 'e/placeholder_port_0': f32 [1,3]"), std::string::npos) << o.out;
}

TEST(Verify, OperationsWithoutValuesAreNamed) {
  const Folder folder;
  write_text(folder / "a.toy",
             "toy 1\ninput x f32 1,3\nnode Double d x -> y\nnode Copy copy x -> z\noutput y\noutput z\n");
  const Outcome o = compute("verify", {folder / "a.toy"});
  EXPECT_EQ(o.code, 1);
  for (const char* part :
       {"error MO0509", "1 of 2 outputs",
        "'copy' (toy1::Copy) of plugin org.example.toy 1.0.0: the operation has no value inference"})
    EXPECT_NE(o.err.find(part), std::string::npos) << o.err;
  EXPECT_NE(o.out.find("equal"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("not compared"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace mo::test
