def barrier():
    pass
