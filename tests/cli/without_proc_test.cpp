// Where /proc is not mounted, the program still finds what lies beside it, and nothing else.
#include "program.hpp"

namespace mo::test {
namespace {

// Runs the program where /proc is empty, in a folder of its own. 125: there can be no such place.
Outcome run_without_proc(const std::string& folder, const std::string& program,
                         const std::vector<std::string>& words) {
  ProgramOptions options;
  options.folder = folder;
  options.program = program;
  options.hides_proc = true;
  return run(words, options);
}

TEST(WithoutProc, PluginsComeFromBesideTheProgram) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can hide /proc";
  if (sanitized) GTEST_SKIP() << "a sanitizer's own check at the end reads /proc";
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  // Where a path relative to the current folder would lead.
  fs::create_directories(folder / "work");
  fs::create_directories(folder / "lib/mo-host/plugins");
  fs::copy(zoo("crash_on_open"), folder / "lib/mo-host/plugins/planted.mo.so");
  fs::create_symlink(fs::path(host_program).parent_path(), folder / "linked");
  for (const std::string& program :
       {std::string(host_program), folder / "linked/mo-host", std::string("../linked/mo-host")}) {
    const Outcome o =
        run_without_proc(folder / "work", program, {"-m", folder / "a.toy", "--extensions", toy});
    EXPECT_EQ(o.code, 0) << program << "\n" << o.err;
    EXPECT_TRUE(fs::exists(folder / "work/a.xml"));
    fs::remove(folder / "work/a.xml");
  }
}

}  // namespace
}  // namespace mo::test
