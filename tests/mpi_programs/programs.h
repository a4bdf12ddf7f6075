// The programs of testdata/mpi_programs/: a body with a name and a verdict, multiplied by the values of its `each`
// lines.
#pragma once

#include <string>
#include <vector>

namespace ranklint::test {

struct MpiProgram {
  std::string name;      // "requests/persistent-0"
  std::string category;  // "requests"
  std::string rule;      // that has to be reported; empty: nothing may be
  std::string fact;      // that the run has to state (analyzer/mpi_check/facts.inc); empty: any of the rule's
  std::string text;
};

// Of a file of testdata/mpi_programs, by its path from the root; its name is the category.
std::vector<MpiProgram> mpi_programs(const std::string& path);

}  // namespace ranklint::test
