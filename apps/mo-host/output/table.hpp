// A list with columns, in the forms that `list` offers.
#pragma once

#include <string>
#include <vector>

namespace mo::app {

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string empty;  // what to say instead of nothing
};

std::string as_text(const Table&);
std::string as_markdown(const Table&);
std::string as_json(const Table&);  // an array of objects

}  // namespace mo::app
