from setuptools import setup

setup(name="new", install_requires=["numpy", "pytorch-lightning>=2.1"])
