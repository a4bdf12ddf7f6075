// What one function does as far as ranks can tell: its steps that communicate or call, block by block, the
// conditions that decide between them, and what it returns, all in terms of its own parameters.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/base/compact_vector.h"
#include "analyzer/evidence/assurance.h"
#include "analyzer/flow/graph.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"
#include "analyzer/variance/values.h"

namespace ranklint {

using SiteId = Id<struct SiteTag>;  // one thing that one instruction does

struct Site {
  enum class Why : uint8_t {
    Instruction,    // what the instruction itself does
    Argument,       // what parameter `part` is, of a call that does not give it
    Batch,          // the batch that parameter `part` is given
    Merged,         // what `place` holds where paths meet that cannot be distinguished
    Unset,          // what `place` holds on the path through `block`, which gives it no value
    LoopHead,       // what the rounds of a loop bring
    LeftInRound,    // after a loop that ranks may leave in different rounds
    Returned,       // `place` after a loop that may return
    Received,       // what `place` holds where both sides of a branch have made one broadcast
    ExceptionCame,  // whether the way of a handler was taken
    Result,         // what the function returns
    Generator,      // what a call of the generator returns
    NotFollowed,    // what a function decides or returns that is not followed
    SetBySome,      // what some ranks give an attribute
    Signal,         // whether a signal has come
    SetUp,          // whether ranks are set up, asked by who may do it further down
  };
  FunctionKey function;
  ir::BlockId block;
  uint32_t instruction = 0;  // equal to the number of instructions: the terminator
  uint32_t part = 0;         // several things can happen in one instruction
  Why why = Why::Instruction;
  PlaceId place = {};
  friend auto operator<=>(const Site&, const Site&) = default;
};

// A collective, or the creation of a group.
struct Event {
  const Model* model = nullptr;
  ValueId group;              // a raw value: see Query::resolve_group
  ValueId root;               // invalid when the operation has none
  ValueId ranks;              // GroupCreate: the member ranks, if given
  bool keeps_handle = false;  // the handle of what is only posted goes into an object, whose holder waits for it
};

// What an attribute holds where that is not what its class says. An invalid value: something that is not known.
struct FieldState {
  ValueId object;
  Symbol name;
  ValueId value;
};

struct Call {
  enum class Part : uint8_t { Whole, UntilYield, AfterYield };
  ValueId callee;
  Part part = Part::Whole;  // entering and leaving a generator-based context manager
  bool implicit = false;    // a property, a context manager's method: nothing is called in the source
  bool open_ended = false;  // `*args` or `**kwargs` that are not known
  bool mixed = false;       // they do not stand alone at the end of the arguments: not followed
  CompactVector<ValueId> positional;
  CompactVector<std::pair<Symbol, ValueId>> keywords;
  ValueId star, double_star;       // `*args` and `**kwargs` that a caller may know
  CompactVector<FieldState> held;  // attributes that ranks disagree on by now
};

// What a step ends, so that the rank runs nothing after it; but for the end of communication, after which it goes on
// alone.
enum class Ending : uint8_t {
  None,
  Process,        // sys.exit
  ProcessDone,    // likewise, and says that nothing went wrong: no launcher ends the others
  Communication,  // of the process: destroy_process_group
  Function,       // by an exception
  Job,            // of all ranks: `exit` of C under a launcher
};

struct Step {
  SiteId site;
  SourceRange range;
  ValueId guard;               // the event comes only where this holds; invalid: always
  std::optional<Event> event;  // else a call
  Call call;
  const Model* transfer = nullptr;  // of BlockSteps::point_to_point: it sends, receives or describes that
  ValueId made;                     // what the transfer gives: its handle
  bool waits = false;               // of BlockSteps::point_to_point: `x.wait()`; its only argument is `x`
  Ending ending = Ending::None;     // what it ends, itself or in each way through what it calls
  bool yields = false;              // a context manager hands over to its body here
};

struct BlockSteps {
  CompactVector<Step> steps;
  // What the comparison of collectives passes over: messages, what waits for them, and calls that lead to nothing else.
  CompactVector<Step> point_to_point;
  CompactVector<std::pair<uint32_t, ValueId>> asserted;  // the instruction, and what holds after it
  ValueId condition;  // of the Branch, whether the Iterate goes on, whether the Except matches
  ValueId result;     // of the Return
  bool reachable = false;
  bool may_communicate = false;  // in one of its steps
};

struct Target {
  FunctionKey function;
  ValueId receiver;               // bound self or cls; invalid for none
  std::vector<ValueId> captures;  // values of its closure variables, by Interpreter::free_names
  ValueId guard;                  // the body runs only where this holds; invalid: always
  Confidence certainty = Confidence::Certain;
};

// What an instruction gives one of its targets.
struct AssignedValue {
  Symbol name;  // of the variable or the attribute
  ValueId value;
};

// What a function gives names, in its own terms.
struct NamedValues {
  CompactVector<std::pair<Symbol, ValueId>> at_end;                         // of module and class bodies, by name
  std::map<std::tuple<uint32_t, uint32_t, Symbol>, ValueId> of_attributes;  // by block, instruction and name
  // By block and instruction, on request (Interpreter::keep_assigned_values); empty otherwise. What it is in all
  // rounds of a loop.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<AssignedValue>> assigned;

  void set_at_end(Symbol name, ValueId value) {
    const auto place = std::ranges::lower_bound(at_end, name, {}, &std::pair<Symbol, ValueId>::first);
    if (place != at_end.end() && place->first == name)
      place->second = value;
    else
      at_end.insert(place, {name, value});
  }
};

struct Summary {
  Summary(FunctionKey key, const ir::Function& ir) : function(key), graph_(FlowGraph::of(ir)) {}

  FunctionKey function;
  ValueId result;
  ValueId ran_wrapped;  // the last model that it ran which reduces gradients in its backward pass
  CompactVector<BlockSteps> blocks;
  std::shared_ptr<NamedValues> named;  // null: it gives no name anything that is kept
  // Attributes of its arguments that it has changed when it returns, in its own terms.
  CompactVector<FieldState> changes;
  // Groups it may communicate on, itself or through calls, as raw values in its own terms.
  CompactVector<ValueId> groups;
  bool communicates = false;
  bool transfers = false;             // sends or receives messages, itself or through calls
  bool has_divergence = false;        // a condition, here or in what it calls, on which ranks may disagree
  bool has_local_divergence = false;  // for what a rank alone sees
  AxesId divergence;                  // along these axes
  uint32_t calls_parameters = 0;      // bit i: calls what parameter i holds
  bool calls_captures = false;        // calls what a closure variable holds: a decorator's wrapper
  Ending ending = Ending::None;       // of each way through it: it never returns

  const FlowGraph& graph() const { return *graph_; }
  bool calls_unknown() const { return calls_parameters || calls_captures; }

  NamedValues& name_values() {
    if (!named) named = std::make_shared<NamedValues>();
    return *named;
  }
  // What a name stands for where the body of a module or class ends; invalid: for nothing.
  ValueId at_end(Symbol name) const {
    if (!named) return {};
    const auto place = std::ranges::lower_bound(named->at_end, name, {}, &std::pair<Symbol, ValueId>::first);
    return place != named->at_end.end() && place->first == name ? place->second : ValueId{};
  }
  // What an assignment gives the attribute `name`; invalid: it gives it nothing.
  ValueId given_to(Symbol name, const AttributeSite& by) const {
    if (!named) return {};
    const auto value = named->of_attributes.find({by.block.index, by.instruction, name});
    return value == named->of_attributes.end() ? ValueId{} : value->second;
  }

 private:
  std::shared_ptr<const FlowGraph> graph_;
};
static_assert(sizeof(Summary) == 88);  // there is one for each function of a project

Assurance model_certainty(const Model& model, const CodePlace& place);
// How sure it is that a call at `place` means it.
Assurance target_certainty(const ProjectIndex& index, const Target& target, const CodePlace& place);
// Whether the model is of a communication as such, not of something that communicates on the way.
bool is_primitive(const Model& model);

// The argument of a collective whose size must be the same on all ranks: what is sent, where the model distinguishes
// it.
const ArgumentSpec& sized_argument(const Model& model);

}  // namespace ranklint
