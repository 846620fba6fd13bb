// The look into a library before it is loaded: no file, however damaged, does more than give a reason.
#include <gmock/gmock.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "apps/plugin_search/elf.hpp"
#include "tests/abi/zoo_session.hpp"
#include "tests/cli/program.hpp"

namespace mo::core {

namespace {

using testing::HasSubstr;

// Files in memory: thousands of them must not wait for a disk.
class Damaged {
 public:
  app::ElfLook look(const std::string& bytes) {
    const int fd = memfd_create("damaged", MFD_CLOEXEC);
    EXPECT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    const app::ElfLook result =
        app::look_for_function("/proc/self/fd/" + std::to_string(fd), "mo_plugin_entry");
    close(fd);
    return result;
  }
};

TEST(Elf, FindsFunctionsAndOnlyThose) {
  EXPECT_TRUE(app::look_for_function(test::zoo("twin_a"), "mo_plugin_entry").has_function);
  EXPECT_FALSE(app::look_for_function(test::zoo("twin_a"), "mo_plugin_entr").has_function);
  EXPECT_FALSE(app::look_for_function(test::zoo("twin_a"), "mo_plugin_entry2").has_function);
  EXPECT_TRUE(app::look_for_function(test::zoo("same_name_a"), "zoo_shared_name").has_function);
  const app::ElfLook data = app::look_for_function(test::zoo("entry_is_data"), "mo_plugin_entry");
  EXPECT_TRUE(data.is_library);
  EXPECT_FALSE(data.has_function);
  // Needed is not defined.
  EXPECT_FALSE(app::look_for_function(test::zoo("missing_symbol"), "_ZN6vendor9forgottenEPKc").has_function);
}

TEST(Elf, ProgramsAndForeignFilesAreNone) {
  EXPECT_THAT(app::look_for_function("/nowhere", "f").problem, HasSubstr("No such file"));
  Damaged d;
  EXPECT_THAT(d.look("").problem, HasSubstr("is empty"));
  EXPECT_THAT(d.look("\x7f").problem, HasSubstr("is not an ELF file"));
  EXPECT_THAT(d.look("\x7f"
                     "ELF")
                  .problem,
              HasSubstr("is truncated or damaged: 64 bytes at 0 are not among its 4"));
  EXPECT_THAT(d.look("!<arch>\n").problem, HasSubstr("is not an ELF file"));
}

TEST(Elf, OtherMachines) {
  Damaged d;
  std::string arm = test::read_text(test::zoo("twin_a"));
  arm[18] = static_cast<char>(183);  // e_machine
  EXPECT_THAT(d.look(arm).problem, HasSubstr("is for aarch64, this host is for"));
  std::string narrow = test::read_text(test::zoo("twin_a"));
  narrow[4] = 1;  // 32 bits
  EXPECT_FALSE(d.look(narrow).is_library);
  std::string object = test::read_text(test::zoo("twin_a"));
  object[16] = 1;  // e_type
  EXPECT_THAT(d.look(object).problem, HasSubstr("no shared library"));
}

TEST(Elf, TruncatedAnywhere) {
  Damaged d;
  const std::string whole = test::read_text(test::zoo("twin_a"));
  ASSERT_TRUE(d.look(whole).has_function);
  size_t refused = 0;
  for (size_t n = 0; n < whole.size(); n += 97) refused += d.look(whole.substr(0, n)).is_library ? 0 : 1;
  EXPECT_GT(refused, 100U);
  // What is cut there is mapped by the system's loader: it would crash, so it must not get that far.
  EXPECT_FALSE(d.look(whole.substr(0, 4096)).is_library);
}

// What is not in the file at all may be anywhere.
TEST(Elf, SegmentsWithoutBytesAreNotTruncated) {
  Damaged d;
  std::string library = test::read_text(test::zoo("twin_a"));
  ElfW(Ehdr) header;
  std::memcpy(&header, library.data(), sizeof header);
  size_t empty = 0;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    const size_t at = header.e_phoff + i * sizeof(ElfW(Phdr));
    ElfW(Phdr) segment;
    std::memcpy(&segment, library.data() + at, sizeof segment);
    if (segment.p_filesz != 0) continue;
    ++empty;
    segment.p_offset = library.size() + 1;
    std::memcpy(library.data() + at, &segment, sizeof segment);
  }
  ASSERT_GT(empty, 0U);  // that of the stack
  EXPECT_EQ(d.look(library).problem, "");
  EXPECT_TRUE(d.look(library).has_function);
}

TEST(Elf, AnyByteDamaged) {
  Damaged d;
  const std::string whole = test::read_text(test::zoo("twin_a"));
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = whole;
    const size_t where = i % 2 == 0 ? random() % 1024 : random() % bytes.size();
    for (size_t k = 0; k < 1 + i % 8U && where + k < bytes.size(); ++k)
      bytes[where + k] = static_cast<char>(random());
    const app::ElfLook look = d.look(bytes);
    EXPECT_EQ(look.is_library, look.problem.empty());
  }
}

}  // namespace

}  // namespace mo::core
