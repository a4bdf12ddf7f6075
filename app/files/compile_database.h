// Clang's JSON compilation database.
#pragma once

#include <cstdint>
#include <string_view>

namespace ranklint::app {

constexpr std::string_view kCompileDatabaseName = "compile_commands.json";
constexpr uint64_t kLargestCompileDatabaseBytes = uint64_t{256} << 20;  // larger ones are not read

}  // namespace ranklint::app
