from trainers import Unused, Used

if __name__ == "__main__":
    Used(make_model()).save("last.pt")
