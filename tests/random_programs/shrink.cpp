// Takes away what the outcome does not need: a function, a statement, a nesting, a part of a condition. Whatever is
// left out, the program stays one, so every candidate can be compared; the first that keeps the outcome is taken, until
// none does.
#include <functional>

#include "tests/random_programs/compare.h"

namespace ranklint::random_programs {
namespace {

bool for_each_simpler(const Condition& c, const std::function<bool(const Condition&)>& attempt) {
  for (const Condition& part : c.parts)
    if (attempt(part)) return true;
  for (size_t i = 0; i < c.parts.size(); ++i)
    if (for_each_simpler(c.parts[i], [&](const Condition& simpler) {
          Condition copy = c;
          copy.parts[i] = simpler;
          return attempt(copy);
        }))
      return true;
  const Condition plain;
  return c.kind != Condition::Kind::Flag && c.parts.empty() && c.kind == Condition::Kind::Parameter && attempt(plain);
}

bool for_each_smaller(const std::vector<Statement>& block,
                      const std::function<bool(const std::vector<Statement>&)>& attempt);

bool for_each_smaller(const Statement& s, const std::function<bool(const Statement&)>& attempt) {
  if (for_each_smaller(s.body, [&](const std::vector<Statement>& body) {
        Statement copy = s;
        copy.body = body;
        return attempt(copy);
      }))
    return true;
  if (for_each_smaller(s.otherwise, [&](const std::vector<Statement>& otherwise) {
        Statement copy = s;
        copy.otherwise = otherwise;
        return attempt(copy);
      }))
    return true;
  if (s.tag) {
    Statement copy = s;
    copy.tag = 0;
    if (attempt(copy)) return true;
  }
  return for_each_simpler(s.condition, [&](const Condition& simpler) {
    Statement copy = s;
    copy.condition = simpler;
    return attempt(copy);
  });
}

bool for_each_smaller(const std::vector<Statement>& block,
                      const std::function<bool(const std::vector<Statement>&)>& attempt) {
  for (size_t i = 0; i < block.size(); ++i) {
    std::vector<Statement> without = block;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    if (attempt(without)) return true;
    for (const std::vector<Statement>* inner : {&block[i].body, &block[i].otherwise}) {
      if (inner->empty()) continue;
      std::vector<Statement> unwrapped = without;
      unwrapped.insert(unwrapped.begin() + static_cast<ptrdiff_t>(i), inner->begin(), inner->end());
      if (attempt(unwrapped)) return true;
    }
    if (for_each_smaller(block[i], [&](const Statement& smaller) {
          std::vector<Statement> copy = block;
          copy[i] = smaller;
          return attempt(copy);
        }))
      return true;
  }
  return false;
}

bool jumps_out_of_no_loop(const std::vector<Statement>& block, bool in_loop) {
  for (const Statement& s : block) {
    if ((s.kind == Statement::Kind::Break || s.kind == Statement::Kind::Continue) && !in_loop) return true;
    if (jumps_out_of_no_loop(s.body, in_loop || s.kind == Statement::Kind::Repeat) ||
        jumps_out_of_no_loop(s.otherwise, in_loop))
      return true;
  }
  return false;
}

// Statements after a way out are never reached, and the analyser judges what they call all the same.
bool has_dead_end(const std::vector<Statement>& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    if ((leaves(block[i].kind) && i + 1 < block.size()) || has_dead_end(block[i].body) ||
        has_dead_end(block[i].otherwise))
      return true;
  }
  return false;
}

bool has_empty_body(const std::vector<Statement>& block) {
  for (const Statement& s : block) {
    const bool nests =
        s.kind == Statement::Kind::If || s.kind == Statement::Kind::Repeat || s.kind == Statement::Kind::Try;
    if ((nests && s.body.empty()) || has_empty_body(s.body) || has_empty_body(s.otherwise)) return true;
  }
  return false;
}

bool asks_for_no_other(const std::vector<Statement>& block, bool in_loop) {
  for (const Statement& s : block) {
    const bool asks = s.peer.kind == Peer::Kind::Other || s.from.kind == Peer::Kind::Other;
    const bool goes_round = s.kind == Statement::Kind::Repeat && s.times == Statement::Times::Others;
    if ((asks && !in_loop) || asks_for_no_other(s.body, in_loop || goes_round) ||
        asks_for_no_other(s.otherwise, in_loop))
      return true;
  }
  return false;
}

bool calls(const std::vector<Statement>& block, int callee) {
  for (const Statement& s : block)
    if ((s.kind == Statement::Kind::Call && s.callee >= callee) || calls(s.body, callee) || calls(s.otherwise, callee))
      return true;
  return false;
}

bool is_program(const Program& program) {
  for (const auto& function : program.functions)
    if (jumps_out_of_no_loop(function, false) || asks_for_no_other(function, false) || has_empty_body(function) ||
        has_dead_end(function))
      return false;
  return true;
}

}  // namespace

Program shrink(Program program, Outcome outcome, const Models& models) {
  const bool exact = is_exact(program);
  const auto keeps = [&](Program& candidate) {
    drop_uncalled(candidate);
    return is_program(candidate) && (!exact || is_exact(candidate)) && compare(candidate, models) == outcome;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    const int last = static_cast<int>(program.functions.size()) - 1;
    bool last_is_called = last == 0;
    for (const auto& function : program.functions) last_is_called = last_is_called || calls(function, last);
    if (!last_is_called) {
      Program candidate = program;
      candidate.functions.pop_back();
      if (keeps(candidate)) {
        program = std::move(candidate);
        smaller = true;
        continue;
      }
    }
    for (size_t f = 0; f < program.functions.size() && !smaller; ++f) {
      Program found;
      smaller = for_each_smaller(program.functions[f], [&](const std::vector<Statement>& body) {
        Program candidate = program;
        candidate.functions[f] = body;  // and what it alone called goes with it
        if (!keeps(candidate)) return false;
        found = std::move(candidate);
        return true;
      });
      if (smaller) program = std::move(found);
    }
  }
  return program;
}

}  // namespace ranklint::random_programs
