from exchange import gather_seq_scatter_heads
from utils import divide


def forward_ok(query, sp_size):
    heads = divide(query.num_heads, sp_size)
    return gather_seq_scatter_heads(query, seq_dim=1, head_dim=2), heads
