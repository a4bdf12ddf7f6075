"""Functions that look at the remainder of one parameter by another, and one that does not."""


def ensure_divisibility(number, by):
    assert number % by == 0, f"{number} is not a multiple of {by}"


def divide(number, by):
    ensure_divisibility(number, by)
    return number // by


def quotient(number, by):
    return number // by
