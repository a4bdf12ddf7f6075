"""A time-out of the settings that nothing reads, where a group is made with others of the settings."""
from dataclasses import dataclass
from datetime import timedelta

import torch.distributed as dist
from transformers import PretrainedConfig


@dataclass
class Settings:  # expect-note: "it is declared here"
    backend: str = "nccl"
    timeout_minutes: int = 60


@dataclass
class ReadSettings:
    backend: str = "nccl"
    start_timeout: int = 60


@dataclass
class OtherSettings:
    address: str = ""
    request_timeout: int = 60


def start_bad(settings: Settings):
    dist.init_process_group(settings.backend)  # expect: [timeout-not-passed-on] "`timeout_minutes`"


def start_ok(settings: ReadSettings):
    timeout = timedelta(minutes=settings.start_timeout)
    dist.init_process_group(settings.backend, timeout=timeout)


def start_elsewhere_ok(settings: OtherSettings, url):
    print(settings.address)
    dist.init_process_group("nccl", init_method=url)


class LibrarySettings(PretrainedConfig):
    pass


class DerivedSettings(LibrarySettings):
    backend: str = "nccl"
    join_timeout: int = 60


def start_with_derived_ok(settings: DerivedSettings):
    dist.init_process_group(settings.backend)
