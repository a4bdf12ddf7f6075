def example(stream):
    while chunk := stream.read():
        use(chunk)
    if (n := len(stream)) > 10 and n < 20:
        use(n)
