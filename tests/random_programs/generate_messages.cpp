// An exchange is one of few shapes: a pair of ranks, a ring, a chain, one rank with all others. Every second of them is
// left as it is; in the others a transfer is turned around, sent elsewhere, tagged, left out or put last. Whether that
// is wrong is the executor's business.
#include "tests/random_programs/generate_messages.h"

namespace ranklint::random_programs {
namespace {

Statement transfer(bool sends, Peer peer) { return {.kind = Statement::Kind::Transfer, .sends = sends, .peer = peer}; }
Statement started(bool sends, Peer peer, Statement meanwhile) {
  return {.kind = Statement::Kind::Started, .body = {std::move(meanwhile)}, .sends = sends, .peer = peer};
}
Statement only_if(Condition condition, std::vector<Statement> body, std::vector<Statement> otherwise = {}) {
  return {.kind = Statement::Kind::If,
          .condition = std::move(condition),
          .body = std::move(body),
          .otherwise = std::move(otherwise)};
}
Statement for_others(Statement body) {
  return {.kind = Statement::Kind::Repeat, .times = Statement::Times::Others, .body = {std::move(body)}};
}
Condition is_rank(int number) { return {.kind = Condition::Kind::Equals, .number = number}; }
Condition negated(Condition c) { return {.kind = Condition::Kind::Not, .parts = {std::move(c)}}; }

constexpr Peer kNext{Peer::Kind::Next}, kPrevious{Peer::Kind::Previous}, kAbove{Peer::Kind::Above},
    kBelow{Peer::Kind::Below}, kOther{Peer::Kind::Other};

bool moves(const Statement& s) {
  return s.kind == Statement::Kind::Transfer || s.kind == Statement::Kind::Started || s.kind == Statement::Kind::Batch;
}

class Exchange {
 public:
  Exchange(const Below& below, bool in_loop_over_others) : below_(below), others_(in_loop_over_others) {}

  std::vector<Statement> run() {
    std::vector<Statement> block = shape();
    if (below_(2) == 0) spoil(block);
    return block;
  }

 private:
  std::vector<Statement> shape() {
    const bool sends = below_(2) == 0;
    switch (below_(9)) {
      case 0: {
        const int a = below_(3), b = (a + 1 + below_(2)) % 3;
        return {only_if(is_rank(a), {transfer(true, {.number = b})},
                        {only_if(is_rank(b), {transfer(false, {.number = a})})})};
      }
      case 1: {
        const int a = below_(2), b = 1 - a;
        return {only_if(is_rank(a), {transfer(sends, {.number = b})}),
                only_if(is_rank(b), {transfer(!sends, {.number = a})})};
      }
      case 2:
        return {sends ? started(true, kNext, transfer(false, kPrevious))
                      : started(false, kPrevious, transfer(true, kNext))};
      case 3: return {{.kind = Statement::Kind::Batch, .sends = sends, .peer = kNext, .from = kPrevious}};
      case 4:
        return {only_if({.kind = Condition::Kind::Even}, {transfer(true, kNext), transfer(false, kPrevious)},
                        {transfer(false, kPrevious), transfer(true, kNext)})};
      case 5:
        return {only_if(negated(is_rank(0)), {transfer(false, kBelow)}),
                only_if(negated({.kind = Condition::Kind::Last}), {transfer(true, kAbove)})};
      case 6:
        if (others_) return {only_if(is_rank(0), {transfer(sends, kOther)})};
        return {only_if(is_rank(0), {for_others(transfer(sends, kOther))}, {transfer(!sends, {})})};
      case 7: return {{.kind = Statement::Kind::Batch, .sends = sends, .peer = any_peer(), .from = any_peer()}};
      default: return {transfer(true, kNext), transfer(false, kPrevious)};
    }
  }

  Peer any_peer() {
    const auto kind = static_cast<Peer::Kind>(below_(others_ ? 7 : 6));
    return {.kind = kind, .number = kind == Peer::Kind::Number ? below_(3) : 0};
  }

  void find_transfers(std::vector<Statement>& block, std::vector<std::pair<std::vector<Statement>*, size_t>>& found) {
    for (size_t i = 0; i < block.size(); ++i) {
      if (moves(block[i])) found.emplace_back(&block, i);
      find_transfers(block[i].body, found);
      find_transfers(block[i].otherwise, found);
    }
  }

  void spoil(std::vector<Statement>& block) {
    std::vector<std::pair<std::vector<Statement>*, size_t>> found;
    find_transfers(block, found);
    const auto [around, at] = found[static_cast<size_t>(below_(static_cast<int>(found.size())))];
    Statement& s = (*around)[at];
    switch (below_(5)) {
      case 0: s.sends = !s.sends; return;
      case 1: s.peer = any_peer(); return;
      case 2:
        if (s.kind != Statement::Kind::Batch) s.tag = 1;
        return;
      case 3:
        if (around->size() > 1) around->erase(around->begin() + static_cast<std::ptrdiff_t>(at));
        return;
      default: std::swap(s, around->back()); return;
    }
  }

  const Below& below_;
  const bool others_;
};

}  // namespace

std::vector<Statement> generate_exchange(const Below& below, bool in_loop_over_others) {
  return Exchange(below, in_loop_over_others).run();
}

}  // namespace ranklint::random_programs
