// The audit: what a plugin's file tells, and nothing of it is run.
#include "apps/audit/audit.hpp"

#include <gmock/gmock.h>
#include <link.h>

#include <cstring>

#include "apps/audit/abi_releases.hpp"
#include "apps/audit/system_libraries.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string seeds = test::seeds_plugin;

std::vector<std::string> faults_about(const app::Audit& a, const std::string& about) {
  std::vector<std::string> list;
  for (const app::AuditFinding& f : a.findings)
    if (f.is_fault && f.about == about) list.push_back(f.sentence);
  return list;
}

std::string library_named(const std::string& part) {
  std::pair<std::string, std::string> wanted{part, {}};
  (void)dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& [name, path] = *static_cast<std::pair<std::string, std::string>*>(data);
        if (std::strstr(info->dlpi_name, name.c_str()) != nullptr) path = info->dlpi_name;
        return 0;
      },
      &wanted);
  return wanted.second;
}

TEST(Audit, APluginOfMoAddPluginHasNoFaults) {
  const app::Audit a = app::audit_plugin(seeds);
  EXPECT_TRUE(a.is_library);
  ASSERT_FALSE(a.has_faults()) << a.findings.front().sentence;
  EXPECT_THAT(a.file.needed, Contains(testing::StartsWith("libc.so")));
  EXPECT_EQ(a.verdicts.size(), app::abi_releases().size());
  EXPECT_EQ(a.verdicts.back().abi, app::name_of(app::abi_releases().back()));
  EXPECT_TRUE(a.verdicts.back().loads);
}

TEST(Audit, ZooPluginsAreFoundOut) {
  EXPECT_THAT(faults_about(app::audit_plugin(test::zoo("missing_symbol")), "symbols"),
              ElementsAre(HasSubstr("_ZN6vendor9forgottenEPKc")));
  EXPECT_THAT(faults_about(app::audit_plugin(test::zoo("no_entry")), "exports"),
              Contains("MOX-003 it exports no function mo_plugin_entry"));
  // A variable of that name is no function.
  EXPECT_THAT(faults_about(app::audit_plugin(test::zoo("entry_is_data")), "exports"),
              Contains("MOX-003 it exports no function mo_plugin_entry"));
  EXPECT_THAT(faults_about(app::audit_plugin(test::zoo("same_name_a")), "exports"),
              ElementsAre(HasSubstr("zoo_shared_name")));
  const app::Audit no_note = app::audit_plugin(test::zoo("twin_a"));
  EXPECT_THAT(faults_about(no_note, "note"), ElementsAre(HasSubstr("there is no note of the ABI")));
  EXPECT_FALSE(no_note.verdicts.back().is_known);
  EXPECT_FALSE(no_note.verdicts.back().loads);
}

TEST(Audit, FilesThatAreNoLibrary) {
  const ZooFolder folder;
  const app::Audit a = app::audit_plugin(folder.add_text("text", "x.mo.so").string());
  EXPECT_FALSE(a.is_library);
  EXPECT_TRUE(a.has_faults());
  EXPECT_THAT(faults_about(a, "file"), ElementsAre("MOX-004 the file is not an ELF file"));
  EXPECT_TRUE(app::audit_plugin("/nowhere").has_faults());
}

// The numbers of the note, the way MO_PLUGIN_NOTE lays them out.
app::Audit with_note(const ZooFolder& folder, uint32_t major, uint32_t minor, uint32_t lowest,
                     uint32_t candidate = MO_ABI_CANDIDATE) {
  std::ifstream file(seeds, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const size_t owner = bytes.find(std::string("mo-host\0", 8));
  const uint32_t abi[] = {major, minor, lowest, candidate};
  std::memcpy(bytes.data() + owner + 8, abi, sizeof abi);
  return app::audit_plugin(folder.add_text(bytes, "changed.mo.so").string());
}

TEST(Audit, VerdictsFollowTheNote) {
  const ZooFolder folder;
  EXPECT_TRUE(with_note(folder, MO_ABI_MAJOR, MO_ABI_MINOR, 0).verdicts.front().loads);
  EXPECT_TRUE(with_note(folder, MO_ABI_MAJOR, MO_ABI_MINOR + 7, MO_ABI_MINOR).verdicts.back().loads);
  const app::Audit newer = with_note(folder, MO_ABI_MAJOR, MO_ABI_MINOR + 7, MO_ABI_MINOR + 1);
  EXPECT_FALSE(newer.verdicts.back().loads);
  EXPECT_THAT(newer.verdicts.back().why, HasSubstr("MOX-022 it needs ABI"));
  EXPECT_EQ(faults_about(newer, "abi").size(), 1U);
  const app::Audit other = with_note(folder, MO_ABI_MAJOR + 1, 0, 0);
  EXPECT_TRUE(other.verdicts.back().is_known);
  EXPECT_THAT(other.verdicts.back().why, HasSubstr("MOX-021"));
  const app::Audit earlier = with_note(folder, MO_ABI_MAJOR, MO_ABI_MINOR, 0, MO_ABI_CANDIDATE - 1);
  EXPECT_FALSE(earlier.verdicts.back().loads);
  EXPECT_THAT(earlier.verdicts.back().why, HasSubstr("MOX-021 ABI 1.0 was counted anew"));
}

TEST(Audit, NumbersOfVersions) {
  EXPECT_TRUE(app::is_older_version("2.4", "2.34"));
  EXPECT_TRUE(app::is_older_version("2.2.5", "2.3"));
  EXPECT_TRUE(app::is_older_version("3.4", "3.4.1"));
  EXPECT_FALSE(app::is_older_version("3.4.1", "3.4"));
  EXPECT_FALSE(app::is_older_version("2.34", "2.34"));
  EXPECT_FALSE(app::is_older_version("2.34", "2.4"));
}

TEST(Audit, TheFloorIsTheHighestVersionOfEachFamily) {
  app::ElfFile f;
  f.versions = {{"libc.so.6", "GLIBC_2.14"},       {"libc.so.6", "GLIBC_2.4"},
                {"libstdc++.so.6", "CXXABI_1.3"},  {"libstdc++.so.6", "GLIBCXX_3.4.9"},
                {"libstdc++.so.6", "GLIBCXX_3.4"}, {"libgcc_s.so.1", "GCC_3.0"},
                {"libc.so.6", "GLIBC_PRIVATE"}};
  const app::SystemFloor floor = floor_of(f);
  EXPECT_EQ(floor.glibc, "2.14");
  EXPECT_EQ(floor.glibcxx, "3.4.9");
  EXPECT_EQ(floor.cxxabi, "1.3");
  f.versions = {{"libc.so.6", "GLIBC_ABI_DT_RELR"}};
  EXPECT_EQ(floor_of(f).glibc, "2.36");
  EXPECT_EQ(floor_of(app::ElfFile{}).glibc, "");
}

TEST(Audit, OldestSystems) {
  EXPECT_THAT(app::oldest_with({"2.28", "3.4.25", ""}), ElementsAre("Debian 10 (buster)", "Ubuntu 20.04"));
  EXPECT_THAT(app::oldest_with({"2.34", "", ""}), ElementsAre("Debian 12 (bookworm)", "Ubuntu 22.04"));
  EXPECT_THAT(app::oldest_with({"", "3.4.33", ""}), ElementsAre("Debian 13 (trixie)", "Ubuntu 24.04"));
  EXPECT_THAT(app::oldest_with({"2.40", "", ""}), ElementsAre("Debian 13 (trixie)"));
  EXPECT_THAT(app::oldest_with({"9.0", "", ""}), IsEmpty());
}

// /etc/os-release and the versions that the system's own libraries define say what the table says of it.
TEST(Audit, TheTableIsRightAboutThisSystem) {
  std::ifstream os("/etc/os-release");
  const std::string release{std::istreambuf_iterator<char>(os), {}};
  for (const app::SystemRelease& r : app::system_releases()) {
    const std::string number(r.name.substr(0, r.name.find(' ')));
    if (release.find("ID=" + std::string(r.distribution == "Debian" ? "debian" : "ubuntu") + "\n") ==
            std::string::npos ||
        release.find("VERSION_ID=\"" + number + "\"") == std::string::npos)
      continue;
    app::ElfFile all;
    for (const char* name : {"libc.so.6", "libstdc++.so.6"})
      for (const app::ElfSymbol& s : app::read_elf(library_named(name)).exports)
        all.versions.push_back({"", s.version});
    const app::SystemFloor floor = floor_of(all);
    EXPECT_EQ(floor.glibc, r.glibc);
    EXPECT_FALSE(app::is_older_version(r.glibcxx, floor.glibcxx)) << floor.glibcxx;
    EXPECT_FALSE(app::is_older_version(r.cxxabi, floor.cxxabi)) << floor.cxxabi;
  }
}

TEST(Audit, TheManualHasTheTable) {
  std::ifstream file(MO_SOURCE_DIR "/packaging/docs/manual/plugins.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  for (const app::SystemRelease& r : app::system_releases())
    EXPECT_THAT(manual, HasSubstr(text("| ", r.distribution, " ", r.name, " | ", r.glibc, " | ", r.glibcxx,
                                       " | ", r.cxxabi, " |")));
  for (const app::AbiRelease& r : app::abi_releases())
    EXPECT_THAT(manual, HasSubstr("| " + name_of(r) + " |"));
}

TEST(Audit, WhatThisProgramLoadedResolves) {
  // The loader has bound all of it, or this test would not run.
  for (const char* name : {"libstdc++.so.6", "libspdlog.so", "libprotobuf-lite.so"}) {
    const std::string path = library_named(name);
    if (path.empty()) continue;
    const app::Resolution r = app::resolve_symbols(path, app::read_elf(path));
    EXPECT_THAT(r.missing, IsEmpty()) << name;
    EXPECT_THAT(r.undefined, IsEmpty()) << name;
  }
  app::ElfFile wants;
  wants.needed = {"libno_such_thing.so.7", "libc.so.6"};
  wants.imports.push_back({"printf", "GLIBC_2.2.5", "libc.so.6"});
  wants.imports.push_back({"printf", "GLIBC_9.99", "libc.so.6"});
  wants.imports.push_back({"no_such_function", "", ""});
  wants.imports.push_back({"no_such_weak_function", "", "", true});
  const app::Resolution r = resolve_symbols("/x/y.mo.so", wants);
  EXPECT_THAT(r.missing, ElementsAre("libno_such_thing.so.7"));
#if defined(__x86_64__)
  EXPECT_THAT(r.undefined, ElementsAre("printf@GLIBC_9.99", "no_such_function"));
#endif
}

TEST(Audit, CopiesOfLibraries) {
  // A library has itself inside.
  const std::string cxx = library_named("libstdc++.so.6");
  ASSERT_FALSE(cxx.empty());
  const auto copies = app::embedded_libraries(cxx, app::read_elf(cxx));
  const auto it = std::find_if(copies.begin(), copies.end(),
                               [](const app::EmbeddedLibrary& e) { return e.name == "libstdc++"; });
  ASSERT_NE(it, copies.end());
  EXPECT_TRUE(it->is_certain);
  EXPECT_TRUE(it->is_exported);
  EXPECT_THAT(it->evidence, HasSubstr("terminate called after throwing"));
  if (const std::string buf = library_named("libprotobuf-lite.so"); !buf.empty()) {
    const auto found = app::embedded_libraries(buf, app::read_elf(buf));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].name, "protobuf");
    EXPECT_TRUE(found[0].is_certain);
  }
  // Linked, not copied.
  EXPECT_THAT(app::embedded_libraries(seeds, app::read_elf(seeds)), IsEmpty());
}

}  // namespace

}  // namespace mo::core
