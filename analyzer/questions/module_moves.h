// Where a module is brought: `.to(device)`, `.cuda()`, `.cpu()`, a `device=` of a constructor.
#pragma once

#include "analyzer/questions/derivation.h"
#include "analyzer/summary/query.h"

namespace ranklint {

enum class Where : uint8_t { Unknown, Host, Meta, Device };

// What an expression says of a device: "cpu", torch.device("meta"), a name that holds one of them. Device where it is
// written and is neither; Unknown where nothing is known of it.
Where device_of(const Query& in, const FunctionCode& code, ir::ExprId e, ProgramPoint at);
// Whether it names a kind of device without a number, which is the current one: "cuda".
bool is_current_device(const Query& in, const FunctionCode& code, ir::ExprId e, ProgramPoint at);
// The same of a text: "cuda:1".
Where device_of_text(const Roles& roles, std::string_view device);

// The role by which a method or function of this name brings a module elsewhere. Null: it does not.
const RoleEntry* move_of(const Roles& roles, std::string_view callee);

struct Move {
  Where to = Where::Unknown;
  ProgramPoint place;
};

// Of what is called one of `names` or is taken from it, before a place, in the order of the text: the moves that may be
// the last. Nothing where none is seen.
std::vector<Move> last_moves(const Query& in, const FunctionCode& code, const std::set<Symbol>& names,
                             ProgramPoint before);

}  // namespace ranklint
