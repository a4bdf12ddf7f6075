"""Pictures, films and texts that all ranks put into a folder which one of them makes."""
import os

import cv2
import imageio
import torch.distributed as dist
from PIL import Image
from torchvision.utils import save_image


def in_rounds_bad(args, batches, sample):
    rank = dist.get_rank()
    folder = f"{args.folder}/{args.name}"
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
    done = 0
    for batch in batches:
        for i, picture in enumerate(sample(batch)):
            number = i * dist.get_world_size() + rank + done
            Image.fromarray(picture).save(f"{folder}/{number:06d}.png")  # expect: [save-without-barrier] "`save`"
        done += len(batch) * dist.get_world_size()
        dist.barrier()


def frames_bad(folder, frames):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    for i, frame in enumerate(frames):
        cv2.imwrite(os.path.join(folder, f"{dist.get_rank()}-{i}.png"), frame)  # expect: [save-without-barrier] "`imwrite`"
    dist.barrier()


def films_bad(folder, film):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    imageio.mimwrite(f"{folder}/{dist.get_rank()}.mp4", film)  # expect: [save-without-barrier] "`mimwrite`"
    dist.barrier()


def texts_bad(folder, text):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{dist.get_rank()}.txt", "w") as file:  # expect: [save-without-barrier] "`open`"
        file.write(text)
    dist.barrier()


def behind_a_barrier_ok(folder, pictures):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    dist.barrier()
    for i, picture in enumerate(pictures):
        save_image(picture, f"{folder}/{dist.get_rank()}-{i}.png")


def beside_the_folder_ok(folder, picture):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    save_image(picture, f"{folder}-{dist.get_rank()}.png")
    dist.barrier()


def made_by_all_ok(folder, picture):
    os.makedirs(folder, exist_ok=True)
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    save_image(picture, f"{folder}/{dist.get_rank()}.png")
    dist.barrier()


def another_folder_by_then_ok(folder, pictures):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    for i, picture in enumerate(pictures):
        for part in picture:
            folder = os.path.dirname(part.name)
            save_image(part, f"{folder}/{dist.get_rank()}-{i}.png")
    dist.barrier()
