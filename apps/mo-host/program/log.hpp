// Messages of host and plugins go to stderr.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string_view>

namespace mo::app {

// `level` as --log_level has it.
std::shared_ptr<spdlog::logger> make_log(std::string_view level);
spdlog::level::level_enum level_of(int32_t mo_log_level);

}  // namespace mo::app
