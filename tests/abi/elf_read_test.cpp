// What read_elf says is what binutils say; and damaged files give a reason, never more.
#include <gmock/gmock.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <random>
#include <set>
#include <sstream>

#include "apps/known_plugins/digest.hpp"
#include "apps/known_plugins/elf_file.hpp"
#include "tests/abi/zoo_session.hpp"
#include "tests/cli/program.hpp"

namespace mo::core {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* pipe = popen(("LC_ALL=C " + command).c_str(), "r");
  if (pipe == nullptr) return lines;
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    lines.push_back(std::move(line));
    line.clear();
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return lines;
}

std::string in_brackets(const std::string& line) {
  const size_t open = line.find('['), close = line.rfind(']');
  return open == std::string::npos || close < open ? "" : line.substr(open + 1, close - open - 1);
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

std::string full_name(const app::ElfSymbol& s) {
  return s.version.empty() ? s.name : s.name + "@" + s.version;
}

// Libraries of different makers: of the zoo, built by mo_add_plugin(), and of the system.
std::vector<std::string> libraries() {
  std::vector<std::string> list{test::zoo("twin_a"), test::zoo("toy"), test::zoo("missing_symbol"),
                                test::zoo("says_goodbye_b"), test::seeds_plugin};
  for (const auto& e : std::filesystem::directory_iterator(test::plugin_folder))
    if (e.path().extension() == ".so") list.push_back(e.path().string());
  (void)dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        const std::string name = info->dlpi_name;
        // Of these, the first has versions of its own, the second unique symbols.
        if (name.find("/libc.so") != std::string::npos || name.find("/libstdc++.so") != std::string::npos)
          static_cast<std::vector<std::string>*>(to)->push_back(name);
        return 0;
      },
      &list);
  return list;
}

TEST(ElfRead, DynamicSectionAsReadelfHasIt) {
  for (const std::string& path : libraries()) {
    SCOPED_TRACE(path);
    std::vector<std::string> needed;
    std::string soname, run_path;
    for (const std::string& line : lines_of("readelf -dW " + quoted(path))) {
      if (line.find("(NEEDED)") != std::string::npos) needed.push_back(in_brackets(line));
      if (line.find("(SONAME)") != std::string::npos) soname = in_brackets(line);
      if (line.find("(RUNPATH)") != std::string::npos) run_path = in_brackets(line);
    }
    const app::ElfFile file = app::read_elf(path);
    EXPECT_EQ(file.needed, needed);
    EXPECT_EQ(file.soname, soname);
    EXPECT_EQ(file.runpath, run_path);
    EXPECT_FALSE(file.text_relocations);
  }
}

TEST(ElfRead, SymbolsAndTheirVersionsAsNmHasThem) {
  size_t with_version = 0, unique = 0;
  for (const std::string& path : libraries()) {
    SCOPED_TRACE(path);
    std::multiset<std::string> imports, exports, unique_ones;
    for (const std::string& line : lines_of("nm -D --with-symbol-versions " + quoted(path))) {
      std::istringstream words(line.substr(16));
      std::string letter, name;
      words >> letter >> name;
      const size_t twice = name.find("@@");
      if (twice != std::string::npos) name.erase(twice, 1);
      if (letter == "A") continue;  // the name of a version
      const bool undefined = letter == "U" || letter == "w" || letter == "v";
      (undefined ? imports : exports).insert(name);
      if (letter == "u") unique_ones.insert(name);
    }
    const app::ElfFile file = app::read_elf(path);
    std::multiset<std::string> our_imports, our_exports, our_unique;
    for (const app::ElfSymbol& s : file.imports) our_imports.insert(full_name(s));
    for (const app::ElfSymbol& s : file.exports) {
      our_exports.insert(full_name(s));
      if (s.unique) our_unique.insert(full_name(s));
    }
    EXPECT_EQ(our_imports, imports);
    EXPECT_EQ(our_exports, exports);
    EXPECT_EQ(our_unique, unique_ones);
    with_version += std::count_if(file.imports.begin(), file.imports.end(),
                                  [](const app::ElfSymbol& s) { return !s.version.empty(); });
    unique += our_unique.size();
  }
  EXPECT_GT(with_version, 100U);
  EXPECT_GT(unique, 0U) << "libstdc++ has some";
}

TEST(ElfRead, NeededVersionsAsReadelfHasThem) {
  const std::string path = test::seeds_plugin;
  std::multiset<std::string> expected, found;
  std::string library;
  for (const std::string& line : lines_of("readelf -VW " + quoted(path))) {
    std::istringstream words(line);
    std::string word;
    while (words >> word) {
      if (word == "File:") words >> library;
      if (word == "Name:" && !library.empty()) {
        words >> word;
        expected.insert(library + " " + word);
      }
    }
  }
  for (const app::ElfNeededVersion& v : app::read_elf(path).versions)
    found.insert(v.library + " " + v.version);
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 3U);
}

TEST(ElfRead, NotesAndBuildId) {
  const std::string path = test::seeds_plugin;
  const app::ElfFile file = app::read_elf(path);
  for (const std::string& line : lines_of("readelf -nW " + quoted(path)))
    if (const size_t at = line.find("Build ID: "); at != std::string::npos) {
      EXPECT_EQ(file.build_id, line.substr(at + 10));
    }
  ASSERT_TRUE(file.note.has_value()) << file.note_problem;
  EXPECT_EQ(file.note->abi_major, uint32_t{MO_ABI_MAJOR});
  EXPECT_EQ(file.note->abi_minor, uint32_t{MO_ABI_MINOR});
  EXPECT_EQ(file.note->abi_lowest_minor, uint32_t{MO_LOWEST_MINOR});
  EXPECT_FALSE(file.note->id.empty());
  EXPECT_FALSE(file.note->version.empty());
  ASSERT_TRUE(app::read_plugin_note(path).has_value());
  EXPECT_EQ(app::read_plugin_note(path)->id, file.note->id);
  EXPECT_FALSE(app::read_plugin_note("/nowhere").has_value());
}

// Reads a file that is nowhere but in memory: "" or why it is no library.
std::string problem_of(const std::string& bytes, app::ElfFile* result = nullptr) {
  const int fd = memfd_create("damaged", MFD_CLOEXEC);
  EXPECT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  std::string problem;
  try {
    app::ElfFile file = app::read_elf(path);
    (void)app::loaded_digest(path);
    if (result != nullptr) *result = std::move(file);
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), "MOX-004");
    problem = f.message();
  }
  close(fd);
  return problem;
}

TEST(ElfRead, ADamagedNoteIsSaidAndNotUsed) {
  const std::string whole = test::read_text(test::seeds_plugin);
  const size_t owner = whole.find(std::string("mo-host\0", 8));
  ASSERT_NE(owner, std::string::npos);
  app::ElfFile file;
  ASSERT_EQ(problem_of(whole, &file), "");
  ASSERT_TRUE(file.note.has_value());

  std::string no_end = whole;  // the NUL of the version
  no_end[owner + 8 + 16 + file.note->id.size() + 1 + file.note->version.size()] = 'x';
  ASSERT_EQ(problem_of(no_end, &file), "");
  EXPECT_FALSE(file.note.has_value());
  EXPECT_THAT(file.note_problem, HasSubstr("expected an id and a version"));

  std::string other_owner = whole;
  other_owner[owner] = 'M';
  ASSERT_EQ(problem_of(other_owner, &file), "");
  EXPECT_FALSE(file.note.has_value());
  EXPECT_EQ(file.note_problem, "");

  std::string beyond = whole;  // content_size
  std::memset(beyond.data() + owner - 8, 0x7f, 4);
  ASSERT_EQ(problem_of(beyond, &file), "");
  EXPECT_FALSE(file.note.has_value());
}

TEST(ElfRead, ExecutableStack) {
  std::string bytes = test::read_text(test::zoo("twin_a"));
  app::ElfFile file;
  ASSERT_EQ(problem_of(bytes, &file), "");
  EXPECT_FALSE(file.executable_stack);
  ElfW(Ehdr) header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (size_t i = 0; i < header.e_phnum; ++i) {
    const size_t at = header.e_phoff + i * sizeof(ElfW(Phdr));
    ElfW(Phdr) segment;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type != PT_GNU_STACK) continue;
    segment.p_flags |= PF_X;
    std::memcpy(bytes.data() + at, &segment, sizeof segment);
  }
  ASSERT_EQ(problem_of(bytes, &file), "");
  EXPECT_TRUE(file.executable_stack);
}

TEST(ElfRead, TruncatedAnywhere) {
  const std::string whole = test::read_text(test::zoo("twin_a"));
  size_t refused = 0;
  for (size_t n = 0; n < whole.size(); n += 97) refused += problem_of(whole.substr(0, n)).empty() ? 0 : 1;
  EXPECT_GT(refused, 100U);
}

// Where the tables lie, so that damage hits them: header, segments, dynamic section, symbols, versions, hash.
std::vector<std::pair<size_t, size_t>> tables_of(const std::string& bytes) {
  std::vector<std::pair<size_t, size_t>> list{{0, sizeof(ElfW(Ehdr))}};
  ElfW(Ehdr) header;
  std::memcpy(&header, bytes.data(), sizeof header);
  list.emplace_back(header.e_phoff, header.e_phnum * sizeof(ElfW(Phdr)));
  for (size_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) s;
    std::memcpy(&s, bytes.data() + header.e_shoff + i * sizeof s, sizeof s);
    for (const uint32_t type : {uint32_t{SHT_DYNAMIC}, uint32_t{SHT_DYNSYM}, uint32_t{SHT_GNU_verneed},
                                uint32_t{SHT_GNU_versym}, uint32_t{SHT_GNU_HASH}, uint32_t{SHT_NOTE}})
      if (s.sh_type == type) list.emplace_back(s.sh_offset, s.sh_size);
  }
  return list;
}

TEST(ElfRead, AnyByteOfItsTablesDamaged) {
  for (const std::string& path : {test::zoo("twin_a"), test::zoo("throws")}) {
    const std::string whole = test::read_text(path);
    const auto tables = tables_of(whole);
    ASSERT_GE(tables.size(), 6U);
    std::mt19937 random(11);
    size_t refused = 0, read = 0;
    for (int i = 0; i < 4000; ++i) {
      std::string bytes = whole;
      const auto [from, size] = tables[random() % tables.size()];
      for (int k = 0; k <= i % 4; ++k) {
        const size_t at = from + random() % size;
        // Small and large numbers, and such that are off by a little.
        const unsigned char values[] = {0,
                                        1,
                                        0xff,
                                        0x7f,
                                        static_cast<unsigned char>(random()),
                                        static_cast<unsigned char>(bytes[at] + 1)};
        bytes[at] = static_cast<char>(values[random() % 6]);
      }
      ++(problem_of(bytes).empty() ? read : refused);
    }
    EXPECT_GT(refused, 300U);
    EXPECT_GT(read, 300U);
  }
}

// Every symbol has the longest text there is: reading that would take the square of the file's size.
TEST(ElfRead, TextsThatAreNamedAgainAndAgain) {
  std::string bytes;  // of the C++ library, which has thousands of symbols
  for (const std::string& path : libraries())
    if (path.find("/libstdc++.so") != std::string::npos) bytes = test::read_text(path);
  ASSERT_FALSE(bytes.empty());
  ElfW(Ehdr) header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) s;
    std::memcpy(&s, bytes.data() + header.e_shoff + i * sizeof s, sizeof s);
    if (s.sh_type == SHT_STRTAB && (s.sh_flags & SHF_ALLOC) != 0)
      for (size_t k = 1; k + 1 < s.sh_size; ++k)
        if (bytes[s.sh_offset + k] == '\0') bytes[s.sh_offset + k] = 'x';
    if (s.sh_type == SHT_DYNSYM)
      for (size_t k = 1; k < s.sh_size / s.sh_entsize; ++k)
        std::memcpy(bytes.data() + s.sh_offset + k * s.sh_entsize, "\1\0\0\0", 4);
  }
  EXPECT_THAT(problem_of(bytes), HasSubstr("more text than it can hold"));
}

TEST(Digest, StrippingLeavesWhatIsLoaded) {
  const ZooFolder folder;
  const std::string whole = folder.add_zoo("throws", "whole.mo.so").string();
  const std::string stripped = (folder.path() / "stripped.mo.so").string();
  EXPECT_THAT(lines_of("strip -o " + quoted(stripped) + " " + quoted(whole)), IsEmpty());
  EXPECT_NE(app::file_digest(whole), app::file_digest(stripped));
  EXPECT_EQ(app::loaded_digest(whole), app::loaded_digest(stripped));
  EXPECT_NE(app::loaded_digest(whole), app::loaded_digest(test::zoo("twin_a")));

  std::string bytes = test::read_text(stripped);
  const size_t text = bytes.find("broken on purpose");
  ASSERT_NE(text, std::string::npos);
  bytes[text] = 'B';
  const std::string changed = folder.add_text(bytes, "changed.mo.so").string();
  EXPECT_NE(app::loaded_digest(changed), app::loaded_digest(stripped));
}

// As libxxhash 0.8 has them, the high half first: what `xxhsum -H2` prints.
TEST(Digest, IsThatOfXxhsum) {
  const ZooFolder folder;
  EXPECT_EQ(app::file_digest(folder.add_text("abc", "abc").string()), "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(app::file_digest(folder.add_text("", "empty").string()), "99aa06d3014798d86001c324468d497f");
}

}  // namespace

}  // namespace mo::core
