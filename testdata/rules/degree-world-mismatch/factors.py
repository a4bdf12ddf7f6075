from engine import initialize_model_parallel


def start_bad(ring_degree, ulysses_degree):
    initialize_model_parallel(sequence_parallel_degree=ulysses_degree, ring_degree=ring_degree, ulysses_degree=ulysses_degree)  # expect: [degree-world-mismatch] "`ring_degree`"


def start_ok(ring_degree, ulysses_degree):
    initialize_model_parallel(
        sequence_parallel_degree=ring_degree * ulysses_degree, ring_degree=ring_degree, ulysses_degree=ulysses_degree
    )
    initialize_model_parallel(sequence_parallel_degree=ulysses_degree, ring_degree=1, ulysses_degree=ulysses_degree)
