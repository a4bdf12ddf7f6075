#include "tests/random_programs/generate.h"

#include <random>

#include "tests/random_programs/generate_messages.h"

namespace ranklint::random_programs {
namespace {

constexpr int kDeepest = 3;  // of nested statements

class Generator {
 public:
  Generator(uint64_t seed, const Taste& taste) : random_(seed), taste_(taste) {}

  Program run() {
    Program program;
    const int functions = 1 + below(3);
    for (int f = 0; f < functions; ++f) {
      self_ = f;
      last_ = functions - 1;
      program.functions.push_back(block(0, 1 + below(4), false));
    }
    drop_uncalled(program);
    return program;
  }

 private:
  // Not std::uniform_int_distribution: the same numbers from every standard library.
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  Axis axis() { return taste_.messages && !one_in(12) ? Axis::World : static_cast<Axis>(below(3)); }
  Axis group() { return self_ > 0 && one_in(3) ? Axis::Handed : axis(); }

  std::vector<Statement> block(int depth, int count, bool in_loop) {
    std::vector<Statement> statements;
    for (int i = 0; i < count; ++i) {
      if (taste_.messages && one_in(3)) {
        for (Statement& s : generate_exchange([this](int n) { return below(n); }, false))
          statements.push_back(std::move(s));
        continue;
      }
      statements.push_back(statement(depth, in_loop));
      if (leaves(statements.back().kind)) break;
    }
    return statements;
  }

  Statement statement(int depth, bool in_loop) {
    Statement s;
    const int die = below(taste_.exceptions ? 22 : 20);
    if (die < 8 || depth >= kDeepest) {
      s.op = static_cast<Op>(below(3));
      s.axis = group();
    } else if (die < 14) {
      s.kind = Statement::Kind::If;
      s.condition = condition(0);
      s.body = block(depth + 1, 1 + below(2), in_loop);
      if (one_in(2)) s.otherwise = block(depth + 1, 1 + below(2), in_loop);
    } else if (die < 16) {
      s.kind = Statement::Kind::Repeat;
      s.times = one_in(6) ? Statement::Times::Rank : static_cast<Statement::Times>(below(2));
      s.axis = axis();
      s.body = block(depth + 1, 1 + below(2), true);
    } else if (die < 18 && self_ < last_) {
      s.kind = Statement::Kind::Call;
      s.callee = self_ + 1 + below(last_ - self_);
      s.condition = condition(1);
      s.axis = group();
    } else if (die >= 20) {
      s.kind = tries_ > 0 && depth > 0 && one_in(2) ? Statement::Kind::Raise : Statement::Kind::Try;
      if (s.kind == Statement::Kind::Raise) return s;
      ++tries_;
      s.body = block(depth + 1, 1 + below(2), in_loop);
      --tries_;
      if (!one_in(3)) s.otherwise = block(depth + 1, 1, in_loop);
    } else if (depth > 0) {
      s.kind = !in_loop    ? Statement::Kind::Return
               : one_in(3) ? Statement::Kind::Return
               : one_in(2) ? Statement::Kind::Break
                           : Statement::Kind::Continue;
    }
    return s;
  }

  Condition condition(int depth) {
    Condition c;
    const int die = below(depth < 2 ? 20 : 14);
    if (die < 6) {
      c.number = below(2);
    } else if (die < 12) {
      c.kind = static_cast<Condition::Kind>(static_cast<int>(Condition::Kind::Equals) + below(4));
      c.axis = axis();
      c.number = c.axis == Axis::World ? below(3) : below(2);
      if (c.kind == Condition::Kind::Less) ++c.number;
    } else if (die == 12) {
      if (taste_.locals) c.kind = Condition::Kind::Local;
    } else if (die == 13) {
      if (self_ > 0) c.kind = Condition::Kind::Parameter;
    } else {
      c.kind = die < 16 ? Condition::Kind::Not : die < 18 ? Condition::Kind::And : Condition::Kind::Or;
      c.parts.push_back(condition(depth + 1));
      if (c.kind != Condition::Kind::Not) c.parts.push_back(condition(depth + 1));
    }
    return c;
  }

  std::mt19937_64 random_;
  const Taste taste_;
  int self_ = 0, last_ = 0;
  int tries_ = 0;  // around the statement
};

}  // namespace

Program generate(uint64_t seed, const Taste& taste) { return Generator(seed, taste).run(); }

}  // namespace ranklint::random_programs
