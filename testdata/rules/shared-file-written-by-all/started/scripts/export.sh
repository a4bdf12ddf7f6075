python export.py --last
