"""For tests/gpu/attach-ranks: data-parallel training of four layers, gradients summed over ranks: torchrun ... ddp.py [STEPS] [DIE_AT] [SLOW_MS].

Ranks beyond the GPUs share them, and then sum by gloo, since NCCL wants a GPU a rank.  At step DIE_AT the last rank ends itself by SIGKILL; in each step it runs a kernel of
SLOW_MS besides.  Rank 0 prints the mean step
of all but the first ten.
"""

import os
import signal
import sys
import time

import torch
import torch.distributed as dist


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    die_at = int(sys.argv[2]) if len(sys.argv) > 2 else -1
    slow_ms = float(sys.argv[3]) if len(sys.argv) > 3 else 0
    ranks, local = int(os.environ["WORLD_SIZE"]), int(os.environ["LOCAL_RANK"])
    gpu = local % torch.cuda.device_count()
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl" if ranks <= torch.cuda.device_count() else "gloo")
    model = torch.nn.Sequential(*[layer for _ in range(4) for layer in (torch.nn.Linear(2048, 2048), torch.nn.GELU())]).cuda()
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    x = torch.randn(2048, 2048, device="cuda")
    times = []
    for step in range(steps):
        start = time.perf_counter()
        with torch.cuda.nvtx.range("step"):
            model(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
            if slow_ms and dist.get_rank() == ranks - 1:
                torch.cuda._sleep(int(1.9e6 * slow_ms))  # cycles
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
        if step == die_at and dist.get_rank() == ranks - 1:
            os.kill(os.getpid(), signal.SIGKILL)
    if dist.get_rank() == 0:
        counted = times[10:] or times
        print(f"{ranks} ranks, {steps} steps: mean step {sum(counted) / len(counted):.3f} ms", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
