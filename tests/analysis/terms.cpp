#include "analyzer/ir/words.h"
#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

class Printer {
 public:
  explicit Printer(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  std::string text(ValueId v) {
    const Value value = values_[v];
    switch (value.kind) {
      case ValueKind::Opaque: return "?" + unknown(value);
      case ValueKind::Local: return "local(" + name(value.c) + ")";
      case ValueKind::Attribute: return text(values_.child(v, 0)) + "." + name(value.a);
      case ValueKind::Believed: return "believed(" + text(values_.child(v, 0)) + ")";
      case ValueKind::Unary: return std::string(ir::operator_text(value.op)) + operand(values_.child(v, 0));
      case ValueKind::Binary: return list(v, " " + std::string(ir::operator_text(value.op)) + " ", true);
      case ValueKind::And: return list(v, " and ", true);
      case ValueKind::Or: return list(v, " or ", true);
      case ValueKind::Conditional:
        return operand(values_.child(v, 1)) + " if " + operand(values_.child(v, 0)) + " else " +
               operand(values_.child(v, 2));
      case ValueKind::Tuple: return "[" + list(v, ", ", false) + "]";
      case ValueKind::Subscript: return operand(values_.child(v, 0)) + "[" + text(values_.child(v, 1)) + "]";
      case ValueKind::Element: return "element(" + list(v, ", ", false) + ")";
      case ValueKind::LoopPhi:
        return "loop(" + place(values_.place(PlaceId{value.c})) + ": " + list(v, ", ", false) + ")";
      case ValueKind::Pure: return name(value.a) + "(" + list(v, ", ", false) + ")";
      case ValueKind::Partial: return "partial(" + list(v, ", ", false) + ")";
      case ValueKind::RankIn: return "rank(" + list(v, ", ", false) + ")";
      case ValueKind::SizeIn: return "size(" + list(v, ", ", false) + ")";
      case ValueKind::Guarded: return text(values_.child(v, 0)) + " if " + operand(values_.child(v, 1));
      case ValueKind::Tensor: return "tensor(" + list(v, ", ", false) + ")";
      default: return values_.describe(v);
    }
  }

 private:
  std::string name(uint32_t symbol) const { return std::string(index_.names().text(Symbol{symbol})); }

  std::string operand(ValueId v) {
    switch (values_[v].kind) {
      case ValueKind::Binary:
      case ValueKind::And:
      case ValueKind::Or:
      case ValueKind::Conditional: return "(" + text(v) + ")";
      default: return text(v);
    }
  }

  std::string list(ValueId v, std::string_view separator, bool operands) {
    std::string out;
    for (const ValueId child : values_.children(v)) {
      if (!out.empty()) out += separator;
      out += !child.valid() ? "?" : operands ? operand(child) : text(child);
    }
    return out;
  }

  std::string place(const PlaceKey& place) {
    const std::string name(index_.names().text(place.name));
    return place.is_attribute() ? text(place.object) + "." + name : name;
  }

  // What was learned where: `load@body`, the result of a call; `self.n@end`, what a place holds where paths meet.
  std::string unknown(const Value& value) {
    const Site* made = in_.find_site(SiteId{value.a});
    if (!made) return "cut";
    const Site& site = *made;
    const ir::Function& f = index_.function(site.function);
    const ir::Module& module = index_.modules()[index_.functions()[site.function].module];
    std::string what;
    if (site.place.valid()) {
      what = place(values_.place(site.place));
    } else if (site.why == Site::Why::Argument || site.why == Site::Why::Batch) {
      what = module.text(f.parameters[site.part].name);
    } else if (site.why == Site::Why::Instruction && site.instruction < f.blocks[site.block].instructions.size()) {
      const ir::Instruction& i = f.blocks[site.block].instructions[site.instruction];
      const ir::ExprId named = i.kind == ir::InstructionKind::Call ? i.value : i.target.valid() ? i.target : i.value;
      if (named.valid()) what = module.text(f.exprs[named].symbol);
    } else if (site.why == Site::Why::ExceptionCame) {
      what = "exception";
    }
    const std::string path = value.b ? "/" + std::to_string(value.b) : std::string();
    return what + "@" + std::string(module.text(f.blocks[site.block].label)) + path;
  }

  const Query& in_;
  const ValueStore& values_;
  const ProjectIndex& index_;
};

}  // namespace

std::string term_text(const Query& query, ValueId term) { return Printer(query).text(term); }

}  // namespace ranklint::test
