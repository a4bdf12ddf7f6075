#include "runtime/group/run_body.h"

#include <cxxabi.h>

namespace ranklint::runtime {

std::optional<Error> run_body(const std::function<void(RankContext&)>& body, RankContext& context) {
  try {
    body(context);
    return std::nullopt;
  } catch (const RankError& error) {
    return error.error();
  } catch (const std::exception& error) {
    return Error{.kind = ErrorKind::Body, .message = error.what()};
  } catch (const abi::__forced_unwind&) {
    throw;  // pthread_exit: the library insists
  } catch (...) {
    return Error{.kind = ErrorKind::Body, .message = "something that is no std::exception was thrown"};
  }
}

}  // namespace ranklint::runtime
