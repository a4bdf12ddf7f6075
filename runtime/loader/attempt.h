// Where something below may throw (memory runs out, a tensor refuses its shape), the failure as a value: between two
// collectives a rank must not leave by an exception, the others would wait for it.
#pragma once

#include <exception>
#include <new>
#include <type_traits>

#include "runtime/base/error.h"

namespace ranklint::runtime {

// `body` returns nothing or a Status.
template <typename F>
Status attempt(const F& body) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      body();
      return ok();
    } else {
      return body();
    }
  } catch (const RankError& error) {
    return error.error();
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::Io, "out of memory"};
  } catch (const std::exception& error) {
    return Error{ErrorKind::Io, error.what()};
  }
}

}  // namespace ranklint::runtime
