from exchange import gather_seq_scatter_heads


class Config:
    def __post_init__(self):
        if self.num_attention_heads % self.sp_size != 0:
            raise ValueError("heads do not divide")


def forward_ok(query):
    return gather_seq_scatter_heads(query, seq_dim=1, head_dim=2)
