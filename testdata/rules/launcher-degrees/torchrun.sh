#!/bin/bash
GPUS=8
NODES=1
WORLD=$((GPUS * NODES))
MODEL=(
    --tensor-model-parallel-size 4   # how heads are split
    --pipeline-model-parallel-size 4
)

torchrun --nproc_per_node $GPUS --nnodes=$NODES pretrain.py "${MODEL[@]}"  # expect: [launcher-degrees] "is 16"

python -m torch.distributed.launch --nproc_per_node=3 \
    --master_port 29501 \
    sample.py --prompt "two cats; one dog" \
    --ring_degree 1 \
    --ulysses_degree 2  # expect: [launcher-degrees] "the last 1 would be in no group"

accelerate launch --num_processes 2 train.py --sp_size 4  # expect: [launcher-degrees] "not enough ranks"

torchrun --nproc_per_node=$WORLD train.py --sp_size 4 --tp-size=2

CUDA_VISIBLE_DEVICES=0,1,2 torchrun --nproc_per_node=gpu train.py --sp_size 2  # expect: [launcher-degrees] "the last 1 would be in no group"
torchrun --nproc_per_node=gpu train.py --sp_size 2
deepspeed --include localhost:0,1,2 train.py --sp_size 2  # expect: [launcher-degrees] "the last 1 would be in no group"
deepspeed --include worker-0@worker-1:0,2 train.py --sp_size 3
srun --ntasks=6 --gpus-per-task=1 python train.py --tensor-parallel-size 4  # expect: [launcher-degrees] "the last 2 would be in no group"
srun --nodes 2 --ntasks-per-node 3 python train.py --sp_size 4  # expect: [launcher-degrees] "the last 2 would be in no group"
srun --ntasks-per-node 3 python train.py --sp_size 4
srun --ntasks=2 torchrun --nproc_per_node 4 --nnodes $N train.py --sp_size 3
torchrun --nproc_per_node 3 sample.py --use_cfg_parallel --ulysses_degree 3  # expect: [launcher-degrees] "`cfg_parallel_size` is 2"

# What is not known is not compared.
torchrun --nproc_per_node=$1 train.py --sp_size 3
torchrun --nproc_per_node 8 --nnodes ${SLURM_NNODES} train.py --sp_size 3
deepspeed --hostfile hosts --num_gpus 8 train.py --sp_size 3
if [ "$LARGE" ]; then DEGREE=3; else DEGREE=2; fi
torchrun --nproc_per_node 8 train.py --sp_size $DEGREE

cat <<EOF
torchrun --nproc_per_node 3 train.py --sp_size 2
EOF
