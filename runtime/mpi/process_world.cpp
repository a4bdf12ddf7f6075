#include "runtime/mpi/process_world.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "runtime/group/groups.h"
#include "runtime/group/watch/findings.h"
#include "runtime/mpi/last_words.h"

namespace ranklint::runtime {

namespace {

// Ranks that are processes take longer to come to one place than threads do.
constexpr std::chrono::milliseconds kLeastSettle{1000};
// How long a rank may still compute once there is a verdict, before the job is taken down.
constexpr std::chrono::seconds kGrace{10};
constexpr size_t kBusyRounds = 200;
constexpr std::chrono::milliseconds kBetweenOwnTimes{20};

std::vector<int> all_ranks(int world_size) {
  std::vector<int> ranks(static_cast<size_t>(world_size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

ProcessWorld::ProcessWorld(Wire& wire, Names& names, const WorldOptions& options)
    : wire_(wire),
      options_(options),
      names_(names),
      recorder_(wire.rank(), options.recorder_entries, options.default_timeout),
      others_(static_cast<size_t>(wire.size())),
      sent_(static_cast<size_t>(wire.size())),
      received_(static_cast<size_t>(wire.size())) {
  world_group_ = &add_group({.id = 0, .name = "world", .ranks = all_ranks(wire.size())}, wire.rank());
  if (rank() == 0) arbiter_.emplace(wire.size(), std::max(options.settle, kLeastSettle));
  mover_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      {
        const Lock held = lock();
        progress();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
}

ProcessWorld::~ProcessWorld() {
  mover_.request_stop();
  mover_.join();
}

ProcessGroupState& ProcessWorld::add_group(GroupInfo info, int member) {
  const uint64_t id = info.id;
  recorder_.add_group({id, info.name, info.ranks});
  auto made = std::make_unique<ProcessGroupState>();
  made->info = std::move(info);
  made->member = member;
  ProcessGroupState& group = *(groups_[id] = std::move(made));
  const auto early = early_.extract(id);
  if (!early.empty())
    for (const Letter& letter : early.mapped()) dispatch(letter.from, letter.bytes);
  return group;
}

void ProcessWorld::send_about_calls(int to, Bytes letter) {
  ++sent_[static_cast<size_t>(to)];
  ++changes_;
  wire_.send(to, std::move(letter));
}

Collective& ProcessWorld::collective(ProcessGroupState& group, uint64_t sequence) {
  std::shared_ptr<Collective>& found = group.open[sequence];
  if (!found) found = std::make_shared<Collective>(group.info, group.member, sequence);
  return *found;
}

Collective::Outbox ProcessWorld::outbox(ProcessGroupState& group, uint64_t sequence) {
  const auto head = [&group, sequence](Kind kind) {
    ByteWriter out;
    out.put(kind);
    out.put(group.info.id);
    out.put(sequence);
    return out;
  };
  return {
      .letter =
          [this, &group, head](int member, Bytes posting) {
            ByteWriter out = head(Kind::Posting);
            out.put_bytes(posting.data(), posting.size());
            send_about_calls(group.info.global_rank(member), out.take());
          },
      .bulk =
          [this, &group, head](int member, int round, std::span<const std::byte> bytes, std::shared_ptr<size_t> open) {
            ByteWriter out = head(Kind::Bulk);
            out.put(round);
            out.put(bytes.size());
            const int to = group.info.global_rank(member);
            send_about_calls(to, out.take());
            wire_.give(to, bytes.data(), bytes.size(), std::move(open));
          },
  };
}

std::shared_ptr<Collective> ProcessWorld::post(ProcessGroupState& group, const Call& call, bool asynchronous) {
  throw_if_ended();
  const uint64_t sequence = ++group.collectives;
  collective(group, sequence);
  std::shared_ptr<Collective> posted = group.open[sequence];
  if (!posted->post(call, asynchronous && options_.check_buffers, outbox(group, sequence)))
    note({.group = &group.info, .entry = &posted->entry(), .sequence = sequence});
  posted->step(outbox(group, sequence));
  return posted;
}

void ProcessWorld::dispatch(int from, std::span<const std::byte> letter) {
  ByteReader in(letter);
  switch (const auto kind = in.get<Kind>()) {
    case Kind::Report:
      if (arbiter_) arbiter_->take(decode_report(in, names_));
      return;
    case Kind::Ask:
      asked_ = true;
      own_time_.start_over();
      return;
    case Kind::Gone: others_[static_cast<size_t>(from)].state = WaitNode::State::Gone; return;
    case Kind::Ended:
      if (!is_ended()) end_with(decode_verdict(in, names_));
      return;
    case Kind::Bye: return take_bye(in);
    default: {
      const auto id = in.get<uint64_t>();
      const auto found = groups_.find(id);
      if (found == groups_.end()) {
        early_[id].push_back({.from = from, .bytes = {letter.begin(), letter.end()}});
        return;
      }
      ProcessGroupState& group = *found->second;
      const int member = member_of(group.info.ranks, from);
      if (kind == Kind::Posting) take_posting(group, member, in);
      if (kind == Kind::Bulk) take_bulk(group, from, in);
      if (kind == Kind::Send) take_send(group, member, in);
      if (kind == Kind::Fetch) take_fetch(group, from, in);
      if (kind == Kind::MessageBulk) take_message_bulk(group, from, in);
    }
  }
}

void ProcessWorld::take_posting(ProcessGroupState& group, int member, ByteReader& in) {
  Collective& at = collective(group, in.get<uint64_t>());
  if (!at.arrived(member, in, names_)) note({.group = &group.info, .entry = &at.entry(), .sequence = at.sequence()});
}

void ProcessWorld::take_bulk(ProcessGroupState& group, int from, ByteReader& in) {
  Collective& at = collective(group, in.get<uint64_t>());
  const auto round = in.get<int>();
  const auto size = in.get<size_t>();
  Collective::Place place = at.expect_bulk(member_of(group.info.ranks, from), round, size);
  wire_.take(from, place.data, size, std::move(place.open));
}

bool ProcessWorld::is_about_calls(Kind kind) { return kind <= Kind::MessageBulk; }

void ProcessWorld::progress() {
  if (drained_) return;
  wire_.progress();
  while (const std::optional<Letter> letter = wire_.receive()) {
    const auto kind = static_cast<Kind>(letter->bytes.front());
    if (is_about_calls(kind)) {
      ++received_[static_cast<size_t>(letter->from)];
      ++changes_;
    }
    dispatch(letter->from, letter->bytes);
  }
  if (!leaving_) step_all();
  // A rank that others think they know the state of says when it is another.
  if (!is_ended() && phase_ != RankPhase::Running && told_ != changes_) tell();
  if (asked_ && !is_ended() && phase_ == RankPhase::Running) tell_own_time();
  arbitrate();
  abort_if_overdue();
}

void ProcessWorld::step_all() {
  for (const auto& [id, group] : groups_)
    for (const auto& [sequence, each] : group->open) each->step(outbox(*group, sequence));
}

void ProcessWorld::note(Dispute dispute) {
  if (dispute_) return;
  dispute_ = std::move(dispute);
  tell();
}

std::vector<Unmet> ProcessWorld::unmet() const {
  std::vector<Unmet> all;
  for (const auto& [id, group] : groups_) {
    for (const auto& [sequence, each] : group->open) {
      const WaitFor wait{.group = &group->info, .member = group->member, .entry = &each->entry(), .sequence = sequence};
      if (each->is_posted() && !is_ready(wait)) add(all, unmet_of(wait));
    }
    for (const ArrivedSend& send : group->box.queue.sends()) add(all, unmet_of(group->info, facts_of(send)));
    for (const auto& receive : group->box.queue.receives()) add(all, unmet_of(group->info, facts_of(receive)));
  }
  return all;
}

RankReport ProcessWorld::report() const {
  RankReport report{.state = {.rank = rank(), .phase = phase_, .error = error_},
                    .conditions = {},
                    .sent = sent_,
                    .received = received_,
                    .dispute = {},
                    .reuse = reuse_,
                    .timed_out = timed_out_,
                    .unmet = {},
                    .own_time = own_time_.passed()};
  if (dispute_) report.dispute = verdict_of(*dispute_);
  if (phase_ == RankPhase::Finished) report.unmet = unmet();
  if (phase_ != RankPhase::Waiting) return report;
  for (const WaitFor& wait : waits_) {
    if (is_ready(wait)) continue;
    if (report.conditions.empty()) describe(wait, report.state);
    report.conditions.push_back(condition_of(wait));
  }
  if (report.conditions.empty()) report.state.phase = RankPhase::Running;
  return report;
}

void ProcessWorld::tell() {
  if (is_ended()) return;
  told_ = changes_;
  if (arbiter_) return arbiter_->take(report());
  ByteWriter out;
  out.put(Kind::Report);
  encode(out, report());
  wire_.send(0, out.take());
}

void ProcessWorld::tell_own_time() {
  own_time_.look();
  if (Clock::now() < told_own_time_at_ + kBetweenOwnTimes) return;
  told_own_time_at_ = Clock::now();
  tell();
}

void ProcessWorld::tell_others(Kind kind) {
  for (int other = 0; other < wire_.size(); ++other)
    if (other != rank()) wire_.send(other, {static_cast<std::byte>(kind)});
}

// Everybody, once: what a rank that computes says of its time begins with this.
void ProcessWorld::ask() {
  if (asked_) return;
  asked_ = true;
  own_time_.start_over();
  tell_others(Kind::Ask);
}

void ProcessWorld::arbitrate() {
  if (!arbiter_ || is_ended()) return;
  std::optional<Verdict> verdict = arbiter_->look(Clock::now());
  if (!verdict && arbiter_->holds_back()) ask();
  if (!verdict) return;
  for (int other = 1; other < wire_.size(); ++other) {
    ByteWriter out;
    out.put(Kind::Ended);
    encode(out, *verdict);
    wire_.send(other, out.take());
  }
  end_with(std::move(*verdict));
}

void ProcessWorld::end_with(Verdict verdict) {
  verdict_ = std::move(verdict);
  ended_at_ = Clock::now();
}

bool ProcessWorld::never_ends(std::span<const WaitFor> waits) const {
  return dispute_ || would_be_stuck(others_, node_of(waits));
}

void ProcessWorld::throw_if_ended() const {
  if (is_ended()) throw RankError({.kind = error_kind_of(verdict_->kind), .message = verdict_->message});
}

// The mover goes on meanwhile.
void ProcessWorld::wait_a_little(Lock& lock, size_t idle_rounds) {
  lock.unlock();
  if (idle_rounds < kBusyRounds)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  lock.lock();
}

void ProcessWorld::await(Lock& lock, std::span<const WaitFor> waits, const std::function<bool()>& moved,
                         std::chrono::milliseconds timeout) {
  const Clock::time_point deadline = deadline_after(options_.in_force(timeout));
  const auto all_met = [&] { return std::ranges::all_of(waits, [](const auto& wait) { return is_ready(wait); }); };
  for (size_t rounds = 0;; ++rounds) {
    progress();
    const bool met = all_met();
    if (met && moved()) break;
    throw_if_ended();
    if (!met && phase_ == RankPhase::Running && rounds > kBusyRounds) {
      phase_ = RankPhase::Waiting;
      waits_.assign(waits.begin(), waits.end());
      tell();
    }
    if (!met && !timed_out_ && Clock::now() >= deadline) {
      phase_ = RankPhase::Waiting;
      waits_.assign(waits.begin(), waits.end());
      timed_out_ = true;
      tell();
    }
    wait_a_little(lock, rounds);
  }
  if (phase_ == RankPhase::Running) return;
  phase_ = RankPhase::Running;
  waits_.clear();
  tell();
}

void ProcessWorld::blame_reuse(Lock& lock, const ProcessGroupState& group, const Call& call, uint64_t sequence,
                               Site at) {
  reuse_ = reuse_verdict({.rank = rank(),
                          .op = call.op,
                          .group = group.info.name,
                          .sequence = sequence,
                          .detail = describe(signature_of(call), group.info.global_rank(call.root)),
                          .site = call.site},
                         at);
  tell();
  for (size_t rounds = 0;; ++rounds) {
    progress();
    throw_if_ended();
    wait_a_little(lock, rounds);
  }
}

Bytes ProcessWorld::goodbye() const {
  ByteWriter out;
  out.put(Kind::Bye);
  out.put(groups_.size());
  for (const auto& [id, group] : groups_) {
    std::vector<uint64_t> incomplete;
    for (const auto& [sequence, collective] : group->open)
      if (sequence <= group->collectives) incomplete.push_back(sequence);
    out.put(id);
    out.put(group->collectives);
    out.put_list(incomplete);
  }
  return out.take();
}

void ProcessWorld::take_bye(ByteReader& in) {
  ++byes_;
  for (auto left = in.get<size_t>(); left > 0; --left) {
    const auto id = in.get<uint64_t>();
    const auto collectives = in.get<uint64_t>();
    left_with_.emplace(id, Progress{.collectives = collectives, .incomplete = in.get_list<uint64_t>()});
  }
}

// Everything that is under way comes through before anybody leaves. Whoever has said goodbye begins nothing any more.
void ProcessWorld::drain(Lock& lock) {
  leaving_ = true;
  for (int other = 0; other < wire_.size(); ++other) wire_.send(other, goodbye());
  const auto all_through = [&] { return byes_ == static_cast<size_t>(wire_.size()) && wire_.quiet(); };
  for (size_t rounds = 0; !all_through(); ++rounds) {
    progress();
    wait_a_little(lock, rounds);
  }
  drained_ = true;
  wire_.begin_barrier();
  for (size_t rounds = 0; !wire_.passed_barrier(); ++rounds) wait_a_little(lock, rounds);
}

// A rank that computes forever cannot be asked to stop.
void ProcessWorld::abort_if_overdue() {
  if (!arbiter_ || !is_ended() || verdict_->kind == VerdictKind::Ok || Clock::now() < ended_at_ + kGrace) return;
  std::printf("%s\n", verdict_->to_json().c_str());
  std::fprintf(stderr, "some ranks do not come to an end after the verdict: the job is aborted\n");
  wait_until_read();
  wire_.abort();
}

WorldReport ProcessWorld::end(std::optional<Error> error) {
  Lock held = lock();
  if (!is_ended()) {
    phase_ = error ? RankPhase::Threw : RankPhase::Finished;
    if (error) error_ = error->message;
    waits_.clear();
    tell();
    tell_others(Kind::Gone);
  }
  for (size_t rounds = 0; !is_ended(); ++rounds) {
    progress();
    wait_a_little(held, rounds);
  }
  drain(held);
  const auto is_completed = [this](uint64_t group, uint64_t sequence) {
    const auto [begin, end] = left_with_.equal_range(group);
    return std::any_of(begin, end, [&](const auto& each) { return each.second.has_completed(sequence); });
  };
  clock_.read_again();
  WorldReport report{.verdict = *verdict_, .errors = {}, .flight_records = {}};
  report.errors.resize(static_cast<size_t>(wire_.size()));
  report.flight_records.resize(static_cast<size_t>(wire_.size()));
  report.errors[static_cast<size_t>(rank())] = std::move(error);
  report.flight_records[static_cast<size_t>(rank())] = recorder_.to_json(clock_, *verdict_, is_completed);
  return report;
}

}  // namespace ranklint::runtime
