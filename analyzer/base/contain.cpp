#include "analyzer/base/contain.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "analyzer/base/check.h"

namespace ranklint {
namespace {

thread_local int open_scopes = 0;

// Relative to the root of the source, so that reports do not depend on where it was built.
std::string_view file_in_source(std::string_view file) {
  for (const std::string_view folder : {"/analyzer/", "/frontends/", "/rules/", "/app/", "/tests/"})
    if (const size_t at = file.rfind(folder); at != file.npos) return file.substr(at + 1);
  return file;
}

}  // namespace

void check_failed(const char* file, int line, const char* message, const char* condition) {
  if (open_scopes > 0)
    throw InternalError(std::string(file_in_source(file)) + ":" + std::to_string(line) + ": " + message + " (" +
                        condition + ")");
  std::fprintf(stderr, "%s:%d: ranklint bug: %s (%s)\n", file, line, message, condition);
  std::abort();
}

ContainmentScope::ContainmentScope() noexcept { ++open_scopes; }
ContainmentScope::~ContainmentScope() { --open_scopes; }

std::string describe_current_exception() {
  try {
    throw;
  } catch (const InternalError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

}  // namespace ranklint
