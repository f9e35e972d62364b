#pragma once

enum { WARP_LANES = 32 }; /* of every NVIDIA GPU so far */
