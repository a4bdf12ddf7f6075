// What starts the functions of a project: with how many ranks, on how many machines.
//
//     mp.spawn(work, args=(n,), nprocs=n)               # def work(rank, n): dist.init_process_group(rank=rank, ...)
//     TorchTrainer(loop, scaling_config=ScalingConfig(use_gpu=True))      # of one worker, which is the default
//
// A program that is started from outside may be one of any number of ranks on any number of machines. So nothing is
// known of a function unless calls that start processes are all that lead to it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/program/mentions.h"

namespace ranklint {

class Program;

// A call that starts processes.
struct Launch {
  FunctionKey within;
  SourceRange range;
  std::optional<int64_t> processes;  // none: not known
  // Whether every rank is one of these processes, and all are on this machine: each passes its own number among them to
  // the process group as its rank.
  bool is_all_of_one_machine = false;
};

// For each function that processes are started with: the parameters in which a process receives its number among the
// processes of its machine, such as `rank` above.
std::map<FunctionKey, std::vector<uint32_t>> find_numbered_parameters(const Program& program);

class Launches {
 public:
  explicit Launches(const Program& program);

  // One of the launches that run the function, where each of them starts one process. Null: not known to be so.
  const Launch* of_one_process(FunctionKey f) const;
  // The same, where each starts all ranks, on one machine.
  const Launch* on_one_machine(FunctionKey f) const;

 private:
  bool is_of_program(const Launch& launch, FunctionKey f) const;
  const Launch* all_such(FunctionKey f, const std::function<bool(const Launch&)>& is_such) const;

  const ProjectIndex& index_;
  Mentions mentions_;
  std::vector<Launch> launches_;
  std::map<FunctionKey, std::vector<uint32_t>> started_by_;  // by the function that the processes run
};

}  // namespace ranklint
