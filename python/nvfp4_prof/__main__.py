"""The program itself: python -m nvfp4_prof, and what pip installs as nvfp4-prof."""
import os
import sys

from ._program import binary, environment


def main() -> None:
    os.execve(binary(), ["nvfp4-prof", *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
