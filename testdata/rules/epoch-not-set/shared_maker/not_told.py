"""Another program that takes its sampler from the same function; what the first does says nothing of it."""
from data import make_loaders
from progress import Progress


def train_an_epoch(model, loader):
    for batch in Progress().every(loader, 10):
        model(batch).backward()


def main_bad(model, datasets, epochs):
    train, test = make_loaders(datasets, [True, False])
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        train_an_epoch(model, train)
