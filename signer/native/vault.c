#define _GNU_SOURCE
#include "vault.h"

#include <string.h>
#include <sys/mman.h>

#include "openssl.h"

struct vault {
  unsigned char keys[VAULT_SLOTS][KEY_BYTES];
  struct scratch scratch;
  _Alignas(16) unsigned char context[VAULT_CONTEXT_BYTES];
};

static struct vault *vault;
static bool taken[VAULT_SLOTS];

bool vault_open(void) {
  if (vault != NULL) return true;
  void *memory = mmap(NULL, sizeof(struct vault), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (memory == MAP_FAILED) return false;
  if (mlock(memory, sizeof(struct vault)) != 0) {
    munmap(memory, sizeof(struct vault));
    return false;
  }
#ifdef MADV_DONTDUMP
  madvise(memory, sizeof(struct vault), MADV_DONTDUMP);
#endif
#ifdef MADV_DONTFORK
  madvise(memory, sizeof(struct vault), MADV_DONTFORK);
#endif
  vault = memory;
  return true;
}

struct scratch *vault_scratch(void) { return &vault->scratch; }

void vault_wipe_scratch(void) { OPENSSL_cleanse(&vault->scratch, sizeof(vault->scratch)); }

void *vault_context_memory(void) { return vault->context; }

int vault_put(const unsigned char *key) {
  for (int slot = 0; slot < VAULT_SLOTS; slot += 1) {
    if (taken[slot]) continue;
    memcpy(vault->keys[slot], key, KEY_BYTES);
    taken[slot] = true;
    return slot;
  }
  return -1;
}

const unsigned char *vault_key(int slot) {
  return slot >= 0 && slot < VAULT_SLOTS && taken[slot] ? vault->keys[slot] : NULL;
}

void vault_drop(int slot) {
  if (vault_key(slot) == NULL) return;
  OPENSSL_cleanse(vault->keys[slot], KEY_BYTES);
  taken[slot] = false;
}
