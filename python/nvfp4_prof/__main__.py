"""The program itself: python -m nvfp4_prof, and what pip installs as nvfp4-prof."""
import os
import sys

from ._program import binary


def main() -> None:
    os.execv(binary(), ["nvfp4-prof", *sys.argv[1:]])


if __name__ == "__main__":
    main()
