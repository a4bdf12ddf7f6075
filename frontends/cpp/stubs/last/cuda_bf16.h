#pragma once
struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  __nv_bfloat16(float);
  operator float() const;
};
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __nv_bfloat16 nv_bfloat16;
