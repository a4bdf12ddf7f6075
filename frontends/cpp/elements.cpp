// What a block does, element by element. An expression that is an element only because it is part of another is left
// to that other (expressions.cpp).
#include "frontends/cpp/containers.h"
#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"
#include "frontends/cpp/writes.h"

namespace ranklint::cpp {

namespace {

// `int* p = &x;` that is never set again is another name of x, and a reference always is.
bool is_alias(const FunctionScope& s, const clang::VarDecl& v) {
  const clang::Expr* init = v.getInit();
  if (!init || !v.hasLocalStorage()) return false;
  if (v.getType()->isLValueReferenceType()) return !init->getType()->isRecordType() && init->isLValue();
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(init->IgnoreParenImpCasts());
  const clang::Stmt* body = s.decl.getBody();
  return v.getType()->isPointerType() && address && address->getOpcode() == clang::UO_AddrOf && body && !sets(*body, v);
}

bool calls_nothing(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e)) return calls_nothing(u->getSubExpr());
  if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) return calls_nothing(m->getBase());
  if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return calls_nothing(a->getBase()) && llvm::isa<clang::IntegerLiteral>(a->getIdx()->IgnoreParenImpCasts());
  return llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr>(e);
}

// A record without a constructor still is an object of its class.
void declare_record(FunctionScope& s, const clang::VarDecl& v, const clang::RecordDecl& record) {
  s.ir.call(s.ir.name(entity_name(record)), {}, s.range(v.getSourceRange()), variable(s, v));
}

void lower_variable(FunctionScope& s, const clang::VarDecl& v) {
  if (v.isStaticLocal()) return;
  if (is_alias(s, v) && calls_nothing(v.getInit())) {
    s.aliases[v.getCanonicalDecl()] = v.getInit();
    return;
  }
  const clang::Expr* init = v.getInit();
  const clang::RecordDecl* record = v.getType()->getAsRecordDecl();
  if (const auto* construct = init ? llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit()) : nullptr;
      record && !is_external(*record) &&
      (!init || (construct && construct->getNumArgs() == 0 && !s.done.contains(construct))))
    return declare_record(s, v, *record);
  if (init) assign(s, variable(s, v), tree(s, init), s.range(v.getSourceRange()));
}

void lower_binary(FunctionScope& s, const clang::BinaryOperator& e) {
  if (!e.isAssignmentOp()) return;
  const ir::ExprId place = tree(s, e.getLHS());
  ir::ExprId value = tree(s, e.getRHS());
  if (e.isCompoundAssignmentOp())
    value = s.ir.binary(operator_of(e.getOpcode(), e.getType()->isIntegerType()), place, value);
  assign(s, place, value, s.range(e.getSourceRange()));
  s.done[&e] = place;
}

void lower_step(FunctionScope& s, const clang::UnaryOperator& e) {
  if (!e.isIncrementDecrementOp()) return;
  const ir::ExprId place = tree(s, e.getSubExpr());
  const SourceRange range = s.range(e.getSourceRange());
  if (e.isPostfix()) {
    const ir::ExprId before = s.ir.temporary();
    s.ir.assign(before, place, range);
    s.done[&e] = before;
  } else {
    s.done[&e] = place;
  }
  assign(s, place, s.ir.binary(e.isIncrementOp() ? ir::Operator::Add : ir::Operator::Subtract, place, s.ir.integer(1)),
         range);
}

// Whether the value is not zero, whatever happens.
bool is_failure(const FunctionScope& s, const clang::Expr* value) {
  clang::Expr::EvalResult result;
  return value && !value->isValueDependent() && value->EvaluateAsInt(result, s.decl.getASTContext()) &&
         result.Val.getInt() != 0;
}

void lower_return(FunctionScope& s, const clang::ReturnStmt& statement) {
  // What `main` returns is what exit() is given: a process that fails takes the job with it.
  if (s.decl.isMain() && is_failure(s, statement.getRetValue()))
    return s.ir.unreachable(s.range(statement.getSourceRange()));
  ir::ExprId value = statement.getRetValue() ? tree(s, statement.getRetValue()) : ir::ExprId{};
  if (s.returns_tuple) {
    std::vector<ir::ExprId> parts{value.valid() ? value : s.ir.none()};
    for (const clang::ParmVarDecl* p : s.decl.parameters())
      parts.push_back(is_out_parameter(p->getType()) ? variable(s, *p) : s.ir.none());
    value = s.ir.sequence(ir::ExprKind::Tuple, parts);
  }
  s.ir.return_(value, s.range(statement.getSourceRange()));
}

void lower_statement(FunctionScope& s, const clang::Stmt& statement) {
  const auto begins = s.begins.find(&statement);
  if (begins != s.begins.end()) return begin_counted(s, *begins->second, *begins->second->getCond());
  if (s.hidden.contains(&statement)) return;
  if (const auto* decls = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* d : decls->decls()) {
      const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
      if (v && !v->isCXXForRangeDecl() && !v->isImplicit()) lower_variable(s, *v);
    }
    return;
  }
  if (const auto* e = llvm::dyn_cast<clang::BinaryOperator>(&statement)) return lower_binary(s, *e);
  if (const auto* e = llvm::dyn_cast<clang::UnaryOperator>(&statement)) return lower_step(s, *e);
  if (const auto* e = llvm::dyn_cast<clang::CallExpr>(&statement)) return lower_call(s, *e);
  if (const auto* e = llvm::dyn_cast<clang::CXXConstructExpr>(&statement)) return lower_construct(s, *e);
  if (const auto* e = llvm::dyn_cast<clang::LambdaExpr>(&statement)) {
    s.done[e] = lambda(s, *e);
    return;
  }
  if (const auto* e = llvm::dyn_cast<clang::CXXNewExpr>(&statement)) {
    s.done[e] = e->getInitializer() ? tree(s, e->getInitializer()) : s.ir.unknown("new");
    return;
  }
  if (const auto* r = llvm::dyn_cast<clang::ReturnStmt>(&statement)) return lower_return(s, *r);
  if (const auto* t = llvm::dyn_cast<clang::CXXThrowExpr>(&statement))
    return s.ir.raise(t->getSubExpr() ? tree(s, t->getSubExpr()) : ir::ExprId{}, s.range(t->getSourceRange()));
}

void lower_initializer(FunctionScope& s, const clang::CXXCtorInitializer& init) {
  const clang::Expr* value = init.getInit();
  // `int rank_ = 0;` in the class holds the place for what the constructor's body or a set-up function finds out.
  if (!value || llvm::isa<clang::CXXDefaultInitExpr>(value)) return;
  // Other methods fill it.
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit());
      construct && is_container(value->getType()) && !construct->getNumArgs())
    return;
  const SourceRange range = s.range(init.getSourceRange());
  if (init.isAnyMemberInitializer())
    assign(s, s.ir.attribute(s.ir.name("self"), init.getAnyMember()->getNameAsString()), tree(s, value), range);
}

}  // namespace

// The call in the end of a loop that counts, which asks how long a container is.
static const clang::CallExpr* size_in(const clang::Expr* e) {
  e = e->IgnoreParenCasts();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) return reads_size(*call) ? call : nullptr;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!binary) return nullptr;
  const clang::CallExpr* left = size_in(binary->getLHS());
  return left ? left : size_in(binary->getRHS());
}

void begin_counted(FunctionScope& s, const clang::Stmt& loop, const clang::Expr& condition) {
  const CountedLoop& counted = s.counted[&loop];
  if (const clang::CallExpr* length = size_in(counted.last)) lower_container_call(s, *length);
  ir::ExprId first = tree(s, counted.first), last = tree(s, counted.last);
  if (counted.downwards) std::swap(first, last);  // as many turns
  if (counted.inclusive) last = s.ir.binary(ir::Operator::Add, last, s.ir.integer(1));
  std::vector<ir::CallArgument> arguments{{.value = first}, {.value = last}};
  if (counted.step) arguments.push_back({.value = tree(s, counted.step)});
  s.ranges[&loop] = s.ir.call(s.ir.name("range"), arguments, s.range(condition.getSourceRange()));
}

void lower_element(FunctionScope& s, const clang::CFGElement& element) {
  if (const auto statement = element.getAs<clang::CFGStmt>()) return lower_statement(s, *statement->getStmt());
  if (const auto init = element.getAs<clang::CFGInitializer>()) return lower_initializer(s, *init->getInitializer());
  if (const auto end = element.getAs<clang::CFGAutomaticObjDtor>()) {
    const clang::VarDecl* v = end->getVarDecl();
    return lower_destroy(s, v->getType()->getAsCXXRecordDecl(), variable(s, *v), s.range(v->getSourceRange()));
  }
  if (const auto end = element.getAs<clang::CFGMemberDtor>()) {
    const clang::FieldDecl* f = end->getFieldDecl();
    return lower_destroy(s, f->getType()->getAsCXXRecordDecl(), s.ir.attribute(s.ir.name("self"), f->getNameAsString()),
                         s.range(f->getSourceRange()));
  }
  if (const auto end = element.getAs<clang::CFGBaseDtor>())
    return lower_destroy(s, end->getBaseSpecifier()->getType()->getAsCXXRecordDecl(), s.ir.name("self"),
                         s.range(end->getBaseSpecifier()->getSourceRange()));
  if (const auto end = element.getAs<clang::CFGDeleteDtor>())
    return lower_destroy(s, end->getCXXRecordDecl(), tree(s, end->getDeleteExpr()->getArgument()),
                         s.range(end->getDeleteExpr()->getSourceRange()));
}

}  // namespace ranklint::cpp
