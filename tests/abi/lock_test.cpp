// Lock files: what is written down, and that nothing else is loaded.
#include "core/host/lock.hpp"

#include <gmock/gmock.h>

#include "core/host/digest.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::HasSubstr;

Lock lock_folder(const TemporaryFolder& folder) {
  const std::string path = folder.path().string();
  const Lock lock = make_lock(path, discover(path, {.any_owner = true}).plugins);
  folder.add_text(to_json(lock), "mo-host.lock");
  return lock;
}

// "" or code and message; `named` or searched.
std::string load_locked(const std::string& path, bool named = true) {
  Session session;
  LoadRequest request;
  (named ? request.named : request.searched) = {path};
  request.locked = true;
  try {
    (void)load_plugins(session, request);
    return "";
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::plugin);
    EXPECT_THAT(f.context_of("hint"), HasSubstr("mo-host plugin lock "));
    return f.code() + " " + f.message();
  }
}

TEST(Lock, SaysFilesDigestsAndIds) {
  const TemporaryFolder folder;
  const std::string b = folder.add_zoo("twin_b", "ops/b.mo.so").string();
  const std::string a = folder.add_zoo("toy", "a.mo.so").string();
  const Lock lock = lock_folder(folder);
  ASSERT_EQ(lock.plugins.size(), 2U);
  EXPECT_EQ(lock.plugins[0].file, "a.mo.so");
  EXPECT_EQ(lock.plugins[0].digest, file_digest(a));
  EXPECT_EQ(lock.plugins[0].id, "org.example.toy");
  EXPECT_EQ(lock.plugins[1].file, "ops/b.mo.so");
  EXPECT_EQ(lock.plugins[1].digest, file_digest(b));
  EXPECT_EQ(to_json(read_lock(folder.path().string())), to_json(lock));
}

TEST(Lock, WhatIsLockedLoads) {
  const TemporaryFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  folder.add_zoo("vendor_relu", "front/f/b.mo.so");
  lock_folder(folder);
  EXPECT_EQ(load_locked(folder.path().string()), "");
  EXPECT_EQ(load_locked(folder.path().string(), false), "");
  EXPECT_EQ(load_locked(a), "");
}

TEST(Lock, OtherPluginsAreRefused) {
  const TemporaryFolder folder;
  folder.add_zoo("twin_a", "a.mo.so");
  lock_folder(folder);
  const std::string b = folder.add_zoo("toy", "b.mo.so").string();
  for (const bool named : {true, false})
    EXPECT_THAT(load_locked(folder.path().string(), named),
                AllOf(HasSubstr("MOX-121"), HasSubstr("'b.mo.so'"), HasSubstr(file_digest(b))));
  EXPECT_THAT(load_locked(b), HasSubstr("MOX-121"));
}

TEST(Lock, ChangedPluginsAreRefused) {
  const TemporaryFolder folder;
  const std::string a = folder.add_zoo("toy", "a.mo.so").string();
  const std::string before = file_digest(a);
  lock_folder(folder);
  std::ofstream(a, std::ios::app) << "more";
  EXPECT_THAT(load_locked(folder.path().string()),
              AllOf(HasSubstr("MOX-122"), HasSubstr(before), HasSubstr(file_digest(a)),
                    HasSubstr("org.example.toy 1.0.0")));
  std::filesystem::remove(a);
  folder.add_zoo("twin_a", "a.mo.so");
  EXPECT_THAT(load_locked(folder.path().string()), HasSubstr("MOX-122"));
}

TEST(Lock, AFolderWithoutALockFileIsRefused) {
  const TemporaryFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  EXPECT_THAT(load_locked(folder.path().string()), HasSubstr("MOX-123"));
  EXPECT_THAT(load_locked(folder.path().string(), false), HasSubstr("MOX-123"));
  EXPECT_THAT(load_locked(a), HasSubstr("MOX-123"));
}

TEST(Lock, FormIsChecked) {
  const TemporaryFolder folder;
  folder.add_zoo("twin_a", "a.mo.so");
  const std::string good = to_json(lock_folder(folder));
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"),
        std::string("{\"mo_lock\": 2}"), std::string("{\"mo_lock\": 1}"),
        std::string("{\"mo_lock\": 1, \"plugins\": 3}"), std::string("{\"mo_lock\": 1, \"plugins\": [3]}"),
        std::string("{\"mo_lock\": 1, \"plugins\": [{\"file\": 3}]}"), std::string("{\"mo_lock\": \"1\"}"),
        std::string(100000, '['), std::string("\xff\xfe"), good.substr(0, good.size() / 2)}) {
    folder.add_text(bad, "mo-host.lock");
    EXPECT_THAT(load_locked(folder.path().string()), HasSubstr("MOX-123 ")) << bad.substr(0, 60);
  }
}

TEST(Lock, WithoutTheOptionNobodyAsks) {
  const TemporaryFolder folder;
  const std::string a = folder.add_zoo("twin_a", "a.mo.so").string();
  folder.add_text("nonsense", "mo-host.lock");
  Session session;
  EXPECT_FALSE(failure_of(session, a).has_value());
}

}  // namespace

}  // namespace mo::core
