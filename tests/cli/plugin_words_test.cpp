// `mo-host plugin`: its words, as a user sees them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace mo::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Outcome plugin(std::vector<std::string> words) {
  words.insert(words.begin(), "plugin");
  return run(words);
}

// A folder that only the user writes to, with plugins of the zoo.
class Plugins : public Folder {
 public:
  std::string add(const std::string& stem, const std::string& name) const {
    fs::copy_file(zoo(stem), *this / name);
    return *this / name;
  }
};

TEST(PluginWords, MistakesAreExplained) {
  EXPECT_EQ(plugin({}).code, 2);
  EXPECT_THAT(plugin({}).err, AllOf(StartsWith("error MO0120: plugin what?\n"), HasSubstr("inspect FILE")));
  const Outcome wrong = plugin({"inspekt", "x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err,
              AllOf(HasSubstr("`plugin` has no word 'inspekt'"), HasSubstr("did you mean 'inspect'?")));
  EXPECT_THAT(plugin({"inspect"}).err, HasSubstr("MO0120: something is missing after `plugin inspect`"));
  EXPECT_THAT(plugin({"inspect", "a", "b"}).err, HasSubstr("MO0107: 'b' is one word too many"));
}

TEST(PluginManifest, IsWrittenAndThenRead) {
  const Plugins folder;
  const std::string file = folder.add("toy", "toy.mo.so");
  const Outcome shown = plugin({"manifest", file});
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(json::parse(shown.out)["id"], "org.example.toy");
  const Outcome written = plugin({"manifest", file, "--output_file", folder / "toy.mo.json"});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(read_text(folder / "toy.mo.json"), shown.out);
  EXPECT_EQ(run({"list", "plugins", "--extensions", folder.path()}).code, 0);

  // A manifest that is wrong stops the plugin, not the making of a new one.
  std::string changed = shown.out;
  changed.replace(changed.find("\"Copy\""), 6, "\"Past\"");
  write_text(folder / "toy.mo.json", changed);
  const Outcome refused = run({"list", "plugins", "--extensions", folder.path()});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("MOX-125"));
  const Outcome checked = plugin({"check", file});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.out, HasSubstr("MOX-125"));
  EXPECT_EQ(plugin({"manifest", file, "--output_file", folder / "toy.mo.json"}).code, 0);
  EXPECT_EQ(read_text(folder / "toy.mo.json"), shown.out);

  const Outcome broken = plugin({"manifest", zoo("throws_in_load")});
  EXPECT_EQ(broken.code, 3);
  EXPECT_THAT(broken.err, HasSubstr("error MOX-"));
}

// What yields to a preferred plugin is listed by the manifest, and not registered: that is no difference.
TEST(PluginManifest, OfAPluginThatYields) {
  const Plugins folder;
  for (const std::string name : {"twin_a", "twin_b"}) {
    const std::string file = folder.add(name, name + ".mo.so");
    ASSERT_EQ(plugin({"manifest", file, "--output_file", folder / (name + ".mo.json")}).code, 0);
  }
  for (const std::string id : {"org.example.zoo.twin-a", "org.example.zoo.twin-b"}) {
    const Outcome o = run({"list", "plugins", "--extensions", folder.path(), "--prefer", id});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_THAT(plugin({"why", "Twin", "--extensions", folder.path(), "--prefer", id}).out,
                AllOf(HasSubstr("  org.example.twins::Twin: " + id + " 1.0.0"), Not(HasSubstr("near"))));
  }
  EXPECT_THAT(plugin({"why", "Twin", "--extensions", folder.path()}).out,
              AllOf(HasSubstr("a conversion does not begin"), HasSubstr("MOX-110"), HasSubstr("--prefer ")));
}

TEST(PluginList, RunsNothing) {
  const Plugins folder;
  folder.add("toy", "toy.mo.so");
  // Opening this one ends the process.
  folder.add("crash_on_open", "crash.mo.so");
  folder.add("no_entry", "none.mo.so");
  const Outcome o = plugin({"list", folder.path()});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(StartsWith("plugin "), HasSubstr("org.example.toy "), HasSubstr("note"),
                           HasSubstr(folder / "crash.mo.so"), HasSubstr("refused"), HasSubstr("MOX-003")));
  ASSERT_EQ(plugin({"manifest", folder / "toy.mo.so", "--output_file", folder / "toy.mo.json"}).code, 0);
  const json rows = json::parse(plugin({"list", folder.path(), "--format", "json"}).out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1]["from"], "manifest");
  EXPECT_EQ(rows[1]["state"], "");
  EXPECT_EQ(rows[2]["state"], "refused");
  EXPECT_THAT(rows[2]["why"].get<std::string>(), HasSubstr("MOX-003"));
  EXPECT_EQ(rows[1]["offers"], "1 front-end, 9 operations, 14 extractors, 1 transformation, 2 options");
  // A stale manifest is told.
  fs::copy_file(zoo("twin_a"), folder / "toy.mo.so", fs::copy_options::overwrite_existing);
  EXPECT_THAT(plugin({"list", folder.path()}).out, HasSubstr("MOX-120"));
}

TEST(PluginList, LooksWhereTheHostLooks) {
  const Outcome o = plugin({"list", "--extensions", toy});
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(o.out, AllOf(HasSubstr(toy), HasSubstr("lib/mo-host/plugins/")));
}

TEST(PluginInspect, SaysWhatComesFromWhere) {
  const Plugins folder;
  const std::string file = folder.add("toy", "toy.mo.so");
  const Outcome without = plugin({"inspect", file});
  EXPECT_EQ(without.code, 0);
  EXPECT_THAT(without.out, AllOf(StartsWith("there is no manifest " + folder / "toy.mo.json"),
                                 HasSubstr("org.example.toy 1.0.0, for ABI"), HasSubstr("libc.so"),
                                 Not(HasSubstr("toy1::Copy"))));
  const Outcome ran = plugin({"inspect", file, "--run"});
  EXPECT_THAT(ran.out, AllOf(StartsWith("by loading it\n"), HasSubstr("  operation       toy1::Copy\n"),
                             HasSubstr("  extractor       Old of toy, versions 1..3\n")));
  ASSERT_EQ(plugin({"manifest", file, "--output_file", folder / "toy.mo.json"}).code, 0);
  EXPECT_THAT(plugin({"inspect", file}).out,
              AllOf(StartsWith("from " + folder / "toy.mo.json" + "\n"), HasSubstr("toy1::Copy")));
  const json all = json::parse(plugin({"inspect", file, "--format=json"}).out);
  EXPECT_EQ(all["registrations_from"], folder / "toy.mo.json");
  EXPECT_EQ(all["registrations"]["frontends"][0]["name"], "toy");
  EXPECT_EQ(all["registrations"]["xxh3_128"], all["binary"]["loaded_xxh3_128"]);
  EXPECT_EQ(all["binary"]["note"]["id"], "org.example.toy");
  // What it shows is what a lock has, as any other program computes it.
  ASSERT_EQ(plugin({"lock", folder.path()}).code, 0);
  const std::string digest = json::parse(read_text(folder / "mo-host.lock"))["plugins"][0]["sha256"];
  EXPECT_EQ(all["binary"]["sha256"], digest);
  EXPECT_THAT(plugin({"inspect", file}).out,
              HasSubstr("  sha-256         " + digest + " of the file: a lock has this\n"));
  fs::remove(folder / "mo-host.lock");

  fs::copy_file(zoo("twin_a"), file, fs::copy_options::overwrite_existing);
  const Outcome stale = plugin({"inspect", file});
  EXPECT_EQ(stale.code, 3);
  EXPECT_THAT(stale.err, HasSubstr("MOX-120"));
  const Outcome text = plugin({"inspect", MO_SOURCE_DIR "/README.md"});
  EXPECT_EQ(text.code, 3);
  EXPECT_THAT(text.err, HasSubstr("MOX-004: the file is not an ELF file"));
}

TEST(PluginAudit, FaultsEndWithOne) {
  const std::string seeds = seeds_plugin;
  const Outcome good = plugin({"audit", seeds});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_THAT(good.out,
              AllOf(StartsWith(seeds + "\n"), HasSubstr("  ABI 1.0-rc3 loads\n"), HasSubstr("GLIBC_2.")));
  const Outcome both = plugin({"audit", seeds, zoo("missing_symbol")});
  EXPECT_EQ(both.code, 1);
  EXPECT_THAT(both.out, HasSubstr("_ZN6vendor9forgottenEPKc"));
  EXPECT_EQ(both.err, "error MO0804: 1 of 2 files has faults\n");
  // None of its code runs.
  EXPECT_LE(plugin({"audit", zoo("crash_on_open")}).code, 1);
  const Outcome as_json = plugin({"audit", "--format=json", seeds, zoo("no_entry"), "/nowhere.mo.so"});
  EXPECT_EQ(as_json.code, 1);
  const json all = json::parse(as_json.out);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["faults"], false);
  EXPECT_EQ(all[0]["verdicts"].back()["verdict"], "loads");
  EXPECT_EQ(all[1]["verdicts"].back()["verdict"], "refused");
  EXPECT_EQ(all[2]["is_library"], false);
}

TEST(PluginLock, LockedFoldersStayAsTheyAre) {
  const Plugins folder;
  const std::string file = folder.add("toy", "toy.mo.so");
  const std::vector<std::string> list{"list", "plugins", "--extensions", folder.path(), "--locked"};
  EXPECT_THAT(run(list).err, HasSubstr("MOX-123"));
  const Outcome o = plugin({"lock", folder.path()});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("  toy.mo.so  (org.example.toy 1.0.0)\n"),
                           HasSubstr("1 plugin locked in " + folder / "mo-host.lock")));
  EXPECT_EQ(json::parse(read_text(folder / "mo-host.lock"))["plugins"][0]["sha256"], o.out.substr(0, 64));
  EXPECT_EQ(run(list).code, 0);
  std::ofstream(file, std::ios::app) << "x";
  const Outcome changed = run(list);
  EXPECT_EQ(changed.code, 3);
  EXPECT_THAT(changed.err, AllOf(HasSubstr("MOX-122"), HasSubstr(o.out.substr(0, 64))));
  EXPECT_EQ(plugin({"lock", folder.path()}).code, 0);
  EXPECT_EQ(run(list).code, 0);
  folder.add("twin_a", "more.mo.so");
  EXPECT_THAT(run(list).err, HasSubstr("MOX-121"));
  // A conversion, too.
  write_text(folder / "m.toy", small_model);
  EXPECT_THAT(
      run({"-m", folder / "m.toy", "--extensions", folder.path(), "--locked", "-o", folder / "out"}).err,
      HasSubstr("MOX-121"));
  EXPECT_FALSE(fs::exists(folder / "out"));
  EXPECT_EQ(plugin({"lock", file}).code, 3);
  // The host's own need none.
  EXPECT_EQ(run({"list", "plugins", "--locked", "--extensions", ""}).code, 0);
}

TEST(PluginWhy, Operations) {
  const Outcome o = plugin({"why", "Old", "--extensions", toy});
  EXPECT_EQ(o.code, 0);
  EXPECT_THAT(o.out, AllOf(StartsWith("who converts 'Old'\n"),
                           HasSubstr("  toy, versions 1..3: org.example.toy 1.0.0 (" + toy + ")\n")));
  const Outcome unknown = plugin({"why", "copy", "--extensions", toy});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.out,
              AllOf(StartsWith("no plugin converts 'copy'\n"), HasSubstr("  Copy (other capitals): ")));
  EXPECT_THAT(unknown.err, HasSubstr("MO0144: no plugin knows 'copy'"));
#ifdef MO_HAVE_PLUGIN_onnx
  // By a transformation, and in another domain.
  const Outcome conv = plugin({"why", "Conv"});
  EXPECT_EQ(conv.code, 0);
  EXPECT_THAT(conv.out, HasSubstr("\n  onnx: onnx.front.conv of org.mo-host.onnx"));
  EXPECT_THAT(plugin({"why", "FusedConv"}).out, HasSubstr("\n  onnx, domain 'com.microsoft': "));
#endif
#ifdef MO_HAVE_PLUGIN_caffe
  EXPECT_THAT(plugin({"why", "InnerProduct"}).out, HasSubstr("\n  caffe: caffe.front."));
#endif
  const json all = json::parse(plugin({"why", "Special", "--extensions", toy, "--format", "json"}).out);
  EXPECT_EQ(all["extractors"][0]["domain"], "acme");
  EXPECT_EQ(all["extractors"][0]["place"], 0);
}

TEST(PluginWhy, OperationsOfPluginsThatAreRefused) {
  const Outcome o = plugin({"why", "Old", "--extensions", toy + "," + zoo("no_entry")});
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, AllOf(StartsWith("no plugin converts 'Old'\n"), HasSubstr("a conversion does not begin"),
                           HasSubstr("MOX-003")));
  // Searched, not named: it is left out, and its manifest tells what it would have brought.
  const Plugins folder;
  const std::string file = folder.add("toy", "toy.mo.so");
  ASSERT_EQ(plugin({"manifest", file, "--output_file", folder / "toy.mo.json"}).code, 0);
  std::string stale = read_text(folder / "toy.mo.json");
  stale.replace(stale.find("\"xxh3_128\": \"") + 13, 4, "0000");
  write_text(folder / "toy.mo.json", stale);
  ProgramOptions options;
  options.environment = {"MO_EXTENSIONS_PATH=" + folder.path().string()};
  EXPECT_THAT(run({"plugin", "why", "Copy"}, options).out,
              AllOf(HasSubstr("plugins that are left out"), HasSubstr("refused: MOX-120"),
                    HasSubstr("its manifest says that it converts Copy")));
}

TEST(PluginWhy, Files) {
  const Outcome loads = plugin({"why", toy});
  EXPECT_EQ(loads.code, 0) << loads.err;
  EXPECT_THAT(loads.out, HasSubstr("  loads     org.example.toy 1.0.0: 1 front-end, 9 operations"));
  // Opened on demand by a conversion, and here to see what becomes of it.
  EXPECT_THAT(plugin({"why", zoo("twin_a")}).out,
              HasSubstr("  loads     org.example.zoo.twin-a 1.0.0: 1 operation\n"));
  const Outcome refused = plugin({"why", zoo("other_major")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(
      refused.err,
      AllOf(
          HasSubstr("error MOX-021"),
          HasSubstr("\n  rule    MOX-021: `abi_major` and `abi_candidate` are the host's. Between majors, "),
          HasSubstr("\n  follows The plugin is refused as a whole. "), HasSubstr("\n  hint    use a")));
  // Each rule that is broken, in their order, and once what follows.
  const Outcome many = plugin({"why", zoo("bad_descriptor"), "--allow_writable_folders"});
  EXPECT_EQ(many.code, 3);
  EXPECT_THAT(many.err,
              HasSubstr("\n  rule    MOX-042: A text has a pointer, or length 0; it is shorter than 1 MiB.\n"
                        "          MOX-043: A text is UTF-8.\n"
                        "          MOX-044: A text has the form of its field; the message shows it.\n"
                        "          MOX-051: A required callback is set.\n"
                        "  follows The plugin is refused as a whole. "));
  const Outcome locked = plugin({"why", toy, "--locked"});
  EXPECT_EQ(locked.code, 3);
  EXPECT_THAT(locked.err, AllOf(HasSubstr("error MOX-123"),
                                HasSubstr("\n  follows The program ends (exit code 3) before ")));
  EXPECT_EQ(plugin({"why", "/nowhere.mo.so"}).code, 3);
}

}  // namespace
}  // namespace mo::test
