from setuptools import setup

setup(name="steps", py_modules=["steps"])
