// The fields of types that several kinds of entries hold (packing.h).
#pragma once

#include "analyzer/base/observation.h"
#include "analyzer/base/source_range.h"
#include "analyzer/ir/ir.h"
#include "app/cache/packing.h"

namespace ranklint::app {

template <>
inline constexpr Observation::Kind kLast<Observation::Kind> = Observation::Kind::Unrepeatable;

void fields(auto& archive, Is<Digest> auto& digest) {
  auto& [high, low] = digest;
  archive(high, low);
}

void fields(auto& archive, Is<Observation> auto& seen) {
  auto& [kind, path, answer] = seen;
  archive(kind, path, answer);
}

void fields(auto& archive, Is<SourceRange> auto& range) {
  auto& [line, column, end_line, end_column] = range;
  archive(line, column, end_line, end_column);
}

void fields(auto& archive, Is<ir::Pragma> auto& pragma) {
  auto& [range, text, own_line] = pragma;
  archive(range, text, own_line);
}

void fields(auto& archive, Is<ir::Diagnostic> auto& diagnostic) {
  auto& [range, message] = diagnostic;
  archive(range, message);
}

}  // namespace ranklint::app
