// What functions do to files, in what they call as well.
//
//     def save(model, out): torch.save(model.state_dict(), os.path.join(out, "best.pth"))
//     def train(args): save(model, args.out)  # writes os.path.join(args.out, "best.pth")
//
// A deed is handed from a function to those that call it, with its path in their terms.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "analyzer/variance/term_literal.h"
#include "rules/loading/every_rank.h"

namespace ranklint {

struct FileDeed {
  enum class Kind : uint8_t { Reads, Writes, OpensToWrite, FillsFolder, MakesFolder };

  Kind kind = Kind::Reads;
  ValueId path = {};            // in the function's terms. Invalid: its callers alone know it
  std::vector<Site> way;        // the calls that lead to it, outermost first, and the call that does it
  Call call = {};               // that call in the function's terms, where it has no path yet: `torch.save(*args)`
  bool by_some = false;         // it is known that some ranks alone come from the function to it
  bool may_be_by_some = false;  // likewise, or a condition on the way is named so
  std::vector<TermLiteral> conditions = {};  // on the way, those on which no rank parts, in the function's terms

  bool writes_file() const { return kind == Kind::Writes || kind == Kind::OpensToWrite; }
  bool writes() const { return writes_file() || kind == Kind::FillsFolder; }
};

class FileDeeds {
 public:
  // Of all functions, as they are after an edit.
  FileDeeds(const Query& in, const EveryRank& every_rank);

  // Its own in their order, then those of what it calls. What is read or made under a path that differs by the rank is
  // left out, and so is what comes after the first 64 of a function.
  std::span<const FileDeed> of(FunctionKey f) const;

 private:
  void add_own();
  void hand_up(FunctionKey callee, size_t length, std::set<FunctionKey>& callers);
  FileDeed handed(const FileDeed& deed, const WayToCall& way, const Binding& binding) const;
  bool add(FileDeed deed);
  void add_conditions(const Summary& s, ir::BlockId block, FileDeed& deed) const;

  const Query& in_;
  const EveryRank& every_rank_;
  std::map<FunctionKey, std::vector<FileDeed>> deeds_;
};

// `root` of `root + "/name"`, `root / folder / name`, f"{root}/{name}" and os.path.join(root, name). Invalid: it is not
// known to be put together.
ValueId beginning_of(const Query& in, ValueId path);
// Whether two paths are put together alike up to the last name.
bool lie_in_one_folder(const Query& in, ValueId a, ValueId b);

// Whether some ranks alone come to the block from the function's beginning. Into a loop that each goes round as often
// as its own share wants, all of them come.
bool is_for_some(const Query& in, const Summary& s, ir::BlockId block);

}  // namespace ranklint
