/*
 * Memory for roots, data keys and the signing key. The memory is not swapped, not dumped and not inherited by a child process.
 */
#ifndef STRONGROOM_VAULT_H
#define STRONGROOM_VAULT_H
#include <stdbool.h>
#include <stddef.h>

#define KEY_BYTES 32
#define VAULT_SLOTS 384
#define VAULT_CONTEXT_BYTES 1024

struct bytes {
  unsigned char *at;
  size_t length;
};

/* The plain values of one signature. One set suffices, because only one thread calls the addon. */
struct scratch {
  unsigned char pseudorandom[KEY_BYTES];
  unsigned char wrapping[KEY_BYTES];
  unsigned char secret[KEY_BYTES + 16];
  unsigned char keypair[96];
  unsigned char signature[65];
  unsigned char plain_signature[64];
  unsigned char made[65];
};

/* Maps and locks the memory once. Returns false if the system refuses. */
bool vault_open(void);
struct scratch *vault_scratch(void);
void vault_wipe_scratch(void);
/* The memory of the blinded context of libsecp256k1, which holds a random scalar. */
void *vault_context_memory(void);

/* Copies 32 bytes into a free slot. Returns -1 if no slot is free. */
int vault_put(const unsigned char *key);
/* NULL for an empty slot. */
const unsigned char *vault_key(int slot);
void vault_drop(int slot);

#endif
