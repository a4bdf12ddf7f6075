from validation import check_heads
from exchange import gather_seq_scatter_heads, gather_heads_scatter_seq


def grouped_bad(query_states, key_states, value_states, attend):
    query_states = gather_seq_scatter_heads(query_states, seq_dim=1, head_dim=2)  # expect: [heads-not-divisible] "`query_states`"
    key_states = gather_seq_scatter_heads(key_states, seq_dim=1, head_dim=2)
    value_states = gather_seq_scatter_heads(value_states, seq_dim=1, head_dim=2)
    return gather_heads_scatter_seq(attend(query_states, key_states, value_states), head_dim=2, seq_dim=1)


def checked_in_a_callee_ok(self, query, sp_size):
    check_heads(self.config.num_heads, sp_size)
    return gather_seq_scatter_heads(query, seq_dim=1, head_dim=2)


def repeated_ok(key_states, sp_size, repeat_kv):
    key_states = repeat_kv(key_states, sp_size)
    return gather_seq_scatter_heads(key_states, seq_dim=1, head_dim=2)
