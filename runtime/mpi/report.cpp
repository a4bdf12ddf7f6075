#include "runtime/mpi/report.h"

namespace ranklint::runtime {

namespace {

void encode(ByteWriter& out, const Site& site) {
  out.put_text(site.file);
  out.put(site.line);
  out.put_text(site.function);
}

Site decode_site(ByteReader& in, Names& names) {
  Site site;
  site.file = names.keep(in.get_text()).c_str();
  site.line = in.get<uint32_t>();
  site.function = names.keep(in.get_text()).c_str();
  return site;
}

void encode(ByteWriter& out, const RankState& state) {
  out.put(state.rank);
  out.put(state.phase);
  out.put(state.op);
  out.put_text(state.group);
  out.put(state.sequence);
  out.put_text(state.detail);
  encode(out, state.site);
  out.put_text(state.implicit_in);
  out.put_list(state.waits_for);
  out.put_text(state.error);
}

RankState decode_state(ByteReader& in, Names& names) {
  RankState state;
  state.rank = in.get<int>();
  state.phase = in.get<RankPhase>();
  state.op = in.get<OpType>();
  state.group = in.get_text();
  state.sequence = in.get<uint64_t>();
  state.detail = in.get_text();
  state.site = decode_site(in, names);
  state.implicit_in = in.get_text();
  state.waits_for = in.get_list<int>();
  state.error = in.get_text();
  return state;
}

void encode(ByteWriter& out, const Unmet& unmet) {
  out.put(unmet.group);
  encode(out, unmet.call);
  out.put(unmet.more);
}

Unmet decode_unmet(ByteReader& in, Names& names) {
  Unmet unmet;
  unmet.group = in.get<uint64_t>();
  unmet.call = decode_state(in, names);
  unmet.more = in.get<size_t>();
  return unmet;
}

void encode(ByteWriter& out, const std::optional<Disagreement>& disagreement) {
  out.put(disagreement.has_value());
  if (!disagreement) return;
  out.put_text(disagreement->about);
  out.put(disagreement->group);
  out.put(disagreement->of_messages);
  out.put_list(disagreement->calls);
}

std::optional<Disagreement> decode_disagreement(ByteReader& in) {
  if (!in.get<bool>()) return std::nullopt;
  Disagreement disagreement;
  disagreement.about = in.get_text();
  disagreement.group = in.get<uint64_t>();
  disagreement.of_messages = in.get<bool>();
  disagreement.calls = in.get_list<Disagreement::Call>();
  return disagreement;
}

void encode(ByteWriter& out, const std::optional<Verdict>& verdict) {
  out.put(verdict.has_value());
  if (verdict) runtime::encode(out, *verdict);
}

std::optional<Verdict> decode_optional(ByteReader& in, Names& names) {
  if (!in.get<bool>()) return std::nullopt;
  return decode_verdict(in, names);
}

}  // namespace

void encode(ByteWriter& out, const Signature& signature) {
  out.put(signature.op);
  out.put(signature.dtype);
  out.put(signature.reduce);
  out.put(signature.root);
  out.put(signature.tag);
  out.put(signature.count);
  out.put(signature.shape_hash);
  out.put(signature.name_hash);
  out.put(signature.dims);
  out.put(signature.shape);
  out.put(signature.numel);
  out.put_text(signature.name);
  out.put_text(signature.implicit_in);
  encode(out, signature.site);
  out.put_list(std::vector<int>(signature.new_ranks.begin(), signature.new_ranks.end()));
}

Signature decode_signature(ByteReader& in, Names& names) {
  Signature signature;
  signature.op = in.get<OpType>();
  signature.dtype = in.get<DType>();
  signature.reduce = in.get<ReduceOp>();
  signature.root = in.get<int32_t>();
  signature.tag = in.get<int32_t>();
  signature.count = in.get<int64_t>();
  signature.shape_hash = in.get<uint64_t>();
  signature.name_hash = in.get<uint64_t>();
  signature.dims = in.get<int32_t>();
  signature.shape = in.get<std::array<int32_t, 6>>();
  signature.numel = in.get<int64_t>();
  signature.name = names.keep(in.get_text());
  signature.implicit_in = names.keep(in.get_text());
  signature.site = decode_site(in, names);
  signature.new_ranks = names.keep(in.get_list<int>());
  return signature;
}

void encode(ByteWriter& out, const Verdict& verdict) {
  out.put(verdict.kind);
  out.put_text(verdict.message);
  out.put_list(verdict.odd_ranks);
  encode(out, verdict.disagreement);
  out.put(verdict.ranks.size());
  for (const RankState& state : verdict.ranks) encode(out, state);
}

Verdict decode_verdict(ByteReader& in, Names& names) {
  Verdict verdict;
  verdict.kind = in.get<VerdictKind>();
  verdict.message = in.get_text();
  verdict.odd_ranks = in.get_list<int>();
  verdict.disagreement = decode_disagreement(in);
  for (auto left = in.get<size_t>(); left > 0 && !in.rest().empty(); --left)
    verdict.ranks.push_back(decode_state(in, names));
  return verdict;
}

void encode(ByteWriter& out, const RankReport& report) {
  encode(out, report.state);
  out.put(report.conditions.size());
  for (const WaitCondition& condition : report.conditions) {
    out.put(condition.needs);
    out.put_list(condition.targets);
  }
  out.put_list(report.sent);
  out.put_list(report.received);
  encode(out, report.dispute);
  encode(out, report.reuse);
  out.put(report.timed_out);
  out.put(report.unmet.size());
  for (const Unmet& unmet : report.unmet) encode(out, unmet);
  out.put(report.own_time.count());
}

RankReport decode_report(ByteReader& in, Names& names) {
  RankReport report;
  report.state = decode_state(in, names);
  for (auto left = in.get<size_t>(); left > 0 && !in.rest().empty(); --left) {
    const auto needs = in.get<WaitCondition::Needs>();
    report.conditions.push_back({.needs = needs, .targets = in.get_list<int>()});
  }
  report.sent = in.get_list<uint64_t>();
  report.received = in.get_list<uint64_t>();
  report.dispute = decode_optional(in, names);
  report.reuse = decode_optional(in, names);
  report.timed_out = in.get<bool>();
  for (auto left = in.get<size_t>(); left > 0 && !in.rest().empty(); --left)
    report.unmet.push_back(decode_unmet(in, names));
  report.own_time = std::chrono::milliseconds(in.get<std::chrono::milliseconds::rep>());
  return report;
}

}  // namespace ranklint::runtime
