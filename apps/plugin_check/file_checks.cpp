// Rules about what reads bytes: front-ends (270, 271, 282), converters (272, 284); and options (273).
#include <filesystem>
#include <fstream>

#include "apps/plugin_check/setting.hpp"
#include "apps/plugin_check/tap.hpp"
#include "apps/plugin_check/trial_model.hpp"
#include "core/registry/contain.hpp"
#include "core/schedule/invariants.hpp"
#include "core/schedule/schedule.hpp"

namespace mo::app::checks {

namespace {

namespace fs = std::filesystem;

class FileOf {
 public:
  FileOf(const std::string& bytes, const std::string& extension)
      : path_(folder_.path() + "/model" + extension) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_.path(); }

 private:
  TrialFolder folder_;
  std::string path_;
};

const core::FrontEnd& frontend_at(Setting& s, const std::string& item) {
  const core::FrontEnd* f = s.registry().frontend(item);
  if (f == nullptr) broken("the front-end ", item, " is not registered");
  return *f;
}

Answer call_probe(core::Session& session, const core::FrontEnd& f, const std::string& path,
                  const std::string& extension, const std::string* bytes, int32_t& score) {
  constexpr size_t most_head = 4096;
  mo_probe_args args{};
  args.size = sizeof args;
  args.path = str(path);
  args.extension = str(extension);
  const size_t head_bytes = bytes == nullptr ? 0 : std::min(bytes->size(), most_head);
  // Ends where nobody may read on.
  const GuardedBytes head(bytes == nullptr ? nullptr : bytes->data(), head_bytes,
                          GuardedBytes::Access::read_only);
  args.head = bytes == nullptr ? nullptr : head.data();
  args.head_bytes = head_bytes;
  args.file_bytes = bytes == nullptr ? 0 : bytes->size();
  core::Call call(session);
  call->plugin = f.plugin;
  Answer a;
  a.status = core::contain(*call, "probe", [&] { return f.probe(f.self, call.get(), &args, &score); });
  a.text = call->error;
  return a;
}

std::string noise(Random& random, size_t n) {
  std::string s(n, '\0');
  for (char& c : s) c = static_cast<char>(random.below(256));
  return s;
}

std::vector<std::string> foreign_contents(uint64_t seed) {
  Random random(seed);
  return {"",
          "x",
          "hello, world\n",
          std::string(4096, '\0'),
          noise(random, 1000),
          noise(random, 3),
          "{",
          "{\"a\": [1, 2",
          "<?xml version=\"1.0\"?><net",
          "\x08\x07\x12\x00",
          std::string(300, '\xff'),
          "\x0a\xff\xff\xff\xff\x0f",
          "name: \"net\" layer {"};
}

void probe_one(Setting& s, const core::FrontEnd& f, const std::string& bytes, const std::string& where) {
  std::vector<std::string> extensions = f.extensions;
  extensions.emplace_back(".bin");
  extensions.emplace_back("");
  for (const std::string& extension : extensions) {
    const FileOf file(bytes, extension);
    int32_t score = 0;
    const Answer a = call_probe(s.session(), f, file.path(), extension, &bytes, score);
    if (!a.ok())
      broken("probe failed with status ", a.status, " (", a.text, ") on ", where, " named *", extension,
             "; expected MO_OK");
    if (score < 0 || score > 100) broken("probe answered ", score, " for ", where, "; expected 0 to 100");
  }
}

void probes(Setting& s, const std::string& item) {
  const core::FrontEnd& f = frontend_at(s, item);
  size_t i = 0;
  for (const std::string& bytes : foreign_contents(s.seed))
    probe_one(s, f, bytes, text("foreign file no. ", ++i, " of ", bytes.size(), " bytes"));
  const FileOf file("", "");
  int32_t score = 0;
  const Answer a = call_probe(s.session(), f, file.folder(), "", nullptr, score);
  if (!a.ok()) broken("probe failed with status ", a.status, " (", a.text, ") on a folder; expected MO_OK");
}

void load_one(Setting& s, const core::FrontEnd& f, const mo_model_source& source, const std::string& where) {
  const core::GraphPtr g = s.session().create_graph("model");
  void* model = nullptr;
  Answer a;
  {
    core::Call call(s.session());
    call->plugin = f.plugin;
    call->graph = g.get();
    a.status = core::contain(*call, "load",
                             [&] { return f.load(f.self, call.get(), &source, g->serial(), &model); });
    a.text = call->error;
  }
  require_contract(a, "load of " + where);
  if (!a.ok()) return;
  try {
    check_graph(*g);
  } catch (const core::Failure& e) {
    broken("load of ", where, " returned MO_OK and a graph that is not whole: ", e.message());
  }
  if (model != nullptr && f.unload != nullptr) f.unload(f.self, model);
}

// From a file, and from memory.
void load_one_file(Setting& s, const core::FrontEnd& f, const std::string& bytes, const std::string& where) {
  const std::string extension = f.extensions.empty() ? "" : f.extensions.front();
  const FileOf file(bytes, extension);
  load_one(s, f, {sizeof(mo_model_source), str(file.path()), nullptr, 0}, where);
  const std::string name = "model" + extension;
  const mo_str part = str(name);
  const auto kept = std::make_shared<const std::string>(bytes);
  s.session().set_parts({{name, std::as_bytes(std::span(*kept)), kept}});
  load_one(s, f, {sizeof(mo_model_source), part, &part, 1}, where + " in memory");
  s.session().set_parts({});
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void loads(Setting& s, const std::string& item) {
  constexpr size_t cuts = 24;
  const core::FrontEnd& f = frontend_at(s, item);
  if (f.load == nullptr) throw Skipped{"it has no load"};
  size_t i = 0;
  for (const std::string& bytes : foreign_contents(s.seed))
    load_one_file(s, f, bytes, text("foreign file no. ", ++i, " of ", bytes.size(), " bytes"));
  for (const std::string& path : s.models) {
    const std::string whole = content_of(path);
    int32_t score = 0;
    if (!call_probe(s.session(), f, path, fs::path(path).extension().string(), &whole, score).ok() ||
        score < 50)
      continue;
    for (size_t k = 0; k <= cuts; ++k) {
      const size_t n = whole.size() * k / cuts;
      load_one_file(s, f, whole.substr(0, n), text("the first ", n, " bytes of ", path));
    }
  }
}

void random_files(Setting& s, const std::string& item) {
  const core::FrontEnd& f = frontend_at(s, item);
  for (size_t round = 0; round < s.rounds; ++round) {
    Random random(s.seed + round, item);
    std::string bytes = noise(random, random.below(400));
    if (!s.models.empty() && !random.one_in(4)) {
      bytes = content_of(random.of(s.models));
      for (size_t k = 1 + random.below(8); k > 0 && !bytes.empty(); --k)
        bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    const std::string where = text("round ", round, " (--seed ", s.seed + round, " --cases 1)");
    probe_one(s, f, bytes, where);
    if (f.load != nullptr) load_one_file(s, f, bytes, where);
  }
}

void convert_bytes(Setting& s, const std::string& item, const std::string& bytes) {
  const core::Converter& converter = *s.registry().converter(item);
  const GuardedBytes guarded(bytes.data(), bytes.size(), GuardedBytes::Access::read_only);
  core::Call call(s.session());
  core::Attribute result;
  call->plugin = converter.plugin;
  call->returned = &result;
  Answer a;
  a.status = core::contain(*call, "convert", [&] {
    return converter.convert(converter.self, call.get(), bytes.empty() ? nullptr : guarded.data(),
                             bytes.size());
  });
  a.text = call->error;
  require_contract(a, text("convert of ", bytes.size(), " bytes"));
}

void converts(Setting& s, const std::string& item) {
  for (const std::string& bytes : foreign_contents(s.seed)) convert_bytes(s, item, bytes);
  for (size_t n = 0; n < 40; ++n) convert_bytes(s, item, std::string(n, '\x01'));
}

void random_conversions(Setting& s, const std::string& item) {
  for (size_t round = 0; round < s.rounds; ++round) {
    Random random(s.seed + round, item);
    convert_bytes(s, item, noise(random, random.below(300)));
  }
}

std::vector<core::Attribute> senseless_values(int32_t kind) {
  switch (kind) {
    case MO_OPTION_FLAG:
      return {true, false};
    case MO_OPTION_INT:
      return {int64_t{-1}, int64_t{0}, INT64_MAX, INT64_MIN};
    case MO_OPTION_FLOAT:
      return {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()};
    case MO_OPTION_LIST:
      return {std::vector<std::string>{}, std::vector<std::string>{"", "no such thing"},
              std::vector<std::string>(300, "x")};
    default:
      return {std::string(), std::string("no such thing"), std::string(5000, 'x'),
              std::string("/no/such/file")};
  }
}

// Whatever of the plugin runs without a model: its front-ends' probe, its transformations on a small graph.
void run_what_runs(Setting& s) {
  for (const core::FrontEnd* f : s.registry().frontends()) {
    const std::string bytes = "hello, world";
    int32_t score = 0;
    if (f->plugin == &s.world.plugin())
      require_contract(call_probe(s.session(), *f, "/tmp/model.bin", ".bin", &bytes, score), "probe");
  }
  for (const core::Transformation* t : s.registry().transformations()) {
    if (t->plugin != &s.world.plugin() || t->is_configured()) continue;
    const core::GraphPtr g = parse_text("%x = Parameter -> f32[2,3]\nResult (%x)\n", s.session().space());
    try {
      (void)run_transformation(s.session(), *g, *t);
    } catch (const core::Failure& f) {
      if (f.message().starts_with("MOX-026") || f.message().find("and no text") != std::string::npos)
        broken(t->id, ": ", f.message());
    }
  }
}

void senseless_options(Setting& s, const std::string& item) {
  const core::OptionDef* o = s.registry().option(item);
  if (o == nullptr) broken("the option --", item, " is not registered");
  for (const core::Attribute& value : senseless_values(o->kind)) {
    if (const auto* text = std::get_if<std::string>(&value);
        text != nullptr && !o->allowed.empty() &&
        std::count(o->allowed.begin(), o->allowed.end(), *text) == 0)
      continue;  // the host refuses it
    s.session().set_option(item, value);
    run_what_runs(s);
  }
}

constexpr CheckRow file_rows[] = {
    {270, probes},       {271, loads},
    {272, converts},     {273, senseless_options},
    {282, random_files}, {284, random_conversions},
};

}  // namespace

std::span<const CheckRow> file_checks() { return file_rows; }

}  // namespace mo::app::checks
