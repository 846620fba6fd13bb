// JSON that knows where in its file each value stands: for messages, and for edits that leave the rest of the
// text as its author wrote it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::app {

struct LocatedJson {
  enum class Kind { null, boolean, number, string, array, object };
  struct Member;

  Kind kind = Kind::null;
  size_t begin = 0, end = 0;  // bytes of the text; `end` of a scalar is not known
  size_t line = 1;
  bool boolean = false;
  double number = 0;
  std::string string;
  std::vector<LocatedJson> items;
  std::vector<Member> members;  // in order of the text

  const LocatedJson* find(std::string_view key) const;
};

struct LocatedJson::Member {
  std::string key;
  size_t begin = 0, line = 1;  // of the key
  LocatedJson value;
};

std::string_view name(LocatedJson::Kind);

// Failure (Exit::usage, MO0611) with file, line and column for text that is no JSON, repeats a key, or is
// nested deeper than anyone writes.
LocatedJson parse_located_json(const std::string& path, std::string_view text);

}  // namespace mo::app
