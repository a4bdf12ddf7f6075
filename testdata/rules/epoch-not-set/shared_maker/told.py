from data import make_loaders
from progress import Progress


def train_an_epoch(model, loader):
    for batch in Progress().every(loader, 10):
        model(batch).backward()


def main_ok(model, datasets, epochs):
    train, test = make_loaders(datasets, [True, False])
    for epoch in range(epochs):
        train.sampler.set_epoch(epoch)
        train_an_epoch(model, train)
