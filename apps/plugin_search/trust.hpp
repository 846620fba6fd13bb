// Who else could put code into a folder that plugins are loaded from.
#pragma once

#include <string>

namespace mo::app {

// Empty when nobody but the user and root can change the file or folder at this canonical path; otherwise one
// sentence with the reason: it is writable by everyone or by a group (one whose only member is the user is
// the user), a folder above it is writable by everyone and not sticky (as /tmp is), or it belongs to someone
// else. Owners are not looked at when `any_owner`: the user has named the path.
std::string why_not_trusted(const std::string& path, bool any_owner);

}  // namespace mo::app
