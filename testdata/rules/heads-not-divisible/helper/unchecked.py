from exchange import gather_seq_scatter_heads
from utils import divide, quotient


def forward_bad(query, hidden, sp_size):
    heads = quotient(query.num_heads, sp_size)
    rows = divide(hidden, 8)
    return gather_seq_scatter_heads(query, seq_dim=1, head_dim=2), heads, rows  # expect: [heads-not-divisible]
