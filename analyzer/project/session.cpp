#include "analyzer/project/session.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "analyzer/base/contain.h"
#include "analyzer/interp/effects.h"
#include "analyzer/product/divergence_check.h"
#include "analyzer/project/deep_stack.h"
#include "analyzer/project/mpi_runs.h"
#include "analyzer/project/passes.h"
#include "analyzer/project/repeated.h"
#include "analyzer/project/shared.h"
#include "analyzer/questions/calls.h"
#include "analyzer/questions/silent_steps.h"

namespace ranklint {
namespace {

// What overlays may leave in memory before all files are to be checked again.
constexpr size_t kMostOverlayFunctions = 40000;
constexpr size_t kMostOverlayValues = 2000000;

FileNotes notes_of(const std::string& path, const ir::Module& module) {
  return {.path = path,
          .pragmas = module.pragmas,
          .diagnostics = module.diagnostics,
          .unknown_count = module.unknown_count};
}

std::vector<IncompleteFunction> incomplete_functions(const Query& query) {
  std::vector<IncompleteFunction> all;
  const ProjectIndex& index = query.index();
  for (const auto& [f, reason] : query.notes().incomplete)
    all.push_back(
        {std::string(index.path(f)), index.function(f).range.line, std::string(index.qualified_name(f)), reason});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.path, a.line, a.function) < std::tie(b.path, b.line, b.function);
  });
  return all;
}

void note_broken_bodies(const ir::Module& module, std::vector<BrokenPiece>& out) {
  for (const ir::BrokenBody& broken : module.broken) {
    const ir::Function& f = module.functions[broken.function];
    out.push_back({.path = module.path,
                   .line = f.range.line,
                   .function = std::string(module.text(f.qualified_name)),
                   .stage = "lowering",
                   .what = broken.what});
  }
}

BrokenPiece piece_of(const ProjectIndex& index, BrokenFunction broken) {
  BrokenPiece piece{.stage = std::move(broken.stage), .what = std::move(broken.what)};
  if (!broken.function.valid()) return piece;
  piece.path = index.path(broken.function);
  piece.line = index.function(broken.function).range.line;
  piece.function = index.qualified_name(broken.function);
  return piece;
}

size_t count_communicating(const Query& query) {
  size_t count = 0;
  for (uint32_t f = 0; f < query.index().functions().size(); ++f)
    if (const Summary* s = query.summary(FunctionKey{f})) count += s->communicates;
  return count;
}

}  // namespace

struct Session::State {
  State(std::shared_ptr<ProjectIndex> i, const Models& models, const AnalysisOptions& options, std::stop_token stop,
        int deepest_call)
      : index(std::move(i)),
        interpreter(*index, models, deepest_call),
        passes(options.passes),
        threads(options.thread_count()),
        divergence_check(interpreter.query(), {.replays = options.replays, .threads = threads}) {
    interpreter.watch(options.watched);
    interpreter.probe_with(options.probe);
    interpreter.stop_when(std::move(stop));
  }

  // Judges the functions that the interpreter is to judge. False: it was asked to stop.
  bool check(const Programs& programs, Shared& shared, Analysis& analysis) {
    const auto contain = [&](std::string_view stage, const std::function<void()>& body) {
      interpreter.query().contain({}, stage, body);
    };
    contain("launches", [&] { shared.launches = std::make_shared<const Launches>(interpreter.query().program()); });
    contain("programs without a job",
            [&] { shared.jobless = std::make_shared<const JoblessPrograms>(interpreter.query().program()); });
    contain("how scripts are started",
            [&] { shared.script_starts = std::make_shared<const ScriptStarts>(interpreter.query().program()); });
    // Once: by one edit what runs does not become what does not.
    if (!live_code)
      contain("what runs", [&] { live_code = std::make_shared<const LiveCode>(interpreter.query().program()); });
    shared.live_code = live_code;
    shared.undefined_names = std::make_shared<const UndefinedNames>(interpreter.query().program());
    contain("effects", [&] { complete_effects(interpreter); });
    if (interpreter.is_stopped()) return false;
    contain("layout of tensors", [&] { leave_out(interpreter, silent_steps(interpreter.query())); });
    contain("comparison of ranks", [&] {
      Disagreements found = divergence_check.run();
      shared.mismatches = std::move(found.mismatches);
      shared.divergent_arguments = std::move(found.arguments);
    });
    if (interpreter.is_stopped()) return false;
    const ViewTask calls{"calls that rules ask for", [&](const Query& in) { shared.calls = collect_calls(in); }};
    run_over_views(interpreter.query(), std::span(&calls, 1), threads);
    if (interpreter.is_stopped()) return false;
    run_mpi_programs(programs, shared, analysis.broken);
    const ViewTask search{"messages", [&](const Query& in) { shared.messages = find_stuck_messages(in); }};
    analysis.found = run_passes(interpreter.query(), passes, threads, shared, search);
    return !interpreter.is_stopped();
  }

  std::shared_ptr<ProjectIndex> index;
  std::shared_ptr<const LiveCode> live_code;  // null: not looked for yet, or a bug of ours showed then
  Interpreter interpreter;
  std::vector<Pass> passes;
  unsigned threads;
  DivergenceCheck divergence_check;
  size_t functions = 0, values = 0;  // of the project itself
};

Session::Session(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options,
                 std::stop_token stop)
    : models_(models) {
  std::vector<ir::Module> modules;
  auto shared = std::make_shared<Shared>();
  MetFunctions met;
  Programs programs;
  for (LoweredFile& file : files) {
    if (!file.broken.empty())
      analysis_.broken.push_back({.path = file.path, .stage = "reading", .what = std::move(file.broken)});
    analysis_.files.push_back(notes_of(file.path, file.modules.front()));
    analysis_.is_repeatable &= !file.modules.front().met_time_limit;
    if (file.program) programs.push_back(std::move(file.program));
    met.drop_repeated(file.modules);
    for (ir::Module& module : file.modules) {
      note_broken_bodies(module, analysis_.broken);
      shared->reported.push_back(file.reported);
      analysis_.function_count += module.functions.size();
      modules.push_back(std::move(module));
    }
  }
  auto index = std::make_shared<ProjectIndex>(std::move(modules), models.roles());
  shared->owner = index;
  shared->index = index.get();
  check(index, programs, options, stop, *shared);
  if (!is_broken_off()) analysis_.shared = std::move(shared);
}

void Session::check(const std::shared_ptr<ProjectIndex>& index, const Programs& programs,
                    const AnalysisOptions& options, const std::stop_token& stop, Shared& shared) {
  const auto all = [&](int deepest_call) {
    analysis_.is_repeatable &= deepest_call == Query::kDeepestCall;
    auto state = std::make_unique<State>(index, models_, options, stop, deepest_call);
    Interpreter& interpreter = state->interpreter;
    is_broken_off_ = stop.stop_requested() || !state->check(programs, shared, analysis_);
    if (is_broken_off_) return;
    interpreter.stop_when({});
    analysis_.unresolved_call_count = interpreter.unresolved_calls();
    analysis_.incomplete = incomplete_functions(interpreter.query());
    analysis_.work = interpreter.query().notes().work;
    analysis_.communicating_function_count = count_communicating(interpreter.query());
    for (BrokenFunction& broken : interpreter.query().take_broken())
      analysis_.broken.push_back(piece_of(*index, std::move(broken)));
    state->functions = index->functions().size();
    state->values = interpreter.query().values().size();
    state_ = std::move(state);
  };
  if (std::optional<std::string> what = contain([&] { run_with_deep_stack(all); }))
    analysis_.broken.push_back({.stage = "project", .what = std::move(*what)});
}

Session::~Session() = default;

bool Session::has_room() const {
  return state_->index->functions().size() < state_->functions + kMostOverlayFunctions &&
         state_->interpreter.query().values().size() < state_->values + kMostOverlayValues;
}

std::optional<Analysis> Session::check_again(ir::Module module, bool reported, std::vector<bool> touched) {
  if (!state_) return std::nullopt;
  const ModuleKey original = state_->index->module_at(module.path);
  if (!original.valid() || module.has(ir::Convention::NotImported) || module.functions.empty() || !has_room())
    return std::nullopt;
  Analysis analysis;
  analysis.files.push_back(notes_of(module.path, module));
  analysis.function_count = module.functions.size();
  note_broken_bodies(module, analysis.broken);
  auto shared = std::make_shared<Shared>();
  shared->owner = state_->index;
  shared->index = state_->index.get();
  bool done = false;
  const auto check_overlay = [&](int deepest_call) {
    if (deepest_call < Query::kDeepestCall) return;  // no stack for the calls that were followed before
    state_->index->add_overlay(std::move(module), original);
    shared->reported.assign(state_->index->modules().size(), false);
    shared->reported.back() = reported;
    if (!touched.empty()) {
      shared->checked_before = original;
      shared->reported[original.index] = reported;
    }
    state_->interpreter.take_overlay(original, std::move(touched));
    state_->check({}, *shared, analysis);
    for (BrokenFunction& broken : state_->interpreter.query().take_broken())
      analysis.broken.push_back(piece_of(*state_->index, std::move(broken)));
    done = true;
  };
  // Half an overlay is nothing that another edit could be judged beside.
  if (contain([&] { run_with_deep_stack(check_overlay); })) state_.reset();
  if (!done || !state_) return std::nullopt;
  analysis.shared = std::move(shared);
  return analysis;
}

std::set<std::string> Session::cut_short() const {
  std::set<std::string> names;
  for (const auto& [f, reason] : state_->interpreter.query().notes().incomplete)
    if (state_->interpreter.functions_to_check().contains(f)) names.emplace(state_->index->qualified_name(f));
  for (const FunctionKey f : state_->interpreter.given_up())
    if (state_->interpreter.functions_to_check().contains(f)) names.emplace(state_->index->qualified_name(f));
  return names;
}

}  // namespace ranklint
