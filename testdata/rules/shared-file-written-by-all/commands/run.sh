# What the project starts as several processes, and what as one.
torchrun --nproc_per_node=8 train.py
python export.py --last
python tools/spawn.py
