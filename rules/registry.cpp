// Every rule, one line each, sorted by code; one that is written in JSON as declared_rule("its-id"). What belongs to a
// rule is found from here.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/base/contain.h"
#include "analyzer/compare/facts.h"
#include "analyzer/project/project.h"
#include "rules/declarative/builtin.h"
#include "rules/declarative/declared_rule.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace ranklint {

#define RANKLINT_RULE(name) \
  namespace name {          \
  extern const Rule kRule;  \
  }
RANKLINT_RULE(rank_guarded_collective)
RANKLINT_RULE(early_exit_before_collective)
RANKLINT_RULE(divergent_collective_order)
RANKLINT_RULE(rank_dependent_loop)
RANKLINT_RULE(data_dependent_collective)
RANKLINT_RULE(exception_skips_collective)
RANKLINT_RULE(group_creation_not_by_all)
RANKLINT_RULE(non_member_collective)
RANKLINT_RULE(divergent_root)
RANKLINT_RULE(divergent_shape)
RANKLINT_RULE(cross_group_order)
RANKLINT_RULE(unwaited_work)
RANKLINT_RULE(collective_in_callback)
RANKLINT_RULE(unordered_iteration)
RANKLINT_RULE(generator_collective)
RANKLINT_RULE(redundant_guard)
RANKLINT_RULE(p2p_cycle)
RANKLINT_RULE(unmatched_p2p)
RANKLINT_RULE(p2p_self)
RANKLINT_RULE(batched_p2p_order)
RANKLINT_RULE(implicit_redistribute)
RANKLINT_RULE(implicit_collective_on_read)
RANKLINT_RULE(distribute_from_source_rank)
RANKLINT_RULE(mixed_tensor_dtensor)
RANKLINT_RULE(chunk_fewer_than_ranks)
RANKLINT_RULE(shard_on_device)
RANKLINT_RULE(placement_mismatch)
RANKLINT_RULE(sync_module_states_on_cpu)
RANKLINT_RULE(divergent_wrapping)
RANKLINT_RULE(rank_guarded_wrapper)
RANKLINT_RULE(rank0_weights_not_synced)
RANKLINT_RULE(meta_without_init)
RANKLINT_RULE(uneven_inputs)
RANKLINT_RULE(gathered_parameters_guard)
RANKLINT_RULE(clip_without_group)
RANKLINT_RULE(rank_guarded_state_dict)
RANKLINT_RULE(broadcast_metadata_mismatch)
RANKLINT_RULE(unsorted_shards)
RANKLINT_RULE(save_without_barrier)
RANKLINT_RULE(dcp_guard)
RANKLINT_RULE(shared_file_written_by_all)
RANKLINT_RULE(heads_not_divisible)
RANKLINT_RULE(degree_world_mismatch)
RANKLINT_RULE(sequence_not_padded)
RANKLINT_RULE(sp_inputs_differ)
RANKLINT_RULE(ring_skips_transfer)
RANKLINT_RULE(rank_guarded_warmup)
RANKLINT_RULE(device_not_bound)
RANKLINT_RULE(init_order)
RANKLINT_RULE(launcher_degrees)
RANKLINT_RULE(unmatched_collective)
RANKLINT_RULE(differing_collective_arguments)
RANKLINT_RULE(unmatched_message)
RANKLINT_RULE(send_cycle)
RANKLINT_RULE(message_mismatch)
RANKLINT_RULE(message_race)
RANKLINT_RULE(invalid_argument)
RANKLINT_RULE(invalid_handle)
RANKLINT_RULE(unwaited_request)
RANKLINT_RULE(request_misuse)
RANKLINT_RULE(buffer_in_use)
RANKLINT_RULE(aliased_buffers)
RANKLINT_RULE(buffer_type_mismatch)
RANKLINT_RULE(resource_leak)
RANKLINT_RULE(call_outside_mpi)
RANKLINT_RULE(epoch_misuse)
RANKLINT_RULE(window_conflict)
RANKLINT_RULE(thread_level)
RANKLINT_RULE(nccl_group_unbalanced)
RANKLINT_RULE(nccl_use_after_destroy)
RANKLINT_RULE(nccl_ungrouped_devices)
RANKLINT_RULE(nccl_own_unique_id)
RANKLINT_RULE(unused_suppression)
RANKLINT_RULE(unknown_rule)
RANKLINT_RULE(unreadable_source)
RANKLINT_RULE(partial_parse)
RANKLINT_RULE(unknown_callee)
#undef RANKLINT_RULE

std::span<const Rule> all_rules() {
  static const std::array rules = {
      rank_guarded_collective::kRule,  // RL101
      early_exit_before_collective::kRule,
      divergent_collective_order::kRule,
      rank_dependent_loop::kRule,
      data_dependent_collective::kRule,
      exception_skips_collective::kRule,
      group_creation_not_by_all::kRule,
      non_member_collective::kRule,
      divergent_root::kRule,
      divergent_shape::kRule,
      cross_group_order::kRule,
      unwaited_work::kRule,
      collective_in_callback::kRule,
      unordered_iteration::kRule,
      generator_collective::kRule,
      redundant_guard::kRule,
      p2p_cycle::kRule,  // RL201
      unmatched_p2p::kRule,
      p2p_self::kRule,
      batched_p2p_order::kRule,
      implicit_redistribute::kRule,
      implicit_collective_on_read::kRule,
      distribute_from_source_rank::kRule,
      mixed_tensor_dtensor::kRule,
      chunk_fewer_than_ranks::kRule,
      shard_on_device::kRule,
      placement_mismatch::kRule,
      sync_module_states_on_cpu::kRule,
      divergent_wrapping::kRule,
      rank_guarded_wrapper::kRule,
      rank0_weights_not_synced::kRule,
      meta_without_init::kRule,
      uneven_inputs::kRule,
      declared_rule("no-sync-divergent"),
      gathered_parameters_guard::kRule,
      clip_without_group::kRule,
      rank_guarded_state_dict::kRule,
      declared_rule("rank0-load-can-fail"),
      broadcast_metadata_mismatch::kRule,
      unsorted_shards::kRule,
      save_without_barrier::kRule,
      dcp_guard::kRule,
      shared_file_written_by_all::kRule,
      heads_not_divisible::kRule,  // RL601
      degree_world_mismatch::kRule,
      sequence_not_padded::kRule,
      sp_inputs_differ::kRule,
      ring_skips_transfer::kRule,
      rank_guarded_warmup::kRule,
      declared_rule("renamed-nccl-env"),  // RL701
      declared_rule("env-after-init"),
      declared_rule("watchdog-off"),
      declared_rule("long-work-before-collective"),
      device_not_bound::kRule,
      init_order::kRule,
      launcher_degrees::kRule,
      unmatched_collective::kRule,  // RL801
      differing_collective_arguments::kRule,
      unmatched_message::kRule,
      send_cycle::kRule,
      message_mismatch::kRule,
      message_race::kRule,
      invalid_argument::kRule,
      invalid_handle::kRule,
      unwaited_request::kRule,
      request_misuse::kRule,
      buffer_in_use::kRule,
      aliased_buffers::kRule,
      buffer_type_mismatch::kRule,
      resource_leak::kRule,
      call_outside_mpi::kRule,
      epoch_misuse::kRule,
      window_conflict::kRule,
      thread_level::kRule,
      nccl_group_unbalanced::kRule,
      nccl_use_after_destroy::kRule,
      nccl_ungrouped_devices::kRule,
      nccl_own_unique_id::kRule,
      unused_suppression::kRule,
      unknown_rule::kRule,
      unreadable_source::kRule,
      partial_parse::kRule,
      unknown_callee::kRule,
  };
  return rules;
}

const Rule* find_rule(std::string_view id_or_code) {
  auto same = [](std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
             auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
             return lower(x) == lower(y);
           });
  };
  for (const Rule& rule : all_rules())
    if (same(rule.info->id, id_or_code) || same(rule.info->code, id_or_code)) return &rule;
  return nullptr;
}

std::vector<std::string> watched_calls(std::span<const Rule> rules) {
  std::set<std::string> names;
  for (const Rule& rule : rules) names.insert(rule.calls.begin(), rule.calls.end());
  return {names.begin(), names.end()};
}

// Where declarations were not found, what follows is likely at best.
static void doubt_incomplete(const Facts& facts, std::vector<Finding>& findings) {
  std::set<std::string_view> incomplete;
  for (const ir::Module& module : facts.index->modules())
    if (module.incomplete) incomplete.insert(module.path);
  for (Finding& f : findings)
    if (incomplete.contains(f.primary.path)) f.confidence = std::min(f.confidence, Confidence::Likely);
}

std::vector<Finding> run_rules(const Facts& facts, std::span<const Rule> rules, std::vector<BrokenPiece>& broken) {
  std::vector<Finding> findings;
  for (const Rule& rule : rules) {
    const size_t before = findings.size();
    std::optional<std::string> what = contain([&] {
      if (rule.check)
        rule.check(facts, findings);
      else if (rule.declared)
        check_declared(*rule.info, *rule.declared, facts, findings);
    });
    if (!what) continue;
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(before), findings.end());
    broken.push_back({.stage = "rule " + std::string(rule.info->id), .what = std::move(*what)});
  }
  doubt_incomplete(facts, findings);
  std::sort(findings.begin(), findings.end());
  return findings;
}

std::vector<Finding> run_rules(const Facts& facts, std::span<const Rule> rules) {
  std::vector<BrokenPiece> broken;
  return run_rules(facts, rules, broken);
}

bool operator<(const Finding& a, const Finding& b) {
  return std::tie(a.primary.path, a.primary.range, a.code, a.message) <
         std::tie(b.primary.path, b.primary.range, b.code, b.message);
}

}  // namespace ranklint
