from data import get_loaders
from epochs import epochs_of


def main_ok(model, train, test, epochs):
    train_loader, test_loader = get_loaders(train, test)
    for epoch in epochs_of(train_loader, epochs):
        for batch in train_loader:
            model(batch).backward()
