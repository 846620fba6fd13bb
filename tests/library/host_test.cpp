// The library, as a program sees it that has mo/host.h and libmo-host.
#include <mo/host.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "built.hpp"
#include "model_builder.hpp"
#include "temporary_folder.hpp"

#if defined(MO_HAVE_PLUGIN_onnx) && defined(MO_HAVE_PLUGIN_opset) && defined(MO_HAVE_PLUGIN_builtin_passes)

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

mo_str view(std::string_view s) { return {s.data(), s.size()}; }
std::string text(mo_str s) { return s.size == 0 ? std::string() : std::string(s.data, s.size); }

std::string small_model(const std::string& last = "Relu") {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {1, 3, 4, 4});
  m.initializer("w", OnnxTensor::of<float>({2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}));
  m.initializer("b", OnnxTensor::of<float>({2}, {-1, 1}));
  m.node({.type = "Conv", .inputs = {"x", "w", "b"}, .outputs = {"y"}, .name = "conv"});
  m.node({.type = last, .inputs = {"y"}, .outputs = {"z"}, .name = "last"});
  m.output("z", OnnxType::float32);
  return m.bytes();
}

struct Free {
  void operator()(const mo_result* r) const { mo_result_free(r); }
};
using ResultPtr = std::unique_ptr<const mo_result, Free>;

// A session that keeps what it is told.
class Session {
 public:
  Session() {
    mo_session_def def{};
    def.size = sizeof def;
    def.user = this;
    def.log = [](void* user, int32_t level, mo_str plugin, mo_str line) {
      if (level >= MO_LOG_WARNING)
        static_cast<Session*>(user)->said += "[" + text(plugin) + "] " + text(line) + "\n";
    };
    def.progress = [](void* user, mo_str phase, int32_t number, int32_t all, uint64_t, uint64_t) {
      auto& self = *static_cast<Session*>(user);
      EXPECT_GE(all, number);
      if (self.phases.empty() || self.phases.back() != text(phase)) self.phases.push_back(text(phase));
      return int32_t{self.stop_in == text(phase)};
    };
    EXPECT_EQ(mo_session_open(&def, &session_), MO_OK);
    set("extensions", "");  // what lies around on this machine is not what is tested
  }
  ~Session() { mo_session_close(session_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  mo_session* get() const { return session_; }
  void set(std::string_view name, std::string_view value) {
    EXPECT_EQ(mo_session_set(session_, view(name), view(value)), MO_OK);
  }
  void unset(std::string_view name) { EXPECT_EQ(mo_session_set(session_, view(name), {nullptr, 0}), MO_OK); }
  const mo_error& error() const {
    static constexpr mo_error none{};
    const mo_error* e = mo_session_error(session_);
    EXPECT_NE(e, nullptr);
    return e == nullptr ? none : *e;
  }

  std::string said, stop_in;
  std::vector<std::string> phases;

 private:
  mo_session* session_ = nullptr;
};

// A model of parts, the first of which is the model itself.
class Parts {
 public:
  explicit Parts(std::vector<std::pair<std::string, std::string>> parts) : content_(std::move(parts)) {
    for (const auto& [name, bytes] : content_) parts_.push_back({view(name), bytes.data(), bytes.size()});
    model_ = {sizeof model_, {}, parts_.data(), parts_.size()};
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  const mo_model* get() const { return &model_; }

 private:
  std::vector<std::pair<std::string, std::string>> content_;
  std::vector<mo_part> parts_;
  mo_model model_{};
};

ResultPtr convert(const Session& s, const mo_model* model) {
  const mo_result* r = nullptr;
  EXPECT_EQ(mo_session_convert(s.get(), model, &r), MO_OK) << text(mo_session_error(s.get())->shown);
  return ResultPtr(r);
}

std::string bytes_of(const mo_result& r) {
  return text(r.xml) + std::string(static_cast<const char*>(r.bin), r.bin_bytes);
}

TEST(Library, MemoryAndFilesBecomeTheSame) {
  const TemporaryFolder folder;
  const std::string path = folder.write("net.onnx", small_model());
  const Session s;
  const Parts memory({{"net.onnx", small_model()}});
  const mo_model file{sizeof file, view(path), nullptr, 0};
  const ResultPtr a = convert(s, memory.get()), b = convert(s, &file);
  EXPECT_EQ(bytes_of(*a), bytes_of(*b));
  EXPECT_THAT(text(a->xml), HasSubstr("type=\"Convolution\""));
  EXPECT_EQ(a->xml_path.size + a->bin_path.size + a->n_outputs, 0U);

  Session to_files;
  to_files.set("output_dir", folder / "out");
  const ResultPtr c = convert(to_files, memory.get());
  EXPECT_EQ(text(c->xml_path), folder / "out/net.xml");
  EXPECT_EQ(c->xml.size + c->bin_bytes, 0U);
  EXPECT_EQ(folder.read("out/net.bin"), std::string(static_cast<const char*>(a->bin), a->bin_bytes));
}

TEST(Library, SaysWhatCameOfIt) {
  const Session s;
  const ResultPtr r = convert(s, Parts({{"net.onnx", small_model()}}).get());
  const auto report = nlohmann::json::parse(text(r->report));
  EXPECT_EQ(report["framework"], "onnx");
  EXPECT_EQ(report["nodes"], 6);
  EXPECT_EQ(report["bin_bytes"], r->bin_bytes);
  EXPECT_THAT(s.phases, testing::Contains("front"));
  EXPECT_EQ(s.phases.back(), "emit");
}

TEST(Library, WeightsGoWhereTheCallerWants) {
  struct Room {
    std::vector<char> bytes;
    bool full = false;
  } room;
  mo_session_def def{};
  def.size = sizeof def;
  def.user = &room;
  def.weights = [](void* user, uint64_t bytes) -> void* {
    auto& r = *static_cast<Room*>(user);
    r.bytes.assign(bytes, 'x');  // gaps have to be cleared
    return r.full ? nullptr : r.bytes.data();
  };
  mo_session* session = nullptr;
  ASSERT_EQ(mo_session_open(&def, &session), MO_OK);
  const Parts model({{"net.onnx", small_model()}});
  const mo_result* r = nullptr;
  ASSERT_EQ(mo_session_convert(session, model.get(), &r), MO_OK);
  EXPECT_EQ(r->bin, room.bytes.data());
  Session s;
  s.unset("extensions");
  EXPECT_EQ(bytes_of(*r), bytes_of(*convert(s, model.get())));
  mo_result_free(r);
  room.full = true;
  EXPECT_EQ(mo_session_convert(session, model.get(), &r), MO_IO_ERROR);
  EXPECT_THAT(text(mo_session_error(session)->text), HasSubstr("no room"));
  mo_session_close(session);
}

TEST(Library, PartsFindOneAnother) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.initializer("w", OnnxTensor::in_file(OnnxType::float32, {2}, "weights.bin", 4, 8));
  m.output(m.op("Add", {"x", "w"}), OnnxType::float32);
  const std::string weights("\0\0\0\0\0\0\x80\x3f\0\0\0\x40", 12);
  const Session s;
  const ResultPtr r = convert(s, Parts({{"net.onnx", m.bytes()}, {"weights.bin", weights}}).get());
  EXPECT_THAT(std::string(static_cast<const char*>(r->bin), r->bin_bytes), HasSubstr(weights.substr(4)));

  const mo_result* none = nullptr;
  EXPECT_EQ(mo_session_convert(s.get(), Parts({{"net.onnx", m.bytes()}}).get(), &none), MO_ERROR);
  EXPECT_THAT(text(s.error().shown), HasSubstr("has no part 'weights.bin'"));
  EXPECT_EQ(none, nullptr);
}

// They are met in a copy of the process, which must not wait for anybody.
TEST(Library, PluginsThatAreMetForTheFirstTime) {
  const TemporaryFolder folder;
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string usual = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  Session s;
  s.set("extensions", zoo("met_first"));
  (void)convert(s, Parts({{"net.onnx", small_model()}}).get());
  if (before == nullptr)
    unsetenv("XDG_CACHE_HOME");
  else
    setenv("XDG_CACHE_HOME", usual.c_str(), 1);
  EXPECT_TRUE(std::filesystem::exists(folder / "cache/mo-host/plugins"));
}

TEST(Library, ErrorsAreData) {
  const Session s;
  const mo_result* r = nullptr;
  EXPECT_EQ(mo_session_convert(s.get(), Parts({{"net.onnx", small_model("Foo")}}).get(), &r), MO_ERROR);
  const mo_error& e = s.error();
  EXPECT_EQ(text(e.code), "MO0401");
  EXPECT_EQ(e.exit_code, 1);
  EXPECT_EQ(text(e.model), "net.onnx");
  EXPECT_THAT(text(e.hint), HasSubstr("--extensions"));
  ASSERT_EQ(e.n_missing, 1U);
  EXPECT_THAT(text(e.missing[0]), HasSubstr("Foo"));
  EXPECT_THAT(text(e.shown), HasSubstr("error MO0401: "));
  (void)convert(s, Parts({{"net.onnx", small_model()}}).get());
  EXPECT_EQ(mo_session_error(s.get()), nullptr);
}

TEST(Library, OptionsAreThoseOfTheCommandLine) {
  Session s;
  const Parts model({{"net.onnx", small_model()}});
  const mo_result* r = nullptr;
  s.set("input_shape", "[5,3,4,4]");
  EXPECT_THAT(text(convert(s, model.get())->xml), HasSubstr("shape=\"5,3,4,4\""));
  s.unset("input_shape");
  s.set("static_shape", "true");
  EXPECT_THAT(text(convert(s, model.get())->xml), HasSubstr("<static_shape value=\"True\"/>"));
  s.set("static_shape", "false");
  EXPECT_THAT(text(convert(s, model.get())->xml), Not(HasSubstr("static_shape")));
  s.set("static_shape", "perhaps");
  EXPECT_EQ(mo_session_convert(s.get(), model.get(), &r), MO_INVALID_ARGUMENT);
  s.unset("static_shape");
  for (const auto& [name, code] :
       std::map<std::string, std::string>{{"no_such", "MO0101"}, {"jobs", "MO0151"}}) {
    s.set(name, "1");
    EXPECT_EQ(mo_session_convert(s.get(), model.get(), &r), MO_INVALID_ARGUMENT);
    EXPECT_EQ(text(s.error().code), code);
    EXPECT_EQ(s.error().exit_code, 2);
    s.unset(name);
  }
}

TEST(Library, WrongCallsAreRefused) {
  const Session s;
  const Parts model({{"net.onnx", small_model()}});
  const mo_result* r = nullptr;
  EXPECT_EQ(mo_session_convert(nullptr, model.get(), &r), MO_INVALID_ARGUMENT);
  EXPECT_EQ(mo_session_convert(s.get(), model.get(), nullptr), MO_INVALID_ARGUMENT);
  EXPECT_EQ(text(s.error().code), "MO0150");
  EXPECT_EQ(mo_session_convert(s.get(), nullptr, &r), MO_INVALID_ARGUMENT);
  EXPECT_EQ(text(s.error().code), "MO0109");
  EXPECT_EQ(mo_session_set(s.get(), {nullptr, 3}, view("x")), MO_INVALID_ARGUMENT);
  EXPECT_EQ(mo_session_open(nullptr, nullptr), MO_INVALID_ARGUMENT);
  const mo_part nothing{view("net.onnx"), nullptr, 7};
  const mo_model broken{sizeof broken, {}, &nothing, 1}, old{8, {}, nullptr, 0},
      both{sizeof both, view("net.onnx"), model.get()->parts, 1};
  for (const mo_model* m : {&broken, &old, &both}) {
    EXPECT_EQ(mo_session_convert(s.get(), m, &r), MO_INVALID_ARGUMENT);
    EXPECT_EQ(text(s.error().code), "MO0150");
  }
  mo_session_close(nullptr);
  mo_result_free(nullptr);
}

TEST(Library, IsCancelled) {
  Session s;
  const Parts model({{"net.onnx", small_model()}});
  const mo_result* r = nullptr;
  for (const std::string phase : {"load", "extract", "front", "middle", "emit"}) {
    s.stop_in = phase;
    EXPECT_EQ(mo_session_convert(s.get(), model.get(), &r), MO_CANCELLED) << phase;
    EXPECT_EQ(text(s.error().code), "MO0721");
  }
  s.stop_in = "";
  mo_session_cancel(s.get());  // before it begins
  EXPECT_EQ(mo_session_convert(s.get(), model.get(), &r), MO_CANCELLED);
  EXPECT_EQ(r, nullptr);
  (void)convert(s, model.get());
}

TEST(Library, ChecksWithoutConverting) {
  const Session s;
  for (const bool known : {true, false}) {
    const mo_result* r = nullptr;
    ASSERT_EQ(mo_session_check(s.get(), Parts({{"net.onnx", small_model(known ? "Relu" : "Foo")}}).get(), &r),
              MO_OK);
    const auto report = nlohmann::json::parse(text(r->report));
    EXPECT_EQ(report["convertible"], known);
    EXPECT_EQ(report.contains("error"), !known);
    mo_result_free(r);
  }
}

TEST(Library, RunsAndVerifies) {
  const Session s;
  const Parts model({{"net.onnx", small_model()}});
  const std::vector<float> x(48, 1.0F);
  const int64_t dims[] = {1, 3, 4, 4};
  mo_array input{sizeof input, view("x"), dims, 4, x.data(), x.size() * sizeof(float), MO_F32, 0};
  const mo_result* r = nullptr;
  ASSERT_EQ(mo_session_run(s.get(), model.get(), &input, 1, &r), MO_OK) << text(s.error().shown);
  ASSERT_EQ(r->n_outputs, 1U);
  const mo_array& y = r->outputs[0];
  EXPECT_EQ(text(y.name), "z");
  EXPECT_THAT(std::vector<int64_t>(y.dims, y.dims + y.rank), ElementsAre(1, 2, 4, 4));
  std::vector<float> values(32);
  ASSERT_EQ(y.bytes, values.size() * sizeof(float));
  std::memcpy(values.data(), y.data, y.bytes);
  EXPECT_EQ(values.front(), 5);  // 1 + 2 + 3 - 1
  EXPECT_EQ(values.back(), 16);  // 4 + 5 + 6 + 1
  mo_result_free(r);

  ASSERT_EQ(mo_session_verify(s.get(), model.get(), {}, &input, 1, &r), MO_OK) << text(s.error().shown);
  EXPECT_EQ(nlohmann::json::parse(text(r->report))["equal"], true);
  mo_result_free(r);

  input.bytes -= 1;
  r = nullptr;
  EXPECT_EQ(mo_session_run(s.get(), model.get(), &input, 1, &r), MO_INVALID_ARGUMENT);
  EXPECT_EQ(text(s.error().code), "MO0150");
  EXPECT_EQ(r, nullptr);
}

TEST(Library, SessionsWorkAtTheSameTime) {
  const Parts model({{"net.onnx", small_model()}});
  const Session first;
  const std::string expected = bytes_of(*convert(first, model.get()));
  std::atomic<int> same = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const Session s;
      for (int i = 0; i < 3; ++i) same += int{bytes_of(*convert(s, model.get())) == expected};
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(same, 12);
}

}  // namespace
}  // namespace mo::test

#endif
