// The rules about files themselves: what the run says with them is about how much was checked.
#pragma once

#include <string_view>

namespace ranklint::app {

inline constexpr std::string_view kUnreadable = "unreadable-source";
inline constexpr std::string_view kPartial = "partial-parse";

}  // namespace ranklint::app
