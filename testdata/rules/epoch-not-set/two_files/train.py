from data import get_loaders


def main_bad(model, train, test, epochs):
    train_loader, test_loader = get_loaders(train, test)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in train_loader:
            model(batch).backward()
        for batch in test_loader:
            model(batch)
