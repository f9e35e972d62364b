"""Two ranks that do different work, so that their run files can be told apart: rank 0 the softmax, rank 1 the layer norm, then one all-reduce.

    torchrun --nproc_per_node=2 ranks.py
"""

import os

import torch
import torch.distributed as dist


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    x = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    norm = torch.nn.LayerNorm(4096, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        for _ in range(300 * (rank + 1)):
            y = torch.softmax(x, dim=-1) if rank == 0 else norm(x)
    total = y.sum(dtype=torch.float32)
    dist.all_reduce(total)
    torch.cuda.synchronize()
    print(f"rank {rank} of {dist.get_world_size()}: sum over ranks {total.item():.0f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
