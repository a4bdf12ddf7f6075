import argparse


def options_ok():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sp-size", type=int, default=4)  # expect-note: "the default"
    parser.add_argument("--tp-size", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=7)
    return parser.parse_args()
