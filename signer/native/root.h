/* Keeps the root of the key envelopes in locked memory. Wraps as kek.ts does: AES-256-GCM with iv, ciphertext and tag. */
#ifndef STRONGROOM_ROOT_H
#define STRONGROOM_ROOT_H
#include "vault.h"

#define ROOT_ID_BYTES 8
#define WRAP_IV_BYTES 12
#define WRAP_TAG_BYTES 16
#define WRAP_BYTES (WRAP_IV_BYTES + WRAP_TAG_BYTES)

/* Derives the public id of the root that this secret of 32 bytes yields. */
bool root_id(const unsigned char *secret, unsigned char id[ROOT_ID_BYTES]);
/* Derives the root into a free slot. Returns -1 on a failure. */
int root_put(const unsigned char *secret);
/* `out` has WRAP_BYTES more than `plain`. */
bool root_wrap(const unsigned char *root, struct bytes plain, struct bytes associated, unsigned char *out);
/* `out` has WRAP_BYTES less than `wrapped`, and contains zeros if this function fails. */
bool root_unwrap(const unsigned char *root, struct bytes wrapped, struct bytes associated, unsigned char *out);

#endif
