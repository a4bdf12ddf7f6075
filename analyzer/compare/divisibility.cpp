// Sequence parallelism cuts: a sequence into as many pieces as a group has ranks, heads into as many portions, the
// world into as many groups as a degree says. Where the number does not divide what is cut, ranks hold pieces of
// different sizes, and the next exchange, which takes them for equal, fails or hangs; nothing fails where the cut is
// made.
//
// The numbers are not known here, but whether the program makes sure is: by a remainder that somebody looks at
// (`heads % sp_size`), or by filling up to a multiple. So these hazards are places that cut, with what takes the pieces
// for equal behind them, and without a remainder or a padding on the way: in the function, in what it calls, in the
// functions around it, in its class and in its file. That is less than a proof, and `likely` at most.
#include "analyzer/compare/divisibility.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/compare/facts.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/size_words.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"

namespace ranklint {
namespace {

constexpr size_t kMostDefinitions = 60;  // that one look for padding goes back over

class SizeHazards {
 public:
  SizeHazards(const Query& in, Facts& facts) : in_(in), index_(in.index()), facts_(facts) {}

  void run() {
    note_remainders();
    in_.for_each_judged("divisibility", [&](FunctionKey key) {
      if (!facts_.reported[index_.functions()[key].module.index]) return;
      const Summary* s = in_.summary(key);
      if (!s || index_.function(key).blocks.empty()) return;
      const FunctionCode code(index_, *s);
      find_chunk(code);
      find_heads(code);
      find_degrees(code);
    });
  }

 private:
  // The world % a degree, or a product compared with it.
  struct WorldCheck {
    Place place;
    std::string factors;  // the words of the product; empty: a remainder
  };

  // What the remainders of a function are about.
  struct Remainders {
    bool by_sequence = false;  // something % the size of a sequence-parallel group
    bool of_heads = false;     // heads % such a size
    std::vector<WorldCheck> of_world;
  };

  static bool is_remainder(const ir::Expr& e) { return e.kind == ir::ExprKind::Binary && e.op == ir::Operator::Modulo; }
  static bool is_comparison(const ir::Expr& e) {
    return e.kind == ir::ExprKind::Binary && (e.op == ir::Operator::Equal || e.op == ir::Operator::NotEqual);
  }

  void note_remainders() {
    in_.for_each_judged("divisibility", [&](FunctionKey key) {
      const ir::Function& function = index_.function(key);
      const bool any = std::any_of(function.exprs.begin(), function.exprs.end(),
                                   [](const ir::Expr& e) { return is_remainder(e) || is_comparison(e); });
      const Summary* s = any ? in_.summary(key) : nullptr;
      if (!s) return;
      const FunctionCode code(index_, *s);
      for_each_expression(code, [&](ir::ExprId e, Place at) { note_remainder(code, e, at); });
    });
  }

  void note_remainder(const FunctionCode& code, ir::ExprId e, Place at) {
    const ir::Expr& expr = code.ir.exprs[e];
    if (!is_remainder(expr) && !is_comparison(expr)) return;
    const std::string left = words_of(code, ir::children(code.ir, e)[0], at),
                      right = words_of(code, ir::children(code.ir, e)[1], at);
    Remainders& known = remainders_[code.key];
    if (is_remainder(expr)) {
      known.by_sequence |= says_sequence_size(right) && !says_heads(left);
      known.of_heads |= says_heads(left) && says_sequence_size(right);
      // What another degree leaves over counts where it is one that the world was cut by: `fsdp_size % sp_size`.
      if (says_world_size(left) || (says_degree(left) && says_sequence_size(right))) known.of_world.push_back({at, {}});
    } else {
      const bool product =
          has_product(code, ir::children(code.ir, e)[0]) || has_product(code, ir::children(code.ir, e)[1]);
      if (product && (says_world_size(left) || says_world_size(right))) known.of_world.push_back({at, left + right});
    }
  }

  bool has_product(const FunctionCode& code, ir::ExprId e) const {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Binary && expr.op == ir::Operator::Multiply) return true;
    const auto children = ir::children(code.ir, e);
    return std::any_of(children.begin(), children.end(), [&](ir::ExprId child) { return has_product(code, child); });
  }

  // Every expression with the place where it is evaluated, its parts included.
  template <typename Visit>
  void for_each_expression(const FunctionCode& code, Visit visit) const {
    auto walk = [&](auto&& self, ir::ExprId e, Place at) -> void {
      if (!e.valid()) return;
      visit(e, at);
      for (ir::ExprId child : ir::children(code.ir, e)) self(self, child, at);
    };
    for (ir::BlockId b : code.graph.order()) {
      const ir::Block& block = code.ir.blocks[b];
      for (uint32_t i = 0; i < block.instructions.size(); ++i) {
        walk(walk, block.instructions[i].value, {b, i});
        for (const ir::Argument& a : ir::arguments(code.ir, block.instructions[i])) walk(walk, a.value, {b, i});
      }
      walk(walk, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())});
    }
  }

  template <typename Visit>
  void for_each_call(const FunctionCode& code, Visit visit) const {
    for (ir::BlockId b : code.graph.order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call) visit(instructions[i], Place{b, i});
    }
  }

  std::string_view callee_name(const FunctionCode& code, const ir::Instruction& call) const {
    const ir::Expr& callee = code.ir.exprs[call.value];
    return callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name ? code.text.text(callee.symbol)
                                                                                       : std::string_view();
  }

  ir::ExprId argument(const FunctionCode& code, const ir::Instruction& call, int position,
                      std::string_view keyword) const {
    int at = 0;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      if (a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) == keyword) return a.value;
      if (a.kind == ir::ArgumentKind::Positional && at++ == position) return a.value;
    }
    return {};
  }

  // Whether a remainder of this kind is looked at where it speaks for the function.
  bool is_checked(const FunctionCode& code, bool Remainders::* kind) {
    for (FunctionKey f = code.key; f.valid(); f = index_.functions()[f].parent)
      if (has(f, kind)) return true;
    for (const auto& [f, remainders] : remainders_) {
      if (!(remainders.*kind)) continue;
      const FunctionInfo& info = index_.functions()[f];
      const bool of_model = kind == &Remainders::of_heads && info.owner.valid() && is_setting_up(f);
      if (info.module == code.module || of_model) return true;
    }
    bool checked = false;
    for_each_call(code, [&](const ir::Instruction& call, Place) {
      const Entity entity = index_.resolve(code.module, code.ir, call.value);
      if (entity.kind == Entity::Kind::Function)
        checked |= has(entity.function, kind) || calls_one_with(entity.function, kind);
    });
    return checked;
  }

  // Whether the number of ranks is held to the degrees by somebody else in the file, by who is called, or on a way
  // through this place.
  bool is_world_checked(const FunctionCode& code, Place at, const std::string& divisor) const {
    bool by_callee = false;
    for_each_call(code, [&](const ir::Instruction& call, Place) {
      const Entity entity = index_.resolve(code.module, code.ir, call.value);
      const auto found = entity.kind == Entity::Kind::Function ? remainders_.find(entity.function) : remainders_.end();
      by_callee |= found != remainders_.end() && !found->second.of_world.empty();
    });
    if (by_callee) return true;
    for (const auto& [f, remainders] : remainders_) {
      if (index_.functions()[f].module != code.module || remainders.of_world.empty()) continue;
      if (f != code.key) return true;
      for (const WorldCheck& check : remainders.of_world) {
        const bool about_it = check.factors.empty() || check.factors.find(" " + divisor + " ") != std::string::npos;
        if (about_it && (leads_to(code, at.block, check.place.block) || leads_to(code, check.place.block, at.block)))
          return true;
      }
    }
    return false;
  }

  bool leads_to(const FunctionCode& code, ir::BlockId from, ir::BlockId to) const {
    std::set<ir::BlockId> seen{from};
    std::vector<ir::BlockId> work{from};
    while (!work.empty()) {
      const ir::BlockId block = work.back();
      work.pop_back();
      if (block == to) return true;
      for (ir::BlockId next : FlowGraph::successors(code.ir.blocks[block]))
        if (seen.insert(next).second) work.push_back(next);
    }
    return false;
  }

  bool has(FunctionKey f, bool Remainders::* kind) const {
    const auto found = remainders_.find(f);
    return found != remainders_.end() && found->second.*kind;
  }

  bool calls_one_with(FunctionKey f, bool Remainders::* kind) {
    const Summary* s = in_.summary(f);
    if (!s) return false;
    const FunctionCode code(index_, *s);
    bool found = false;
    for_each_call(code, [&](const ir::Instruction& call, Place) {
      const Entity entity = index_.resolve(code.module, code.ir, call.value);
      found |= entity.kind == Entity::Kind::Function && has(entity.function, kind);
    });
    return found;
  }

  // A configuration that checks itself speaks for the whole program.
  bool is_setting_up(FunctionKey f) const {
    const std::string_view name = last_part(index_.qualified_name(f));
    return name == "__init__" || name == "__post_init__" || name.find("valid") != name.npos ||
           name.find("check") != name.npos || name.find("verify") != name.npos;
  }

  // Whether the value has been filled up on the way to a place.
  bool is_padded(const FunctionCode& code, ir::ExprId e, Place at) const {
    Seen seen;
    size_t budget = kMostDefinitions;
    return pads(code, e, at, seen, budget);
  }

  using Seen = std::set<std::pair<Place, uint32_t>>;

  // Follows what decides about the length: the first operand, the object of a method, the first argument.
  bool pads(const FunctionCode& code, ir::ExprId e, Place at, Seen& seen, size_t& budget) const {
    if (!e.valid()) return false;
    const ir::Expr& expr = code.ir.exprs[e];
    const auto children = ir::children(code.ir, e);
    switch (expr.kind) {
      case ir::ExprKind::Name: return name_pads(code, expr.symbol, at, seen, budget);
      case ir::ExprKind::Function: return body_pads(code, ir::FunctionId{expr.index});
      case ir::ExprKind::List:
      case ir::ExprKind::Tuple:
        return std::any_of(children.begin(), children.end(),
                           [&](ir::ExprId child) { return pads(code, child, at, seen, budget); });
      case ir::ExprKind::Conditional:
        return pads(code, children[1], at, seen, budget) || pads(code, children[2], at, seen, budget);
      default: return !children.empty() && pads(code, children[0], at, seen, budget);
    }
  }

  bool name_pads(const FunctionCode& code, Symbol name, Place at, Seen& seen, size_t& budget) const {
    if (says_filling_up(code.text.text(name))) return true;
    for (const Definition& d : code.reaching(name, at).definitions) {
      if (!d.instruction || budget == 0 || !seen.insert({d.place, name.index}).second) continue;
      --budget;
      if (d.instruction->kind == ir::InstructionKind::Call ? call_pads(code, *d.instruction, d.place, seen, budget)
                                                           : pads(code, d.instruction->value, d.place, seen, budget))
        return true;
    }
    return false;
  }

  bool call_pads(const FunctionCode& code, const ir::Instruction& call, Place at, Seen& seen, size_t& budget) const {
    const std::string_view name = callee_name(code, call);
    if (says_filling_up(name)) return true;
    const ir::Expr& callee = code.ir.exprs[call.value];
    if (callee.kind == ir::ExprKind::Function && body_pads(code, ir::FunctionId{callee.index})) return true;
    const ir::ExprId first = argument(code, call, 0, "input");
    if (name == "cat" || name == "concat" || name == "concatenate")
      if (first.valid() && says_padding(words_of(code, first, at))) return true;
    const ir::ExprId base =
        callee.kind == ir::ExprKind::Attribute ? ir::children(code.ir, call.value)[0] : ir::ExprId{};
    const bool of_library = names_library(index_, code, base);
    if (of_library && is_of_written_size(code, call)) return true;
    const bool of_object =
        base.valid() && !of_library && code.name(base) != "self" && code.ir.exprs[base].kind == ir::ExprKind::Name;
    return pads(code, of_object ? base : first, at, seen, budget);
  }

  // `torch.rand(128)`: a length that is written down is chosen for as many ranks as there are to be.
  bool is_of_written_size(const FunctionCode& code, const ir::Instruction& call) const {
    if (!plays(in_, code, call, Role::MakesTensor) && !plays(in_, code, call, Role::CountsIntoTensor)) return false;
    const auto is_number = [&](ir::ExprId e) { return code.ir.exprs[e].kind == ir::ExprKind::Integer; };
    const auto is_size = [&](ir::ExprId e) {
      const ir::ExprKind kind = code.ir.exprs[e].kind;
      return is_number(e) || ((kind == ir::ExprKind::Tuple || kind == ir::ExprKind::List) &&
                              std::ranges::all_of(ir::children(code.ir, e), is_number));
    };
    bool any = false;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      if (a.kind == ir::ArgumentKind::Keyword) continue;
      if (a.kind != ir::ArgumentKind::Positional || !is_size(a.value)) return false;
      any = true;
    }
    return any;
  }

  static bool says_filling_up(std::string_view name) { return name.find("pad") != name.npos; }

  // A comprehension or lambda in which something is filled up.
  bool body_pads(const FunctionCode& code, ir::FunctionId id) const {
    const ir::Function& body = code.text.functions[id];
    return std::any_of(body.exprs.begin(), body.exprs.end(), [&](const ir::Expr& e) {
      return (e.kind == ir::ExprKind::Attribute || e.kind == ir::ExprKind::Name) &&
             says_padding(code.text.text(e.symbol));
    });
  }

  void report(SizeHazard::What what, const FunctionCode& code, SourceRange range, SourceRange other,
              const std::string& subject) {
    facts_.size_hazards.push_back(
        {.what = what, .function = code.key, .range = range, .other = other, .subject = subject});
  }

  // One per function, the first: `torch.chunk(x, size, dim)[rank]` with a gather behind.
  void find_chunk(const FunctionCode& code) {
    SourceRange first, gather;
    bool padded = false;
    for_each_call(code, [&](const ir::Instruction& call, Place at) {
      const std::string_view name = callee_name(code, call);
      if (name != "chunk" && name != "tensor_split" && name != "split") {
        padded |= says_filling_up(name);
        if (first.known() && !gather.known() && is_equal_gather(name) && first < call.range) gather = call.range;
        return;
      }
      const ir::ExprId base = code.ir.exprs[call.value].kind == ir::ExprKind::Attribute
                                  ? ir::children(code.ir, call.value)[0]
                                  : ir::ExprId{};
      const bool free = names_library(index_, code, base);
      const ir::ExprId tensor = free ? argument(code, call, 0, "input") : base;
      const ir::ExprId count =
          argument(code, call, free ? 1 : 0, name == "split" ? "split_size_or_sections" : "chunks");
      if (!count.valid() || !says_sequence_size(words_of(code, count, at)) || !is_taken_by_rank(code, call)) return;
      if (name == "split" && code.ir.exprs[count].kind != ir::ExprKind::Binary)
        return;  // split(x, x.size(1) // sp_size)
      padded |= is_padded(code, tensor, at);
      if (!first.known()) first = call.range;
    });
    if (first.known() && gather.known() && !padded && !is_checked(code, &Remainders::by_sequence))
      report(SizeHazard::What::UnpaddedChunk, code, first, gather, "");
  }

  static bool is_equal_gather(std::string_view name) {
    return name.find("all_gather") != name.npos || name.find("gather_forward") != name.npos ||
           name.find("gather_seq") != name.npos || name.find("gather_outputs") != name.npos ||
           name.find("gather_from_sequence") != name.npos;
  }

  // `pieces[rank]`, at once or later.
  bool is_taken_by_rank(const FunctionCode& code, const ir::Instruction& call) const {
    if (!call.target.valid() || code.name(call.target).empty()) return false;
    bool taken = false;
    for_each_expression(code, [&](ir::ExprId e, Place at) {
      const ir::Expr& expr = code.ir.exprs[e];
      if (taken || expr.kind != ir::ExprKind::Subscript ||
          code.name(ir::children(code.ir, e)[0]) != code.name(call.target))
        return;
      const Reaching from = code.reaching(code.ir.exprs[ir::children(code.ir, e)[0]].symbol, at);
      const bool of_call = std::any_of(from.definitions.begin(), from.definitions.end(),
                                       [&](const Definition& d) { return d.instruction == &call; });
      taken = of_call && says_rank(words_of(code, ir::children(code.ir, e)[1], at));
    });
    return taken;
  }

  // One per function, the first: an exchange that gives each rank its portion of the heads.
  void find_heads(const FunctionCode& code) {
    const ir::Instruction* first = nullptr;
    Place place;
    for_each_call(code, [&](const ir::Instruction& call, Place at) {
      if (first || !scatters_heads(code, call)) return;
      first = &call;
      place = at;
    });
    if (!first || is_checked(code, &Remainders::of_heads)) return;
    const ir::ExprId tensor = argument(code, *first, 0, "x");
    if (tensor.valid() && (repeats_heads(code) || says_hidden_size(code.name(tensor)))) return;
    report(SizeHazard::What::UncheckedHeads, code, first->range, {},
           tensor.valid() ? std::string(code.name(tensor)) : "");
  }

  // What has no heads yet: its last dimension is dealt out.
  static bool says_hidden_size(std::string_view name) {
    return name.find("embed") != name.npos || name.find("feature") != name.npos || name.find("hidden") != name.npos;
  }

  bool scatters_heads(const FunctionCode& code, const ir::Instruction& call) const {
    const std::string_view name = callee_name(code, call);
    return name.find("scatter_head") != name.npos;
  }

  // Heads that are fewer than the ranks are repeated first.
  bool repeats_heads(const FunctionCode& code) const {
    bool repeats = false;
    for_each_call(code, [&](const ir::Instruction& call, Place) {
      repeats |= callee_name(code, call).find("repeat") != std::string_view::npos;
    });
    return repeats;
  }

  // `dp_size = world_size // sp_size` without a remainder, and degrees that one call is told twice.
  void find_degrees(const FunctionCode& code) {
    bool reported = !makes_groups(code);
    for (ir::BlockId b : code.graph.order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].kind == ir::InstructionKind::Call) find_differing_degrees(code, instructions[i], {b, i});
        if (instructions[i].kind == ir::InstructionKind::Call && !reported)
          reported = find_quotient_in_mesh(code, instructions[i], {b, i});
        if (instructions[i].kind != ir::InstructionKind::Assign || reported) continue;
        reported = is_sequence_quotient(code, instructions[i], {b, i}) &&
                   !is_world_checked(code, {b, i}, quotient_text(code, instructions[i]));
        if (reported)
          report(SizeHazard::What::UncheckedDegrees, code, instructions[i].range, {},
                 quotient_text(code, instructions[i]));
      }
    }
  }

  // Whether the function hands something to what makes groups or a mesh, by its name, or keeps it in an object.
  bool makes_groups(const FunctionCode& code) const {
    bool found = index_.functions()[code.key].owner.valid();
    for_each_call(code, [&](const ir::Instruction& call, Place) {
      const std::string_view name = callee_name(code, call);
      found |= name.find("group") != name.npos || name.find("mesh") != name.npos || name.find("Mesh") != name.npos;
    });
    return found;
  }

  bool is_sequence_quotient(const FunctionCode& code, const ir::Instruction& assign, Place at) const {
    if (!assign.target.valid() || !divides_world(code, assign.value, at)) return false;
    const std::string target = words_of(code, assign.target, at);
    return says_degree(target) || target.find("dp") != target.npos || target.find("data_parallel") != target.npos;
  }

  // `world_size // sp_size`
  bool divides_world(const FunctionCode& code, ir::ExprId quotient, Place at) const {
    const ir::Expr& e = code.ir.exprs[quotient];
    if (e.kind != ir::ExprKind::Binary || e.op != ir::Operator::FloorDivide) return false;
    const std::string left = words_of(code, ir::children(code.ir, quotient)[0], at),
                      right = words_of(code, ir::children(code.ir, quotient)[1], at);
    return says_world_size(left) && !says_world_size(right) && says_sequence_size(right);
  }

  // `init_device_mesh("cuda", (world_size // sp_size, sp_size))`
  bool find_quotient_in_mesh(const FunctionCode& code, const ir::Instruction& call, Place at) {
    if (callee_name(code, call) != "init_device_mesh") return false;
    const ir::ExprId shape = argument(code, call, 1, "mesh_shape");
    const bool written = shape.valid() && (code.ir.exprs[shape].kind == ir::ExprKind::Tuple ||
                                           code.ir.exprs[shape].kind == ir::ExprKind::List);
    for (ir::ExprId part : written ? ir::children(code.ir, shape) : std::span<const ir::ExprId>()) {
      if (!divides_world(code, part, at) || is_world_checked(code, at, divisor_text(code, part))) continue;
      report(SizeHazard::What::UncheckedDegrees, code, call.range, {}, divisor_text(code, part));
      return true;
    }
    return false;
  }

  std::string quotient_text(const FunctionCode& code, const ir::Instruction& assign) const {
    return divisor_text(code, assign.value);
  }

  std::string divisor_text(const FunctionCode& code, ir::ExprId quotient) const {
    const ir::ExprId divisor = ir::children(code.ir, quotient)[1];
    const ir::Expr& e = code.ir.exprs[divisor];
    return e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute ? std::string(code.text.text(e.symbol))
                                                                             : "the product of the degrees";
  }

  // initialize_model_parallel(sequence_parallel_degree=u, ulysses_degree=u, ring_degree=r): the product of the last two
  // is the first, so r can only be 1.
  void find_differing_degrees(const FunctionCode& code, const ir::Instruction& call, Place at) {
    const auto given = [&](std::string_view keyword) { return argument(code, call, -1, keyword); };
    const ir::ExprId whole = given("sequence_parallel_degree"), ulysses = given("ulysses_degree"),
                     ring = given("ring_degree");
    if (!whole.valid() || !ulysses.valid() || !ring.valid()) return;
    const auto same = [&](ir::ExprId a, ir::ExprId b) {
      const std::string words = words_of(code, a, at);
      return !words.empty() && words == words_of(code, b, at) && code.ir.exprs[a].kind == code.ir.exprs[b].kind;
    };
    const ir::Expr& other = code.ir.exprs[same(whole, ulysses) ? ring : ulysses];
    if ((!same(whole, ulysses) && !same(whole, ring)) || other.kind == ir::ExprKind::Integer) return;
    report(SizeHazard::What::DegreesDiffer, code, call.range, {},
           std::string(same(whole, ulysses) ? "ring_degree" : "ulysses_degree"));
  }

  const Query& in_;
  const ProjectIndex& index_;
  Facts& facts_;
  std::map<FunctionKey, Remainders> remainders_;
};

}  // namespace

void find_size_hazards(const Query& query, Facts& facts) { SizeHazards(query, facts).run(); }

}  // namespace ranklint
