"""For tests/gpu/attach-ranks: ranks that compute and then wait for each other: torchrun ... ddp.py [STEPS] [DIE_AT] [SLOW_MS] [--how ddp|fsdp|tensor].

ddp: data-parallel training of four layers, gradients summed over ranks.  fsdp: a small transformer whose layers' weights are gathered while the layers
before compute.  tensor: a product of matrices divided over ranks, its parts summed.  Ranks beyond the GPUs share them, and then sum by gloo, since NCCL
wants a GPU a rank.  At step DIE_AT the last rank ends itself by SIGKILL; in each step it runs a kernel of SLOW_MS besides.  Rank 0 prints the mean
step of all but the first ten, the median, the mean of the last third, and the steps that took more than twice the median.
"""

import argparse
import os
import signal
import statistics
import time

import torch
import torch.distributed as dist
from torch import nn


def ddp(gpu):
    model = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(2048, 2048), nn.GELU())]).cuda()
    model = nn.parallel.DistributedDataParallel(model, device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    x = torch.randn(2048, 2048, device="cuda")

    def step():
        model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def fsdp(_):
    from torch.distributed.fsdp import fully_shard

    torch.manual_seed(1)
    model = nn.Sequential(
        *[nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0, batch_first=True, norm_first=True) for _ in range(6)]
    ).to("cuda", torch.bfloat16)
    for layer in model:
        fully_shard(layer)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    x = torch.randn(8, 512, 1024, device="cuda", dtype=torch.bfloat16)

    def step():
        model(x).float().square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def tensor(_):
    ranks = dist.get_world_size()
    x = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    up = torch.randn(4096, 16384 // ranks, device="cuda", dtype=torch.bfloat16) * 0.01
    down = torch.randn(16384 // ranks, 4096, device="cuda", dtype=torch.bfloat16) * 0.01

    def step():
        y = nn.functional.gelu(x @ up) @ down
        dist.all_reduce(y)

    return step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("steps", type=int, nargs="?", default=300)
    parser.add_argument("die_at", type=int, nargs="?", default=-1)
    parser.add_argument("slow_ms", type=float, nargs="?", default=0)
    parser.add_argument("--how", choices=("ddp", "fsdp", "tensor"), default="ddp")
    args = parser.parse_args()
    ranks, local = int(os.environ["WORLD_SIZE"]), int(os.environ["LOCAL_RANK"])
    gpu = local % torch.cuda.device_count()
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl" if ranks <= torch.cuda.device_count() else "gloo")
    run = {"ddp": ddp, "fsdp": fsdp, "tensor": tensor}[args.how](gpu)
    last = dist.get_rank() == ranks - 1
    times = []
    for step in range(args.steps):
        start = time.perf_counter()
        with torch.cuda.nvtx.range("step"):
            run()
            if args.slow_ms and last:
                torch.cuda._sleep(int(1.9e6 * args.slow_ms))  # cycles
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
        if step == args.die_at and last:
            os.kill(os.getpid(), signal.SIGKILL)
    if dist.get_rank() == 0:
        counted = times[10:] or times
        median, third = statistics.median(counted), times[-max(1, args.steps // 3) :]
        slow = ", ".join(f"{i}: {t:.0f}" for i, t in enumerate(times) if i >= 10 and t > 2 * median)
        print(f"{args.how}, {ranks} ranks, {args.steps} steps: mean step {statistics.mean(counted):.3f} ms, median {median:.3f} ms, "
              f"last third {statistics.mean(third):.3f} ms; slow steps, ms: {slow or 'none'}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
