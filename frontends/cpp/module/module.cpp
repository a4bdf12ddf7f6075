// The symbols by which the program calls this module after loading it.
#include "frontends/cpp/module/module.h"

extern "C" __attribute__((visibility("default"))) void ranklint_lower_cpp(const std::string& path, std::string_view bytes,
                                                                          const ranklint::CompileCommand& command,
                                                                          std::vector<ranklint::ir::Module>& out) {
  out = ranklint::lower_cpp(path, bytes, command);
}

extern "C" __attribute__((visibility("default"))) void ranklint_lower_program(const std::string& path, std::string_view bytes,
                                                                              std::shared_ptr<const ranklint::machine::Program>& out) {
  out = ranklint::lower_program(path, bytes);
}
