"""A third program goes through its samples again and again and learns nothing of them."""
from data import make_loaders
from progress import Progress


def main_ok(model, datasets, epochs):
    train, test = make_loaders(datasets, [True, False])
    for epoch in range(epochs):
        for batch in Progress().every(train, 10):
            print(model(batch))
