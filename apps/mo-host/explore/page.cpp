#include "apps/mo-host/explore/page.hpp"

#include "core/support/failure.hpp"

// MO_PAGE_FILE is made of the files in page/ by join_page.cmake.
__asm__(
    ".pushsection .rodata\n"
    ".global mo_page_begin, mo_page_end\n"
    ".hidden mo_page_begin, mo_page_end\n"
    "mo_page_begin:\n"
    ".incbin \"" MO_PAGE_FILE
    "\"\n"
    "mo_page_end:\n"
    ".popsection\n");
extern "C" const char mo_page_begin[], mo_page_end[];

namespace mo::app {

std::string page_with(std::string_view json) {
  constexpr std::string_view mark = "@DATA@";
  const std::string_view page(mo_page_begin, static_cast<size_t>(mo_page_end - mo_page_begin));
  const size_t at = page.find(mark);
  if (at == std::string_view::npos)
    throw core::Failure(core::Exit::internal, "MO0902", "the template of the page has no place for its data");
  std::string out(page.substr(0, at));
  out.reserve(page.size() + json.size() + json.size() / 16);
  // Nothing in it may end the element that it stands in.
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out += page.substr(at + mark.size());
}

}  // namespace mo::app
