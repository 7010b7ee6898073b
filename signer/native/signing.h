/* Opens a sealed key in locked memory, signs, verifies the signature and wipes the key. */
#ifndef STRONGROOM_SIGNING_H
#define STRONGROOM_SIGNING_H
#include <stdbool.h>
#include <stddef.h>

#include "vault.h"

#define SIGNATURE_BYTES 65
/* The last byte of a signature from which no public key can be recovered. */
#define NO_RECOVERY_ID 0xff

enum form { ECDSA_SECP256K1 = 0, SCHNORR_SECP256K1 = 1, ED25519 = 2 };
enum outcome { SIGNED, BAD_ARGUMENTS, ENVELOPE_REJECTED, NOT_VERIFIED };

struct order {
  const unsigned char *data_key;
  /* The salt under which the wrapping key is derived from the data key. */
  struct bytes key_id;
  /* iv of 12 bytes, 32 bytes of ciphertext, tag of 16 bytes. */
  struct bytes sealed;
  struct bytes associated;
  enum form form;
  struct bytes message;
  struct bytes public_key;
  bool is_taproot;
  struct bytes merkle_root;
};

bool signing_open(void);
/* Writes r, s and the recovery id. Writes nothing unless the outcome is SIGNED. */
enum outcome sign_sealed(const struct order *order, unsigned char signature[SIGNATURE_BYTES]);

#endif
