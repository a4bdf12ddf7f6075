// Under which options the programs of a project set up their ranks, by their text:
//
//     if args.distributed:
//         dist.init_process_group("nccl")      # where `args.distributed` does not hold, no ranks wait for each other
//
// The conditions above the call count, in its function and in its callers, and what is assigned on the path: where
// a function sets `args.distributed` to True on the path to the call and to False on another, it says whether there is
// a job. All set-ups of a program must agree on an option, else it says nothing. An option that is changed after its
// test (`if not ready: set_up(); ready = True`) says nothing of what holds later. Nor do tests, which set up ranks in
// their own way, where another file does so as well.
//
// Options go by their names alone: the object that holds them travels between functions. What a call without arguments
// answers alike whenever it is asked (`torch.cuda.is_available()`) is such an option, by the name of the call.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/flow/graph.h"
#include "analyzer/program/sharding.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

class SetUps {
 public:
  // `files`: which import which.
  SetUps(const ProjectIndex& index, const Models& models, const ShardingMentions& files);

  // Whether every program that the module is part of sets up ranks, and only where the option is the other way. Of a
  // module that no program with a set-up imports, as far as the text shows, all set-ups of the project are asked.
  bool deny(ModuleKey module, std::string_view option, bool holds) const;
  // Whether the block runs only under options with which no ranks are set up, as far as its function asks for them.
  bool deny(const FlowGraph& graph, FunctionKey within, ir::BlockId block) const;
  // Whether the function may set up ranks after it has left the block, itself or through what it calls there, and has
  // not done so on every way to it:
  //
  //     if not dist.is_initialized():     # asked here, it may be either way
  //         dist.init_process_group()
  bool may_follow(FunctionKey within, ir::BlockId block, const FlowGraph& graph) const;
  // Whether the instruction is a call of a library that sets up ranks.
  bool sets_up(ModuleKey module, const ir::Function& f, const ir::Instruction& call) const;
  // The module, the last of the index, is another state of `original`.
  void add_overlay(ModuleKey original) { options_.push_back(options_[original.index]); }

 private:
  struct Option {
    std::string name;
    bool holds = true;
    friend auto operator<=>(const Option&, const Option&) = default;
  };
  using Options = std::vector<Option>;  // sorted

  struct SetUp {
    FunctionKey within;
    ir::BlockId block;
  };
  void find_set_ups(ModuleKey module);
  // Where functions of the project are named.
  struct Mention {
    FunctionKey within;
    ir::BlockId block;
    ir::ExprId name;
  };
  void tell_all(const ShardingMentions& files);
  void find_callers();
  bool sets_up_in(FunctionKey within, ir::BlockId block) const;
  bool sets_up_through(ModuleKey module, const ir::Function& f, const ir::Instruction& call) const;
  void find_mentions();
  void find_mentions_in(FunctionKey within);
  bool means(const Mention& mention, FunctionKey f) const;
  // Nothing: the function has no callers.
  std::optional<Options> options_at(FunctionKey key, ir::BlockId block);
  const Options& options_within(FunctionKey key, ir::BlockId block);
  Options asked_above(const FlowGraph& graph, FunctionKey key, ir::BlockId block) const;
  bool is_changed_later(const FlowGraph& graph, const ir::Function& f, ModuleKey module, ir::BlockId asked,
                        const Option& option) const;
  const std::vector<Mention>& mentions_of(FunctionKey f);
  std::optional<Options> options_of_callers(FunctionKey key);
  std::optional<Options> common_options(FunctionKey key);
  void add_asked(const ir::Function& f, ModuleKey module, ir::ExprId e, bool holds, Options& options) const;
  void add_answer(const ir::Function& f, ModuleKey module, const ir::Instruction& call, bool holds,
                  Options& options) const;
  void add_noted(const ir::Function& f, const ir::Module& text, ir::BlockId block, Options& options) const;
  static void agree(std::optional<Options>& known, const Options& options);
  void tell_programs(ModuleKey module, const Options& options, const ShardingMentions& files);

  const ProjectIndex& index_;
  const Models& models_;
  std::set<std::string, std::less<>> words_;  // what the calls that set up are called
  std::vector<SetUp> found_;
  std::set<FunctionKey> functions_;  // that set up ranks, and those that call them
  std::set<Symbol> names_;           // of `functions_`
  bool uncalled_counts_ = false;
  std::map<Symbol, std::vector<Mention>> mentions_;          // by the name of a function, in the project's table
  std::map<FunctionKey, std::vector<Mention>> mentions_of_;  // of one function, and not of others with its name
  std::map<std::pair<FunctionKey, ir::BlockId>, Options> within_;
  std::map<FunctionKey, std::optional<Options>> of_callers_;
  std::vector<std::optional<Options>> options_;  // by module; nothing: no set-up is part of its programs
  std::optional<Options> of_all_;
};

}  // namespace ranklint
