#ifndef BASE_WARP_H
#define BASE_WARP_H

enum { WARP_LANES = 32 }; /* of every NVIDIA GPU so far */

#endif
