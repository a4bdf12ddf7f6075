def exchange_embeddings_ok(inputs_embeds, gather_seq_scatter_heads, group):
    return gather_seq_scatter_heads(inputs_embeds, seq_dim=1, head_dim=2, group=group)
