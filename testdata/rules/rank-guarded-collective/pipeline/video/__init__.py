"""A model is trained; for the negative prompt rank 0 builds a whole inference pipeline, which warms up."""
