from .base import Pipeline


class TextToVideo(Pipeline):
    required = ("tokenizer", "encoder", "transformer")

    def encode(self, prompt):
        return [ord(letter) for letter in prompt]
