def shorten(text, width=40):
    return text if len(text) <= width else text[: width - 1] + "~"
