// Templates of projects and of parts of them: folders of files in which @word@ stands for what the user
// named.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mo::app {

using Words = std::map<std::string, std::string, std::less<>>;

// The folder of all templates, installed beside the program. Failure (Exit::internal) when it is not there.
std::string template_folder();

// Every @word@ replaced, and @@ by @; Failure (Exit::internal) for one that is not known.
std::string with_words(std::string_view text, const Words&);

struct NewFile {
  std::string path;  // absolute
  std::string content;
};

// The files of a folder of templates, as they would be below `destination`. Words are replaced in paths, too;
// of NAME.bytes the bytes it describes become NAME (see bytes.hpp), and the files of a folder NAME.zip an
// archive NAME.
std::vector<NewFile> files_of_template(const std::string& folder, const std::string& destination,
                                       const Words&);
NewFile file_of_template(const std::string& file, const std::string& destination, const Words&);

// All or none: Failure (Exit::output) that names those that are there already, or cannot be written.
void write_new_files(const std::vector<NewFile>&);

}  // namespace mo::app
