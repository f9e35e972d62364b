"""The last row of a picture that is not of its first row's colour throughout, from 1: png_height.py FILE.png (8 bits a channel, no interlace)."""
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as f:
    data = f.read()
at, packed, width, height, channels = 8, b"", 0, 0, 0
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at : at + 8])
    if kind == b"IHDR":
        width, height, _, colour = struct.unpack(">IIBB", data[at + 8 : at + 18])
        channels = {2: 3, 6: 4}[colour]
    elif kind == b"IDAT":
        packed += data[at + 8 : at + 8 + size]
    at += 12 + size
rows = zlib.decompress(packed)
stride = width * channels + 1
# A filtered row that repeats what stands above or to its left holds zeros alone.
print(max((y for y in range(height) if any(rows[y * stride + 1 : (y + 1) * stride])), default=0) + 1)
