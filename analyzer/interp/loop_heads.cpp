// What holds at the head of a loop, where rounds of it have changed places already.
#include <algorithm>
#include <set>

#include "analyzer/interp/function_run.h"
#include "analyzer/summary/entries.h"

namespace ranklint {

// The deepest term that a loop carries for callers to ask: functions that sum up what others have summed up nest them,
// and a tree of such functions took seconds without a limit.
static constexpr uint16_t kDeepestCarried = 24;

// A dictionary whose entries are known before the loop and at the end of a round: each entry gets a value of its own at
// the head of the loop, so that `state["step"]` can be the same on all ranks even if `state["loss"]` is not. `brought`:
// the value before the loop, then the one after a round if it differs. Invalid: the entries are not known.
ValueId FunctionRun::brought_by_entry(std::span<const ValueId> brought, SiteId site, const PlaceKey& place) {
  Entries entries(values_, index_);
  if (place.is_attribute()) return {};
  if (std::ranges::any_of(brought.first(std::min<size_t>(brought.size(), 2)),
                          [&](ValueId v) { return entries.has_entries_over(v); }))
    return brought_over(brought, site, place);
  if (!entries.known(brought[0])) return {};
  if (brought.size() > 1 && !entries.known_on_each_side(brought[1])) return {};
  ValueId made = brought[0];
  for (const ValueId key : entries.keys(made)) {
    const ValueId before = entries.get(made, key);
    if (!before.valid()) return {};  // with one entry more it nests too deeply to be kept
    std::vector<ValueId> children{before};
    const ValueId after = brought.size() > 1 ? entries.get(brought[1], key) : ValueId{};
    if (after.valid() && (values_.diverges(after) || values_[after].of_batch)) children.push_back(after);
    if (children.size() > 1 && brought.size() > 2) children.push_back(brought[2]);
    // An entry of the variable, by the variable's name.
    const PlaceKey entry{values_.text(place.name), Symbol{values_[key].a}};
    made =
        entries.with(made, key, values_.node(ValueKind::LoopPhi, children, site.index, 0, values_.intern(entry).index));
  }
  return made;
}

// The same of a dictionary of which some entries are known only.
ValueId FunctionRun::brought_over(std::span<const ValueId> brought, SiteId site, const PlaceKey& place) {
  Entries entries(values_, index_);
  if (!entries.differ_by_key(brought[0]) || (brought.size() > 1 && !entries.differ_by_key(brought[1]))) return {};
  std::vector<ValueId> keys = entries.keys_over(brought[0]);
  if (brought.size() > 1)
    for (const ValueId key : entries.keys_over(brought[1]))
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  ValueId made = brought[0];
  for (const ValueId key : keys) {
    std::vector<ValueId> children{entries.look_up(brought[0], key)};
    const ValueId after = brought.size() > 1 ? entries.look_up(brought[1], key) : ValueId{};
    if (after.valid() && (values_.diverges(after) || values_[after].of_batch)) children.push_back(after);
    if (children.size() > 1 && brought.size() > 2) children.push_back(brought[2]);
    const PlaceKey entry{values_.text(place.name), Symbol{values_[key].a}};
    made = entries.put_over(made, key,
                            values_.node(ValueKind::LoopPhi, children, site.index, 0, values_.intern(entry).index));
  }
  return made;
}

void FunctionRun::enter_loop(ir::BlockId header, Environment& env) {
  std::set<PlaceKey> changed;
  auto note = [&](auto&& self, ir::ExprId target) -> void {
    if (!target.valid()) return;
    const ir::Expr& e = f_.exprs[target];
    if (e.kind == ir::ExprKind::Name) changed.insert(Environment::key(index_.name(module_, e.symbol)));
    if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List || e.kind == ir::ExprKind::Starred)
      for (ir::ExprId part : ir::children(f_, target)) self(self, part);
    if (e.kind == ir::ExprKind::Attribute)
      for (const auto& [place, value] : env.places())
        if (place.is_attribute() && place.name == index_.name(module_, e.symbol)) changed.insert(place);
  };
  for (ir::BlockId b : out_.graph().loop_blocks(header)) {
    for (const ir::Instruction& i : f_.blocks[b].instructions) {
      note(note, i.target);
      // What has a method of that name and is no list stays what it is.
      if (const ir::ExprId list = list_changed(i); list.valid()) {
        const ValueId held = env.get(Environment::key(index_.name(module_, f_.exprs[list].symbol)));
        if (held.valid() && (values_.is_list(held) || is_list_known(held))) note(note, list);
        if (held.valid()) forget_before_rounds(list, held, env);
      }
    }
    note(note, f_.blocks[b].terminator.target);
  }
  for (const auto& [place, value] : loop_extra_[header.index]) changed.insert(place);  // `sums[key] = loss`
  for (const PlaceKey& place : changed) {
    const auto extra = loop_extra_[header.index].find(place);
    ValueId init = env.get(place);
    if (!init.valid() && extra != loop_extra_[header.index].end()) init = before_any_change(place);
    if (!init.valid()) continue;
    std::vector<ValueId> children{init};
    if (extra != loop_extra_[header.index].end() && extra->second.value.valid()) {
      children.push_back(extra->second.value);
      if (!extra->second.whole) children.push_back(values_.none());
    }
    const SiteId site = site_of(header, Site::Why::LoopHead);
    if (const ValueId entries = brought_by_entry(children, site, place); entries.valid()) {
      env.set(place, entries);
      continue;
    }
    const uint32_t type = values_.class_of(init).valid() ? ValueStore::type_of_class(values_.class_of(init)) : 0;
    env.set(place, values_.node(ValueKind::LoopPhi, children, site.index, 0, values_.intern(place).index,
                                ir::Operator::None, type));
  }
}

// Whether the place holds a number before the loop: `total = 0`.
static bool begins_as_number(const ValueStore& values, ValueId head) {
  if (values[head].kind == ValueKind::LoopPhi && values[head].child_count > 0) head = values.child(head, 0);
  return values[head].kind == ValueKind::Integer || values[head].kind == ValueKind::Real;
}

// Notes what comes back over the back edges and differs between ranks, is made of batches or of what the function is
// given, although the value on entry was not.
bool FunctionRun::loop_diverges(ir::BlockId header) {
  std::vector<ir::BlockId> back;
  for (ir::BlockId from : out_.graph().predecessors(header))
    if (out_.graph().dominates(header, from)) back.push_back(from);
  bool found = false;
  auto brings = [&](const PlaceKey& place, ValueId value, bool whole) {
    ValueId head = before_[header.index].get(place);
    const bool carried = is_carried(place, header);
    if (!head.valid() && carried) head = before_any_change(place);
    if (!head.valid() || value == head) return;
    const bool counts =
        (carried && values_.is_constant(head)) || (!place.is_attribute() && Entries(values_, index_).known(head));
    if (counts && !values_.diverges(value) && !loop_extra_[header.index].contains(place)) {
      loop_extra_[header.index][place] = {};
      found = true;
    }
    const bool differs =
        (carried || values_[head].kind == ValueKind::LoopPhi) && values_.diverges(value) && !values_.diverges(head);
    const bool of_batch = values_[value].of_batch && !values_[head].of_batch && !values_.diverges(head);
    // What the function is given may differ: its caller will know.
    const bool is_open = values_[value].depth < kDeepestCarried && !place.is_attribute() &&
                         begins_as_number(values_, head) && is_of_given(value) && !is_of_given(head);
    if (!differs && !of_batch && !is_open) return;
    loop_extra_[header.index][place] = {value, whole};
    found = true;
  };
  for (ir::BlockId from : back)
    for (const auto& [place, value] : after_[from.index].places()) brings(place, value, back.size() == 1);
  // Several ways back (`if r % n == rank: mine.append(r)` at the end of the body): which of them may differ, too.
  for (size_t i = 1; i < back.size(); ++i)
    for (const auto& [place, value] : after_[back[i].index].places()) {
      if (after_[back[0].index].get(place) == value) continue;
      std::map<uint32_t, ValueId> known;
      if (const ValueId choice = gate(header, header, place, known); choice.valid()) brings(place, choice, true);
    }
  return found;
}

bool FunctionRun::is_of_given(ValueId v) const {
  return values_.find_part(v, [&](ValueId part) { return values_[part].kind == ValueKind::Parameter; }).valid();
}

// A dictionary with known entries after a loop that ranks may leave in different rounds: as at the end of the loop, but
// for the entries that differ by the way out. Invalid: the entries are not known.
ValueId FunctionRun::left_by_entry(ir::BlockId header, ValueId at_end, ValueId left, const PlaceKey& place) {
  Entries entries(values_, index_);
  if (place.is_attribute() || !entries.known_on_each_side(left)) return {};
  const SiteId site = site_of(header, Site::Why::LeftInRound);
  ValueId made = at_end;
  for (const ValueId key : entries.keys(at_end)) {
    const ValueId kept = entries.get(at_end, key), found = entries.get(left, key);
    if (!kept.valid() || !found.valid()) return {};
    if (values_.diverges(kept) || !values_.diverges(found)) continue;
    const PlaceKey entry{values_.text(place.name), Symbol{values_[key].a}};
    made = entries.with(made, key,
                        values_.node(ValueKind::LoopPhi, {{kept, found}}, site.index, 0, values_.intern(entry).index));
  }
  return made;
}

}  // namespace ranklint
