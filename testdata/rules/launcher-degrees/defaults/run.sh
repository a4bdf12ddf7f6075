export OMP_NUM_THREADS=1
torchrun --nproc_per_node=6 train.py --batch-size 5  # expect: [launcher-degrees] "(its default)"
torchrun --nproc_per_node=6 train.py --sp-size 2
torchrun --nproc_per_node=6 other.py
