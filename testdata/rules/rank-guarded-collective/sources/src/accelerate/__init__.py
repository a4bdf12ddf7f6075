"""A library whose packages lie in a folder of sources: src/accelerate is imported as accelerate."""
