// Looks at the structs a plugin fills: every field, before anything is used. All that is wrong with one
// definition is told at once.
#pragma once

#include "core/registry/forms.hpp"
#include "core/registry/registry.hpp"
#include "core/registry/rules.hpp"

#include <cstddef>
#include <cstring>

namespace mo::core {

// The size a struct had in the first ABI that had it.
template <class T>
inline constexpr size_t oldest_size = 0;
#define MO_OLDEST(Struct, last_member) \
  template <>                          \
  inline constexpr size_t oldest_size<Struct> = offsetof(Struct, last_member) + sizeof(Struct::last_member)
MO_OLDEST(mo_plugin, shutdown);
MO_OLDEST(mo_attr_def, reserved);
MO_OLDEST(mo_port_def, flags);
MO_OLDEST(mo_operation_def, release);
MO_OLDEST(mo_extractor_def, release);
MO_OLDEST(mo_pattern_attr, value);
MO_OLDEST(mo_pattern_input, out_port);
MO_OLDEST(mo_pattern_edge, in_port);
MO_OLDEST(mo_pattern_node, predicate);
MO_OLDEST(mo_transformation_def, release);
MO_OLDEST(mo_frontend_def, release);
MO_OLDEST(mo_option_def, reserved);
MO_OLDEST(mo_converter_def, release);
#undef MO_OLDEST

class Check {
 public:
  // abi_minor: what the plugin says it was built for.
  Check(std::string subject, uint32_t abi_minor) : subject_(std::move(subject)), abi_minor_(abi_minor) {}
  // What the messages are about, once its name is known.
  void about(std::string subject) { subject_ = std::move(subject); }

  // While it lives, fields are those of an element of a list: "attrs[2].name". The field "" is the element.
  class Element {
   public:
    Element(Check& check, std::string_view list, size_t index) : check_(check), list_(list), index_(index) {
      check_.elements_.push_back(this);
    }
    ~Element() { check_.elements_.pop_back(); }
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;

   private:
    friend Check;
    Check& check_;
    std::string_view list_;
    size_t index_;
  };

  // Notes a broken rule unless `holds`.
  bool that(bool holds, Rule rule, std::string_view field, std::string_view value, std::string_view expected);

  // The number of what a list has is not `expected`.
  void wrong_number(Rule rule, std::string_view list, uint64_t count, std::string_view expected);

  // A copy with members beyond the size that was stated set to zero. Throws when there is nothing to go on
  // with.
  template <class T>
  T structure(const T* from) {
    T copy{};
    copy_structure(from, &copy, sizeof(T), oldest_size<T>);
    return copy;
  }
  // Elements of a newer plugin are further apart than ours.
  template <class T>
  std::vector<T> structures(std::string_view field, const T* items, uint64_t count) {
    std::vector<T> list;
    if (!list_fits(field, items, count)) return list;
    const auto* at = reinterpret_cast<const char*>(items);
    size_t stride = 0;
    std::memcpy(&stride, at, sizeof stride);
    for (uint64_t i = 0; i < count; ++i, at += stride) {
      const Element element(*this, field, i);
      T copy{};
      if (!copy_element(at, &copy, sizeof(T), oldest_size<T>, stride)) break;
      list.push_back(copy);
    }
    return list;
  }
  template <class T>
  std::span<const T> array(std::string_view field, const T* items, uint64_t count) {
    if (!list_fits(field, items, count)) return {};
    return {items, static_cast<size_t>(count)};
  }

  std::string string(std::string_view field, mo_str, const TextForm&);
  // Each item once.
  std::vector<std::string> strings(std::string_view field, const mo_str* items, uint64_t count,
                                   const TextForm&);
  // first … last, which is never 0 where something must be chosen.
  void enumeration(std::string_view field, int32_t value, int32_t first, int32_t last);
  void flags(std::string_view field, uint32_t value, uint32_t known);
  void zero(std::string_view field, int64_t reserved);
  void callback(std::string_view field, bool is_set);
  Attribute value(std::string_view field, const mo_value&, Session&);

  bool ok() const { return problems_.empty(); }
  // Throws one Error with all that was noted.
  void done() const;

 private:
  struct Problem {
    Rule rule;
    std::string text;
  };
  void copy_structure(const void* from, void* to, size_t known, size_t oldest);
  bool copy_element(const void* from, void* to, size_t known, size_t oldest, size_t stride);
  bool size_fits(std::string_view field, size_t size, size_t known, size_t oldest);
  bool list_fits(std::string_view field, const void* items, uint64_t count);

  std::string place_of(std::string_view field) const;
  void note(Rule, std::string_view place, std::string_view value, std::string_view expected);

  std::string subject_;
  uint32_t abi_minor_;
  std::vector<const Element*> elements_;  // the outermost first
  std::vector<Problem> problems_;
};

// For messages: quoted, cut, and without anything a terminal would act on.
std::string in_quotes(std::string_view);

}  // namespace mo::core
