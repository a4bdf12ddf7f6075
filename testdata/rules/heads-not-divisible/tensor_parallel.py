# A check against the tensor-parallel size says nothing about the sequence-parallel one.
from exchange import gather_seq_scatter_heads


class Attention:
    def __init__(self, config, tp_size):
        assert config.num_heads % tp_size == 0

    def forward_bad(self, query):
        return gather_seq_scatter_heads(query, seq_dim=1, head_dim=2)  # expect: [heads-not-divisible]
