// The record of an analysis as bytes, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/observation.h"
#include "app/check/analysis_record.h"

namespace ranklint::app {

// A record, and what was seen of the machine that it rests on.
struct KeptRecord {
  std::vector<Observation> seen;
  AnalysisRecord record;
};

// Without what serves a run of the witnesses (Finding::replay, Finding::verdict), and without the keys of an index that
// assumptions hold.
std::string pack_record(const KeptRecord& kept);

// Nothing: the bytes are not those of a record.
std::optional<KeptRecord> unpack_record(std::string_view bytes);

}  // namespace ranklint::app
