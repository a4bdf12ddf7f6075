#include "analyzer/project/session.h"

#include <algorithm>
#include <tuple>

#include "analyzer/compare/calls.h"
#include "analyzer/compare/detached.h"
#include "analyzer/compare/divisibility.h"
#include "analyzer/compare/foreign_roots.h"
#include "analyzer/compare/framework_stops.h"
#include "analyzer/compare/generators.h"
#include "analyzer/compare/judge.h"
#include "analyzer/compare/lone_raises.h"
#include "analyzer/compare/loose_handles.h"
#include "analyzer/compare/outsiders.h"
#include "analyzer/compare/swallowed.h"
#include "analyzer/compare/tensor_layout.h"
#include "analyzer/compare/tensor_passes.h"
#include "analyzer/compare/uniform_guards.h"
#include "analyzer/compare/unknown_callees.h"
#include "analyzer/compare/unordered.h"
#include "analyzer/project/deep_stack.h"
#include "analyzer/project/repeated.h"
#include "analyzer/project/small_worlds.h"
#include "analyzer/summary/effects.h"

namespace ranklint {
namespace {

// What guests may leave behind before all files are to be checked again.
constexpr size_t kMostGuestFunctions = 40000;
constexpr size_t kMostGuestValues = 2000000;

FileNotes notes_of(const std::string& path, const ir::Module& module) {
  return {.path = path, .pragmas = module.pragmas, .diagnostics = module.diagnostics, .unknown_count = module.unknown_count};
}

// Of the functions that the interpreter is to judge. False: it was asked to stop.
bool find_facts(Interpreter& interpreter, Judgement& judgement, const Models& models, Facts& facts) {
  complete_effects(interpreter);
  if (interpreter.is_stopped()) return false;
  drop_what_sends_nothing(interpreter);
  judgement.run(facts);
  if (interpreter.is_stopped()) return false;
  find_unordered_loops(interpreter, facts);
  find_detached_collectives(interpreter, facts);
  find_loose_handles(interpreter, facts);
  find_swallowed_failures(interpreter, facts);
  find_lone_raises(interpreter, facts);
  find_framework_stops(interpreter, facts);
  find_left_generators(interpreter, facts);
  find_outsiders(interpreter, facts);
  find_foreign_roots(interpreter, facts);
  find_uniform_guards(interpreter, facts);
  find_unknown_callees(interpreter, models, facts);
  find_size_hazards(interpreter, facts);
  if (interpreter.is_stopped()) return false;
  facts.calls = std::make_shared<const CallBook>(collect_calls(interpreter));
  facts.tensors = std::make_shared<const TensorFacts>(tensor_facts(interpreter));
  return !interpreter.is_stopped();
}

std::vector<IncompleteFunction> incomplete_functions(const Interpreter& interpreter) {
  std::vector<IncompleteFunction> all;
  const ProjectIndex& index = interpreter.index();
  for (const auto& [f, why] : interpreter.incomplete())
    all.push_back({std::string(index.path(f)), index.function(f).range.line, std::string(index.qualified_name(f)), why.reason, why.detail});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return std::tie(a.path, a.line, a.function) < std::tie(b.path, b.line, b.function); });
  return all;
}

size_t count_communicating(Interpreter& interpreter) {
  size_t count = 0;
  for (uint32_t f = 0; f < interpreter.index().functions().size(); ++f)
    if (const Summary* s = interpreter.summary(FunctionKey{f})) count += s->communicates;
  return count;
}

}  // namespace

struct Session::State {
  State(std::shared_ptr<ProjectIndex> i, const Models& models, const AnalysisOptions& options, std::stop_token stop, int deepest_call)
      : index(std::move(i)), interpreter(*index, models, deepest_call), judgement(interpreter, options.replays) {
    interpreter.watch(options.watched);
    interpreter.stop_when(std::move(stop));
  }

  std::shared_ptr<ProjectIndex> index;
  Interpreter interpreter;
  Judgement judgement;
  size_t functions = 0, values = 0;  // of the project itself
};

Session::Session(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options, std::stop_token stop) : models_(models) {
  std::vector<ir::Module> modules;
  auto facts = std::make_shared<Facts>();
  MetFunctions met;
  std::vector<std::shared_ptr<const machine::Program>> programs;
  for (LoweredFile& file : files) {
    analysis_.files.push_back(notes_of(file.path, file.modules.front()));
    if (file.program) programs.push_back(std::move(file.program));
    met.drop_repeated(file.modules);
    for (ir::Module& module : file.modules) {
      facts->reported.push_back(file.reported);
      analysis_.function_count += module.functions.size();
      modules.push_back(std::move(module));
    }
  }
  auto index = std::make_shared<ProjectIndex>(std::move(modules));
  facts->owner = index;
  facts->index = index.get();
  run_with_deep_stack([&](int deepest_call) {
    auto state = std::make_unique<State>(index, models, options, stop, deepest_call);
    Interpreter& interpreter = state->interpreter;
    if (stop.stop_requested() || !find_facts(interpreter, state->judgement, models, *facts)) return;
    interpreter.stop_when({});
    analysis_.unresolved_call_count = interpreter.unresolved_calls();
    analysis_.incomplete = incomplete_functions(interpreter);
    analysis_.communicating_function_count = count_communicating(interpreter);
    state->functions = index->functions().size();
    state->values = interpreter.values().size();
    state_ = std::move(state);
  });
  if (is_broken_off()) return;
  analysis_.facts = std::move(facts);
  run_small_worlds(programs, analysis_);
}

Session::~Session() = default;

bool Session::has_room() const {
  return state_->index->functions().size() < state_->functions + kMostGuestFunctions &&
         state_->interpreter.values().size() < state_->values + kMostGuestValues;
}

std::optional<Analysis> Session::judge_again(ir::Module module, bool reported, std::vector<bool> touched) {
  if (is_broken_off()) return std::nullopt;
  const ModuleKey original = state_->index->module_at(module.path);
  if (!original.valid() || module.language != "python" || module.functions.empty() || !has_room()) return std::nullopt;
  Analysis analysis;
  analysis.files.push_back(notes_of(module.path, module));
  analysis.function_count = module.functions.size();
  auto facts = std::make_shared<Facts>();
  facts->owner = state_->index;
  facts->index = state_->index.get();
  bool done = false;
  run_with_deep_stack([&](int deepest_call) {
    if (deepest_call < Interpreter::kDeepestCall) return;  // no stack for the calls that were followed before
    state_->index->add_guest(std::move(module), original);
    facts->reported.assign(state_->index->modules().size(), false);
    facts->reported.back() = reported;
    if (!touched.empty()) {
      facts->checked_before = original;
      facts->reported[original.index] = reported;
    }
    state_->interpreter.take_guest(original, std::move(touched));
    find_facts(state_->interpreter, state_->judgement, models_, *facts);
    done = true;
  });
  if (!done) return std::nullopt;
  analysis.facts = std::move(facts);
  return analysis;
}

std::set<std::string> Session::cut_short() const {
  std::set<std::string> names;
  for (const auto& [f, why] : state_->interpreter.incomplete())
    if (state_->interpreter.judged().contains(f)) names.emplace(state_->index->qualified_name(f));
  return names;
}

}  // namespace ranklint
