// Loops, switch, try: what decides where control goes.
#include <algorithm>
#include <utility>

#include "frontends/cpp/containers.h"
#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"
#include "frontends/cpp/statements.h"
#include "frontends/cpp/writes.h"

namespace ranklint::cpp {

namespace {

std::vector<const clang::CallExpr*> calls_in(const clang::Stmt* s) {
  std::vector<const clang::CallExpr*> found;
  walk_statements(s, [&](const clang::Stmt& statement) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) found.push_back(call);
    return Walk::Into;
  });
  return found;
}

bool calls(const clang::Stmt* s) { return !calls_in(s).empty(); }

const clang::VarDecl* container_asked(const clang::CallExpr& call) {
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  return member ? variable_of(member->getImplicitObjectArgument()) : nullptr;
}

// Whether the end of a loop is known where it begins: it calls nothing, or asks once how long a container is which the
// body leaves alone.
bool is_fixed(const clang::Expr& condition, const clang::Stmt* body) {
  const auto asked = calls_in(&condition);
  if (asked.empty()) return true;
  if (asked.size() > 1 || !reads_size(*asked[0])) return false;
  const clang::VarDecl* container = container_asked(*asked[0]);
  if (!container) return false;
  for (const clang::CallExpr* call : calls_in(body)) {
    const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    if (member && container_asked(*call) == container && !member->getMethodDecl()->isConst()) return false;
    for (const clang::Expr* argument : call->arguments())
      if (!llvm::isa<clang::CXXOperatorCallExpr>(call) && variable_of(argument) == container) return false;
  }
  return true;
}

bool step_of(const clang::Expr* increment, CountedLoop& loop) {
  if (!increment) return false;
  increment = increment->IgnoreParenImpCasts();
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(increment)) {
    loop.downwards = u->isDecrementOp();
    return u->isIncrementDecrementOp() && variable_of(u->getSubExpr()) == loop.variable;
  }
  const auto* b = llvm::dyn_cast<clang::CompoundAssignOperator>(increment);
  if (!b || variable_of(b->getLHS()) != loop.variable || calls(b)) return false;
  loop.step = b->getRHS();
  loop.downwards = b->getOpcode() == clang::BO_SubAssign;
  return b->getOpcode() == clang::BO_AddAssign || loop.downwards;
}

bool is_counted(const clang::ForStmt& loop, CountedLoop& out) {
  if (const auto* decl = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit()); decl && decl->isSingleDecl()) {
    out.variable = llvm::dyn_cast<clang::VarDecl>(decl->getSingleDecl());
    out.first = out.variable ? out.variable->getInit() : nullptr;
  } else if (const auto* assign = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
             assign && assign->getOpcode() == clang::BO_Assign) {
    out.variable = variable_of(assign->getLHS());
    out.first = assign->getRHS();
  }
  const auto* condition =
      loop.getCond() ? llvm::dyn_cast<clang::BinaryOperator>(loop.getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!out.variable || !out.first || !condition || !out.variable->getType()->isIntegerType()) return false;
  if (!out.variable->hasLocalStorage() || calls(out.first) || !is_fixed(*condition, loop.getBody()) ||
      variable_of(condition->getLHS()) != out.variable)
    return false;
  out.last = condition->getRHS();
  if (!step_of(loop.getInc(), out)) return false;
  switch (condition->getOpcode()) {
    case clang::BO_LT:
      if (out.downwards) return false;
      break;
    case clang::BO_LE:
      out.inclusive = true;
      if (out.downwards) return false;
      break;
    case clang::BO_GT:
      if (!out.downwards) return false;
      break;
    case clang::BO_GE:
      out.inclusive = true;
      if (!out.downwards) return false;
      break;
    case clang::BO_NE:
      if (out.step) return false;
      break;
    default: return false;
  }
  return !writes(*loop.getBody(), *out.variable);
}

bool may_continue(const clang::Stmt& body) {
  return !walk_statements(&body, [](const clang::Stmt& statement) {
    return llvm::isa<clang::ContinueStmt, clang::GotoStmt>(statement) ? Walk::Stop : Walk::Into;
  });
}

// `while (i < last) { ...; i++; }` counts from where i stands. Returns the step, the last statement of the body.
clang::Stmt* counted_step(const clang::WhileStmt& loop, CountedLoop& out) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(loop.getBody());
  const auto* condition = llvm::dyn_cast<clang::BinaryOperator>(loop.getCond()->IgnoreParenImpCasts());
  if (!body || body->body_empty() || !condition ||
      (condition->getOpcode() != clang::BO_LT && condition->getOpcode() != clang::BO_LE))
    return nullptr;
  out.variable = variable_of(condition->getLHS());
  out.first = condition->getLHS();
  out.last = condition->getRHS();
  out.inclusive = condition->getOpcode() == clang::BO_LE;
  if (!out.variable || !out.variable->getType()->isIntegerType() || !out.variable->hasLocalStorage() || calls(out.last))
    return nullptr;
  clang::Stmt* last = const_cast<clang::Stmt*>(body->body_back());
  if (!step_of(llvm::dyn_cast<clang::Expr>(last), out) || out.downwards) return nullptr;
  const auto writes_it = [&](const clang::Stmt* statement) {
    return statement != last && writes(*statement, *out.variable);
  };
  return may_continue(*body) || std::any_of(body->body_begin(), body->body_end(), writes_it) ? nullptr : last;
}

// Statements around statements: which `try`, which loop's condition.
class Surroundings {
 public:
  explicit Surroundings(FunctionScope& s) : s_(s) {}

  void walk(const clang::Stmt* statement) {
    walk_statements(statement, [this](clang::Stmt& below) { return enter(below); });
  }

 private:
  Walk enter(clang::Stmt& statement) {
    if (!tries_.empty()) s_.tries[&statement] = tries_.back();
    if (llvm::isa<clang::ContinueStmt>(statement) ||
        (breaks_loop_ && llvm::isa<clang::BreakStmt, clang::GotoStmt>(statement)))
      s_.loop_jumps.insert(&statement);
    if (in_condition_) s_.loop_conditions.insert(&statement);
    if (in_hidden_ || hidden_steps_.contains(&statement)) s_.hidden.insert(&statement);
    if (llvm::isa<clang::LambdaExpr>(statement)) return Walk::Over;
    return enter_nested(statement) ? Walk::Over : Walk::Into;
  }

  // Walks itself what is below a `try`, a `switch` or a loop.
  bool enter_nested(clang::Stmt& statement) {
    if (auto* sw = llvm::dyn_cast<clang::SwitchStmt>(&statement)) return enter_switch(*sw), true;
    if (auto* t = llvm::dyn_cast<clang::CXXTryStmt>(&statement)) return enter_try(*t), true;
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) return enter_for(*loop), true;
    if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement)) return enter_while(*loop), true;
    if (auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement)) return enter_do(*loop), true;
    if (auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement)) return enter_range(*loop), true;
    return false;
  }

  void enter_try(const clang::CXXTryStmt& t) {
    tries_.push_back(&t);
    walk(t.getTryBlock());
    tries_.pop_back();
    for (unsigned i = 0; i < t.getNumHandlers(); ++i) walk(t.getHandler(i));
  }
  void enter_switch(clang::SwitchStmt& sw) {
    walk(sw.getInit());
    walk(sw.getConditionVariableDeclStmt());
    walk(sw.getCond());
    walk_body(sw.getBody(), false);
  }
  // What `break` leaves there.
  void walk_body(const clang::Stmt* body, bool is_loop) {
    const bool before = std::exchange(breaks_loop_, is_loop);
    walk(body);
    breaks_loop_ = before;
  }
  void enter_for(clang::ForStmt& loop) {
    CountedLoop counted;
    const bool is = is_counted(loop, counted);
    if (is) {
      s_.counted[&loop] = counted;
      s_.begins[loop.getInit()] = &loop;
    }
    walk(loop.getInit());
    condition(loop.getCond(), is);
    in_hidden_ += is;
    walk(loop.getInc());
    in_hidden_ -= is;
    walk_body(loop.getBody(), true);
  }
  void enter_while(clang::WhileStmt& loop) {
    CountedLoop counted;
    clang::Stmt* step = counted_step(loop, counted);
    if (step) s_.counted[&loop] = counted;
    condition(loop.getCond(), step != nullptr);
    if (step) hidden_steps_.insert(step);
    walk_body(loop.getBody(), true);
  }
  void enter_do(clang::DoStmt& loop) {
    walk_body(loop.getBody(), true);
    condition(loop.getCond(), false);
  }
  void enter_range(clang::CXXForRangeStmt& loop) {
    walk(loop.getInit());
    walk(loop.getRangeInit());
    ++in_hidden_;
    for (clang::DeclStmt* limit : {loop.getBeginStmt(), loop.getEndStmt()})
      if (auto* v = limit ? llvm::dyn_cast<clang::VarDecl>(limit->getSingleDecl()) : nullptr) walk(v->getInit());
    walk(loop.getCond());
    walk(loop.getInc());
    if (loop.getLoopVariable()) walk(loop.getLoopVariable()->getInit());
    --in_hidden_;
    s_.hidden.insert(loop.getRangeStmt());
    s_.hidden.insert(loop.getLoopVarStmt());
    walk_body(loop.getBody(), true);
  }

  void condition(clang::Expr* e, bool hidden) {
    ++in_condition_;
    in_hidden_ += hidden;
    walk(e);
    in_hidden_ -= hidden;
    --in_condition_;
  }

  FunctionScope& s_;
  std::set<const clang::Stmt*> hidden_steps_;
  std::vector<const clang::CXXTryStmt*> tries_;
  int in_condition_ = 0, in_hidden_ = 0;
  bool breaks_loop_ = false;  // a `break` here leaves a loop, and no `switch`
};

ir::BlockId block_of(FunctionScope& s, const clang::CFGBlock::AdjacentBlock& edge) {
  const clang::CFGBlock* to = edge.getReachableBlock();
  if (!to) to = edge.getPossiblyUnreachableBlock();
  const ir::BlockId id = to ? s.blocks[to->getBlockID()] : ir::BlockId{};
  if (id.valid()) return id;
  // An edge that can not be taken.
  const ir::BlockId here = s.ir.block(), none = s.ir.add_block("never");
  s.ir.set_block(none);
  s.ir.unreachable();
  s.ir.set_block(here);
  return none;
}

// Where control goes when all other ways are known not to be taken: `while (0)`.
const clang::CFGBlock* only_successor(const clang::CFGBlock& block) {
  const clang::CFGBlock* only = nullptr;
  for (const clang::CFGBlock::AdjacentBlock& edge : block.succs()) {
    const clang::CFGBlock* to = edge.getReachableBlock();
    if (to && only) return nullptr;
    if (to) only = to;
  }
  return only;
}

void lower_switch(FunctionScope& s, const clang::CFGBlock& block, const clang::SwitchStmt& statement) {
  const ir::ExprId value = tree(s, statement.getCond());
  const SourceRange range = s.range(statement.getCond()->getSourceRange());
  // The last successor is where nothing matches.
  std::vector<clang::CFGBlock::AdjacentBlock> edges(block.succ_begin(), block.succ_end());
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    const clang::CFGBlock* to = edges[i].getPossiblyUnreachableBlock();
    if (!to) to = edges[i].getReachableBlock();
    const auto* label = to ? llvm::dyn_cast_or_null<clang::CaseStmt>(to->getLabel()) : nullptr;
    if (!label) continue;
    const auto compare = [&](ir::Operator op, const clang::Expr* with) {
      return s.ir.binary(op, value, tree(s, with));
    };
    const ir::ExprId condition =
        label->getRHS()
            ? s.ir.sequence(ir::ExprKind::And, std::vector{compare(ir::Operator::GreaterEqual, label->getLHS()),
                                                           compare(ir::Operator::LessEqual, label->getRHS())})
            : compare(ir::Operator::Equal, label->getLHS());
    const ir::BlockId next = s.ir.add_block("next");
    s.ir.branch(condition, block_of(s, edges[i]), next, range);
    s.ir.set_block(next);
  }
  if (edges.empty())
    s.ir.unreachable();
  else
    s.ir.jump(block_of(s, edges.back()));
}

void lower_handlers(FunctionScope& s, const clang::CFGBlock& block) {
  for (const clang::CFGBlock::AdjacentBlock& edge : block.succs()) {
    const clang::CFGBlock* to = edge.getReachableBlock();
    if (!to) continue;
    const auto* handler = llvm::dyn_cast_or_null<clang::CXXCatchStmt>(to->getLabel());
    if (!handler && to == &block.getParent()->getExit()) break;  // no handler catches it
    if (!handler || !handler->getExceptionDecl()) {
      s.ir.jump(block_of(s, edge));
      return;
    }
    const ir::BlockId next = s.ir.add_block("dispatch");
    s.ir.except(s.ir.string(handler->getCaughtType().getAsString()), block_of(s, edge), next,
                s.range(handler->getSourceRange()));
    s.ir.set_block(next);
  }
  s.ir.raise({}, {});
}

// The condition of a loop that counts; null for others.
const clang::Expr* counting_condition(const clang::Stmt& loop) {
  if (const auto* f = llvm::dyn_cast<clang::ForStmt>(&loop)) return f->getCond();
  const auto* w = llvm::dyn_cast<clang::WhileStmt>(&loop);
  return w ? w->getCond() : nullptr;
}

void lower_counted(FunctionScope& s, const clang::CFGBlock& block, const clang::Stmt& loop,
                   const CountedLoop& counted) {
  const clang::Expr& condition = *counting_condition(loop);
  const auto range = s.ranges.find(&loop);
  const ir::ExprId turns = range != s.ranges.end() ? range->second : s.ir.unknown("range");
  s.ir.iterate(variable(s, *counted.variable), turns, block_of(s, *block.succ_begin()),
               block_of(s, *(block.succ_begin() + 1)), s.range({condition.getBeginLoc(), condition.getEndLoc()}));
}

void finish(FunctionScope& s) {
  if (!s.returns_tuple) return s.ir.return_({}, {});
  std::vector<ir::ExprId> parts{s.ir.none()};
  for (const clang::ParmVarDecl* p : s.decl.parameters())
    parts.push_back(is_out_parameter(p->getType()) ? variable(s, *p) : s.ir.none());
  s.ir.return_(s.ir.sequence(ir::ExprKind::Tuple, parts), {});
}

}  // namespace

void find_loops(FunctionScope& s, const clang::Stmt* body) {
  Surroundings surroundings(s);
  surroundings.walk(body);
}

void lower_end(FunctionScope& s, const clang::CFGBlock& block) {
  if (block.succ_empty()) return finish(s);  // the exit
  const clang::Stmt* end = block.getTerminatorStmt();
  if (end && llvm::isa<clang::CXXTryStmt>(end)) return lower_handlers(s, block);
  if (block.hasNoReturnElement()) return s.ir.unreachable();
  if (const auto* sw = llvm::dyn_cast_or_null<clang::SwitchStmt>(end)) return lower_switch(s, block, *sw);
  // Back to the head of a counting `while`, after the place where its range was made.
  if (const auto head = s.heads.find(block.getLoopTarget()); block.getLoopTarget() && head != s.heads.end())
    return s.ir.jump(head->second);
  const SourceRange jump = s.loop_jumps.contains(end) ? s.range(end->getSourceRange()) : SourceRange{};
  if (const clang::CFGBlock* only = only_successor(block); only && s.blocks[only->getBlockID()].valid())
    return s.ir.jump(s.blocks[only->getBlockID()], jump);
  if (block.succ_size() == 2 && end) {
    if (auto counted = s.counted.find(end); counted != s.counted.end())
      return lower_counted(s, block, *end, counted->second);
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(end)) {
      const clang::VarDecl* v = loop->getLoopVariable();
      return s.ir.iterate(v ? variable(s, *v) : s.ir.temporary(), tree(s, loop->getRangeInit()),
                          block_of(s, *block.succ_begin()), block_of(s, *(block.succ_begin() + 1)),
                          s.range({loop->getLoopVarStmt()->getBeginLoc(), loop->getRangeInit()->getEndLoc()}));
    }
    if (const auto* condition = llvm::dyn_cast_or_null<clang::Expr>(block.getLastCondition())) {
      const bool is_loop =
          llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(end) || s.loop_conditions.contains(end);
      return s.ir.branch(tree(s, condition), block_of(s, *block.succ_begin()), block_of(s, *(block.succ_begin() + 1)),
                         s.range(condition->getSourceRange()), is_loop);
    }
  }
  // One way on; where there are several that nothing here decides (an indirect goto), any of them.
  for (auto edge = block.succ_begin(); edge + 1 != block.succ_end(); ++edge) {
    const ir::BlockId next = s.ir.add_block("next");
    s.ir.branch(s.ir.unknown("goto"), block_of(s, *edge), next, {});
    s.ir.set_block(next);
  }
  s.ir.jump(block_of(s, *(block.succ_end() - 1)));
}

}  // namespace ranklint::cpp
