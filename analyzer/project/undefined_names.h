// Names that a function reads and nothing defines:
//
//     def save(state, path):
//         utils.make_folder(path)      # no `utils` in the file, nor in Python: every rank fails here
//         torch.save(state, path)
//
// A name is defined by what gives it a value anywhere in the function, in one around it or in the file, and by Python.
// A file that takes over all names of another, or puts names together, may have any.
#pragma once

#include <optional>

#include "analyzer/program/program.h"

namespace ranklint {

class UndefinedNames {
 public:
  explicit UndefinedNames(const Program& program) : program_(program) {}

  // Where one is read on each way to the place, and nothing takes the error. None: nowhere, or it is not known.
  std::optional<SourceRange> read_before(FunctionKey f, const SourceRange& place) const;

 private:
  const Program& program_;
};

}  // namespace ranklint
