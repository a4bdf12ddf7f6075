from model import wrapped


def export_ok():
    model = wrapped()
    model.save("out.pt")  # silent: [started-alone]


if __name__ == "__main__":
    export_ok()
