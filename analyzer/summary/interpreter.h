// Abstract interpretation of functions, one at a time, callees first and on demand.
//
// A function is run once over its blocks in flow order with an environment from places to values. Where paths
// meet, a place whose values differ becomes a conditional on the branch that parted them, so a value keeps its
// exact form through control flow; in loops a place that changes becomes a loop phi. Each call is resolved
// (dispatch.cpp), contributes its callee's result with the arguments put in, and is kept as a step when
// it may communicate. Nothing iterates to a fixed point but loops (at most twice): recursion meets an
// unfinished summary and takes the result for unknown.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzer/base/overlaid_map.h"
#include "analyzer/base/sanitizers.h"
#include "analyzer/summary/handed.h"
#include "analyzer/summary/incomplete.h"
#include "analyzer/summary/other_threads.h"
#include "analyzer/summary/summary.h"
#include "analyzer/summary/watched.h"

namespace ranklint {

// How a callee's terms read at one call: its parameters and closure variables, and the path of call sites under
// which its opaque values are told apart from those of other calls.
struct Binding {
  FunctionKey function;
  std::vector<ValueId> parameters;
  std::vector<ValueId> captures;
  uint32_t path = 0;
  mutable std::unordered_map<uint32_t, ValueId> memo;
  std::vector<Held> held = {};  // what the caller knows of attributes
};

// A field of a dataclass, and what it holds when the constructor is not told (invalid: it has to be told).
struct Field {
  Symbol name;
  ValueId default_value;
};

// Names that a function gives a value anywhere in its body, its parameters among them. `del x` counts, as it does in
// Python; what it declares global or nonlocal is not taken out.
std::set<Symbol> bound_names(const ProjectIndex& index, FunctionKey f);

// Functions whose keys follow each other, or some of them. It ends where it is asked to stop.
struct FunctionRange {
  class Iterator {
   public:
    Iterator(const FunctionRange& range, uint32_t index) : range_(&range), index_(index) { go_on(); }
    FunctionKey operator*() const { return FunctionKey{index_}; }
    Iterator& operator++() {
      ++index_;
      go_on();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    void go_on() {
      while (range_->wanted && index_ < range_->last && !(*range_->wanted)[index_ - range_->first]) ++index_;
      if (range_->stop && range_->stop->stop_requested()) index_ = range_->last;
    }
    const FunctionRange* range_;
    uint32_t index_;
  };
  uint32_t first = 0, last = 0;
  const std::vector<bool>* wanted = nullptr;  // from the first on; null: all
  const std::stop_token* stop = nullptr;
  Iterator begin() const { return {*this, first}; }
  Iterator end() const { return {*this, last}; }
  bool contains(FunctionKey f) const {
    return f.index >= first && f.index < last && (!wanted || (*wanted)[f.index - first]);
  }
};

// A function in which a bug of ours showed. It counts as not judged.
struct BrokenFunction {
  FunctionKey function;  // invalid: a stage of the check that is about no single function
  std::string stage;     // "summary", "comparison of ranks", "unordered loops"
  std::string what;      // which invariant or exception
};

class Interpreter {
 public:
  // Calls are followed `deepest_call` levels down; each takes up to kStackPerCall of the thread's stack, for the
  // deepest expressions and terms there can be.
  static constexpr int kDeepestCall = 120;
  static constexpr size_t kStackPerCall = size_t{512} << 10;
  // Of a thread that runs or judges functions.
  static constexpr size_t kStack = (kDeepestCall + 8) * kStackPerCall * (kHasLargeFrames ? 6 : 1);

  Interpreter(const ProjectIndex& index, const Models& models, int deepest_call = kDeepestCall);

  // A view of one that has run all functions: it answers the same questions, with terms, names and notes of its own
  // laid over what that one has. The one below must outlive it and must not change meanwhile; so each thread asks a
  // view of its own, and what a view answers does not depend on what others were asked. Before the first view it is to
  // be told.
  explicit Interpreter(const Interpreter* below);
  void get_ready_for_views();
  // What came up since it was last asked: broken and unfinished functions, and how much work all took. Those of a view
  // are added to those of the one below.
  struct Notes {
    std::vector<BrokenFunction> broken;
    std::map<FunctionKey, IncompleteReason> incomplete;
    uint64_t work = 0;
  };
  Notes take_notes() { return {take_broken(), std::exchange(incomplete_, {}), std::exchange(work_done_, 0)}; }
  void add_notes(Notes notes);

  const ProjectIndex& index() const { return index_; }
  const Models& models() const { return models_; }
  // The functions that facts are wanted of: all, until there are guests.
  FunctionRange judged() const {
    if (below_) return below_->judged();
    return {first_judged_, static_cast<uint32_t>(index_.functions().size()), wanted_.empty() ? nullptr : &wanted_,
            &stop_};
  }
  // Whoever asks to stop wants no facts any more: from then on no function is judged and none is run.
  void stop_when(std::stop_token stop) { stop_ = std::move(stop); }
  bool is_stopped() const { return stop_.stop_requested(); }
  // The index has a guest, its last module (ProjectIndex::add_guest): facts are wanted of those of its functions alone
  // (by ir::FunctionId; empty: all), and whoever calls a function of `original` calls the guest's of the same name from
  // now on. Each of the others has one of its name and code in `original`, which is called in its place.
  void take_guest(ModuleKey original, std::vector<bool> wanted);
  ValueStore& values() { return values_; }
  const Site& site(SiteId id) const { return sites_[id]; }
  bool knows(SiteId id) const { return sites_.contains(id); }  // not where a term was cut off

  // The summary of a function; null while it is being made (recursion) or when calls nest too deeply.
  const Summary* summary(FunctionKey f);
  // The same to write to, once it is made.
  Summary* finished(FunctionKey f) { return state_[f.index] == Made::Whole ? summaries_[f.index].get() : nullptr; }

  // Runs a stage of the check for a function (invalid: for all together). A bug that shows in it costs the stage for
  // this function, and is kept (take_broken()). False: it was so.
  bool contain(FunctionKey f, std::string_view stage, const std::function<void()>& body);
  // The same for each function that is judged.
  template <typename Body>
  void for_each_judged(std::string_view stage, const Body& body) {
    for (const FunctionKey f : judged()) contain(f, stage, [&] { body(f); });
  }
  // The same for each function with calls that are watched for, with these calls. They are a copy: looking at one may
  // intern names and terms and note others.
  template <typename Body>
  void for_each_watched(std::string_view stage, const Body& body) {
    const std::map<Site, WatchedCall> calls = watched().calls;
    for (auto begin = calls.begin(); begin != calls.end();) {
      const FunctionKey f = begin->first.function;
      const auto end = std::find_if(begin, calls.end(), [f](const auto& call) { return call.first.function != f; });
      contain(f, stage, [&] { body(f, std::ranges::subrange(begin, end)); });
      begin = end;
    }
  }
  // From now on nothing is known of the function.
  void give_up(FunctionKey f);
  const std::set<FunctionKey>& given_up() const { return given_up_; }
  // Those met since it was last asked, in their order.
  std::vector<BrokenFunction> take_broken() { return std::exchange(broken_, {}); }
  // From now on summaries keep what each instruction gives its targets (Summary::assigned).
  void keep_assigned_values() { keeps_assigned_values_ = true; }

  // Called where a stage of a function begins; for tests, which let it throw.
  using Probe = std::function<void(std::string_view stage, std::string_view function)>;
  void probe_with(Probe probe) { probe_ = std::move(probe); }

  // Puts a call's actual values into a callee's term.
  ValueId instantiate(ValueId v, const Binding& binding);
  ValueId made_of_parts(const Value& made, const std::vector<ValueId>& parts, uint32_t path);
  // The same for a whole call; what `*args` and `**kwargs` stand for becomes arguments again.
  Call instantiate(const Call& call, const Binding& binding);
  // A call of functools.partial, and what calling its value comes to: the function that waits, with all arguments.
  static constexpr uint32_t kWaitingCall = 1;  // Value::a of such a Partial
  ValueId partial_value(const Call& call);
  void unfold_partial(Call& call);
  // The actual values of a target's parameters at a call.
  Binding bind(const Target& target, const Call& call, uint32_t path);
  uint32_t extend_path(uint32_t path, SiteId site);

  // Who a callee value can be. Empty: not in the project.
  std::vector<Target> targets(ValueId callee);
  // Whether calling it may communicate, seen from here.
  bool may_communicate(ValueId callee);
  const Model* method_of_mesh(ValueId receiver, const std::string& name);
  const Model* model_of(ValueId callee);
  // The value a call gives for an argument; invalid when it gives none.
  ValueId argument(const Call& call, const ArgumentSpec& spec);
  // Whether it is a function or method of the project that can't be called without an argument.
  bool demands_argument(ValueId callee) const;
  // What the object a model's method is called on is, e.g. the group behind `group.all_reduce`.
  ValueId receiver_of(ValueId callee);

  // The group a raw value stands for; with `settle`, a group that stays unknown gets an axis of its own.
  std::optional<AxisSet> as_group(ValueId v, bool settle);
  Certainty group_certainty(ValueId v);

  // The fields of a class whose constructor is made of them, bases first; empty for other classes.
  const std::vector<Field>& fields(ClassKey c);
  const std::vector<Symbol>& free_names(FunctionKey f);
  bool is_context_manager(FunctionKey f);
  bool is_property(FunctionKey f);
  ValueId get_attribute(ValueId base, Symbol name);
  // What the function's name means: itself, or what its decorators made of it.
  ValueId function_value(FunctionKey f, std::vector<ValueId> captures = {});

  // The last part of the name of who is called, as rules ask for it; empty when it has none.
  std::string_view callee_name(ValueId callee);
  // The qualified name of who is called, as far as it is known: "torch.distributed.all_reduce", "model.step" for a
  // method of what nothing is known about.
  std::string callee_path(ValueId callee);
  // Calls of these names are noted from now on.
  void watch(const std::vector<std::string>& names);
  const Watched& watched() const { return below_ ? below_->watched_ : watched_; }

  // What the source calls a value by.
  enum class NamedBy : uint8_t {
    Nothing,
    Call,  // the call that returned it
    Name,  // a variable, an attribute, an entry of a table
  };
  NamedBy named_by(ValueId v);
  // Of an opaque term: the variable that holds it, else the call that returned it.
  struct UnknownName {
    NamedBy by = NamedBy::Nothing;
    std::string name;
  };
  UnknownName name_of_unknown(ValueId v) const;
  // The value as one would write it; empty when it has no short form.
  std::string spell(ValueId v, int depth = 0);

  size_t unresolved_calls() const { return unresolved_calls_; }
  // Functions of which something is not known, each with its gravest reason.
  void note_incomplete(FunctionKey f, IncompleteReason reason);
  const std::map<FunctionKey, IncompleteReason>& incomplete() const { return incomplete_; }

 private:
  friend class FunctionRun;

  struct Flags {
    bool is_property = false, is_classmethod = false, is_static = false, is_context_manager = false;
    bool is_abstract = false;
  };
  // What the text of the modules says of functions, classes and names, whatever runs.
  struct Declared {
    IdVector<FunctionKey, Flags> flags;
    std::set<ClassKey> actors;            // classes whose objects live in processes of their own, and their bases
    std::set<Symbol> changed_attributes;  // assigned to some object somewhere
    std::map<std::pair<uint32_t, uint32_t>, std::vector<std::pair<FunctionKey, ir::ExprId>>> annotations;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<AttributeSite>> global_assignments;
  };
  enum class Made : uint8_t { Not, InProgress, Whole };
  const Flags& flags(FunctionKey f) const { return declared_->flags[f]; }
  Flags flags_of(FunctionKey f) const;
  void allow_work();
  // Of a function that is not followed to its end: it does nothing and returns something unknown.
  Summary nothing_known(FunctionKey f);

  ModuleKey module_of(ValueId v);
  bool is_mentioned(const std::string& word, ValueId receiver);
  bool is_own_method(std::string_view variable, Symbol name, const Model& model) const;
  ValueId entity_value(const Entity& entity);
  ValueId decorate(FunctionKey f, ValueId value);
  ValueId global_value(ModuleKey module, Symbol name);
  ValueId class_attribute(ClassKey c, Symbol name);
  // An attribute that is empty but on some ranks, as a choice (set_by_some.cpp). Invalid: it is none.
  ValueId set_by_some(ClassKey c, Symbol name, ValueId object);
  // Whether the value is true, where it is a choice with an empty side: the choice's own condition then.
  ValueId truthiness(ValueId v);
  ValueId join_assignments(const std::vector<ValueId>& values, ValueId fallback);
  ValueId method_value(FunctionKey f, ValueId receiver);
  ValueId find_attribute(ValueId base, Symbol name);
  const std::vector<const Model*>& models_of_member(ClassKey c, Symbol name);
  ValueId attribute_of_choice(ValueId base, Symbol name);
  ValueId attribute_of_class(ValueId base, Symbol name);
  ValueId applied_function(ClassKey c, Symbol name);
  ValueId attribute_of_super(ValueId base, Symbol name);
  ValueId attribute_of_object(ClassKey c, ValueId base, Symbol name);
  ValueId attribute_of_method(FunctionKey method, ValueId base, Symbol name);
  bool may_come_to(const Summary& s, ir::BlockId block, Binding& binding);
  ValueId given_to_constructor(ClassKey c, ValueId base, Symbol name);
  std::optional<ValueId> given_to_constructor_of(ClassKey setting, ClassKey c, ValueId base, Symbol name);
  ValueId attribute_of_group(ValueId base, Symbol name);
  ValueId believed(ValueId plain, std::string_view name);
  ValueId believed_attribute(ValueId base, Symbol name);
  bool is_length(ClassKey c, Symbol name);
  ValueId model_attribute(const Model& model, ValueId receiver);
  ValueId coordinate_value(const Model& model, ValueId group);
  // A parameter with a literal default is a mode that callers choose, not the rank it is called after.
  bool has_constant_default(FunctionKey f, uint32_t parameter) const;
  uint32_t annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation);
  // The type of a closure variable that is a parameter of a function around it.
  uint32_t captured_type(FunctionKey f, Symbol name);
  uint32_t attribute_annotation(ClassKey c, Symbol name);
  // The type of a parameter that callers tell, and of the elements of a list (element_types.cpp).
  uint32_t handed_type(FunctionKey f, uint32_t parameter);
  using AskHanded = uint32_t (HandedTypes::*)(FunctionKey, uint32_t);
  uint32_t told_by_callers(AskHanded asked, FunctionKey f, uint32_t parameter);
  uint32_t element_type(ValueId list);
  uint32_t element_annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation);
  // The function that a guest's stands for; the function itself otherwise.
  FunctionKey original_of(FunctionKey f) const;
  // The value of an expression that needs no environment: literals, names of the module.
  ValueId static_value(ModuleKey module, const ir::Function& f, ir::ExprId e);
  std::string_view class_name(ClassKey c) const;
  std::string_view last_name(ValueId v);
  AxisSet axes_of(const std::vector<std::string>& names);
  SiteId intern_site(const Site& site);
  // What all functions and classes of a module say about others.
  void take_module(ModuleKey module);
  std::vector<Target> find_targets(ValueId callee);
  void leave_out_replaced(std::vector<FunctionKey>& methods, ValueId receiver) const;
  std::vector<Target> methods_called(ClassKey c, Symbol name, ValueId receiver, bool exact, bool as_property);
  std::vector<Target> made_by(ClassKey c);
  std::vector<Target> targets_of_table(ValueId table, ValueId index);
  void add_guarded(std::vector<Target>& found, ValueId callee, ValueId guard);
  void find_actors(ModuleKey module);
  // What a function takes as `**kwargs`, and arguments again out of that (arguments.cpp).
  ValueId keywords_value(const Call& call, const ir::Function& function, ModuleKey module);
  ValueId keyword_of(ValueId keywords, ValueId name, ValueId otherwise);
  ValueId has_keyword(ValueId keywords, ValueId name);
  bool asks_keyword(ValueId v) const;
  void spread_stars(Call& call);
  void find_changed_attributes(ModuleKey module);
  // What threads touch, read off the text the first time it is asked for.
  const OtherThreads& other_threads();
  ValueId field_value(ValueId object, Symbol name);

  template <typename Key, typename Mapped>
  using Kept = OverlaidMap<std::map<Key, Mapped>>;
  using TwoNumbers = std::pair<uint32_t, uint32_t>;

  const Interpreter* const below_ = nullptr;     // of a view: what it is laid over
  const std::optional<ProjectIndex> own_names_;  // of a view
  const ProjectIndex& index_;
  const Models& models_;
  ValueStore values_;
  StableVector<SiteId, Site> sites_;
  Kept<Site, SiteId> site_ids_;
  Kept<TwoNumbers, uint32_t> paths_;
  uint32_t last_path_ = 0;
  std::vector<std::unique_ptr<Summary>> summaries_;  // of a view: those below
  std::vector<Made> state_;
  uint32_t first_judged_ = 0;
  std::vector<bool> wanted_;  // of those from the first on; empty: all
  std::stop_token stop_;
  std::shared_ptr<HandedTypes> handed_;
  std::shared_ptr<Declared> declared_;
  std::vector<ModuleKey> guests_;
  std::unordered_map<uint32_t, FunctionKey>
      stand_ins_;  // who is called, by whom he stands for: a guest's function or an original's
  std::unique_ptr<OtherThreads> other_threads_;
  OverlaidMap<std::unordered_map<uint32_t, std::vector<Symbol>>> free_names_;
  Kept<ClassKey, std::vector<Field>> fields_;
  std::set<FunctionKey> free_in_progress_;
  Kept<TwoNumbers, ValueId> class_attributes_, globals_;
  Kept<TwoNumbers, std::vector<const Model*>> member_models_;  // of a class and a name
  Kept<uint32_t, ValueId> decorated_;
  Kept<TwoNumbers, uint32_t> attribute_types_;
  Kept<std::pair<ModuleKey, std::string>, bool> mentions_;
  OverlaidMap<std::unordered_map<uint32_t, AxesId>>
      settled_;  // by value: the axis of its own that an unknown group was given
  int depth_ = 0;
  int lookups_ = 0;        // how deep attributes are being looked up
  int lookup_budget_ = 0;  // how many more the outermost of them may need
  FunctionKey running_;
  size_t unresolved_calls_ = 0;
  const int deepest_call_;
  std::vector<BrokenFunction> broken_;
  std::set<FunctionKey> given_up_;
  Probe probe_;
  bool keeps_assigned_values_ = false;
  size_t cut_seen_ = 0;
  uint64_t work_left_ = 0;  // of what may be done for all functions together, before each may do little
  uint64_t work_done_ = 0;
  std::map<FunctionKey, IncompleteReason> incomplete_;
  Watched watched_;
};

}  // namespace ranklint
