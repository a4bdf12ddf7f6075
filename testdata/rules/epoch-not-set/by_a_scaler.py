"""A step in which something that is handed over runs the backward pass."""
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Progress:
    def every(self, iterable, freq):
        for i, one in enumerate(iterable):
            if i % freq == 0:
                print(i)
            yield one


def train_an_epoch(model, loader, optimizer, scaler):
    for x, target in Progress().every(loader, 20):
        loss = model(x, target)
        scaler(loss, optimizer, parameters=model.parameters())
        optimizer.zero_grad()


def evaluate(model, loader):
    with torch.no_grad():
        return [model(x, target) for x, target in Progress().every(loader, 20)]


def main_bad(model, dataset, optimizer, scaler, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=True))
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        train_an_epoch(model, loader, optimizer, scaler)


def look_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=True))
    for epoch in range(epochs):
        evaluate(model, loader)
