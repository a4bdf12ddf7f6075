torchrun --nproc_per_node=4 ./train.py  # expect: [launcher-degrees] "has 8 places"
torchrun --nproc_per_node=4 --nnodes 2 ./train.py
