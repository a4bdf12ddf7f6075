class Trainer:
    group: "ProcessGroup"
    size: int = 1

    def __init__(self, group: Group | None = None) -> None:
        self.group: Group = group
        count: int
        items[0]: int = 1
