#pragma once
struct __half {
  __half() = default;
  __half(float);
  operator float() const;
};
struct __half2 { __half x, y; };
typedef __half half;
typedef __half2 half2;
