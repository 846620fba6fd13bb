#include "apps/known_plugins/search_path.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

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
  const TemporaryFolder f;
  const std::string root = f.path().string();
  std::filesystem::create_directories(f.path() / "data/mo-host/extensions");
  std::filesystem::create_directories(f.path() / "prefix/lib/mo-host/extensions");
  const Variable listed("MO_EXTENSIONS_PATH", root + "/one::" + root + "/two/../three");
  const Variable data("XDG_DATA_HOME", root + "/data");
  const SearchPath path = default_search_path(root + "/prefix/bin/mo-host");
  EXPECT_EQ(path.built_in, root + "/prefix/lib/mo-host/plugins");
  EXPECT_THAT(path.searched, ElementsAre(root + "/one", root + "/three", root + "/data/mo-host/extensions",
                                         root + "/prefix/lib/mo-host/extensions"));
  EXPECT_EQ(path.note, "");
}

TEST(SearchPath, FoldersThatAreNotThereAreNotSearchedUnlessListed) {
  const TemporaryFolder f;
  const Variable listed("MO_EXTENSIONS_PATH", "/nowhere/extensions");
  const Variable data("XDG_DATA_HOME", f.path().string());
  EXPECT_THAT(default_search_path((f.path() / "bin/mo-host").string()).searched,
              ElementsAre("/nowhere/extensions"));
}

TEST(SearchPathDeathTest, PrivilegedRunsReadNoEnvironment) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become someone else";
  const TemporaryFolder f;
  std::filesystem::create_directories(f.path() / "data/mo-host/extensions");
  EXPECT_EXIT(
      {
        const Variable listed("MO_EXTENSIONS_PATH", f.path().string());
        const Variable data("XDG_DATA_HOME", (f.path() / "data").string());
        if (seteuid(65534) != 0) std::exit(1);  // as a set-user-id program is
        const SearchPath path = default_search_path("/nowhere/bin/mo-host");
        std::fputs(path.note.c_str(), stderr);
        std::_Exit(path.searched.empty()
                       ? 0
                       : 2);  // no exit handlers: LeakSanitizer's needs the first user's rights
      },
      testing::ExitedWithCode(0), "MO_EXTENSIONS_PATH .* privileged run");
}

// A hard link of a set-user-id program lies beside whatever its maker puts there.
TEST(SearchPathDeathTest, PrivilegedRunsLoadNothingOfOtherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become someone else";
  const TemporaryFolder f;
  std::filesystem::copy(test::zoo("twin_a"), f.path() / "planted.mo.so");
  for (const auto& path : {f.path(), f.path() / "planted.mo.so"})
    ASSERT_EQ(chown(path.c_str(), 65533, 65533), 0);
  ASSERT_EQ(chmod(f.path().c_str(), 0755), 0);
  LoadRequest request;
  request.built_in = f.path().string();
  Session session{host_table()};
  EXPECT_EQ(load_plugins(session, request).loaded.size(), 1U);
  EXPECT_EXIT(
      {
        if (seteuid(65534) != 0) std::exit(1);
        try {
          Session privileged{host_table()};
          std::_Exit(load_plugins(privileged, request).loaded.empty() ? 0 : 2);
        } catch (const Failure& failure) {
          std::fputs(failure.render().c_str(), stderr);
        }
        std::_Exit(3);
      },
      testing::ExitedWithCode(3), "belongs to another user .id 65533.");
}

}  // namespace

}  // namespace mo::core
