#include "analyzer/compare/tensor_passes.h"

#include "analyzer/compare/distributions.h"
#include "analyzer/compare/wrappings.h"

namespace ranklint {

TensorFacts tensor_facts(Interpreter& interpreter) {
  TensorFacts facts;
  Callers callers(interpreter);
  find_distributions(interpreter, callers, facts);
  find_wrappings(interpreter, callers, facts);
  find_foreign_receivers(interpreter, facts);
  find_norms(interpreter, facts);
  find_placements(interpreter, facts);
  find_picks(interpreter, facts);
  find_shared_files(interpreter, facts);
  find_exchanges(interpreter, facts);
  find_early_devices(interpreter, facts);
  find_generated_gathers(interpreter, facts);
  facts.messages = find_stuck_messages(interpreter);
  return facts;
}

}  // namespace ranklint
