export NCCL_ASYNC_ERROR_HANDLING=1  # expect: [renamed-nccl-env] "old name"
export TORCH_NCCL_BLOCKING_WAIT=0
NCCL_BLOCKING_WAIT=1 torchrun --nproc_per_node=2 train.py  # expect: [renamed-nccl-env] "TORCH_NCCL_BLOCKING_WAIT"
export NCCL_DESYNC_DEBUG=1  # ranklint: ignore[renamed-nccl-env] PyTorch 2.0 on that cluster
