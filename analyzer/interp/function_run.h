// One run of the interpreter over one function.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "analyzer/interp/interpreter.h"

namespace ranklint {

// Places to values. A sorted vector, because it is copied at every branch and rarely large.
class Environment {
 public:
  static PlaceKey key(Symbol local) { return {{}, local}; }
  static PlaceKey key(ValueId base, Symbol attribute) { return {base, attribute}; }
  ValueId get(const PlaceKey& place) const;
  void set(const PlaceKey& place, ValueId value);
  const std::vector<std::pair<PlaceKey, ValueId>>& places() const { return places_; }

 private:
  std::vector<std::pair<PlaceKey, ValueId>> places_;
};

class FunctionRun {
 public:
  FunctionRun(Interpreter& interpreter, FunctionKey f);
  Summary run();
  // What the code that has run by now has given a name, where none that is left gives it anything. Invalid: nothing.
  ValueId given_by_now(Symbol name) const;

 private:
  // Control flow (function_run.cpp).
  void bind_parameters(Environment& env);
  void run_block(ir::BlockId block);
  Environment enter(ir::BlockId block);
  Environment merge(ir::BlockId block, const std::vector<ir::BlockId>& from);
  ValueId gate(ir::BlockId at, ir::BlockId join, const PlaceKey& place, std::map<uint32_t, ValueId>& known);
  using Choosing = std::function<ValueId(std::map<uint32_t, ValueId>&)>;
  std::optional<uint32_t> only_side(ir::BlockId at) const;
  ValueId left_in_a_round(ir::BlockId header, ValueId at_end, const PlaceKey& place, const Choosing& left_by,
                          std::map<uint32_t, ValueId> known);
  ValueId left_by_entry(ir::BlockId header, ValueId at_end, ValueId left, const PlaceKey& place);
  bool looks_for_its_own(ValueId left) const;
  // What a place holds after the branch, by what it held on either side.
  ValueId choose(ir::BlockId at, ValueId yes, ValueId no, SiteId after);
  void enter_loop(ir::BlockId header, Environment& env);
  ValueId brought_by_entry(std::span<const ValueId> brought, SiteId site, const PlaceKey& place);
  ValueId brought_over(std::span<const ValueId> brought, SiteId site, const PlaceKey& place);
  bool loop_diverges(ir::BlockId header);
  bool is_of_given(ValueId v) const;
  // Lists filled by loops (filled_lists.cpp).
  ir::BlockId grown_once(ir::BlockId header, Symbol list) const;
  bool grows_each_round(ir::BlockId header, ir::BlockId grown) const;
  bool picks_of_own_share(ir::BlockId header, ir::BlockId grown) const;
  ValueId filled_list(ir::BlockId header, ir::BlockId grown, const PlaceKey& place, ValueId gone_over);
  bool is_kept_by_ranks_alone(ir::BlockId header, ir::BlockId block) const;
  ir::ExprId put_into(ir::BlockId grown, Symbol list) const;
  ValueId only_question(ir::BlockId header, ir::BlockId block);
  bool is_of_numbers(ValueId v, ValueId element) const;
  bool compares_captured(ValueId v) const;
  ValueId standing_for(ir::BlockId header, ir::ExprId target);
  ValueId of_each_element(ir::BlockId header, ir::BlockId grown, ir::ExprId given, ValueId gone_over);
  bool is_made_of_elements(ValueId v) const;
  // Lists that grow where they are made (own_lists.cpp).
  ir::ExprId list_changed(const ir::Instruction& i) const;
  bool names(ir::ExprId e, Symbol variable) const;
  bool has_second_name(Symbol list) const;
  bool is_changed_elsewhere(Symbol list) const;
  ValueId list_with(Symbol list, ValueId before, ValueId added);
  ValueId value_assigned(const ir::Instruction& i, Environment& env);
  bool has_elements(ValueId iterable) const;
  ValueId another_round(ir::BlockId header, ValueId iterable);
  void forget_elements(const ir::Instruction& i, const Call& call, Environment& env);
  bool is_list_known(ValueId v) const;
  bool is_filled_by_some(ValueId list) const;
  void forget_except(const PlaceKey& kept, ValueId list, ValueId left, Environment& env);
  void forget_other_names(const PlaceKey& changed, ValueId list, ValueId left, Environment& env);
  void forget_before_rounds(ir::ExprId as, ValueId list, Environment& env);
  void forget_list(ir::ExprId as, ValueId left, Environment& env);
  void forget_deleted(ir::ExprId target, Environment& env);
  void forget_mentioned_in(FunctionKey called, Environment& env);
  void count_filled_lists(ir::BlockId after, ir::BlockId header, Environment& env);
  void forget_lists_filled_up(ir::BlockId after, ir::BlockId header, Environment& env);
  // What a generator yields (generators.cpp).
  struct Yield {
    ir::BlockId block;
    ir::ExprId value;
  };
  Yield only_yield() const;
  bool is_one_loop(ir::BlockId header) const;
  ValueId iterable_yielding(ValueId gone_over, ValueId element, ValueId value) const;
  ValueId yielded_source(ir::BlockId header, const Yield& yield, ValueId gone_over);
  ValueId yielded();
  ValueId yielded_batch(ValueId iterable, SiteId site, std::map<ValueId, ValueId>& known);
  bool run_all();
  void collect_result();
  // What `place` holds where the function returns: a choice over the branches from `at` on between what `of_return`
  // says of the blocks that return.
  using OfReturn = std::function<ValueId(ir::BlockId)>;
  ValueId choose_return(ir::BlockId at, const PlaceKey& place, const OfReturn& of_return,
                        std::map<uint32_t, ValueId>& known);
  // What is done to objects (object_changes.cpp).
  ValueId before_any_change(const PlaceKey& place);
  bool is_carried(const PlaceKey& place, ir::BlockId header) const;
  void note_made(ValueId object);
  bool is_one_of_several(ValueId object) const;
  bool is_noted(ValueId value) const;
  void take_effects(const Summary& callee, const Binding& binding, ValueId guard, bool makes, Environment& env);
  void take_constructed(const Summary& constructor, const Binding& binding, Environment& env);
  void take_changes(const Summary& callee, const Binding& binding, ValueId guard, Environment& env);
  CompactVector<FieldState> held_by(const Environment& env) const;
  void collect_changes();
  bool has_few_branches() const;
  ValueId value_on_return(const PlaceKey& place, const std::vector<ir::BlockId>& returns);
  // A result that is this rank's own only until something is agreed on (agreed_later.cpp).
  ValueId agreed_later(ValueId result) const;
  bool is_agreed_later(ClassKey c, Symbol name) const;
  // A broadcast that each side of a branch writes for itself (broadcast_per_branch.cpp).
  void note_broadcast(const Model& model, ir::ExprId buffer, Environment& env);
  bool was_sent(ValueId v) const;
  bool was_received(ValueId v, int steps) const;
  ValueId broadcast_per_branch(ValueId condition, ValueId yes, ValueId no, SiteId after) const;

  // Types that follow from calls (stated_types.cpp).
  ValueId part_of(ValueId whole, uint32_t position);
  void note_stated_type(const ir::Instruction& i, const Call& call, Environment& env);
  bool is_output_of_wrapped(ValueId v, int steps = 4) const;
  ValueId made_of_arguments(const Call& call);
  void note_wrapped_run(ValueId model);
  ValueId wrapped_given(const Call& call) const;
  ValueId made_with_wrapped(const Call& call, ValueId result);
  ValueId made_by_project(const Call& call, ValueId result);
  ValueId constructed(const Call& call);
  const Model* backward_of_wrapped(const Call& call) const;
  ValueId asked_of_selection(const ir::Instruction& i);  // selections.cpp
  bool is_gathered_object(ir::ExprId e);                 // gathered_objects.cpp
  ValueId asked_of_gathered(ir::ExprId condition);

  // What handlers bring where the ways meet again (function_run_handlers.cpp).
  bool handlers_come_late();
  void merge_handled(ir::BlockId block, Environment& env);
  ValueId result_of_handlers(ValueId result, const std::map<uint32_t, ValueId>& walked);
  ValueId choose_handled(ir::BlockId from, ValueId handled, ValueId otherwise);
  bool out_of_memory(ir::BlockId from) const;

  void collect_effects();

  // Expressions and instructions (function_run_instructions.cpp).
  void run_instruction(const ir::Instruction& i, uint32_t number, Environment& env);
  void run_terminator(ir::BlockId block, Environment& env);
  ValueId evaluate(ir::ExprId id, Environment& env);
  ValueId evaluate_display(ir::ExprId id, Environment& env);  // [a, b], as a tuple
  ValueId evaluate_binary(ir::ExprId id, Environment& env);
  ValueId filled_text(ValueId pattern, const std::vector<ValueId>& parts);  // f"{a}:{b}"
  ValueId rounds_of(ValueId iterable);
  ValueId evaluate_name(Symbol name, Environment& env);
  ValueId read_attribute(ValueId base, Symbol name, Environment& env);
  ValueId implied_property(FunctionKey method, ValueId object, const CompactVector<FieldState>& held);
  ValueId function_reference(ir::FunctionId id, Environment& env);
  void assign(ir::ExprId target, ValueId value, Environment& env);
  void assign_entry(ir::ExprId target, ValueId value, Environment& env);
  void keep_assigned(ir::ExprId target, const Environment& env);
  void store_attribute_value(ir::ExprId target, ValueId value);
  ValueId import_value(const ir::Instruction& i);

  // Calls (function_run_calls.cpp).
  void run_call(const ir::Instruction& i, Environment& env);
  ir::ExprId grown_list(const ir::Instruction& i) const;
  void grow(ir::ExprId list, const Call& call, Environment& env);
  bool is_keywords(ValueId v) const;
  bool is_environment(ValueId v) const;
  ValueId number_in_environment(ValueId variable);
  bool is_set_in_jobs(ValueId variable) const;
  bool makes_job_without(ir::Operator asked) const;
  ValueId same_number_in_environment(ValueId variables);
  bool is_text(ValueId v) const { return values_[v].kind == ValueKind::Text; }
  bool is_local(ir::ExprId e) const;
  bool is_local(Symbol name) const { return SymbolTable::is_temporary(name) || locals_.contains(name); }
  void forget_entries(const ir::Instruction& i, const Call& call, Environment& env);
  void give_up_entries(ir::ExprId e, Environment& env);
  bool is_loader(ValueId iterable);
  ValueId loaded_batch(SiteId site);
  ValueId asked_for_batch(ir::Operator op, ValueId left, ValueId right);
  bool is_loaded(ValueId v) const;
  ValueId missing_batch(ValueId batch);
  ValueId truth_asked(ValueId v);
  bool is_loader_iterator(ValueId iterator);
  bool is_called_loader(std::string_view variable) const;
  bool is_given_loaders_alone(const Call& call, const ir::Instruction* i);
  bool suggests(std::string_view name, NameMeaning meaning) const { return in_.priors().suggest(name, meaning); }
  ValueId element_of(const ir::Terminator& loop, ValueId iterable, SiteId site);
  ValueId element_of(ValueId iterable, SiteId site, std::map<ValueId, ValueId>& known);
  bool is_handed_batch(uint32_t parameter) const;
  bool takes_batch(const Call& call) const;
  ValueId made_of_unknown(const Call& call, ValueId unknown);
  bool is_named_for_agreement(ValueId callee) const;
  bool gives_alike(const Call& call) const;
  std::vector<ValueId> may_bring_batch(const Call& call) const;
  bool find_open_part(ValueId v, const std::function<bool(ValueId)>& take) const;
  bool is_argument_of_unknown_kind(ValueId v) const;
  std::set<Symbol> variables_asked_for_numbers() const;
  bool reads_numbers(Symbol variable);
  void forget_batch(ir::ExprId buffer, Environment& env);
  ValueId made_of_batch(const Call& call);
  Call collect_arguments(const ir::Instruction& i, ValueId callee, Environment& env);
  ValueId apply(Call call, Environment& env, const SourceRange& range, const ir::Instruction* i);
  bool is_chosen_by_kind(ValueId callee) const;
  ValueId communicate_where_chosen(const Call& call, ValueId guard, const Environment& env, const SourceRange& range,
                                   const ir::Instruction* i);
  ValueId apply_model(const Model& model, const Call& call, Environment& env, const SourceRange& range,
                      const ir::Instruction* i);
  ValueId object_asked(const Call& call) const;
  ValueId group_of_object(ValueId object);
  ValueId group_given(const Model& model, const Call& call);
  ValueId made_by_model(const Model& model, const Call& call);
  ValueId group_of(const Model& model, const Call& call, ValueId receiver);
  std::string_view seen_alone(const Model& model, const Call& call, ValueId receiver) const;
  uint32_t type_made(const Model& model) const;
  ValueId reduced(const Model& model, const Call& call);
  ValueId apply_collective(const Model& model, const Call& call, ValueId group, Environment& env,
                           const SourceRange& range, const ir::Instruction* i);
  bool keeps_handle(const Model& model, const ir::Instruction& i) const;
  Axis axis_made_here(AxisKind kind, Symbol name);
  ValueId made_group(const Model& model, const Call& call, const Event& creation, const ir::Instruction* i);
  ValueId asked_coordinate(const Model& model, const Call& call, ValueId group);
  ValueId through_argument(const Model& model, ValueId result);
  ValueId made_with_own_strategy(const Call& call);
  ValueId attribute_asked(std::string_view function, const Call& call);
  ValueId told_by_type(std::string_view function, const Call& call);
  void call_back(const Call& call, const Environment& env, const SourceRange& range);
  ValueId entry_looked_up(const Call& call, ValueId table, std::string_view method);
  ValueId computed_of_rank(std::string_view function, ValueId object, const Call& call);
  ValueId object_of_method(ValueId callee, Symbol& method);
  ValueId computed_by_method(const Call& call);
  ValueId made_whole(std::string_view name, ValueId v);
  ValueId made_of_given(std::string_view name, const Call& call);
  ValueId apply_builtin(std::string_view name, const Call& call, bool& known);
  std::vector<ValueId> field_arguments(const Call& call, const std::vector<Field>& fields);
  ValueId apply_unknown(const Call& call);
  ValueId rank_asked_of_group(const ir::Instruction& call, Environment& env);
  bool goes_by_name(ValueId callee) const;
  bool uses_result(const ir::Instruction& call) const;
  bool tells_of_world(const Call& call, const Model& model);
  ValueId apply_project(const Call& call, Environment& env, const SourceRange& range, bool& known);
  ValueId copy_of_world(const Call& call, ValueId group);
  ValueId shared_by_color(const Model& model, const Call& call, ValueId group);
  void make_uniform(const ir::Instruction* i, Environment& env);
  void make_place_uniform(ir::ExprId e, Environment& env);
  ValueId choice_of_nothing(ValueId v);
  bool is_passed_by_value(ValueId v) const;
  bool reads_own_state(const Model& model, const ir::Instruction& i) const;
  ValueId asked_whether_set_up(const Model& model);
  bool condition_holds(const ArgumentCondition& condition, const Call& call, bool& unknown);
  std::optional<bool> was_made_so(const ArgumentCondition& condition, ValueId object);
  ValueId argument(const Call& call, const ArgumentSpec& spec);
  ValueId bound_of(ValueId context);
  bool is_null_context(ValueId context) const;
  void enter_with(const ir::Instruction& i, Environment& env);
  void exit_with(const ir::Instruction& i, Environment& env);
  std::vector<ValueId> exit_arguments(const ir::Instruction& exit);
  bool ends_at_yield(ValueId generator) const;
  Step& add_step(const SourceRange& range);
  bool runs_elsewhere(Call& call) const;
  Step& add_aside(const SourceRange& range);
  bool makes_watched(ValueId callee) const;
  void note_watched(const Call& call, const Model* model, const SourceRange& range);
  void note_store(ValueId base, ValueId key, ValueId value);
  void note_entry(std::string_view key, ValueId value);
  void note_entries(const std::vector<ValueId>& keys_and_values);

  SiteId here();
  SiteId site_of(ir::BlockId block, Site::Why why) const {
    return in_.intern_site({.function = key_, .block = block, .why = why});
  }
  SiteId site_of(ir::BlockId block, Site::Why why, const PlaceKey& place) const {
    return in_.intern_site({.function = key_, .block = block, .why = why, .place = values_.intern(place)});
  }
  ValueId opaque(uint32_t type = 0);

  Interpreter& maker_;
  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  FunctionKey key_;
  ModuleKey module_;
  const ir::Module& ir_;
  const ir::Function& f_;
  Summary out_;
  std::vector<Environment> before_, after_;
  std::vector<bool> done_;
  const Environment* now_ = nullptr;  // while a block runs: what is known in it by now
  size_t places_ = 0;                 // kept in environments
  const bool is_constructor_;
  std::set<Symbol> locals_, globals_;
  struct Brought {
    ValueId value;
    bool whole = false;  // over every way back
  };
  // Per header: what the loop brings that diverges; an attribute that it changes is there without a value.
  std::map<uint32_t, std::map<PlaceKey, Brought>> loop_extra_;
  std::set<PlaceKey> touched_;  // attributes that are changed, here or by what is called
  struct Making {
    ir::BlockId block;
    uint32_t instruction = 0;
    bool several = false;
  };
  std::map<uint32_t, Making> made_at_;  // objects, by their terms
  std::map<uint32_t, Environment>
      late_;  // by block: the state at the end of handlers that stand after the block they continue in
  std::map<uint32_t, SiteId> entered_;  // context managers, by value: where they were entered
  // Names whose objects are gathered, and the block's position and the instruction from which on they hold another
  // value.
  std::optional<std::map<Symbol, std::pair<uint32_t, uint32_t>>> gathered_;
  std::map<Symbol, bool> changed_elsewhere_;  // lists that grow here
  std::map<Symbol, bool> with_second_name_;   // lists that change here
  std::optional<std::set<Symbol>> asked_for_numbers_;
  std::optional<std::set<Symbol>> selections_;  // what masks keep and exchanges take, and the masks
  std::vector<ValueId> sent_;                   // what broadcasts were given
  std::set<ValueId> loaded_;                    // batches as loaders gave them
  std::set<ValueId> received_;                  // what their buffers hold after them
  ir::BlockId block_;
  uint32_t instruction_ = 0, part_ = 0;
};

}  // namespace ranklint
