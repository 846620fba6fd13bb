#include "loader/operators.hpp"

#include <algorithm>
#include <map>

#include "schema_bfbs_generated.h"

namespace mo::tflite {

namespace {

const reflection::Schema& schema() { return *reflection::GetSchema(format::ModelBinarySchema::data()); }

// "conv2d" of CONV_2D and of Conv2DOptions.
std::string plain(std::string_view name) {
  if (name.ends_with("Options")) name.remove_suffix(7);
  std::string s;
  for (const char c : name)
    if (c != '_') s += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return s;
}

std::map<std::string, Options, std::less<>> read_options() {
  std::map<std::string, Options, std::less<>> all;
  for (const bool second : {false, true}) {
    const char* of = second ? "mo.tflite.format.BuiltinOptions2" : "mo.tflite.format.BuiltinOptions";
    for (const reflection::EnumVal* v : *schema().enums()->LookupByKey(of)->values()) {
      if (v->value() == 0) continue;  // no options
      Options o{static_cast<uint8_t>(v->value()), second, {}};
      const auto* table =
          schema().objects()->Get(static_cast<flatbuffers::uoffset_t>(v->union_type()->index()));
      for (const Field* f : *table->fields())
        if (!f->deprecated()) o.fields.push_back(f);
      std::sort(o.fields.begin(), o.fields.end(),
                [](const Field* a, const Field* b) { return a->id() < b->id(); });
      all.emplace(plain(text_of(v->name())), std::move(o));
    }
  }
  // Tables that operators of other names have.
  struct Shared {
    const char* table;
    std::vector<const char*> ops;
  };
  for (const Shared& s :
       {Shared{"pool2d", {"averagepool2d", "maxpool2d", "l2pool2d"}}, Shared{"l2norm", {"l2normalization"}},
        Shared{"reducer", {"sum", "mean", "reduceprod", "reducemax", "reducemin", "reduceany", "reduceall"}},
        Shared{"sequencernn", {"unidirectionalsequencernn"}}, Shared{"conv3d", {"conv3dtranspose"}},
        Shared{"random", {"randomstandardnormal", "randomuniform", "multinomial"}}})
    for (const char* op : s.ops) all.emplace(op, all.at(s.table));
  return all;
}

template <class T>
T value_of(const Table* t, const Field& f) {
  const T fallback = static_cast<T>(f.default_integer());
  return t == nullptr ? fallback : t->GetField<T>(f.offset(), fallback);
}

// nullptr: a plain number.
const reflection::Enum* enumeration_of(const Field& f) {
  const int32_t index = f.type()->index();
  return index < 0 ? nullptr : schema().enums()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

}  // namespace

const Field* Options::find(std::string_view field) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field* f) { return text_of(f->name()) == field; });
  return found == fields.end() ? nullptr : *found;
}

const Options* options_of(std::string_view op) {
  static const auto all = read_options();
  const auto found = all.find(plain(op));
  return found == all.end() ? nullptr : &found->second;
}

int64_t integer_of(const Table* t, const Field& f) {
  switch (f.type()->base_type()) {
    case reflection::BaseType::Bool:
    case reflection::BaseType::Byte:
      return value_of<int8_t>(t, f);
    case reflection::BaseType::Int:
    case reflection::BaseType::UInt:
      return value_of<int32_t>(t, f);
    case reflection::BaseType::Long:
      return value_of<int64_t>(t, f);
    default:
      fail("'", text_of(f.name()), "' is not a whole number");
  }
}

bool is_enumerated(const Field& f, std::string_view enumeration) {
  const reflection::Enum* e = enumeration_of(f);
  return e != nullptr && text_of(e->name()).ends_with(enumeration);
}

std::string_view enumerated(const Field& f, int64_t number) {
  const reflection::Enum* e = enumeration_of(f);
  const reflection::EnumVal* v = e == nullptr ? nullptr : e->values()->LookupByKey(number);
  return v == nullptr ? std::string_view{} : text_of(v->name());
}

}  // namespace mo::tflite
