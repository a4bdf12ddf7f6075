// Calls, constructors, destructors.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>

#include "frontends/cpp/containers.h"
#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"

namespace ranklint::cpp {

namespace {

using Arguments = std::vector<ir::CallArgument>;

// Functions of the standard library that hand on what they get, numbers written out among it.
bool hands_on(const clang::FunctionDecl& f) {
  static constexpr std::array<std::string_view, 20> kNames{
      "__builtin_expect", "atoi",        "atol",     "atoll",   "std.as_const", "std.atoi", "std.atol",
      "std.cref",         "std.forward", "std.move", "std.ref", "std.stoi",     "std.stol", "std.stoul",
      "std.strtol",       "std.strtoul", "strtol",   "strtoll", "strtoul",      "strtoull"};
  return is_external(f) && std::find(kNames.begin(), kNames.end(), function_name(f)) != kNames.end();
}

// std::make_unique<T>(...), std::make_shared<T>(...): T's constructor.
const clang::CXXRecordDecl* made_by(const clang::FunctionDecl& f) {
  const std::string name = function_name(f);
  if (name != "std.make_unique" && name != "std.make_shared" && name != "c10.make_intrusive") return nullptr;
  const clang::TemplateArgumentList* arguments = f.getTemplateSpecializationArgs();
  if (!arguments || !arguments->size() || arguments->get(0).getKind() != clang::TemplateArgument::Type) return nullptr;
  return arguments->get(0).getAsType()->getAsCXXRecordDecl();
}

clang::QualType parameter_type(const clang::CallExpr& call, unsigned i) {
  if (const clang::FunctionDecl* f = call.getDirectCallee()) {
    const bool method_operator = llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(f);
    if (method_operator) return i == 0 || i > f->getNumParams() ? clang::QualType() : f->getParamDecl(i - 1)->getType();
    return i < f->getNumParams() ? f->getParamDecl(i)->getType() : clang::QualType();
  }
  clang::QualType type = call.getCallee()->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* prototype = type->getAs<clang::FunctionProtoType>();
  return prototype && i < prototype->getNumParams() ? prototype->getParamType(i) : clang::QualType();
}

// The last values of what the call was given to write to, from the tuple that it returns.
void copy_out(FunctionScope& s, const clang::CallExpr& call, unsigned first, ir::ExprId result, unsigned receiver) {
  const SourceRange range = s.range(call.getSourceRange());
  for (unsigned i = first; i < call.getNumArgs(); ++i) {
    const clang::QualType type = parameter_type(call, i);
    if (type.isNull() || !is_out_parameter(type)) continue;
    const clang::Expr* argument = call.getArg(i)->IgnoreParenImpCasts();
    // Only a place of the caller's: `&x`, or a variable that is one.
    if (argument->getType()->isRecordType()) continue;
    const ir::ExprId place = tree(s, argument);
    if (is_place(s, place) && s.ir.function().exprs[place].kind != ir::ExprKind::Subscript)
      assign(s, place, s.ir.subscript(result, s.ir.integer(1 + static_cast<int64_t>(i - first + receiver))), range);
  }
}

bool returns_tuple(const clang::CallExpr& call) {
  for (unsigned i = 0; i < call.getNumArgs(); ++i)
    if (const clang::QualType type = parameter_type(call, i); !type.isNull() && is_out_parameter(type)) return true;
  return false;
}

// What the call is made on: a receiver goes first, as in `Trainer.step(trainer, x)`.
struct Callee {
  ir::ExprId function;
  const clang::Expr* receiver = nullptr;
  bool bound = false;  // `receiver.function`: which body runs depends on what the receiver is
  unsigned first_argument = 0;
};

bool is_overridable(const clang::CXXMethodDecl& method, const clang::MemberExpr& e) {
  return method.isVirtual() && !e.hasQualifier() && !method.hasAttr<clang::FinalAttr>() &&
         !method.getParent()->isEffectivelyFinal();
}

// The object of a virtual call, of the class that the source says where nothing more is known: `typing.cast(Op, made)`.
ir::ExprId of_class(FunctionScope& s, const clang::Expr* object, const clang::CXXMethodDecl& method) {
  const ir::ExprId value = tree(s, object);
  if (llvm::isa<clang::CXXThisExpr>(object->IgnoreParenImpCasts())) return value;
  return s.ir.call(s.ir.name("typing.cast"), {{.value = s.ir.name(entity_name(*method.getParent()))}, {.value = value}},
                   s.range(object->getSourceRange()));
}

Callee callee_of(FunctionScope& s, const clang::CallExpr& call) {
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const clang::CXXMethodDecl* method = member->getMethodDecl();
    const auto* e = llvm::dyn_cast<clang::MemberExpr>(member->getCallee()->IgnoreParens());
    const clang::Expr* object = member->getImplicitObjectArgument();
    if (method && method->getParent()->isLambda()) return {.function = tree(s, object)};
    if (method && e && is_overridable(*method, *e) && !is_external(*method))
      return {.function = s.ir.attribute(of_class(s, object, *method), method->getNameAsString()), .bound = true};
    if (method)
      return {.function = s.ir.name(function_name(*method)), .receiver = method->isStatic() ? nullptr : object};
  }
  if (llvm::isa<clang::CXXOperatorCallExpr>(call)) {
    const clang::FunctionDecl* f = call.getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(f);
    const bool calls_value = method && (method->getParent()->isLambda() ||
                                        (is_external(*method) && method->getOverloadedOperator() == clang::OO_Call));
    if (calls_value) return {.function = tree(s, call.getArg(0)), .first_argument = 1};
    if (method) return {.function = s.ir.name(function_name(*method)), .receiver = call.getArg(0), .first_argument = 1};
  }
  if (const clang::FunctionDecl* f = call.getDirectCallee()) return {.function = s.ir.name(function_name(*f))};
  return {.function = tree(s, call.getCallee())};
}

// Of an overloaded template of a library that takes a communicator, what stands where depends on the overload: its
// arguments go by their parameters' names.
bool goes_by_names(const clang::FunctionDecl& f) {
  if (!f.getPrimaryTemplate() || !is_external(f)) return false;
  const auto takes_comm =
      std::any_of(f.param_begin(), f.param_end(), [](const clang::ParmVarDecl* p) { return p->getName() == "comm"; });
  return takes_comm && !f.getDeclContext()->getRedeclContext()->lookup(f.getDeclName()).isSingleResult();
}

ir::CallArgument argument_of(FunctionScope& s, const clang::CallExpr& call, unsigned i, bool by_name) {
  const clang::FunctionDecl* f = call.getDirectCallee();
  const llvm::StringRef name = by_name && i < f->getNumParams() ? f->getParamDecl(i)->getName() : llvm::StringRef();
  const ir::ExprId value = tree(s, call.getArg(i));
  if (name.empty()) return {.value = value};
  return {.value = value, .kind = ir::ArgumentKind::Keyword, .keyword = std::string_view(name.data(), name.size())};
}

// Operators of library types, which have no body to look into.
bool lower_operator(FunctionScope& s, const clang::CXXOperatorCallExpr& call) {
  const clang::FunctionDecl* f = call.getDirectCallee();
  if (f && !is_external(*f) && !f->isDefaulted()) return false;
  const SourceRange range = s.range(call.getSourceRange());
  switch (call.getOperator()) {
    case clang::OO_Call: return false;
    case clang::OO_Equal: {
      const ir::ExprId place = tree(s, call.getArg(0));
      assign(s, place, tree(s, call.getArg(1)), range);
      s.done[&call] = place;
      return true;
    }
    case clang::OO_Subscript:
      if (call.getNumArgs() == 2) {
        const ir::ExprId base = tree(s, call.getArg(0));
        s.done[&call] = s.ir.subscript(base, tree(s, call.getArg(1)));
        return true;
      }
      return false;
    default: break;
  }
  const clang::BinaryOperatorKind kind =
      call.getNumArgs() == 2 ? clang::BinaryOperator::getOverloadedOpcode(call.getOperator()) : clang::BO_Comma;
  const ir::Operator op = operator_of(kind, false);
  if (op != ir::Operator::None && op != ir::Operator::ShiftLeft && op != ir::Operator::ShiftRight) {
    const ir::ExprId left = tree(s, call.getArg(0));
    s.done[&call] = s.ir.binary(op, left, tree(s, call.getArg(1)));
    return true;
  }
  s.done[&call] = tree(s, call.getArg(0));  // a stream, a smart pointer, an iterator
  return true;
}

}  // namespace

void lower_call(FunctionScope& s, const clang::CallExpr& call) {
  if (lower_container_call(s, call)) return;
  forget_written(s, call);
  if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call); op && lower_operator(s, *op)) return;
  const clang::FunctionDecl* f = call.getDirectCallee();
  if (f && call.getNumArgs() && hands_on(*f)) {
    s.done[&call] = tree(s, call.getArg(0));
    return;
  }
  const SourceRange range = s.range(call.getSourceRange());
  const clang::CXXRecordDecl* made = f ? made_by(*f) : nullptr;
  const Callee callee = made ? Callee{.function = s.ir.name(entity_name(*made))} : callee_of(s, call);
  Arguments arguments;
  if (callee.receiver) arguments.push_back({.value = tree(s, callee.receiver)});
  const bool by_name = f && goes_by_names(*f);
  for (unsigned i = callee.first_argument; i < call.getNumArgs(); ++i)
    arguments.push_back(argument_of(s, call, i, by_name));
  const ir::ExprId result = s.ir.call(callee.function, arguments, range);
  if (!returns_tuple(call)) {
    s.done[&call] = result;
    return;
  }
  // A model counts positions without the receiver of a bound call, and with the one that goes first.
  const bool self_first = callee.receiver && f && is_external(*f);
  copy_out(s, call, callee.first_argument, result, self_first ? 1 : 0);
  s.done[&call] = s.ir.subscript(result, s.ir.integer(0));
}

// A thread runs what it is given where it is made: the ranks that make it are those that communicate in it.
static ir::ExprId lower_thread(FunctionScope& s, const Arguments& arguments, SourceRange range) {
  return s.ir.call(arguments[0].value, Arguments(arguments.begin() + 1, arguments.end()), range);
}

void lower_construct(FunctionScope& s, const clang::CXXConstructExpr& e) {
  const clang::CXXConstructorDecl& constructor = *e.getConstructor();
  if (constructor.isCopyOrMoveConstructor()) return;
  const SourceRange range = s.range(e.getSourceRange());
  const bool is_thread =
      entity_name(*constructor.getParent()) == "std.thread" || entity_name(*constructor.getParent()) == "std.jthread";
  // A library's object made of one thing stands for that; made of several, a model may know it.
  const bool is_library = is_external(*constructor.getParent()) && !is_thread;
  if (is_library &&
      (e.getNumArgs() < 2 || constructor.isInStdNamespace() || constructor.getParent()->isInStdNamespace()))
    return;
  Arguments arguments;
  for (const clang::Expr* argument : e.arguments()) arguments.push_back({.value = tree(s, argument)});
  if (is_thread && arguments.empty()) return;
  s.done[&e] = is_thread ? lower_thread(s, arguments, range)
                         : s.ir.call(s.ir.name(entity_name(*constructor.getParent())), arguments, range);
}

void lower_destroy(FunctionScope& s, const clang::CXXRecordDecl* record, ir::ExprId object, SourceRange range) {
  if (!record || !record->hasDefinition() || is_external(*record)) return;
  const clang::CXXDestructorDecl* destructor = record->getDestructor();
  if (!destructor || destructor->isTrivial() || destructor->isImplicit() || destructor->isDefaulted()) return;
  s.ir.call(s.ir.name(function_name(*destructor)), {{.value = object}}, range);
}

}  // namespace ranklint::cpp
