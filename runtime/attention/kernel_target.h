// Words that the kernels need and that compilers spell differently.
#pragma once

#define RANKLINT_INLINE [[gnu::always_inline]] static inline

// What stands between RANKLINT_TARGET(features) and RANKLINT_TARGET_END may use the features' instructions.
#define RANKLINT_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define RANKLINT_UNROLL _Pragma("clang loop unroll(full)")
#define RANKLINT_TARGET(features) \
  RANKLINT_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define RANKLINT_TARGET_END _Pragma("clang attribute pop")
#else
#define RANKLINT_UNROLL _Pragma("GCC unroll 16")
#define RANKLINT_TARGET(features) _Pragma("GCC push_options") RANKLINT_PRAGMA(GCC target(features))
#define RANKLINT_TARGET_END _Pragma("GCC pop_options")
#endif
