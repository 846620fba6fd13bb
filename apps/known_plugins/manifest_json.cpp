// The form of a manifest as JSON, written and read.
#include <nlohmann/json.hpp>

#include "apps/known_plugins/manifest.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr int form_version = 1;

struct BadManifest : std::runtime_error {
  using runtime_error::runtime_error;
};

// One object of the file; messages name the place.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw BadManifest(text(place(), " is not an object"));
  }

  std::string string(const char* key) const { return string_of(member(key), within(key)); }
  template <class T>
  T number(const char* key) const {
    const Json& v = member(key);
    if (!v.is_number_integer() || v < Json(std::numeric_limits<T>::min()) ||
        v > Json(std::numeric_limits<T>::max()))
      throw BadManifest(text(within(key), " is not a number of the expected range"));
    return v.get<T>();
  }
  Reader object(const char* key) const { return {member(key), within(key)}; }
  std::vector<std::string> strings(const char* key) const {
    std::vector<std::string> out;
    each(key, [&](const Json& v, const std::string& where) { out.push_back(string_of(v, where)); });
    return out;
  }
  template <class F>
  void objects(const char* key, F f) const {
    each(key, [&](const Json& v, const std::string& where) { f(Reader(v, where)); });
  }

 private:
  std::string place() const { return where_.empty() ? "the file" : where_; }
  std::string within(const char* key) const { return where_.empty() ? key : text(where_, ".", key); }
  static std::string string_of(const Json& v, const std::string& where) {
    if (!v.is_string()) throw BadManifest(text(where, " is not a string"));
    return v.get<std::string>();
  }
  const Json& member(const char* key) const {
    const auto it = object_.find(key);
    if (it == object_.end()) throw BadManifest(text(within(key), " is missing"));
    return *it;
  }
  template <class F>
  void each(const char* key, F f) const {
    const Json& list = member(key);
    if (!list.is_array()) throw BadManifest(text(within(key), " is not a list"));
    for (size_t i = 0; i < list.size(); ++i) f(list[i], text(within(key), "[", i, "]"));
  }

  const Json& object_;
  std::string where_;
};

Manifest manifest_of(const Reader& r) {
  if (const int form = r.number<int>("mo_manifest"); form != form_version)
    throw BadManifest(text("mo_manifest is ", form, "; expected ", form_version));
  Manifest m;
  m.file = r.string("file");
  m.digest = r.string("xxh3_128");
  m.id = r.string("id");
  m.version = r.string("version");
  m.vendor = r.string("vendor");
  m.license = r.string("license");
  m.description = r.string("description");
  m.support_url = r.string("support_url");
  const Reader abi = r.object("abi");
  m.abi_major = abi.number<uint32_t>("major");
  m.abi_minor = abi.number<uint32_t>("minor");
  r.objects("frontends", [&](const Reader& f) {
    m.frontends.push_back({f.string("name"), f.strings("aliases"), f.strings("extensions")});
  });
  r.objects("operations",
            [&](const Reader& o) { m.operations.emplace_back(o.string("opset"), o.string("name")); });
  r.objects("extractors", [&](const Reader& e) {
    m.extractors.push_back({e.string("framework"), e.string("domain"), e.string("operation"),
                            e.number<int32_t>("since"), e.number<int32_t>("until")});
  });
  r.objects("transformations", [&](const Reader& t) {
    m.transformations.push_back({t.string("id"), t.string("phase")});
  });
  m.options = r.strings("options");
  m.converters = r.strings("converters");
  r.objects("interfaces", [&](const Reader& i) {
    m.interfaces.push_back({i.string("name"), i.number<uint32_t>("revision")});
  });
  return m;
}

// Depth is bounded: the parser calls itself for each level.
constexpr int deepest = 8;

}  // namespace

std::string to_json(const Manifest& m) {
  Json j;
  j["mo_manifest"] = form_version;
  j["file"] = m.file;
  j["xxh3_128"] = m.digest;
  j["id"] = m.id;
  j["version"] = m.version;
  j["vendor"] = m.vendor;
  j["license"] = m.license;
  j["description"] = m.description;
  j["support_url"] = m.support_url;
  j["abi"] = {{"major", m.abi_major}, {"minor", m.abi_minor}};
  for (const char* list : {"frontends", "operations", "extractors", "transformations"})
    j[list] = Json::array();
  for (const auto& f : m.frontends)
    j["frontends"].push_back({{"name", f.name}, {"aliases", f.aliases}, {"extensions", f.extensions}});
  for (const auto& [opset, name] : m.operations)
    j["operations"].push_back({{"opset", opset}, {"name", name}});
  for (const auto& e : m.extractors)
    j["extractors"].push_back({{"framework", e.framework},
                               {"domain", e.domain},
                               {"operation", e.op},
                               {"since", e.since},
                               {"until", e.until}});
  for (const auto& t : m.transformations) j["transformations"].push_back({{"id", t.id}, {"phase", t.phase}});
  j["options"] = m.options;
  j["converters"] = m.converters;
  j["interfaces"] = Json::array();
  for (const auto& i : m.interfaces) j["interfaces"].push_back({{"name", i.name}, {"revision", i.revision}});
  // The name of a file need not be UTF-8.
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Manifest manifest_from_json(const std::string& path, const std::string& json) {
  try {
    const auto not_deeper = [](int depth, Json::parse_event_t, Json&) {
      if (depth > deepest) throw BadManifest(text("it is nested deeper than ", deepest, " levels"));
      return true;
    };
    return manifest_of(Reader(Json::parse(json, not_deeper), {}));
  } catch (const BadManifest& e) {
    throw refusal(core::Rule::manifest_form, text("the manifest has not the expected form: ", e.what()))
        .with("manifest", path);
  } catch (const nlohmann::json::exception& e) {
    throw refusal(core::Rule::manifest_form, text("the manifest is not JSON: ", core::reason_of(e)))
        .with("manifest", path);
  }
}

}  // namespace mo::app
