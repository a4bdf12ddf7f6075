// One rank in all ways through a function: what it does next at each position that some choice leads to.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "analyzer/execution/execution.h"
#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

class AllWays {
 public:
  AllWays(const Subject& subject, const Run& run, std::vector<Fact>& facts)
      : in_(subject.in),
        subject_(subject),
        run_(run),
        facts_(facts),
        frames_(in_, *summary_of(run.function), std::vector<ValueId>()),
        execution_(in_, frames_) {}

  void add() {
    visit(frames_.start());
    while (!work_.empty()) {
      const Position at = work_.back();
      work_.pop_back();
      const Transition next = execution_.next(at, Ask::WhereExitsCount);
      if (const std::string text = fact(at, next); !text.empty()) state(at, text);
      follow(at, next);
    }
  }

 private:
  const Summary* summary_of(const std::string& function) const {
    for (const FunctionKey f : in_.functions_to_check())
      if (in_.index().qualified_name(f) == function) return in_.summary(f);
    FAIL(subject_.file.path << ":" << run_.line << ": no function `" << function << "`");
    return nullptr;
  }

  void visit(const Position& at) {
    if (!at.at_end() && seen_.insert(at).second) work_.push_back(at);
  }

  void follow(const Position& at, const Transition& next) {
    if (next.kind == Transition::Kind::Asks)
      for (const uint32_t side : {1U, 0U}) {
        RankState rank{.at = at};
        execution_.take(rank, side, {});
        visit(rank.at);
      }
    else
      visit(next.to);
    for (const Target& target : next.targets) visit(frames_.enter(at, *next.step, target));
  }

  std::string label(const Position& at) const {
    const ir::Function& f = in_.index().function(frames_[at.frame].summary->function);
    return "^" + std::string(subject_.in.index().modules()[ModuleKey{0}].text(f.blocks[at.block].label));
  }

  std::string fact(const Position& at, const Transition& next) const {
    const bool leaves_function = next.to.frame != at.frame;
    switch (next.kind) {
      case Transition::Kind::Passes:
      case Transition::Kind::Jumps: return {};
      case Transition::Kind::Communicates: return "issues " + next.step->event->model->op;
      case Transition::Kind::SendsMessage: return "sends";
      case Transition::Kind::Calls: {
        std::string names;
        for (const Target& target : next.targets)
          names += (names.empty() ? "enters " : " or ") + std::string(in_.index().qualified_name(target.function));
        return names;
      }
      case Transition::Kind::HandsOver: return leaves_function ? "hands over" : "counts from here";
      case Transition::Kind::TearsDown: return "tears down";
      case Transition::Kind::Leaves: return "leaves";
      case Transition::Kind::Asks: return next.iterates ? "asks for another" : "asks";
      case Transition::Kind::Skips: return leaves_function ? "goes back" : "goes over to " + label(next.to);
      case Transition::Kind::Returns: return "returns";
      case Transition::Kind::Raises: return next.to.at_end() ? "raises out" : "raises to " + label(next.to);
      case Transition::Kind::NeverReturns: return "never returns";
    }
    return {};
  }

  // A fact on a line of another function than the run's own names the run.
  void state(const Position& at, const std::string& text) {
    const Summary& s = *frames_[at.frame].summary;
    const Step* step = frames_.step_at(at);
    const uint32_t line = step ? step->range.line : subject_.lines(s.function).blocks[at.block.index].code.back();
    const std::string whole = (at.frame == frames_.start().frame ? "" : run_.function + ": ") + text;
    const bool is_known =
        std::ranges::any_of(facts_, [&](const Fact& known) { return known.line == line && known.text == whole; });
    if (!is_known) facts_.push_back({line, whole});
  }

  const Query& in_;
  const Subject& subject_;
  const Run& run_;
  std::vector<Fact>& facts_;
  Frames frames_;
  Execution execution_;
  std::set<Position> seen_;
  std::vector<Position> work_;
};

}  // namespace

void add_execution(const Subject& subject, std::vector<Fact>& facts) {
  INFO(subject.file.path << ": expected a line `; run: FUNCTION`");
  REQUIRE_FALSE(subject.file.runs.empty());
  for (const Run& run : subject.file.runs) AllWays(subject, run, facts).add();
}

}  // namespace ranklint::test
