// Whether any code may wait for the handle of an asynchronous operation.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint::unwaited_work {

// Where in a value a handle lies, outermost first: a position in a tuple, or kAnyElement of a collection. Empty: the
// value is the handle, or the list of handles that one call gave.
using ElementPath = std::vector<int>;
inline constexpr int kAnyElement = -1;

// Follows a handle from the place where it is stored: a variable, an attribute, and on into the collections that it is
// added to, the rounds of loops over them and what is taken out of them. Any other use of it may wait for it.
// These uses do not wait: a test whether there is one; adding it to a collection that is never read, iterating over
// such a one with a variable that is never read, emptying it; reading another entry of the tuple that holds it.
//
// A variable counts from where it receives the handle to its next assignment; an attribute counts in the methods of all
// classes that an object which has it may be of, at any time.
class HandleUses {
 public:
  explicit HandleUses(const Query& query) : in_(query) {}

  // Whether any code may wait for what the target of an instruction of `f` receives, which holds the handle at `path`.
  bool may_wait(FunctionKey f, ProgramPoint at, ir::ExprId target, const ElementPath& path = {});

  // The same where it makes no difference that `f` returns it.
  bool may_wait_before_return(FunctionKey f, ProgramPoint at, ir::ExprId target);

  // Whether `f` may wait for what an attribute of this name holds.
  bool may_wait_in(FunctionKey f, const std::string& attribute);

  // Whether a function inside of `f` names its variable, or others share it.
  bool is_captured(FunctionKey f, const std::string& variable) const;

  // A place where a collection gives out what was put into it.
  struct TakenOut {
    FunctionKey function;
    SourceRange range;
    friend bool operator==(const TakenOut&, const TakenOut&) = default;
  };
  // Those that the last question reached. Where no code may wait, the handle is lost there.
  const std::vector<TakenOut>& taken_out() const { return taken_out_; }

 private:
  // A variable of one function, or an attribute of an object.
  struct Holder {
    FunctionKey function;  // invalid: an attribute
    ClassKey owner;        // of an attribute: the class of the object; invalid: any object
    std::string name;
    ElementPath path;
    ProgramPoint from;  // of a variable: where it receives what it holds
    friend auto operator<=>(const Holder&, const Holder&) = default;
  };
  struct Scope {
    FunctionKey key;
    ModuleKey module;
    const ir::Module& text;
    const ir::Function& ir;
  };
  // What an expression is to a holder: nothing, (a part of) what it holds with the handle in it, or another part.
  struct Part {
    enum class Kind : uint8_t { None, WithHandle, Without };
    Kind kind = Kind::None;
    ElementPath path;
    bool has_handle() const { return kind == Kind::WithHandle; }
  };

  Scope scope_of(FunctionKey f) const;
  void begin();

  // Reading expressions (unwaited-work_holders.cpp).
  bool is(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool may_be_of(ClassKey c, ClassKey owner) const;
  Part part_in(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool mentions(const Scope& in, ir::ExprId e, const Holder& holder) const;
  std::vector<ElementPath> carried(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool used_in_test(const Scope& in, ir::ExprId e, const Holder& holder) const;
  bool is_captured(const Scope& in, const std::string& variable) const;

  // Following what holds it.
  bool put_in(const Scope& in, ir::ExprId target, const ElementPath& path, ProgramPoint at);
  bool put_in_parts(const Scope& in, ir::ExprId pattern, const ElementPath& path, ProgramPoint at);
  bool added_to(const Scope& in, ir::ExprId collection, const ElementPath& path, ProgramPoint at);
  bool added_to_variable(const Scope& in, Symbol variable, const ElementPath& path, ProgramPoint at);
  bool is_shared(const FunctionCode& code, const ir::Instruction& i, const ElementPath& path, ProgramPoint at);
  bool followed(const Holder& holder);
  bool followed_on(const Holder& holder);
  bool used_in(const Scope& in, const Holder& holder);
  bool used_by(const Scope& in, const ir::Instruction& i, ProgramPoint at, const Holder& holder);
  bool used_by(const Scope& in, const ir::Terminator& t, ProgramPoint at, const Holder& holder);
  bool handed_on(const Scope& in, ir::ExprId value, ir::ExprId target, ProgramPoint at, const Holder& holder);
  bool used_by_call(const Scope& in, const ir::Instruction& call, ProgramPoint at, const Holder& holder);
  void note_taken_out(const TakenOut& place);
  bool used_by_method(const Scope& in, const ir::Instruction& call, ProgramPoint at, const Holder& holder);
  bool used_by_argument(const Scope& in, const ir::Instruction& call, ir::ExprId argument, ProgramPoint at,
                        const Holder& holder);

  const Query& in_;
  std::set<Holder> asked_;  // for this handle; none of them has led to a wait yet
  std::set<Holder> added_;  // to which it may have been added, likewise
  std::vector<TakenOut> taken_out_;
  bool return_counts_ = true;
  mutable std::map<std::pair<ClassKey, ClassKey>, bool> related_;
};

// An operation that is started, and gives a handle to its caller.
struct Started {
  const Model* model = nullptr;
  ValueId group;        // in the terms of the function that starts it; invalid: of another function
  std::string named;    // the group, in words
  SourceRange range;    // of the call that gives the handle
  ProgramPoint at;      // likewise
  bool surely = true;   // false: an option of the caller decides
  ElementPath path;     // where in the result of the call the handle lies
  FunctionKey callee;   // the function that starts it and returns the handle; invalid: the operation's own call
  SourceRange started;  // and where it does
};

// Functions of the project that start something and do no more with its handle than return it.
class ReturnedHandles {
 public:
  ReturnedHandles(const Query& query, HandleUses& uses) : in_(query), uses_(uses) {}

  // What a step of a function gives that is surely started; nothing: no handle, or not surely.
  std::optional<Started> started_by(const FunctionCode& code, const Step& step, ir::BlockId block);

 private:
  struct Returned {
    Started started;
    FunctionKey function;
  };
  const std::optional<Returned>& returned_by(FunctionKey f);
  std::optional<Returned> find(FunctionKey f);
  std::optional<Started> started_at(const FunctionCode& code, ProgramPoint at);
  std::optional<Returned> held_by_name(const FunctionCode& code, Symbol name, ProgramPoint at);

  const Query& in_;
  HandleUses& uses_;
  std::map<FunctionKey, std::optional<Returned>> known_;
};

// What a collective, or a message, of the function gives; nothing: it gives no handle.
std::optional<Started> started_operation(const Query& in, const FunctionCode& code, const Step& step,
                                         ir::BlockId block);

// What an object has started, in a function that makes it, keeps it to itself and calls no method of it that waits.
struct LooseObject {
  FunctionKey function;
  SourceRange range;         // the call that starts it
  std::string name, method;  // of the variable, and of what is called
  FunctionKey started_in;    // that method
  SourceRange started;       // and where the operation is started in it
};

std::vector<LooseObject> loose_objects(const Query& in);

}  // namespace ranklint::unwaited_work
