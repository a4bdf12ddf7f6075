// Whether this build has a sanitizer that makes stack frames several times larger. GCC says so by macros, Clang by
// features.
#pragma once

namespace ranklint {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kHasLargeFrames = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kHasLargeFrames = true;
#else
inline constexpr bool kHasLargeFrames = false;
#endif
#else
inline constexpr bool kHasLargeFrames = false;
#endif

}  // namespace ranklint
