/*
 * bare-signing <form> <count>: signs and verifies with libsecp256k1 alone. No key is sealed, and no code of the service runs.
 * Prints the CPU time in nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../signer/native/library.h"

static long long cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int ecdsa(SECP(context) *context, const unsigned char *digest, const unsigned char *secret) {
  SECP(ecdsa_recoverable_signature) signature;
  SECP(pubkey) signer;
  return SECP(ecdsa_sign_recoverable)(context, &signature, digest, secret, NULL, NULL) &&
         SECP(ecdsa_recover)(context, &signer, &signature, digest);
}

static int schnorr(SECP(context) *context, const unsigned char *digest, const unsigned char *secret) {
  SECP(keypair) keypair;
  SECP(xonly_pubkey) signer;
  unsigned char signature[64];
  return SECP(keypair_create)(context, &keypair, secret) && SECP(keypair_xonly_pub)(context, &signer, NULL, &keypair) &&
         SECP(schnorrsig_sign32)(context, signature, digest, &keypair, NULL) &&
         SECP(schnorrsig_verify)(context, signature, digest, 32, &signer);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int is_schnorr = strcmp(argv[1], "Schnorr") == 0;
  const int count = atoi(argv[2]);
  unsigned char secret[32], digest[32];
  memset(secret, 7, sizeof secret);
  memset(digest, 9, sizeof digest);
  void *memory = malloc(SECP(context_preallocated_size)(SECP256K1_CONTEXT_NONE));
  if (memory == NULL) return 1;
  SECP(context) *context = SECP(context_preallocated_create)(memory, SECP256K1_CONTEXT_NONE);
  const long long begun = cpu_ns();
  for (int at = 0; at < count; at += 1) {
    memcpy(digest, &at, sizeof at);
    if (!(is_schnorr ? schnorr : ecdsa)(context, digest, secret)) return 1;
  }
  printf("%lld\n", cpu_ns() - begun);
  return 0;
}
