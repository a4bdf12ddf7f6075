// Samplers that draw their order from a seed and the epoch, and the passes over what is loaded by them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/program/call_places.h"
#include "analyzer/program/handed.h"
#include "analyzer/questions/callee.h"

namespace ranklint::epoch_not_set {

inline constexpr std::string_view kAny = "*";  // the key of an entry that is not known

// A call that makes a sampler which shuffles.
struct Sampler {
  FunctionKey function;
  ProgramPoint made;
  SourceRange range;
  std::string name;  // of its class, without the module
  // Parameters of the function that switch the sampler or its shuffling off when they are false.
  std::vector<uint32_t> switches = {};
};

std::vector<Sampler> shuffling_samplers(const Query& in);
// Whether a method of the project gives the entries of a class's objects, in whatever order.
bool gives_own_entries(const Query& in, ClassKey c);

// A place of the program's text.
struct Spot {
  FunctionKey function;
  ProgramPoint at;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

// A place where a pass over the samples begins, and the places that take batches from it.
struct Pass {
  Spot begin;
  ir::ExprId loader;
  std::set<Spot> takers;
};

// Which functions of the project calls enter: those that the text names, methods of derived classes that the object of
// a method may have, functions within a function, and methods of the object that a static method is given.
class Calls {
 public:
  explicit Calls(const Query& in);

  std::vector<NamedCallee> callees(FunctionKey caller, const ir::Instruction& call) const;
  std::span<const CallPlace> of(FunctionKey f) const;
  // Their arguments, each with its parameter.
  std::vector<HandedArgument> arguments(const FunctionCode& caller, const ir::Instruction& call) const;

 private:
  std::vector<FunctionKey> methods(FunctionKey caller, ir::ExprId callee) const;
  FunctionKey function_within(FunctionKey caller, Symbol name) const;

  const Query& in_;
  const ProjectIndex& index_;
  std::map<std::pair<FunctionKey, Symbol>, FunctionKey> within_;  // by the function around it and its name there
  std::map<FunctionKey, std::vector<CallPlace>> of_;
};

// Where one sampler gets to, by the text of the program: variables, parameters, attributes, entries of tables, results
// of functions; then the loaders that are made with it, and what goes through those.
class SamplerFlow {
 public:
  SamplerFlow(const Query& in, const Calls& calls, const Sampler& sampler);

  const std::vector<Pass>& passes() const { return passes_; }
  // Whether code outside of the project gets the sampler or a loader, or the program gives it an epoch by assignment.
  bool may_be_set_elsewhere() const { return may_be_set_elsewhere_; }
  // Whether the expression may be a loader that is made with the sampler, or go through one.
  bool may_load(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  // Whether a call of a function may give it the loader, or the function does not take it from its callers.
  bool may_hand_over(const CallPlace& call, FunctionKey callee) const;

 private:
  enum class What : uint8_t { Sampler, Loader, Iterator };
  struct Held {
    What what = What::Sampler;
    uint32_t pass = 0;                // of an Iterator, by its number
    std::vector<std::string> within;  // by which entries it is taken out, outermost first; "*": any
    friend auto operator<=>(const Held&, const Held&) = default;
  };
  using HeldSet = std::set<Held>;

  // What holds it.
  struct Holder {
    enum class Kind : uint8_t { Instruction, Parameter, Filled, Attribute, Global, Result };
    Kind kind = Kind::Instruction;
    uint32_t owner = 0;  // a function; of an Attribute a class, of a Global a module
    uint32_t name = 0;   // a symbol; of an Instruction its block, of a Parameter its position
    uint32_t place = 0;  // of an Instruction
    friend auto operator<=>(const Holder&, const Holder&) = default;
  };

  static HeldSet taken_out(const HeldSet& held, std::string_view key);
  static HeldSet put_into(const HeldSet& held, std::string_view key);

  void scan(FunctionKey f);
  void read(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at);
  void read(const FunctionCode& code, const ir::Terminator& end, ProgramPoint at);
  void give(const FunctionCode& code, ir::ExprId target, ProgramPoint at, const HeldSet& held);
  void assign(const FunctionCode& code, ir::ExprId target, ProgramPoint at, const HeldSet& held);
  void note_added(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at, const HeldSet& given);
  void fill(const FunctionCode& code, ir::ExprId table, ProgramPoint at, const HeldSet& put);

  HeldSet held_by(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  HeldSet held_by_name(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  HeldSet held_by_attribute(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  HeldSet held_around(const FunctionCode& code, ir::ExprId e) const;
  HeldSet held_in_class(ClassKey c, Symbol name) const;
  const HeldSet& held_in(const Holder& holder) const;

  HeldSet result_of(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at);
  HeldSet result_of_own(const FunctionCode& code, const ir::Instruction& call, FunctionKey callee);
  HeldSet result_of_foreign(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at,
                            const HeldSet& given);
  HeldSet elements_of_arguments(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at) const;
  void find_switches();
  bool makes_none(const FunctionCode& code, const ir::Instruction& call, FunctionKey callee) const;

  uint32_t pass_at(const FunctionCode& code, ProgramPoint at, ir::ExprId loader);
  void add(const Holder& holder, const HeldSet& held);
  void look_again(const Holder& holder);
  void look_at_module(ModuleKey module);
  void look_at_classes(ClassKey c);

  const Query& in_;
  const ProjectIndex& index_;
  const Calls& calls_;
  const Sampler& sampler_;
  std::set<std::pair<FunctionKey, uint32_t>> switches_;  // of the sampler, and what is handed on for them
  std::map<Holder, HeldSet> held_;
  std::vector<Pass> passes_;
  std::map<Spot, uint32_t> pass_numbers_;
  std::set<FunctionKey> open_;
  bool may_be_set_elsewhere_ = false;
};

// A loop that goes through the samples once in each of its rounds.
struct EpochLoop {
  FunctionKey function;
  ir::BlockId header;
};

class EpochLoops {
 public:
  EpochLoops(const Query& in, const Calls& calls) : in_(in), index_(in.index()), calls_(calls) {}

  // The innermost around a pass in each function that leads to it, of those that do not make the sampler anew and in
  // which a model learns.
  std::vector<EpochLoop> around(const Pass& pass, const SamplerFlow& flow, const Sampler& sampler) const;
  // Whether the model learns from what is taken in the pass.
  bool trains(const Pass& pass, const SamplerFlow& flow) const;

 private:
  struct Climb;

  bool trains_around(const Spot& taker, const SamplerFlow& flow, std::set<Spot>& seen) const;
  void climb(Climb& state, const Spot& from, ir::ExprId loader, int calls) const;
  void climb_caller(Climb& state, FunctionKey callee, const CallPlace& call, const std::set<int>& parameters,
                    int calls) const;
  bool learns_in(const EpochLoop& loop) const;
  bool is_made_anew(const EpochLoop& loop, const Sampler& sampler) const;
  bool runs_once(const FunctionCode& code, ir::BlockId header) const;
  bool is_one(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth) const;
  std::optional<long long> number(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  bool trains_by_gradients(const FunctionCode& code, std::span<const ir::BlockId> blocks,
                           std::set<FunctionKey>& entered) const;

  const Query& in_;
  const ProjectIndex& index_;
  const Calls& calls_;
};

}  // namespace ranklint::epoch_not_set
