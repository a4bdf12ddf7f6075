from video.distributed import get_world_group
from video.pipelines.text_to_video import TextToVideo


class Conditioning:
    def __init__(self, path, device):
        self.path = path
        self.device = device
        self.negative = None
        self.init_distributed()

    def init_distributed(self):
        self.world_group = get_world_group()

    def ensure_negative_bad(self, prompt):
        embedding = None
        if self.world_group.rank_in_group == 0:
            pipeline = TextToVideo.from_pretrained(self.path, self.device)  # expect: [rank-guarded-warmup] "`all_to_all`"
            embedding = pipeline.encode(prompt)
        self.negative = self.world_group.broadcast_object(embedding)

    def ensure_negative_everywhere_ok(self, prompt):
        pipeline = TextToVideo.from_pretrained(self.path, self.device)
        embedding = pipeline.encode(prompt) if self.world_group.rank_in_group == 0 else None
        self.negative = self.world_group.broadcast_object(embedding)

    def ensure_negative_without_pipeline_ok(self, prompt):
        embedding = None
        if self.world_group.rank_in_group == 0:
            pipeline = TextToVideo(self.path, self.device)
            embedding = pipeline.encode(prompt)
        self.negative = self.world_group.broadcast_object(embedding)
