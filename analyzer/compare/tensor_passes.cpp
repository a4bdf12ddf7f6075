#include "analyzer/compare/tensor_passes.h"

#include "analyzer/compare/distributions.h"
#include "analyzer/compare/wrappings.h"

namespace ranklint {

TensorFacts tensor_facts(const Query& query) {
  TensorFacts facts;
  Callers callers(query);
  find_distributions(query, callers, facts);
  find_wrappings(query, callers, facts);
  find_foreign_receivers(query, facts);
  find_norms(query, facts);
  find_placements(query, facts);
  find_picks(query, facts);
  find_shared_files(query, facts);
  find_exchanges(query, facts);
  find_early_devices(query, facts);
  find_generated_gathers(query, facts);
  facts.messages = find_stuck_messages(query);
  return facts;
}

}  // namespace ranklint
