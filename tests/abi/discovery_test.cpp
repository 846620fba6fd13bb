// Which files are looked at, in which order, and for which framework.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/plugin_search/discovery.hpp"
#include "core/host/host_tables.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::string> names(const Discovery& d, const fs::path& below) {
  std::vector<std::string> list;
  for (const FoundPlugin& p : d.plugins)
    list.push_back(fs::path(p.path).lexically_relative(below).string() +
                   (p.framework.empty() ? "" : " for " + p.framework));
  return list;
}

LoadReport load_named(Session& session, const std::vector<fs::path>& paths, bool allow = false) {
  app::CarefulRequest request;
  for (const auto& p : paths) request.named.push_back(p.string());
  request.allow_writable_folders = allow;
  return load_carefully(session, request);
}

Failure failure_of_folder(const fs::path& path) {
  Session session{host_table()};
  try {
    load_named(session, {path});
  } catch (const Failure& f) {
    return f;
  }
  return {Exit::ok, "", "it loads"};
}

TEST(Discovery, FlatAndLaidOut) {
  const ZooFolder f;
  for (const char* file : {"z.mo.so", "a.mo.so", "ops/o.mo.so", "front/f.mo.so", "front/some/x.mo.so",
                           "front/other/y.so", "middle/m.mo.so", "back/b.mo.so", "load/some/l.mo.so"})
    f.add_zoo("twin_a", file);
  f.add_zoo("twin_a", "elsewhere/e.mo.so");
  f.add_zoo("twin_a", "load/flat.mo.so");
  const Discovery d = app::discover(f.path().string(), {.any_owner = true});
  EXPECT_THAT(names(d, f.path()),
              ElementsAre("a.mo.so", "back/b.mo.so", "front/f.mo.so", "front/other/y.so for other",
                          "front/some/x.mo.so for some", "load/some/l.mo.so for some", "middle/m.mo.so",
                          "ops/o.mo.so", "z.mo.so"));
  EXPECT_THAT(d.refused, IsEmpty());
  EXPECT_THAT(d.skipped,
              ElementsAre(Pair((f.path() / "elsewhere/e.mo.so").string(), HasSubstr("not searched")),
                          Pair((f.path() / "load/flat.mo.so").string(), HasSubstr("not searched"))));
}

TEST(Discovery, PluginsHelpersAndOtherFiles) {
  const ZooFolder f;
  f.add_zoo("twin_a", "plain_suffix.so");
  f.add_zoo("no_entry", "libhelper.so");
  f.add_zoo("no_entry", "promised.mo.so");
  f.add_text("not a library", "broken.mo.so");
  f.add_text("INPUT(libc.so.6)", "script.so");
  f.add_text("", "empty.mo.so");
  f.add_text("hello", "README.txt");
  f.add_zoo("twin_a", "libother.so.1");
  const Discovery d = app::discover(f.path().string(), {.any_owner = true});
  EXPECT_THAT(names(d, f.path()), ElementsAre("plain_suffix.so"));
  ASSERT_EQ(d.refused.size(), 3U);
  EXPECT_THAT(d.refused[0].first, HasSubstr("broken.mo.so"));
  EXPECT_THAT(d.refused[0].second.render(), AllOf(HasSubstr("MOX-004"), HasSubstr("is not an ELF file")));
  EXPECT_THAT(d.refused[1].second.render(), AllOf(HasSubstr("MOX-004"), HasSubstr("is empty")));
  EXPECT_THAT(d.refused[2].second.render(), AllOf(HasSubstr("MOX-003"), HasSubstr("mo_plugin_entry")));
  EXPECT_THAT(d.skipped, ElementsAre(Pair(HasSubstr("libhelper.so"), HasSubstr("helper library")),
                                     Pair(HasSubstr("script.so"), HasSubstr("is not an ELF file"))));
}

TEST(Discovery, FilesOfAnotherKindStandForThePluginThatLoadsThem) {
  const ZooFolder f;
  f.add_text("x", "ext/back/b.old");
  f.add_text("x", "ext/ops/a.old");
  f.add_text("x", "ext/ops/a.other");
  const std::string loader = f.add_zoo("twin_a", "loaders/old.mo.so");
  const core::Discovery d = app::discover(f.path() / "ext", {.loaders = f.path() / "loaders"});
  ASSERT_EQ(d.plugins.size(), 1U);
  EXPECT_EQ(d.plugins[0].path, loader);
  EXPECT_EQ(d.plugins[0].folder, f.path() / "ext");
  EXPECT_THAT(d.refused, IsEmpty());
  EXPECT_THAT(app::discover(f.path() / "ext", {}).plugins, IsEmpty());
}

TEST(Discovery, FoldersWithoutPluginsTellWhatWasSeen) {
  const ZooFolder f;
  fs::create_directories(f.path() / "empty");
  EXPECT_THAT(failure_of_folder(f.path() / "empty").render(),
              AllOf(HasSubstr("MOX-008"), HasSubstr("no file whose name ends in .so")));
  f.add_zoo("no_entry", "some/libhelper.so");
  EXPECT_THAT(failure_of_folder(f.path() / "some").render(),
              AllOf(HasSubstr("MOX-008"), HasSubstr("libhelper.so: a helper library")));
  EXPECT_THAT(
      failure_of_folder(f.path() / "nowhere").render(),
      AllOf(HasSubstr("MOX-001"), HasSubstr("No such file"), HasSubstr((f.path() / "nowhere").string())));
  EXPECT_THAT(failure_of_folder(f.add_zoo("no_entry", "lib.so")).code(), "MOX-003");
}

TEST(Discovery, PathsAreResolvedOnce) {
  const ZooFolder f;
  f.add_zoo("twin_a", "ext/a.mo.so");
  const fs::path before = fs::current_path();
  fs::current_path(f.path());
  Session session{host_table()};
  const LoadReport report = load_named(session, {"./ext/../ext"});
  fs::current_path(before);
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0]->path, (f.path() / "ext/a.mo.so").string());
}

TEST(Discovery, OneFileUnderManyNamesLoadsOnce) {
  const ZooFolder f;
  f.add_zoo("twin_a", "real.mo.so");
  fs::create_symlink("real.mo.so", f.path() / "link.mo.so");
  fs::create_hard_link(f.path() / "real.mo.so", f.path() / "second.mo.so");
  fs::create_directory_symlink(f.path(), f.path() / "ops");
  Session session{host_table()};
  const LoadReport report = load_named(session, {f.path(), f.path() / "real.mo.so", f.path()});
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0]->path, (f.path() / "link.mo.so").string());
  for (const SkippedFile& s : report.skipped) {
    EXPECT_FALSE(s.refused);
    EXPECT_THAT(s.reason, HasSubstr("the same file as " + (f.path() / "link.mo.so").string()));
  }
}

TEST(Discovery, LinksAreFollowedAndTheirTargetIsWhatCounts) {
  const ZooFolder f;
  f.add_zoo("twin_a", "store/hash-1234.so");
  fs::create_directories(f.path() / "ext");
  fs::create_symlink("../store/hash-1234.so", f.path() / "ext/vendor.mo.so");
  const Discovery d = app::discover((f.path() / "ext").string(), {});
  ASSERT_EQ(d.plugins.size(), 1U);
  EXPECT_EQ(d.plugins[0].canonical, (f.path() / "store/hash-1234.so").string());

  fs::permissions(f.path() / "store/hash-1234.so", fs::perms::others_write, fs::perm_options::add);
  const Discovery unsafe = app::discover((f.path() / "ext").string(), {});
  EXPECT_THAT(unsafe.plugins, IsEmpty());
  ASSERT_EQ(unsafe.refused.size(), 1U);
  EXPECT_EQ(unsafe.refused[0].second.code(), "MOX-002");

  fs::create_symlink("gone.so", f.path() / "ext/dangling.mo.so");
  const Failure failure = failure_of_folder(f.path() / "ext");
  EXPECT_THAT(failure.render(), AllOf(HasSubstr("dangling.mo.so"), HasSubstr("leads nowhere: gone.so")));
}

TEST(Discovery, FoldersThatOthersCanWriteToAreRefused) {
  const ZooFolder f;
  f.add_zoo("twin_a", "ext/a.mo.so");
  const fs::path ext = f.path() / "ext";

  fs::permissions(ext, fs::perms(0777));
  EXPECT_THAT(failure_of_folder(ext).render(),
              AllOf(HasSubstr("MOX-002"), HasSubstr("everyone may write to"), HasSubstr("chmod go-w")));
  // Sticky keeps others from replacing files, not from adding some.
  fs::permissions(ext, fs::perms(01777));
  EXPECT_EQ(failure_of_folder(ext).code(), "MOX-002");
  Session forced{host_table()};
  EXPECT_EQ(load_named(forced, {ext}, true).loaded.size(), 1U);
  // Naming the file does not help when its folder is open.
  EXPECT_EQ(failure_of_folder(ext / "a.mo.so").code(), "MOX-002");

  fs::permissions(ext, fs::perms(0755));
  fs::permissions(f.path(), fs::perms(0777));
  EXPECT_THAT(failure_of_folder(ext).message(), HasSubstr("everyone may replace what is in"));
  fs::permissions(f.path(), fs::perms(01777));
  Session session{host_table()};
  EXPECT_EQ(load_named(session, {ext}).loaded.size(), 1U);
}

TEST(Discovery, GroupsCountUnlessTheyAreTheUsers) {
  const ZooFolder f;
  f.add_zoo("twin_a", "ext/a.mo.so");
  const fs::path ext = f.path() / "ext";
  fs::permissions(ext, fs::perms(0775));
  if (geteuid() == 0) {
    Session session{host_table()};
    EXPECT_EQ(load_named(session, {ext}).loaded.size(), 1U) << "root's own group";
    ASSERT_EQ(chown(ext.c_str(), 0, 12345), 0);
    EXPECT_THAT(failure_of_folder(ext).message(), HasSubstr("a group (id 12345) may write to"));
  }
}

TEST(Discovery, FoldersOfStrangersAreNotSearchedUnasked) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const ZooFolder f;
  f.add_zoo("twin_a", "ext/a.mo.so");
  ASSERT_EQ(chown((f.path() / "ext").c_str(), 4711, 4711), 0);
  app::CarefulRequest request;
  request.searched = {(f.path() / "ext").string()};
  Session searching{host_table()};
  const LoadReport report = load_carefully(searching, request);
  EXPECT_THAT(report.loaded, IsEmpty());
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_THAT(report.skipped[0].reason,
              AllOf(HasSubstr("MOX-002"), HasSubstr("belongs to another user (id 4711)")));
  // Root is not who they are for, even when the folder is named.
  EXPECT_THAT(failure_of_folder(f.path() / "ext").message(), HasSubstr("belongs to another user (id 4711)"));
  Session naming{host_table()};
  EXPECT_EQ(load_named(naming, {f.path() / "ext"}, true).loaded.size(), 1U);
}

TEST(Discovery, NamedComesBeforeSearched) {
  const ZooFolder f;
  f.add_zoo("twin_a", "mine/a.mo.so");
  f.add_zoo("twin_a", "installed/older.mo.so");
  app::CarefulRequest request;
  request.named = {(f.path() / "mine").string()};
  request.searched = {(f.path() / "installed").string()};
  Session session{host_table()};
  const LoadReport report = load_carefully(session, request);
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_THAT(report.loaded[0]->path, HasSubstr("mine/a.mo.so"));
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_THAT(report.skipped[0].reason,
              AllOf(HasSubstr("MOX-024"), HasSubstr("org.example.zoo.twin-a"), HasSubstr("mine/a.mo.so")));
}

}  // namespace

}  // namespace mo::core
