#include "analyzer/summary/incomplete.h"

namespace ranklint {

std::string_view describe(IncompleteReason reason) {
  switch (reason) {
    case IncompleteReason::TooLarge: return "too large to follow";
    case IncompleteReason::DeepCalls: return "calls nest too deeply to follow";
    case IncompleteReason::DeepTerms: return "values nest too deeply to follow";
    case IncompleteReason::ManyLookups: return "too many attributes in terms of others";
    case IncompleteReason::MuchWork: return "takes more work than is done for one function";
    case IncompleteReason::ManyPaths: return "too many paths to compare";
  }
  return "";
}

std::string_view name_of(IncompleteReason reason) {
  switch (reason) {
    case IncompleteReason::TooLarge: return "too-large";
    case IncompleteReason::DeepCalls: return "deep-calls";
    case IncompleteReason::DeepTerms: return "deep-terms";
    case IncompleteReason::ManyLookups: return "many-lookups";
    case IncompleteReason::MuchWork: return "much-work";
    case IncompleteReason::ManyPaths: return "many-paths";
  }
  return "";
}

}  // namespace ranklint
