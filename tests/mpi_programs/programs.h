// The programs of testdata/mpi_programs/: a body with a name and a verdict, multiplied by the values of its `each` lines.
#pragma once

#include <string>
#include <vector>

namespace ranklint::test {

struct MpiProgram {
  std::string name;      // "requests/persistent-0"
  std::string category;  // "requests"
  std::string rule;      // that has to be reported; empty: nothing may be
  std::string text;
};

std::vector<MpiProgram> mpi_programs();

}  // namespace ranklint::test
