// What nearly every test includes. Only a speed-up, as core_pch.hpp is for core.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mo/sdk.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/views/text.hpp"
#include "core/registry/session.hpp"
