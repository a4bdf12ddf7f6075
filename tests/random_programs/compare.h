// The analyser's word against the truth.
#pragma once

#include <string>

#include "analyzer/project/project.h"
#include "tests/random_programs/execute.h"

namespace ranklint::random_programs {

// What the analyser says of the program: the surest of its findings about ranks that wait.
enum class Said : uint8_t { Nothing, Possible, Likely };  // Likely, or surer

Said analyse(const Program& program, const Models& models);                                   // as IR
Said analyse_source(const std::string& path, const std::string& text, const Models& models);  // by a frontend

// What running it in small worlds says of a C++ program that calls MPI.
enum class Run : uint8_t { Finishes, NeedsBuffers, Hangs, Unknown };
Run run_cpp(const std::string& text, const Models& models);

// The analyser judges every function, since others may call it in other ways: a false alarm is a finding in a program
// of which no function hangs, a miss is none in one that hangs as it stands. A program in which a rank sends to one
// that is not there is not judged.
enum class Outcome : uint8_t { Agree, FalseAlarm, Miss };
Outcome compare(const Program& program, const Models& models);
Outcome compare(const Program& program, bool hangs, Said said);

// The smallest program found that has the same outcome, and is exact if the given one is.
Program shrink(Program program, Outcome outcome, const Models& models);

std::string describe(const Hang& hang);

}  // namespace ranklint::random_programs
