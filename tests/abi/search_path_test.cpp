#include "apps/known_plugins/search_path.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::ElementsAre;

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (old_)
      setenv(name_, old_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(SearchPath, EnvironmentThenUserThenInstalled) {
  const ZooFolder f;
  const std::string root = f.path().string();
  std::filesystem::create_directories(f.path() / "data/mo-host/extensions");
  std::filesystem::create_directories(f.path() / "prefix/lib/mo-host/extensions");
  const Variable listed("MO_EXTENSIONS_PATH", root + "/one::" + root + "/two/../three");
  const Variable data("XDG_DATA_HOME", root + "/data");
  const app::SearchPath path = app::default_search_path(root + "/prefix/bin/mo-host");
  EXPECT_EQ(path.built_in, root + "/prefix/lib/mo-host/plugins");
  EXPECT_THAT(path.searched, ElementsAre(root + "/one", root + "/three", root + "/data/mo-host/extensions",
                                         root + "/prefix/lib/mo-host/extensions"));
  EXPECT_EQ(path.note, "");
}

TEST(SearchPath, FoldersThatAreNotThereAreNotSearchedUnlessListed) {
  const ZooFolder f;
  const Variable listed("MO_EXTENSIONS_PATH", "/nowhere/extensions");
  const Variable data("XDG_DATA_HOME", f.path().string());
  EXPECT_THAT(app::default_search_path((f.path() / "bin/mo-host").string()).searched,
              ElementsAre("/nowhere/extensions"));
}

TEST(SearchPathDeathTest, PrivilegedRunsReadNoEnvironment) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become someone else";
  const ZooFolder f;
  std::filesystem::create_directories(f.path() / "data/mo-host/extensions");
  EXPECT_EXIT(
      {
        const Variable listed("MO_EXTENSIONS_PATH", f.path().string());
        const Variable data("XDG_DATA_HOME", (f.path() / "data").string());
        if (seteuid(65534) != 0) std::exit(1);  // as a set-user-id program is
        const app::SearchPath path = app::default_search_path("/nowhere/bin/mo-host");
        std::fputs(path.note.c_str(), stderr);
        std::_Exit(path.searched.empty()
                       ? 0
                       : 2);  // no exit handlers: LeakSanitizer's needs the first user's rights
      },
      testing::ExitedWithCode(0), "MO_EXTENSIONS_PATH .* privileged run");
}

// A hard link of a set-user-id program lies beside whatever its maker puts there, and is started with any
// options.
class PrivilegedRunDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can become someone else";
    std::filesystem::create_directory(plugins);
    std::filesystem::copy(test::zoo("twin_a"), plugins / "planted.mo.so");
    ASSERT_EQ(chmod(f.path().c_str(), 0755), 0);
    ASSERT_EQ(chmod(plugins.c_str(), 0755), 0);
  }
  void give(const std::filesystem::path& path) { ASSERT_EQ(chown(path.c_str(), 65533, 65533), 0); }
  // Ends the process: 0 and 2 for what was loaded, 3 with the message.
  static void load_as_privileged(const app::LoadRequest& request) {
    if (seteuid(65534) != 0) std::exit(1);
    try {
      Session privileged{host_table()};
      std::_Exit(load_plugins(privileged, request).loaded.empty() ? 0 : 2);
    } catch (const Failure& failure) {
      std::fputs(failure.render().c_str(), stderr);
    }
    std::_Exit(3);
  }

  const ZooFolder f;
  const std::filesystem::path plugins = f.path() / "plugins";
};

TEST_F(PrivilegedRunDeathTest, LoadsNothingOfOtherUsers) {
  for (const auto& path : {plugins, plugins / "planted.mo.so"}) give(path);
  app::LoadRequest beside, named, folder;
  beside.built_in = plugins.string();
  named.named = {(plugins / "planted.mo.so").string()};
  folder.named = {plugins.string()};
  for (app::LoadRequest& request : std::array{beside, named, folder})
    for (const bool any_folder : {false, true}) {
      request.allow_writable_folders = any_folder;
      Session session{host_table()};
      EXPECT_EQ(load_plugins(session, request).loaded.size(), 1U);
      EXPECT_EXIT(load_as_privileged(request), testing::ExitedWithCode(3),
                  "belongs to another user .id 65533.*whatever options say: a privileged run");
    }
}

TEST_F(PrivilegedRunDeathTest, LoadsNothingThatAnotherUserCouldReplace) {
  give(f.path());
  app::LoadRequest request;
  request.built_in = plugins.string();
  EXPECT_EXIT(load_as_privileged(request), testing::ExitedWithCode(3),
              "another user .id 65533. may replace what is in");
}

}  // namespace

}  // namespace mo::core
