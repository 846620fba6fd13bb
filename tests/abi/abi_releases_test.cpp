// Today's host as one of a released ABI, and as one that is older than any.
#include "apps/audit/abi_releases.hpp"
#include "core/host/host_tables.hpp"

#include <gmock/gmock.h>

#include <cstddef>

#include "../support/test_plugin.hpp"
#include "zoo_session.hpp"

namespace mo::core {
namespace {

using testing::HasSubstr;

void register_nothing(mo::Registry& r) { r.option("abi_releases_option", MO_OPTION_FLAG, "does nothing"); }

TEST(AbiReleases, AreFoundByTheirNames) {
  ASSERT_NE(app::find_abi_release("1.0"), nullptr);
  EXPECT_EQ(app::find_abi_release("1.0"), app::find_abi_release("1.0-rc3"));
  EXPECT_EQ(app::find_abi_release("1.0"), &app::abi_releases().front());
  for (const char* none : {"", "1", "0.3", "1.00", "1.7", "2.0", "rc", "1.0-rc", "1.0-rc1"})
    EXPECT_EQ(app::find_abi_release(none), nullptr) << none;
}

TEST(AbiReleases, TheFirstHasTheSizesThatWereFrozen) {
  const app::AbiRelease& r = app::abi_releases().front();
  EXPECT_EQ(r.minor, 0U);
  EXPECT_EQ(r.host, 192U);
  EXPECT_THAT(r.parts, testing::ElementsAre(480U, 80U, 48U, 64U, 144U, 72U));
}

TEST(AbiReleases, APluginRunsOnTheFirst) {
  Session session{host_table()};
  session.offer(*app::host_of(app::abi_releases().front()));
  load_zoo(session, "target_1_0");
  EXPECT_NE(session.registry().operation("FromTheFirst", "org.example.zoo"), nullptr);
}

// A host that has less than today's: what is not offered is not there.
TEST(AbiReleases, TablesEndWhereTheReleaseSays) {
  static const app::AbiRelease older{
      0,
      false,
      sizeof(mo_host),
      {offsetof(mo_graph_api, defining_opset), sizeof(mo_tensor_api), sizeof(mo_file_api),
       offsetof(mo_infer_api, evaluate_graph), sizeof(mo_rewrite_api), sizeof(mo_registry_api)}};
  const mo_host* host = host_of(older);
  EXPECT_FALSE(MO_HAS(host->graph, defining_opset));
  EXPECT_FALSE(MO_HAS(host->infer, evaluate_graph));
  EXPECT_TRUE(MO_HAS(host->graph, native_key));
  EXPECT_TRUE(MO_HAS(host->infer, add_ir_attr));
  EXPECT_EQ(host, host_of(older));
  Session session{host_table()};
  session.offer(*host);
  EXPECT_EQ(test::load_test_plugin<register_nothing>(session).options, 1U);
}

TEST(AbiReleases, APluginThatNeedsMoreIsRefused) {
  Session session{host_table()};
  session.offer(*app::host_of(app::abi_releases().front()));
  const auto f = failure_of(session, test::zoo("newer_minor"));
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->code(), "MOX-022");
  EXPECT_THAT(f->render(), HasSubstr("ABI 1.0"));
}

}  // namespace
}  // namespace mo::core
