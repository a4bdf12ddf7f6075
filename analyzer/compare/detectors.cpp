#include "analyzer/compare/detectors.h"

#include <array>
#include <string_view>

#include "analyzer/base/deep_thread.h"
#include "analyzer/compare/detached.h"
#include "analyzer/compare/divisibility.h"
#include "analyzer/compare/foreign_roots.h"
#include "analyzer/compare/framework_stops.h"
#include "analyzer/compare/generators.h"
#include "analyzer/compare/lone_raises.h"
#include "analyzer/compare/loose_handles.h"
#include "analyzer/compare/outsiders.h"
#include "analyzer/compare/swallowed.h"
#include "analyzer/compare/tensor_facts.h"
#include "analyzer/compare/tensor_passes.h"
#include "analyzer/compare/uniform_guards.h"
#include "analyzer/compare/unknown_callees.h"
#include "analyzer/compare/unordered.h"
#include "analyzer/questions/calls.h"

namespace ranklint {
namespace {

// It writes to a list of the facts that no other does.
struct Detector {
  std::string_view name;
  void (*find)(const Query& in, Facts& facts);
};

void find_calls(const Query& in, Facts& facts) { facts.calls = std::make_shared<const CallBook>(collect_calls(in)); }
void find_tensor_facts(const Query& in, Facts& facts) {
  facts.tensors = std::make_shared<const TensorFacts>(tensor_facts(in));
}

// The longest first, so that no thread waits for one at the end.
constexpr Detector kDetectors[] = {
    {"tensors", find_tensor_facts},
    {"calls that rules ask for", find_calls},
    {"unordered loops", find_unordered_loops},
    {"detached collectives", find_detached_collectives},
    {"handles that are not waited for", find_loose_handles},
    {"swallowed failures", find_swallowed_failures},
    {"lone raises", find_lone_raises},
    {"framework stops", find_framework_stops},
    {"generators", find_left_generators},
    {"outsiders", find_outsiders},
    {"foreign roots", find_foreign_roots},
    {"uniform guards", find_uniform_guards},
    {"unknown callees", find_unknown_callees},
    {"sizes", find_size_hazards},
};

}  // namespace

void run_detectors(Interpreter& interpreter, unsigned threads, Facts& facts) {
  std::array<Query::Notes, std::size(kDetectors)> notes;
  share_tasks(threads, Query::kStack, notes.size(), [&](size_t i) {
    if (interpreter.is_stopped()) return;
    Query view = Query::over(interpreter.query());
    view.contain({}, kDetectors[i].name, [&] { kDetectors[i].find(view, facts); });
    notes[i] = view.take_notes();
  });
  for (Query::Notes& n : notes) interpreter.query().add_notes(std::move(n));
}

}  // namespace ranklint
