#include "analyzer/mpi_check/size_sensitivity.h"

#include <algorithm>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

using machine::Arithmetic;
using machine::Step;
using machine::StepKind;

constexpr int64_t kLargestThreshold = 300;
constexpr size_t kMostSizes = 2;

bool compares(const Step& step) {
  const auto op = static_cast<Arithmetic>(step.detail);
  return step.kind == StepKind::Binary && op >= Arithmetic::Equal && op <= Arithmetic::GreaterEqual;
}

// The constant on the right of a comparison: the step before it, or the one before its conversion.
const Step* compared_constant(const std::vector<Step>& steps, size_t comparison) {
  size_t at = comparison;
  while (at > 0 && steps[at - 1].kind == StepKind::Convert) --at;
  return at > 0 && steps[at - 1].kind == StepKind::Int ? &steps[at - 1] : nullptr;
}

}  // namespace

CallPlaces meetings_of(const machine::Program& program, const machine::Function& function) {
  CallPlaces places;
  for (const Step& step : function.steps) {
    if (step.kind != StepKind::CallExternal || !meets_others(program.externals[static_cast<size_t>(step.number)]))
      continue;
    const machine::SourceLocation& place = program.places[step.place];
    places.emplace(program.files[place.file], place.range);
  }
  return places;
}

CallPlaces unmade_meetings(const machine::Program& program, const std::set<uint32_t>& functions,
                           const CallPlaces& made) {
  CallPlaces unmade;
  for (const uint32_t f : functions)
    for (const auto& place : meetings_of(program, program.functions[f]))
      if (!made.contains(place)) unmade.insert(place);
  return unmade;
}

std::vector<uint32_t> sizes_above(const machine::Program& program, const std::set<uint32_t>& functions, uint32_t size) {
  std::set<uint32_t> sizes;
  for (const uint32_t f : functions) {
    const std::vector<Step>& steps = program.functions[f].steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!compares(steps[i])) continue;
      const Step* constant = compared_constant(steps, i);
      if (constant && constant->number >= size && constant->number <= kLargestThreshold)
        sizes.insert(static_cast<uint32_t>(constant->number) + 2);
    }
  }
  std::vector<uint32_t> few(sizes.begin(), sizes.end());
  few.resize(std::min(few.size(), kMostSizes));
  return few;
}

}  // namespace ranklint::mpi_check
