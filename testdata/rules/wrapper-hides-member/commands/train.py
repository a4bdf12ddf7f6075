from model import wrapped


def train_bad():
    model = wrapped()
    model.save("last.pt")  # expect: [wrapper-hides-member] "`save`"


if __name__ == "__main__":
    train_bad()
