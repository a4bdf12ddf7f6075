// The symbols by which the program knows and calls this module after loading it.
#include "frontends/cpp/module/module.h"

extern "C" __attribute__((visibility("default"))) const char ranklint_cpp_layout[] = RANKLINT_LAYOUT;

extern "C" __attribute__((visibility("default"))) void ranklint_lower_cpp(const std::string& path,
                                                                          std::string_view bytes,
                                                                          const ranklint::CompileCommand& command,
                                                                          ranklint::CppUnit& out) {
  out = ranklint::lower_cpp(path, bytes, command);
}
