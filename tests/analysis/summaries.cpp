// What a function communicates, calls, returns and leaves changed, in terms of its parameters.
#include <catch2/catch.hpp>

#include <algorithm>

#include "analyzer/summary/is_call.h"
#include "analyzer/summary/raises.h"
#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

std::string words_of(Ending ending) {
  switch (ending) {
    case Ending::None: break;
    case Ending::Process: return "ends the process";
    case Ending::ProcessDone: return "ends the process, done";
    case Ending::Communication: return "tears down";
    case Ending::Function: return "raises";
    case Ending::Job: return "ends the job";
  }
  return {};
}

class Summaries {
 public:
  Summaries(const Subject& subject, std::vector<Fact>& facts) : in_(subject.in), subject_(subject), facts_(facts) {}

  void add(FunctionKey f) {
    const Summary* summary = in_.summary(f);
    REQUIRE(summary);
    add_function(*summary);
    for (const BlockSteps& block : summary->blocks) {
      for (const Step& step : block.steps) add_step(step);
      for (const Step& step : block.point_to_point) add_step(step);
    }
  }

 private:
  std::string text(ValueId v) const { return term_text(in_, v); }
  std::string name(const AxisSet& group) const { return describe(group, in_.index().names()); }

  void add_function(const Summary& s) {
    const uint32_t line = subject_.lines(s.function).head;
    const auto state = [&](std::string text) { facts_.push_back({line, std::move(text)}); };
    if (s.communicates) {
      std::vector<std::string> groups;
      for (const ValueId group : s.groups) groups.push_back(name(*in_.resolve_group(group, Unknown::FreshAxis)));
      std::ranges::sort(groups);
      groups.erase(std::ranges::unique(groups).begin(), groups.end());
      std::string list;
      for (const std::string& group : groups) list += (list.empty() ? "" : ", ") + group;
      state("communicates[" + list + "]");
    }
    if (s.transfers) state("transfers");
    if (const AxisSet& axes = in_.values().axes(s.divergence); !axes.empty()) state("diverges[" + name(axes) + "]");
    if (s.has_local_divergence) state("diverges locally");
    if (s.result.valid() && in_.values()[s.result].kind != ValueKind::None) state("returns " + text(s.result));
    for (const FieldState& change : s.changes) {
      const std::string place = text(change.object) + "." + std::string(in_.index().names().text(change.name));
      state("changes " + place + (change.value.valid() ? " = " + text(change.value) : ""));
    }
    if (raises_by_rank(in_, s.function)) state("raises by rank");
  }

  void add_step(const Step& step) {
    const auto state = [&](std::string text) { facts_.push_back({step.range.line, std::move(text)}); };
    if (step.event) {
      state("issues " + step.event->model->op + "[" + name(*in_.resolve_group(step.event->group, Unknown::FreshAxis)) +
            "]" + (step.event->root.valid() ? " from " + text(step.event->root) : ""));
    } else if (step.ending != Ending::None) {
      state(words_of(step.ending));
    } else if (step.yields) {
      state("hands over");
    } else if (step.transfer) {
      state(step.transfer->op == "send" || step.transfer->op == "isend" ? "sends" : "receives");
    } else if (step.waits) {
      state("waits");
    } else {
      add_call(step);
    }
  }

  void add_call(const Step& step) {
    std::string list;
    for (const Target& target : in_.targets(step.call.callee)) {
      list += (list.empty() ? "calls " : " or ") + std::string(in_.index().qualified_name(target.function));
      if (target.guard.valid()) list += " if " + text(target.guard);
    }
    if (list.empty()) list = "calls " + text(step.call.callee);
    if (step.call.part == Call::Part::UntilYield) list += " until it yields";
    if (step.call.part == Call::Part::AfterYield) list += " from its yield";
    facts_.push_back({step.range.line, std::move(list)});
  }

  const Query& in_;
  const Subject& subject_;
  std::vector<Fact>& facts_;
};

}  // namespace

void add_summaries(const Subject& subject, std::vector<Fact>& facts) {
  Summaries summaries(subject, facts);
  for (const FunctionKey f : subject.in.functions_to_check()) summaries.add(f);
}

}  // namespace ranklint::test
