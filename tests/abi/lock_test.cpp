// Lock files: what is written down, and that nothing else is loaded.
#include "apps/known_plugins/lock.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "core/host/host_tables.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "apps/known_plugins/sha256.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string sha256_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  app::Sha256 hash;
  hash.add(std::string(std::istreambuf_iterator<char>(file), {}));
  return hash.hex();
}

app::Lock lock_folder(const ZooFolder& folder) {
  const std::string path = folder.path().string();
  const app::Lock lock = app::make_lock(path, app::discover(path, {.any_owner = true}).plugins);
  folder.add_text(to_json(lock), "mo-host.lock");
  return lock;
}

// "" or code and message; `named` or searched.
std::string load_locked(const std::string& path, bool named = true) {
  Session session{host_table()};
  app::CarefulRequest request;
  (named ? request.named : request.searched) = {path};
  request.locked = true;
  try {
    (void)load_carefully(session, request);
    return "";
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::plugin);
    EXPECT_THAT(f.context_of("hint"), HasSubstr("mo-host plugin lock "));
    return f.code() + " " + f.message();
  }
}

TEST(Lock, SaysFilesDigestsAndIds) {
  const ZooFolder folder;
  const std::string b = folder.add_zoo("twin_b", "ops/b.mo.so").string();
  const std::string a = folder.add_zoo("toy", "a.mo.so").string();
  const app::Lock lock = lock_folder(folder);
  ASSERT_EQ(lock.plugins.size(), 2U);
  EXPECT_EQ(lock.plugins[0].file, "a.mo.so");
  EXPECT_EQ(lock.plugins[0].digest, sha256_of(a));
  EXPECT_EQ(lock.plugins[0].id, "org.example.toy");
  EXPECT_EQ(lock.plugins[1].file, "ops/b.mo.so");
  EXPECT_EQ(lock.plugins[1].digest, sha256_of(b));
  EXPECT_EQ(app::to_json(app::read_lock(folder.path().string())), to_json(lock));
}

TEST(Lock, WhatIsLockedLoads) {
  const ZooFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  folder.add_zoo("vendor_relu", "front/f/b.mo.so");
  lock_folder(folder);
  EXPECT_EQ(load_locked(folder.path().string()), "");
  EXPECT_EQ(load_locked(folder.path().string(), false), "");
  EXPECT_EQ(load_locked(a), "");
}

TEST(Lock, OtherPluginsAreRefused) {
  const ZooFolder folder;
  folder.add_zoo("twin_a", "a.mo.so");
  lock_folder(folder);
  const std::string b = folder.add_zoo("toy", "b.mo.so").string();
  for (const bool named : {true, false})
    EXPECT_THAT(load_locked(folder.path().string(), named),
                AllOf(HasSubstr("MOX-121"), HasSubstr("'b.mo.so'"), HasSubstr(sha256_of(b))));
  EXPECT_THAT(load_locked(b), HasSubstr("MOX-121"));
}

TEST(Lock, ChangedPluginsAreRefused) {
  const ZooFolder folder;
  const std::string a = folder.add_zoo("toy", "a.mo.so").string();
  const std::string before = sha256_of(a);
  lock_folder(folder);
  std::ofstream(a, std::ios::app) << "more";
  EXPECT_THAT(load_locked(folder.path().string()),
              AllOf(HasSubstr("MOX-122"), HasSubstr(before), HasSubstr(sha256_of(a)),
                    HasSubstr("org.example.toy 1.0.0")));
  std::filesystem::remove(a);
  folder.add_zoo("twin_a", "a.mo.so");
  EXPECT_THAT(load_locked(folder.path().string()), HasSubstr("MOX-122"));
}

TEST(Lock, AFolderWithoutALockFileIsRefused) {
  const ZooFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  EXPECT_THAT(load_locked(folder.path().string()), HasSubstr("MOX-123"));
  EXPECT_THAT(load_locked(folder.path().string(), false), HasSubstr("MOX-123"));
  EXPECT_THAT(load_locked(a), HasSubstr("MOX-123"));
}

TEST(Lock, FormIsChecked) {
  const ZooFolder folder;
  folder.add_zoo("twin_a", "a.mo.so");
  const std::string good = to_json(lock_folder(folder));
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"),
        std::string("{\"mo_lock\": 1}"), std::string("{\"mo_lock\": 2}"),
        std::string("{\"mo_lock\": 2, \"plugins\": 3}"), std::string("{\"mo_lock\": 2, \"plugins\": [3]}"),
        std::string("{\"mo_lock\": 2, \"plugins\": [{\"file\": 3}]}"), std::string("{\"mo_lock\": \"1\"}"),
        std::string(100000, '['), std::string("\xff\xfe"), good.substr(0, good.size() / 2)}) {
    folder.add_text(bad, "mo-host.lock");
    EXPECT_THAT(load_locked(folder.path().string()), HasSubstr("MOX-123 ")) << bad.substr(0, 60);
  }
}

// Whoever wins the race between the digest and the loading of the file has not put in a file of their own.
TEST(Lock, WhatTakesTheFilesPlaceLaterIsNotLoaded) {
  const ZooFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  const app::Lock lock = lock_folder(folder);
  FoundPlugin found = app::discover(folder.path().string(), {.any_owner = true}).plugins.at(0);
  check_locked(lock, folder.path().string(), found);
  const std::string digest = sha256_of(a);
  std::filesystem::rename(folder.add_zoo("toy", "other"), a);
  EXPECT_NE(sha256_of(a), digest);
  EXPECT_EQ(sha256_of(found.library()), digest);
  const mo_plugin* plugin = open_plugin(found)();
  EXPECT_EQ(std::string(plugin->id.data, plugin->id.size), "org.example.zoo.twin-a");
  FoundPlugin late = found;
  EXPECT_THROW(check_locked(lock, folder.path().string(), late), Failure) << "before the digest";
}

// The system takes a library for one that it knows when it is asked for by the same name.
TEST(Lock, OneAfterTheOtherIsNotTheSame) {
  for (const auto& [stem, id] :
       {std::pair("twin_a", "org.example.zoo.twin-a"), std::pair("toy", "org.example.toy"),
        std::pair("twin_b", "org.example.zoo.twin-b")}) {
    const ZooFolder folder;
    folder.add_zoo(stem, "a.mo.so");
    const app::Lock lock = lock_folder(folder);
    FoundPlugin found = app::discover(folder.path().string(), {.any_owner = true}).plugins.at(0);
    check_locked(lock, folder.path().string(), found);
    const mo_plugin* plugin = open_plugin(found)();
    EXPECT_EQ(std::string(plugin->id.data, plugin->id.size), id);
  }
}

TEST(Lock, FilesThatOthersCanWriteAreRefused) {
  const ZooFolder folder;
  const std::string path = folder.path().string(), file = app::lock_path(path);
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  lock_folder(folder);
  ASSERT_EQ(chmod(file.c_str(), 0666), 0);
  EXPECT_THAT(load_locked(path), AllOf(HasSubstr("MOX-123"), HasSubstr("everyone may write to")));
  ASSERT_EQ(chmod(file.c_str(), 0644), 0);
  EXPECT_EQ(load_locked(path), "");
  if (geteuid() != 0) return;  // only root gives files away
  constexpr uid_t somebody = 12345;
  ASSERT_EQ(chown(file.c_str(), somebody, 0), 0);
  EXPECT_THAT(load_locked(path),
              AllOf(HasSubstr("MOX-123"), HasSubstr("belongs to another user (id 12345)")));
  ASSERT_EQ(chown(file.c_str(), 0, 0), 0);
  ASSERT_EQ(chown(a.c_str(), somebody, 0), 0);
  // Root does not run what others own, locked or not.
  for (const bool locked : {true, false}) {
    Session session{host_table()};
    app::CarefulRequest request;
    request.named = {path};
    request.locked = locked;
    try {
      (void)load_carefully(session, request);
      ADD_FAILURE() << locked;
    } catch (const Failure& f) {
      EXPECT_THAT(f.message(), HasSubstr("belongs to another user (id 12345)")) << locked;
    }
  }
}

TEST(Lock, WithoutTheOptionNobodyAsks) {
  const ZooFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  folder.add_text("nonsense", "mo-host.lock");
  Session session{host_table()};
  EXPECT_FALSE(failure_of(session, a).has_value());
}

// What a plugin brings along is code that runs, too.
TEST(Lock, LibrariesOfAPluginAreLockedWithIt) {
  const ZooFolder folder;
  const std::string path = folder.path().string();
  const auto build = [&](const std::string& arguments) {
    const std::string include =
        "-I'" MO_SOURCE_DIR "/plugin_api/include' -I'" MO_SOURCE_DIR "/tests/abi/zoo' ";
    ASSERT_EQ(std::system(("cd '" + path + "' && cc -shared -fPIC " + include + arguments).c_str()), 0);
  };
  folder.add_text("int zoo_help(void) { return 1; }", "help.c");
  folder.add_text(
      "#include \"zoo.h\"\nint zoo_help(void);\nstatic mo_status load(mo_context* c) {\n"
      "  return zoo_help() == 1 ? zoo_register_operation(c, \"Linked\", \"org.example.zoo\") : MO_ERROR;\n}\n"
      "ZOO_PLUGIN(\"linked\", load)\n",
      "plugin.c");
  build("help.c -o libzoo_help.so");
  build("plugin.c -L. -lzoo_help '-Wl,-rpath,$ORIGIN' -o linked.mo.so");
  const app::Lock lock = lock_folder(folder);
  ASSERT_EQ(lock.plugins.size(), 1U);
  ASSERT_EQ(lock.plugins[0].libraries.size(), 1U);
  EXPECT_EQ(lock.plugins[0].libraries[0].file, "libzoo_help.so");
  EXPECT_EQ(lock.plugins[0].libraries[0].digest, sha256_of(path + "/libzoo_help.so"));
  EXPECT_EQ(load_locked(path), "");
  folder.add_text("int zoo_help(void) { return 1; } int more;", "help.c");
  build("help.c -o libzoo_help.so");
  EXPECT_THAT(load_locked(path),
              AllOf(HasSubstr("MOX-122"), HasSubstr("'linked.mo.so' brings 'libzoo_help.so' along"),
                    HasSubstr("is not the file that was locked")));
}

}  // namespace

}  // namespace mo::core
