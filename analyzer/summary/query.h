// Questions about functions, values and names of a project, answered from the summaries of its functions.
//
// Asking changes nothing that can be seen from outside: what was found out, terms above all, is kept. A query may be
// laid over another that has answered all that has to do with making summaries. It then has terms, names and notes of
// its own, and what is below must not change any more; so each thread asks a query of its own, and what it answers does
// not depend on what others were asked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzer/base/hash_index.h"
#include "analyzer/base/overlaid_map.h"
#include "analyzer/base/sanitizers.h"
#include "analyzer/program/program.h"
#include "analyzer/summary/incomplete.h"
#include "analyzer/summary/summary.h"
#include "analyzer/summary/summary_source.h"

namespace ranklint {

// How a callee's terms read at one call: its parameters and closure variables, and the path of call sites, which
// distinguishes its opaque values from those of other calls.
struct Binding {
  FunctionKey function;
  std::vector<ValueId> parameters;
  std::vector<ValueId> captures;
  uint32_t path = 0;
  mutable std::unordered_map<uint32_t, ValueId> memo;
  CompactVector<FieldState> held = {};  // what the caller knows of attributes
};

// A field of a dataclass, and its value where the constructor gets none (invalid: it is required).
struct Field {
  Symbol name;
  ValueId default_value;
};

// Names that a function gives a value anywhere in its body, its parameters among them. `del x` counts, as it does in
// Python; what it declares global or nonlocal is not taken out.
std::set<Symbol> bound_names(const ProjectIndex& index, FunctionKey f);
// Adds those that one target of an assignment in the function's body has: `a` and `b` of `(a, b)`.
void add_names_of(const ProjectIndex& index, FunctionKey f, ir::ExprId target, std::set<Symbol>& names);

// A function in which a bug of ours showed. It counts as not judged.
struct BrokenFunction {
  FunctionKey function;  // invalid: a stage of the check that is about no single function
  std::string stage;     // "summary", "comparison of ranks", "unordered loops"
  std::string what;      // which invariant or exception
};

// What a group that is not known resolves to.
enum class Unknown : uint8_t { Nothing, FreshAxis };

class Query {
 public:
  // Calls are followed kDeepestCall levels down; each takes up to kStackPerCall of the thread's stack, for the
  // deepest expressions and terms there can be.
  static constexpr int kDeepestCall = 120;
  static constexpr size_t kStackPerCall = size_t{512} << 10;
  // Of a thread that runs or judges functions.
  static constexpr size_t kStack = (kDeepestCall + 8) * kStackPerCall * (kHasLargeFrames ? 6 : 1);

  // Laid over the query of an interpreter that has made all summaries. Both must outlive it and must not change
  // meanwhile.
  static Query over(const Query& below) { return Query(below, Over{}); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  const ProjectIndex& index() const { return index_; }
  const Models& models() const { return models_; }
  const Program& program() const { return program_; }
  const Roles& roles() const { return models_.roles(); }
  const NamePriors& priors() const { return models_.names(); }
  ValueStore& values() const { return values_; }
  const Site& site(SiteId id) const { return sites_[id]; }
  // Null where there is no such place: what stands for a term that was cut off has none.
  const Site* find_site(SiteId id) const { return sites_.contains(id) ? &sites_[id] : nullptr; }
  // The call that the site is of; null where it is of something else.
  const ir::Instruction* call_at(const Site& site) const;
  // Where the value came to be; null for what is made of other values alone, and where its term was cut off.
  const Site* made_at(ValueId v) const {
    const Value& value = values_[v];
    return has_site(value.kind) ? find_site(SiteId{value.a}) : nullptr;
  }

  // That something has failed on this rank alone which the handler takes.
  ValueId failure_taken_by(FunctionKey function, ir::BlockId handler) const;

  // The functions to judge: all, until there are overlays.
  FunctionRange functions_to_check() const { return source_.functions_to_check(); }
  bool is_stopped() const { return source_.is_stopped(); }
  // The summary of a function; null while it is being made (recursion) or when calls nest too deeply.
  const Summary* summary(FunctionKey f) const { return below_ ? source_.finished(f) : source_.summary(f); }
  // The calls that rules ask for.
  const Watched& watched() const { return source_.watched(); }

  // Runs a stage of the check for a function (invalid: for all together). A bug that shows in it costs the stage for
  // this function, and is noted. False: it was so.
  bool contain(FunctionKey f, std::string_view stage, const std::function<void()>& body) const;
  // The same for each function that is judged.
  template <typename Body>
  void for_each_function_to_check(std::string_view stage, const Body& body) const {
    for (const FunctionKey f : functions_to_check()) contain(f, stage, [&] { body(f); });
  }
  // The same for each function with calls that are watched for, with these calls. Once all summaries are made.
  template <typename Body>
  void for_each_watched(std::string_view stage, const Body& body) const {
    const std::map<Site, WatchedCall>& calls = watched().calls;
    for (auto begin = calls.begin(); begin != calls.end();) {
      const FunctionKey f = begin->first.function;
      const auto end = std::find_if(begin, calls.end(), [f](const auto& call) { return call.first.function != f; });
      contain(f, stage, [&] { body(f, WatchedCalls(begin, end)); });
      begin = end;
    }
  }
  // What came up while it was asked: functions in which a bug of ours showed, in their order, functions of which
  // something is not known, each with its gravest reason, and how much work all took.
  struct Notes {
    std::vector<BrokenFunction> broken;
    std::map<FunctionKey, IncompleteReason> incomplete;
    uint64_t work = 0;
  };
  const Notes& notes() const { return notes_; }
  Notes take_notes() { return std::exchange(notes_, {}); }
  std::vector<BrokenFunction> take_broken() { return std::exchange(notes_.broken, {}); }
  // Those of a query that was laid over this one.
  void add_notes(Notes notes) const;
  void note_incomplete(FunctionKey f, IncompleteReason reason) const;

  // Puts a call's actual values into a callee's term.
  ValueId instantiate(ValueId v, const Binding& binding) const;
  ValueId made_of_parts(const Value& made, const std::vector<ValueId>& parts, uint32_t path) const;
  // The same for a whole call; what `*args` and `**kwargs` stand for becomes arguments again.
  Call instantiate(const Call& call, const Binding& binding) const;
  // A call of functools.partial, and what calling its value comes to: the function that waits, with all arguments.
  static constexpr uint32_t kWaitingCall = 1;  // Value::a of such a Partial
  ValueId partial_value(const Call& call) const;
  void unfold_partial(Call& call) const;
  // The actual values of a target's parameters at a call.
  Binding bind(const Target& target, const Call& call, uint32_t path) const;
  uint32_t extend_path(uint32_t path, SiteId site) const;

  // The possible callees of a value. Empty: not in the project.
  std::vector<Target> targets(ValueId callee) const;
  static constexpr size_t kMostTargets = 6;  // callees of one call that are followed one by one
  // What a callee is chosen from, one choice deep: `a if c else b`, `table[i]`. Empty: it is no choice.
  struct Choice {
    ValueId callee;
    ValueId guard;  // a rank calls it where this holds; invalid: ranks do not diverge by the choice
    Confidence certainty = Confidence::Certain;
  };
  std::vector<Choice> choices_of(ValueId callee) const;
  // Those that have a guard: also of a choice that all ranks make alike.
  std::vector<Choice> guarded_choices_of(ValueId callee) const;
  // What a name of a method is: what its only call made, what callers hand over, a function of the file. Empty: not
  // known.
  std::vector<ValueId> meant_by_name(FunctionKey method, ir::ExprId e) const;
  // `table.values()` of a dictionary with known entries. Invalid: the call is none of that.
  ValueId entries_viewed(const Call& call) const;
  // Whether calling it may communicate, seen from here.
  bool may_communicate(ValueId callee) const;
  const Model* method_of_mesh(ValueId receiver, const std::string& name) const;
  const Model* model_of(ValueId callee) const;
  // What calling an object of a library's class does: a wrapped model runs. Null: it is another object, or nothing is
  // known of that.
  const Model* model_of_calling(ValueId object) const;
  // The model of a member of the first of the classes in a role that has one, those in sight before the others.
  const Model* model_of_member(Role classes, std::string_view member) const;
  bool is_in_sight(std::string_view type) const;
  bool calls_what_sounds_so(FunctionKey f) const;
  // That the function's project is written for older libraries than all of `needs` ("torch>=2.2"); none: it is not, or
  // nothing is stated.
  std::optional<Doubt> older_library(FunctionKey f, const std::vector<std::string>& needs) const;
  // The value a call gives for an argument; invalid when it gives none.
  ValueId argument(const Call& call, const ArgumentSpec& spec) const;
  // Whether it is a function or method of the project that can't be called without an argument.
  bool demands_argument(ValueId callee) const;
  // The object on which a model's method is called, e.g. the group in `group.all_reduce`.
  ValueId receiver_of(ValueId callee) const;

  // The group that a raw value stands for.
  std::optional<AxisSet> resolve_group(ValueId v, Unknown unknown) const;
  Assurance group_certainty(ValueId v, const CodePlace& place) const;

  // The fields of a class whose constructor is made of them, bases first; empty for other classes.
  const std::vector<Field>& fields(ClassKey c) const;
  // The axes along which attributes differ that its constructors make of the rank and of their arguments:
  // `self.is_last = dist.get_rank() == count - 1`.
  const AxisSet& differing_attributes(ClassKey c) const;
  const std::vector<Symbol>& free_names(FunctionKey f) const;
  bool is_context_manager(FunctionKey f) const { return flags(f).is_context_manager; }
  bool is_property(FunctionKey f) const { return flags(f).is_property; }
  ValueId get_attribute(ValueId base, Symbol name) const;
  // What the function's name means: itself, or what its decorators made of it.
  ValueId function_value(FunctionKey f, std::vector<ValueId> captures = {}) const;

  // The last part of the callee's name, as rules look for it; empty when it has none.
  std::string_view callee_name(ValueId callee) const;
  // The qualified name of the callee, as far as it is known: "torch.distributed.all_reduce", "model.step" for a
  // method of an unknown object.
  std::string callee_path(ValueId callee) const;
  // What the source calls a value by.
  enum class NamedBy : uint8_t {
    Nothing,
    Call,  // the call that returned it
    Name,  // a variable, an attribute, an entry of a table
  };
  NamedBy named_by(ValueId v) const;
  // Of an opaque term: the variable that holds it, else the call that returned it.
  struct UnknownName {
    NamedBy by = NamedBy::Nothing;
    std::string name;
  };
  UnknownName name_of_unknown(ValueId v) const;
  // The variable that holds it, a loop's too, or the attribute, by the last part of its name; empty: none does.
  std::string variable_of(ValueId v) const;
  // The value as one would write it; empty when it has no short form.
  std::string source_text(ValueId v, int depth = 0) const;

 private:
  friend class FunctionRun;
  friend class Interpreter;

  struct Over {};
  // Over nothing: a question may ask for a summary that is not made yet, and then it is made.
  Query(const Program& program, SummarySource& source, int deepest_call);
  Query(const Query& below, Over);
  void allow_work();
  const FunctionFlags& flags(FunctionKey f) const { return program_.flags(f); }
  ModuleKey module_of(ValueId v) const;
  bool is_mentioned(const std::string& word, ValueId receiver) const;
  bool returns_no_pair(FunctionKey f) const;
  bool is_own_method(std::string_view variable, Symbol name, const Model& model) const;
  ValueId entity_value(const Entity& entity) const;
  Entity decorator_named(FunctionKey f, ir::ExprId name) const;
  ValueId decorate(FunctionKey f, ValueId value) const;
  bool runs_on_others(ValueId wrapped, ValueId function) const;
  Call written_call(ModuleKey module, const ir::Function& f, ir::ExprId written) const;
  ValueId wrapped_by(FunctionKey decorator, FunctionKey of, ir::ExprId written, ValueId value) const;
  ValueId global_value(ModuleKey module, Symbol name) const;
  ValueId assigned_to(ModuleKey module, Symbol name, ValueId fallback) const;
  ValueId given_at(const AttributeSite& site, Symbol name) const;
  ValueId given_so_far(ModuleKey module, Symbol name, ValueId fallback) const;
  ValueId joined(std::vector<ValueId> found, ValueId fallback) const;
  ValueId written_constant(ModuleKey module, Symbol name) const;
  bool is_computed(ModuleKey module, Symbol name) const;
  ValueId class_attribute(ClassKey c, Symbol name) const;
  bool is_overwritten_later(std::span<const AttributeSite> sites, const AttributeSite& site, Symbol name) const;
  // An attribute that is empty but on some ranks, as a choice (rank_conditional_attribute.cpp). Invalid: it is none.
  ValueId rank_conditional_attribute(ClassKey c, Symbol name, ValueId object) const;
  // Whether the value is true, where it is a choice with an empty side: the choice's own condition then.
  ValueId truthiness(ValueId given) const;
  ValueId join_assignments(const std::vector<ValueId>& found, ValueId fallback) const;
  ValueId method_value(FunctionKey f, ValueId receiver) const;
  ValueId find_attribute(ValueId base, Symbol name) const;
  const std::vector<const Model*>& models_of_member(ClassKey c, Symbol name) const;
  ValueId attribute_of_choice(ValueId base, Symbol name) const;
  ValueId attribute_of_class(ValueId base, Symbol name) const;
  ValueId applied_function(ClassKey c, Symbol name) const;
  ValueId attribute_of_super(ValueId base, Symbol name) const;
  ValueId attribute_of_object(ClassKey c, ValueId base, Symbol name) const;
  ValueId attribute_of_method(FunctionKey method, ValueId base, Symbol name) const;
  bool may_come_to(const Summary& s, ir::BlockId block, Binding& binding) const;
  ValueId given_to_constructor(ClassKey c, ValueId base, Symbol name) const;
  std::optional<ValueId> given_to_constructor_of(ClassKey setting, ClassKey c, ValueId base, Symbol name) const;
  ValueId attribute_of_group(ValueId base, Symbol name) const;
  ValueId believed(ValueId plain, std::string_view name) const;
  ValueId believed_attribute(ValueId base, Symbol name) const;
  bool is_length(ClassKey c, Symbol name) const;
  ValueId model_attribute(const Model& model, ValueId receiver) const;
  ValueId coordinate_value(const Model& model, ValueId group) const;
  bool counts_in_receiver(const Model& model, ValueId receiver) const;
  // A parameter with a literal default is a mode that callers choose, not the rank it is called after.
  bool has_constant_default(FunctionKey f, uint32_t parameter) const;
  uint32_t annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation) const;
  // The type of a closure variable that is a parameter of a function around it.
  uint32_t captured_type(FunctionKey f, Symbol name) const;
  uint32_t attribute_annotation(ClassKey c, Symbol name) const;
  // The type of a parameter by its callers, and of the elements of a list (element_types.cpp).
  uint32_t handed_type(FunctionKey f, uint32_t parameter) const;
  using AskHanded = uint32_t (HandedTypes::*)(FunctionKey, uint32_t) const;
  uint32_t stated_by_callers(AskHanded asked, FunctionKey f, uint32_t parameter) const;
  uint32_t element_type(ValueId list) const;
  uint32_t element_annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation) const;
  // The value of an expression that needs no environment: literals, names of the module.
  ValueId static_value(ModuleKey module, const ir::Function& f, ir::ExprId e) const;
  std::string_view class_name(ClassKey c) const;
  std::string_view last_name(ValueId v) const;
  AxisSet axes_of(const std::vector<std::string>& names) const;
  SiteId intern_site(const Site& site) const;
  std::vector<Target> find_targets(ValueId callee) const;
  void leave_out_replaced(std::vector<FunctionKey>& methods, ValueId receiver) const;
  std::vector<Target> methods_called(ClassKey c, Symbol name, ValueId receiver, bool exact, bool as_property) const;
  std::vector<Target> made_by(ClassKey c) const;
  std::vector<Choice> choices_of_table(ValueId table, ValueId index) const;
  std::vector<Choice> sides_of(ValueId choice) const;
  std::vector<Choice> choices_among_members(ValueId element) const;
  // members.cpp
  using Members = std::vector<Choice>;
  Members members_of(ValueId container) const;
  const Members& members_of(ValueId container, std::map<ValueId, Members>& known) const;
  void add_appended(ClassKey c, Symbol name, ValueId object, Members& members) const;
  Members members_of_sides(ValueId choice, std::map<ValueId, Members>& known) const;
  std::span<const KeptCallee> kept_in(ValueId container) const;
  ValueId value_of(const KeptCallee& kept) const;
  std::vector<Choice> choices_of_kept(ValueId table, ValueId index) const;
  // The condition by which some ranks alone come to the block of an object's method, in terms of the object. Invalid:
  // all come, or nothing is known.
  ValueId ranks_that_come(FunctionKey method, ir::BlockId block, ValueId object) const;
  bool is_view_of_entries(ValueId v) const;
  void add_chosen(std::vector<Target>& found, const Choice& choice) const;
  // What a function takes as `**kwargs`, and arguments again out of that (arguments.cpp).
  ValueId keywords_value(const Call& call, const ir::Function& function, ModuleKey module) const;
  ValueId keyword_of(ValueId keywords, ValueId name, ValueId otherwise) const;
  ValueId has_keyword(ValueId keywords, ValueId name) const;
  bool tests_keyword(ValueId v) const;
  void spread_stars(Call& call) const;
  ValueId field_value(ValueId object, Symbol name) const;

  template <typename Key, typename Mapped>
  using Kept = OverlaidMap<std::map<Key, Mapped>>;
  using TwoNumbers = std::pair<uint32_t, uint32_t>;

  const Query* const below_ = nullptr;           // null: it is the interpreter's own
  const std::optional<ProjectIndex> own_names_;  // of one that is laid over another
  const ProjectIndex& index_;
  const Models& models_;
  const Program& program_;
  SummarySource& source_;
  const int deepest_call_;  // how deep calls may be followed
  mutable ValueStore values_;
  mutable StableVector<SiteId, Site> sites_;
  mutable HashIndex<SiteId> site_ids_;
  mutable Kept<TwoNumbers, uint32_t> paths_;
  mutable uint32_t last_path_ = 0;
  mutable OverlaidMap<std::unordered_map<uint32_t, std::vector<Symbol>>> free_names_;
  mutable Kept<ClassKey, std::vector<Field>> fields_;
  mutable Kept<ClassKey, AxisSet> differing_attributes_;
  mutable Kept<TwoNumbers, ValueId> class_attributes_, globals_;
  mutable Kept<TwoNumbers, std::vector<const Model*>> member_models_;  // of a class and a name
  mutable Kept<uint32_t, ValueId> decorated_;
  mutable Kept<TwoNumbers, uint32_t> attribute_types_;
  mutable Kept<std::pair<ModuleKey, std::string>, bool> mentions_;
  // By value: the axis of its own that an unknown group was given.
  mutable OverlaidMap<std::unordered_map<uint32_t, AxesId>> axis_of_unknown_;
  // What is being asked at the moment.
  struct Asking {
    int depth = 0;               // calls and decorators, one within the other
    int lookups = 0;             // how deep attributes are being looked up
    int lookup_budget = 0;       // how many more the outermost of them may need
    FunctionKey running;         // invalid: no function is being run
    uint32_t in_the_making = 0;  // how often a summary was asked for that was being made
    std::set<FunctionKey> free_names = {};
    std::set<TwoNumbers> globals = {};  // by module and name
  };
  mutable Asking asking_;
  mutable Notes notes_;
  mutable uint64_t work_left_ = 0;  // of what may be done for all functions together, before each may do little
};

}  // namespace ranklint
