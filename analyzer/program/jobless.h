// Programs in which no rank waits for another, since nothing in them sets up a job:
//
//     # timing.py                                     # alone.py
//     def seconds_of(work):                           from timing import seconds_of
//         seconds = measure(work)                     if __name__ == "__main__":
//         if dist.is_initialized():                       print(seconds_of(work))
//             dist.all_reduce(seconds)
//
// Known of a file that is run as a program, tests somewhere whether there is a job, and reaches no call that sets one
// up, in a project that has such calls elsewhere. A function that names another counts as its caller. Where the program
// imports another library that has ranks, that library may set them up.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/program/program.h"

namespace ranklint {

class RankLibraries;

class JoblessPrograms {
 public:
  // Where a program asks whether there is a job.
  struct Question {
    FunctionKey within;
    SourceRange range;
  };

  explicit JoblessPrograms(const Program& program);

  // A question of one of the programs that the function is a part of, if all of these are such. Null: there may be a
  // job, or no program is seen.
  const Question* asked_around(FunctionKey f) const;

 private:
  using Modules = std::vector<bool>;  // by module

  void find_words();
  void find_calls(FunctionKey key);
  void check(ModuleKey program, const RankLibraries& libraries);
  bool comes_to_set_up(const Modules& files);
  void find_mentions();
  void find_mentions_in(FunctionKey key);
  std::vector<Symbol> names_of(FunctionKey f) const;

  const Program& program_;
  const ProjectIndex& index_;
  std::set<std::string, std::less<>> words_;        // the last parts of what sets up, and of what asks
  std::set<std::string, std::less<>> known_alone_;  // attributes that say that it sets up, of any object
  std::vector<FunctionKey> set_ups_;                // that call what sets up
  std::map<ModuleKey, Question> questions_;         // the first of each file
  std::unordered_map<uint32_t, std::vector<FunctionKey>> mentions_;  // by name, once they are asked for
  std::map<ModuleKey, const Question*> jobless_;                     // programs
};

}  // namespace ranklint
