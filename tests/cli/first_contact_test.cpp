// A plugin is met in a process of its own, and what came of it is remembered.
#include <sys/inotify.h>

#include "program.hpp"

namespace mo::test {
namespace {

// A copy of the plugin, a cache, and a list of the times it was loaded.
class Meeting {
 public:
  Meeting() { fs::copy_file(zoo("met_first"), plugin()); }
  std::string plugin() const { return folder_ / "met.mo.so"; }
  std::string cache() const { return folder_ / "cache"; }
  const Folder& folder() const { return folder_; }
  size_t times_loaded() const {
    const std::string log = read_text(folder_ / "loaded");
    return static_cast<size_t>(std::count(log.begin(), log.end(), '\n'));
  }
  ProgramOptions options(const std::string& what = "") const {
    ProgramOptions o;
    o.environment = {"XDG_CACHE_HOME=" + cache(), "MO_TEST_LOADED=" + folder_ / "loaded",
                     "MO_TEST_LOAD=" + what};
    return o;
  }
  Outcome list(const std::string& what, const std::string& kind = "plugins",
               std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"list", kind, "--extensions", plugin()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, options(what));
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> list;
    for (const auto& e : fs::directory_iterator(cache() + "/mo-host/plugins"))
      if (e.is_regular_file()) list.push_back(e.path());
    return list;
  }

 private:
  Folder folder_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(FirstContact, ACrashIsSurvivedAndRemembered) {
  const Meeting m;
  Outcome o = m.list("crash");
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(without_path(o.err, m.folder()),
            "error MOX-131: the plugin crashed while it was loaded (invalid memory access, signal 11)\n"
            "  plugin  org.example.met 1.0.0\n"
            "  said    met_first is here\n"
            "  aside   from now on, until the file, a library it needs or mo-host changes;\n"
            "          `mo-host plugin release DIR/met.mo.so` has it tried again\n"
            "  file    DIR/met.mo.so\n"
            "  hint    report this to whoever the plugin is from\n");
  // It would be fine now, but it is not run.
  o = m.list("");
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "error MOX-131: the plugin crashed while it was loaded (invalid memory access"))
      << o.err;
  EXPECT_TRUE(has(o.err, "  said    met_first is here\n")) << o.err;
  EXPECT_TRUE(has(o.err, "  aside   since 20")) << o.err;
  EXPECT_EQ(m.times_loaded(), 1U);
}

TEST(FirstContact, ThePluginListShowsWhatIsSetAside) {
  const Meeting m;
  const std::vector<std::string> words{"plugin", "list", m.plugin()};
  EXPECT_FALSE(has(run(words, m.options()).out, "set aside"));
  EXPECT_EQ(m.list("crash").code, 3);
  const Outcome o = run(words, m.options());
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(has(o.out, "org.example.met  1.0.0    1.0  set aside  no manifest tells  note  " + m.plugin() +
                             "\n\n" + m.plugin() + ": set aside\n  MOX-131 the plugin crashed"))
      << o.out;
  EXPECT_TRUE(has(o.out, "`mo-host plugin release " + m.plugin() + "` has it tried again\n")) << o.out;
}

TEST(FirstContact, ReleasingHasItTriedAgain) {
  const Meeting m;
  EXPECT_EQ(m.list("abort").code, 3);
  Outcome o = run({"plugin", "release", m.plugin()}, m.options());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, m.plugin() + ": is loaded as if for the first time\n");
  EXPECT_EQ(m.list("").code, 0);
  EXPECT_EQ(run({"plugin", "release", m.plugin()}, m.options()).code, 0);
  EXPECT_EQ(run({"plugin", "release", m.plugin()}, m.options()).out,
            m.plugin() + ": nothing was known of it\n");
}

TEST(FirstContact, AChangedFileComesBackByItself) {
  const Meeting m;
  EXPECT_EQ(m.list("crash").code, 3);
  EXPECT_EQ(m.list("").code, 3);
  std::ofstream(m.plugin(), std::ios::binary | std::ios::app) << '\n';
  const Outcome o = m.list("");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(has(o.out, "org.example.met"));
}

TEST(FirstContact, ACopyOfTheSameBytesIsKnown) {
  const Meeting m;
  EXPECT_EQ(m.list("crash").code, 3);
  fs::copy_file(m.plugin(), m.folder() / "copy.mo.so");
  const Outcome o = run({"list", "plugins", "--extensions", m.folder() / "copy.mo.so"}, m.options());
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "MOX-131")) << o.err;
  EXPECT_EQ(m.times_loaded(), 1U);
}

TEST(FirstContact, AHangEndsAtTheLimit) {
  const Meeting m;
  const Outcome o = m.list("hang", "plugins", {"--probe_timeout", "0.5"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(
      o.err, "error MOX-132: the plugin had not loaded after 0.5 s; expected that loading only registers"))
      << o.err;
  EXPECT_TRUE(has(o.err, "--probe_timeout gives it more time")) << o.err;
  EXPECT_FALSE(has(o.err, "  aside ")) << o.err;
  // A busy machine may have been why: it is tried again, as the hint says.
  EXPECT_EQ(m.list("").code, 0);
}

TEST(FirstContact, AnAnswerThatThePluginSpoilsIsNotBelieved) {
  const Meeting m;
  const Outcome o = m.list("spoil");
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "error MOX-131: the answer of the process that loaded it is spoilt: ")) << o.err;
}

TEST(FirstContact, AnExitIsNoEndOfTheProgram) {
  const Meeting m;
  const Outcome o = m.list("exit");
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "error MOX-133: the plugin ended the process while it was loaded (exit code 7)"))
      << o.err;
}

TEST(FirstContact, WhatBreaksARuleIsNotRunTwice) {
  const Meeting m;
  EXPECT_TRUE(has(m.list("wrong").err, "MOX-040"));
  const Outcome o = m.list("");
  EXPECT_TRUE(has(o.err, "MOX-040")) << o.err;
  EXPECT_TRUE(has(o.err, "  aside   since 20")) << o.err;
  EXPECT_EQ(m.times_loaded(), 1U);
}

TEST(FirstContact, WhoDeclinesToLoadIsAskedAgain) {
  const Meeting m;
  const Outcome o = m.list("decline");
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "error MOX-025: no licence today")) << o.err;
  EXPECT_EQ(m.list("").code, 0);
}

TEST(FirstContact, ASearchedFolderIsAWarning) {
  const Meeting m;
  ProgramOptions options = m.options("crash");
  options.environment.push_back("MO_EXTENSIONS_PATH=" + m.folder().path().string());
  for (int i = 0; i < 2; ++i) {
    const Outcome o = run({"list", "plugins"}, options);
    EXPECT_EQ(o.code, 0);
    EXPECT_TRUE(has(o.err, "warning: a plugin is left out\nerror MOX-131")) << o.err;
    EXPECT_TRUE(has(o.out, "refused")) << o.out;
  }
  EXPECT_EQ(m.times_loaded(), 1U);
}

TEST(FirstContact, NothingIsLoadedWhenNoProcessCanBeStarted) {
  const Meeting m;
  ProgramOptions options = m.options();
  options.no_processes = true;
  // Looking for leaks takes a process, too.
  options.environment.emplace_back("ASAN_OPTIONS=detect_leaks=0");
  const Outcome o = run({"list", "plugins", "--extensions", m.plugin()}, options);
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err,
                  "error MOX-130: the process that loads a plugin first cannot be started: fork: Resource "
                  "temporarily unavailable\n"))
      << o.err;
  EXPECT_EQ(m.times_loaded(), 0U);
  EXPECT_EQ(m.list("").code, 0) << "and it is not remembered";
}

TEST(FirstContact, ADamagedEntryIsIgnoredAndReplaced) {
  const Meeting m;
  EXPECT_EQ(m.list("crash").code, 3);
  for (const std::string damage :
       {"", "{", "{\"format\": 1}", "[1, 2]", "\xff\xfe\0\0", "{\"format\": 99}"}) {
    for (const fs::path& e : m.entries()) write_text(e, damage);
    EXPECT_EQ(m.list("").code, 0) << damage;
    EXPECT_EQ(m.list("").code, 0) << damage;
  }
}

TEST(FirstContact, ACacheThatCannotBeWrittenIsNoError) {
  const Meeting m;
  write_text(m.cache(), "a file, not a folder");
  for (int i = 0; i < 2; ++i) {
    const Outcome o = m.list("");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err, "");
  }
  const Outcome o = m.list("crash");
  EXPECT_EQ(o.code, 3);
  EXPECT_FALSE(has(o.err, "aside")) << o.err;
}

TEST(FirstContact, ACacheThatOthersMayWriteToIsNotUsed) {
  const Meeting m;
  EXPECT_EQ(m.list("crash").code, 3);
  fs::permissions(m.cache() + "/mo-host/plugins", fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(m.list("").code, 0);
}

// How often a file is opened while f runs.
template <class F>
int times_opened(const std::string& path, F f) {
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  // With the closing, as equal events in a row are given as one.
  EXPECT_GE(inotify_add_watch(watch, path.c_str(), IN_OPEN | IN_CLOSE), 0);
  f();
  int times = 0;
  for (inotify_event e; read(watch, &e, sizeof e) == sizeof e;)  // a file has no names in it
    if ((e.mask & IN_OPEN) != 0) ++times;
  close(watch);
  return times;
}

TEST(FirstContact, AManifestCostsAWarmStartNoReadingOfTheLibrary) {
  const Folder folder;
  const std::string file = folder / "toy.mo.so", manifest = folder / "toy.mo.json";
  ProgramOptions options;
  options.environment = {"XDG_CACHE_HOME=" + folder / "cache"};
  const auto start = [&] {
    const Outcome o = run({"list", "plugins", "--extensions", file}, options);
    EXPECT_EQ(o.code, 0) << o.err;
  };
  fs::copy_file(toy, file);
  start();
  const int without = times_opened(file, start);
  EXPECT_GT(without, 0);
  ASSERT_EQ(run({"plugin", "manifest", file, "--output_file", manifest}).code, 0);
  EXPECT_GT(times_opened(file, start), without) << "the manifest is new, and its digest is compared";
  EXPECT_EQ(times_opened(file, start), without);
}

TEST(FirstContact, TheManifestBesideACopyIsCompared) {
  const Folder folder;
  fs::create_directory(folder / "copy");
  ProgramOptions options;
  options.environment = {"XDG_CACHE_HOME=" + folder / "cache"};
  for (const std::string stem : {"toy", "met_first"}) {  // one that is loaded, one that is promised
    const std::string file = folder / stem + ".mo.so", copy = folder / "copy/" + stem + ".mo.so";
    const std::string manifest = folder / "copy/" + stem + ".mo.json";
    fs::copy_file(zoo(stem), file);
    EXPECT_EQ(run({"list", "ops", "--extensions", file}, options).code, 0);
    fs::copy_file(file, copy);
    ASSERT_EQ(run({"plugin", "manifest", copy, "--output_file", manifest}).code, 0);
    EXPECT_EQ(run({"list", "ops", "--extensions", copy}, options).code, 0);
    std::string stale = read_text(manifest);
    const size_t digest = stale.find("\"xxh3_128\": \"") + 13;
    stale.replace(digest, 4, stale.substr(digest, 4) == "0000" ? "1111" : "0000");
    write_text(manifest, stale);
    for (int i = 0; i < 2; ++i) {
      const Outcome o = run({"list", "ops", "--extensions", copy}, options);
      EXPECT_EQ(o.code, 3) << stem;
      EXPECT_TRUE(has(o.err, "error MOX-120: the manifest is of another file: its digest is ")) << o.err;
    }
  }
}

TEST(FirstContact, WhatIsPromisedIsOpenedWhenItIsNeeded) {
  const Meeting m;
  EXPECT_EQ(m.list("").code, 0);
  EXPECT_EQ(m.times_loaded(), 1U);
  // Known, and not opened.
  Outcome o = m.list("", "plugins", {"--log_level", "INFO"});
  EXPECT_TRUE(has(
      o.err, "known org.example.met 1.0.0 from " + m.plugin() + ": 1 operation; opened when one is needed"))
      << o.err;
  EXPECT_TRUE(has(o.out, "1 operation")) << o.out;
  EXPECT_EQ(m.times_loaded(), 1U);
  // A conversion of a model without it needs nothing of it.
  write_text(m.folder() / "a.toy", small_model);
  const std::vector<std::string> words{"--input_model", m.folder() / "a.toy", "--output_dir",
                                       m.folder() / "", "--extensions",       toy + "," + m.plugin()};
  o = run(words, m.options());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(m.times_loaded(), 1U);
  o = m.list("", "ops");
  EXPECT_TRUE(has(o.out, "MetFirst")) << o.out;
  EXPECT_EQ(m.times_loaded(), 2U);
  // What it registers then is what it has promised.
  o = m.list("other", "ops");
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(
      has(o.err,
          "error MOX-134: the plugin registers 1 operation (org.example.met::Other) now; expected what it "
          "registered when it was met: 1 operation (org.example.met::MetFirst)"))
      << o.err;
}

// The words of `plugin` that load one.

TEST(FirstContact, WhyTellsOfACrash) {
  const Meeting m;
  const Outcome o = run({"plugin", "why", m.plugin()}, m.options("crash"));
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(without_path(o.out, m.folder()),
            "DIR/met.mo.so\n"
            "  note      org.example.met 1.0.0, for ABI 1.0, runs on 1.0 or newer\n"
            "  manifest  none\n");
  EXPECT_TRUE(o.err.starts_with("error MOX-131: the plugin crashed while it was loaded (invalid memory"))
      << o.err;
  EXPECT_TRUE(has(o.err, "\n  rule    MOX-131: Opening and loading a plugin does not crash.\n")) << o.err;
  EXPECT_TRUE(has(o.err, "\n  follows The plugin is refused as a whole. ")) << o.err;
  EXPECT_TRUE(has(o.err, "\n  hint    report this to whoever the plugin is from\n")) << o.err;
  // What is known of it is enough to answer again.
  const Outcome again = run({"plugin", "why", m.plugin()}, m.options());
  EXPECT_TRUE(has(again.err, "\n  aside   since 20")) << again.err;
  EXPECT_TRUE(has(again.err, "\n  rule    MOX-131: ")) << again.err;
  EXPECT_EQ(m.times_loaded(), 1U);
}

TEST(FirstContact, WhyTellsOfAHang) {
  const Meeting m;
  const Outcome o = run({"plugin", "why", m.plugin(), "--probe_timeout", "0.5"}, m.options("hang"));
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "error MOX-132: ")) << o.err;
  EXPECT_TRUE(has(o.err, "  rule    MOX-132: Opening and loading a plugin ends within `--probe_timeout`.\n"))
      << o.err;
}

TEST(FirstContact, WhyOfAnOperationSurvivesACrash) {
  const Meeting m;
  const Outcome o = run({"plugin", "why", "MetFirst", "--extensions", m.plugin()}, m.options("crash"));
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(has(o.out, "a conversion does not begin")) << o.out;
  EXPECT_TRUE(has(o.out, "error MOX-131: ")) << o.out;
  EXPECT_TRUE(o.err.starts_with("error MO0144: ")) << o.err;
}

TEST(FirstContact, ManifestAndInspectSurviveThePlugin) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"plugin", "manifest"},
                                                std::vector<std::string>{"plugin", "inspect", "--run"}}) {
    const Meeting m;
    std::vector<std::string> all = words;
    for (const std::string& w : {m.plugin(), std::string("--probe_timeout"), std::string("0.5")})
      all.push_back(w);
    for (const auto& [what, rule] :
         {std::pair{"crash", "MOX-131"}, {"abort", "MOX-131"}, {"hang", "MOX-132"}, {"exit", "MOX-133"}}) {
      const Outcome o = run(all, m.options(what));
      EXPECT_EQ(o.code, 3) << what;
      EXPECT_EQ(o.out, "") << what;
      EXPECT_TRUE(o.err.starts_with("error " + std::string(rule) + ": ")) << o.err;
      EXPECT_TRUE(has(o.err, "\n  plugin  org.example.met 1.0.0\n")) << o.err;
      EXPECT_TRUE(has(o.err, "\n  file    " + m.plugin() + "\n")) << o.err;
    }
    EXPECT_EQ(run(all, m.options("wrong")).code, 3);
    // Who asks for it has it loaded each time, and nothing is remembered.
    const Outcome o = run(all, m.options());
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(has(o.out, "MetFirst")) << o.out;
    EXPECT_EQ(m.times_loaded(), 6U);
    EXPECT_FALSE(fs::exists(m.cache()));
  }
}

TEST(FirstContact, InspectComparesWithTheManifest) {
  const Meeting m;
  ASSERT_EQ(
      run({"plugin", "manifest", m.plugin(), "--output_file", m.folder() / "met.mo.json"}, m.options()).code,
      0);
  EXPECT_EQ(run({"plugin", "inspect", m.plugin(), "--run"}, m.options()).code, 0);
  const Outcome o = run({"plugin", "inspect", m.plugin(), "--run"}, m.options("other"));
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err,
                  "error MOX-125: the manifest is not that of the plugin: it lists operation "
                  "'org.example.met::MetFirst', which the plugin does not register\n"))
      << o.err;
}

}  // namespace
}  // namespace mo::test
