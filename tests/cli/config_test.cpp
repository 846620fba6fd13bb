// Transformations configurations from the command line.
#include <gmock/gmock.h>

#include "program.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

constexpr const char* one_layer = R"([
  {
    "id": "replaced",
    "match_kind": "scope",
    "op": "Old",
    "instances": ["copy"]
  }
]
)";

class Config : public testing::Test {
 protected:
  Config() {
    write_text(file, one_layer);
    write_text(model, small_model);
  }
  Outcome convert_with(const std::string& option) {
    return convert(model, {"-o", folder / "out", "-n", "m", option, file});
  }
  Outcome explain() {
    return run({"explain-config", model, "--extensions", toy, "--transformations_config", file});
  }
  Folder folder;
  std::string file = folder / "c.json", model = folder / "a.toy";
};

TEST_F(Config, OneOperationForAScope) {
  const Outcome o = convert_with("--transformations_config");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string xml = read_text(folder / "out/m.xml");
  EXPECT_THAT(xml, HasSubstr("name=\"copy\" type=\"Old\""));
  EXPECT_THAT(xml, HasSubstr("name=\"sum\" type=\"Add\""));
}

TEST_F(Config, UpdateWritesIntoTheFile) {
  for (const char* option :
       {"--transformations_config_update", "--tensorflow_custom_operations_config_update"}) {
    write_text(file, one_layer);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_EQ(convert_with(option).code, 0);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_THAT(read_text(file),
                HasSubstr("    \"instances\": [\"copy\"],\n    \"inputs\": [\n      [\n        {\n"));
    EXPECT_EQ(convert_with("--tensorflow_use_custom_operations_config").code, 0);
  }
}

TEST_F(Config, MistakesStopBeforeAnythingIsWritten) {
  write_text(file, "[{\"id\": \"a\", \"match_kind\": \"scop\"}]");
  Outcome o = convert_with("--transformations_config");
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("error MO0612: the configuration cannot be used:\n    " + file +
                               ":1: \"match_kind\" is \"scop\""));
  write_text(file, "[{\"id\": \"no_such_id\", \"match_kind\": \"general\"}]");
  o = convert_with("--transformations_config");
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("no plugin has a transformation \"no_such_id\""));
  EXPECT_FALSE(fs::exists(folder / "out/m.xml"));
}

TEST_F(Config, InstancesThatDoNotMatchAreWarnings) {
  write_text(file, R"([{"id": "a", "match_kind": "scope", "op": "Old", "instances": ["relu9_node"]}])");
  const Outcome o = convert_with("--transformations_config");
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(
      o.err, HasSubstr("\"a\" is not applied to scope 'relu9_node': no node has a name that begins with it"));
}

TEST_F(Config, ExplainConfig) {
  Outcome o = explain();
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("scope 'copy': 1 node\n"));
  EXPECT_THAT(o.out, HasSubstr("input 0: output 0 of 'sum' (Add), read by input 0 of 'copy' (Copy)"));
  write_text(file, R"([{"id": "a", "match_kind": "scope", "op": "Old", "instances": ["copy", "relu9"]}])");
  o = explain();
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, HasSubstr("scope 'relu9': no match"));
  EXPECT_THAT(o.err, HasSubstr("error MO0617: 1 of 2 instances of the configuration do not match"));
  o = run({"explain-config", model, "--extensions", toy});
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("--transformations_config"));
}

}  // namespace
}  // namespace mo::test
