// Words that the kernels need and that compilers spell differently.
#pragma once

#define RANKLINT_INLINE [[gnu::always_inline]] static inline

#if defined(__clang__)
#define RANKLINT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RANKLINT_UNROLL _Pragma("GCC unroll 16")
#endif
