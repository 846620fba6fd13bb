// Text of an option, character by character, and errors that show the place.
#pragma once

#include "core/support/failure.hpp"

#include <span>

namespace mo::app {

// A character as the user wrote it; one behind a backslash means itself.
struct Letter {
  char c;
  bool literal;
  size_t at;
  bool is(char wanted) const { return c == wanted && !literal; }
  bool is_blank() const { return !literal && (c == ' ' || c == '\t'); }
};
using Letters = std::span<const Letter>;

class OptionText {
 public:
  OptionText(std::string_view option, std::string_view text);
  Letters letters() const { return letters_; }
  // "--input: what", the text, and a caret below position `at`.
  core::Failure failure(std::string code, size_t at, const std::string& what) const;
  // Where a piece begins, or would if it were not empty.
  size_t place(Letters piece) const {
    const auto index = static_cast<size_t>(piece.data() - letters_.data());
    return index < letters_.size() ? letters_[index].at : text_.size();
  }

  // Pieces between separators that stand outside of brackets. Failure when brackets do not pair.
  std::vector<Letters> split(Letters piece, char separator) const;

 private:
  std::string option_, text_;
  std::vector<Letter> letters_;
};

Letters trim(Letters);
std::string text_of(Letters);

}  // namespace mo::app
