// What is said of the first release of each operation is what was measured: tests/conformance/runtimes/releases
// asks the wheels of OpenVINO, and writes what they answer into operations.tsv.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/registry/opsets.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

using Measured = std::map<std::pair<std::string, std::string>, std::string>;

// Names as the headers have them, where IRs have others.
std::string in_ir(const std::string& name) {
  static const std::map<std::string, std::string> others{
      {"Relu", "ReLU"}, {"PRelu", "PReLU"}, {"Softmax", "SoftMax"}};
  const auto found = others.find(name);
  return found == others.end() ? name : found->second;
}

// The headers have them in the first set, releases in the third.
std::string in_set(const std::string& op, const std::string& opset) {
  return opset == "opset1" && (op == "RNNCell" || op == "ShuffleChannels") ? "opset3" : opset;
}

Measured measured() {
  std::ifstream in(std::string(MO_SOURCE_DIR) + "/tests/conformance/runtimes/operations.tsv");
  Measured all;
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string opset, op, release;
    words >> opset >> op >> release;
    all[{in_ir(op), in_set(op, opset)}] = release;
  }
  // The newest headers have no more of it; releases read it.
  all[{"LSTMSequence", "opset1"}] = "2021.4";
  return all;
}

TEST(Releases, OfOperationsAreAsMeasured) {
  core::Session session{core::host_table()};
  load_only(session, {builtin("opset")});
  Measured all = measured();
  EXPECT_GT(all.size(), 200U);
  size_t compared = 0;
  for (const core::Operation* o : session.registry().operations()) {
    const auto found = all.find({o->op, o->opset});
    if (found == all.end()) {
      ADD_FAILURE() << o->opset << "::" << o->op << " is in no release that was asked";
      continue;
    }
    ++compared;
    // The first release that was asked is the oldest that is known.
    EXPECT_EQ(first_release_of(session.registry(), *o), found->second) << o->opset << "::" << o->op;
    all.erase(found);
  }
  for (const auto& [operation, release] : all)
    ADD_FAILURE() << operation.second << "::" << operation.first << " is in " << release
                  << ", and nobody defines it";
  EXPECT_GT(compared, 200U);
}

}  // namespace
}  // namespace mo::test
