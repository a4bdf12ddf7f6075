#include "analyzer/project/project.h"

#include <pthread.h>

#include <algorithm>
#include <set>

#include "analyzer/compare/calls.h"
#include "analyzer/compare/detached.h"
#include "analyzer/compare/divisibility.h"
#include "analyzer/compare/foreign_roots.h"
#include "analyzer/compare/generators.h"
#include "analyzer/compare/judge.h"
#include "analyzer/compare/loose_handles.h"
#include "analyzer/compare/outsiders.h"
#include "analyzer/compare/swallowed.h"
#include "analyzer/compare/tensor_layout.h"
#include "analyzer/compare/tensor_passes.h"
#include "analyzer/compare/uniform_guards.h"
#include "analyzer/compare/unknown_callees.h"
#include "analyzer/compare/unordered.h"
#include "analyzer/project/lowering.h"
#include "analyzer/project/small_worlds.h"
#include "analyzer/summary/effects.h"

namespace ranklint {
namespace {

// Interpretation recurses along call chains, as deep as the stack has room for: a thread of our own has it for the
// deepest we follow. Where none can be had calls are followed less far down, on the stack there is.
constexpr int kDeepestCallWithoutThread = 8;

// Sanitizers make frames several times larger.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kFrames = 6;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr size_t kFrames = 6;
#else
constexpr size_t kFrames = 1;
#endif
#else
constexpr size_t kFrames = 1;
#endif

void run_with_deep_stack(const std::function<void(int deepest_call)>& body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (Interpreter::kDeepestCall + 8) * Interpreter::kStackPerCall * kFrames);
  pthread_t thread;
  auto call = [](void* f) -> void* {
    (*static_cast<const std::function<void(int)>*>(f))(Interpreter::kDeepestCall);
    return nullptr;
  };
  const bool started = pthread_create(&thread, &attributes, call, const_cast<std::function<void(int)>*>(&body)) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  else body(kDeepestCallWithoutThread);
}

// A header is read once for every file that includes it; each of its functions counts once, where it is met first.
void drop_repeated(ir::Module& module, std::set<std::pair<std::string, std::string>>& met) {
  for (uint32_t f = 1; f < module.functions.size(); ++f) {
    ir::Function& function = module.functions[ir::FunctionId{f}];
    if (function.parent.valid()) continue;  // goes with the function around it, which nobody calls any more
    if (!met.emplace(module.path, module.text(function.qualified_name)).second) function.blocks = {};
  }
}

}  // namespace

static size_t count_communicating(Interpreter& interpreter) {
  size_t count = 0;
  for (uint32_t f = 0; f < interpreter.index().functions().size(); ++f)
    if (const Summary* s = interpreter.summary(FunctionKey{f})) count += s->communicates;
  return count;
}

Analysis analyze(std::vector<SourceFile> files, const Models& models, const Frontend& frontend,
                 const AnalysisOptions& options) {
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  Lowered lowered = lower_all(files, models, frontend, options);
  std::vector<LoweredFile> read;
  read.reserve(files.size());
  for (size_t i = 0; i < files.size(); ++i)
    read.push_back({.path = files[i].path, .reported = files[i].reported, .modules = std::move(lowered[i].modules), .program = std::move(lowered[i].program)});
  files.clear();
  return judge_all(std::move(read), models, options);
}

Analysis judge_all(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options) {
  std::vector<ir::Module> modules;
  Analysis analysis;
  auto facts = std::make_shared<Facts>();
  std::set<std::pair<std::string, std::string>> met;
  std::vector<std::shared_ptr<const machine::Program>> programs;
  for (LoweredFile& file : files) {
    const ir::Module& own = file.modules.front();
    analysis.files.push_back({.path = file.path, .pragmas = own.pragmas, .diagnostics = own.diagnostics,
                              .unknown_count = own.unknown_count});
    if (file.program) programs.push_back(std::move(file.program));
    for (ir::Module& module : file.modules) {
      if (module.language == "cpp") drop_repeated(module, met);
      facts->reported.push_back(file.reported);
      analysis.function_count += module.functions.size();
      modules.push_back(std::move(module));
    }
  }
  facts->owner = std::make_shared<const ProjectIndex>(std::move(modules));
  facts->index = facts->owner.get();
  run_with_deep_stack([&](int deepest_call) {
    Interpreter interpreter(*facts->index, models, deepest_call);
    interpreter.watch(options.watched);
    complete_effects(interpreter);
    drop_what_sends_nothing(interpreter);
    judge(interpreter, *facts, options.replays);
    find_unordered_loops(interpreter, *facts);
    find_detached_collectives(interpreter, *facts);
    find_loose_handles(interpreter, *facts);
    find_swallowed_failures(interpreter, *facts);
    find_left_generators(interpreter, *facts);
    find_outsiders(interpreter, *facts);
    find_foreign_roots(interpreter, *facts);
    find_uniform_guards(interpreter, *facts);
    find_unknown_callees(interpreter, models, *facts);
    find_size_hazards(interpreter, *facts);
    facts->calls = std::make_shared<const CallBook>(collect_calls(interpreter));
    facts->tensors = std::make_shared<const TensorFacts>(tensor_facts(interpreter));
    analysis.unresolved_call_count = interpreter.unresolved_calls();
    analysis.limited_function_count = interpreter.limited().size();
    analysis.communicating_function_count = count_communicating(interpreter);
  });
  analysis.facts = std::move(facts);
  run_small_worlds(programs, analysis);
  return analysis;
}

}  // namespace ranklint
