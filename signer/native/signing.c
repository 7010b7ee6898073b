#include "signing.h"

#include <string.h>

#include "library.h"
#include "openssl.h"
#include "vault.h"

#define IV_BYTES 12
#define TAG_BYTES 16
#define SEALED_BYTES (IV_BYTES + KEY_BYTES + TAG_BYTES)
#define DIGEST_BYTES 32

static SECP(context) *context;

bool signing_open(void) {
  if (context != NULL) return true;
  unsigned char seed[32];
  if (SECP(context_preallocated_size)(SECP256K1_CONTEXT_NONE) > VAULT_CONTEXT_BYTES) return false;
  SECP(context) *made = SECP(context_preallocated_create)(vault_context_memory(), SECP256K1_CONTEXT_NONE);
  /* Blinds the context against side channels: the multiplication by the same key takes a different path in every process. */
  bool is_blinded = made != NULL && RAND_bytes(seed, sizeof seed) == 1 && SECP(context_randomize)(made, seed);
  OPENSSL_cleanse(seed, sizeof seed);
  if (is_blinded) context = made;
  return is_blinded;
}

/* HKDF-SHA256 (RFC 5869) with the key id as salt: the same derivation as in envelope.ts. */
static bool derive_wrapping_key(const struct order *order, struct scratch *scratch) {
  static const unsigned char info[] = "wallet-key\x01";
  unsigned int length = 0;
  if (HMAC(EVP_sha256(), order->key_id.at, (int)order->key_id.length, order->data_key, KEY_BYTES, scratch->pseudorandom, &length) == NULL) return false;
  return HMAC(EVP_sha256(), scratch->pseudorandom, KEY_BYTES, info, sizeof info - 1, scratch->wrapping, &length) != NULL;
}

static bool open_key(const struct order *order, struct scratch *scratch) {
  unsigned char *sealed = order->sealed.at;
  int length = 0;
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  bool opened = cipher != NULL && derive_wrapping_key(order, scratch) &&
                EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, scratch->wrapping, sealed) == 1 &&
                EVP_DecryptUpdate(cipher, NULL, &length, order->associated.at, (int)order->associated.length) == 1 &&
                EVP_DecryptUpdate(cipher, scratch->secret, &length, sealed + IV_BYTES, KEY_BYTES) == 1 &&
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, TAG_BYTES, sealed + IV_BYTES + KEY_BYTES) == 1 &&
                EVP_DecryptFinal_ex(cipher, scratch->secret + KEY_BYTES, &length) == 1;
  EVP_CIPHER_CTX_free(cipher);
  return opened;
}

/* RFC 6979, without further entropy. Recovering the registered public key verifies the signature and the recovery id. */
static bool sign_ecdsa(const struct order *order, struct scratch *scratch, unsigned char *out) {
  SECP(ecdsa_recoverable_signature) *signature = (SECP(ecdsa_recoverable_signature) *)scratch->signature;
  SECP(ecdsa_signature) *plain = (SECP(ecdsa_signature) *)scratch->plain_signature;
  SECP(pubkey) signer;
  unsigned char compressed[33];
  size_t length = sizeof compressed;
  int recovery_id = 0;
  if (!SECP(ecdsa_sign_recoverable)(context, signature, order->message.at, scratch->secret, NULL, NULL)) return false;
  if (!SECP(ecdsa_recoverable_signature_serialize_compact)(context, out, &recovery_id, signature)) return false;
  if (!SECP(ecdsa_recover)(context, &signer, signature, order->message.at)) return false;
  if (!SECP(ec_pubkey_serialize)(context, compressed, &length, &signer, SECP256K1_EC_COMPRESSED)) return false;
  if (memcmp(compressed, order->public_key.at, sizeof compressed) != 0) return false;
  if (!SECP(ecdsa_recoverable_signature_convert)(context, plain, signature)) return false;
  /* The call returns 1 if s is the higher of the two possible values. No network accepts that value. */
  if (SECP(ecdsa_signature_normalize)(context, NULL, plain)) return false;
  out[64] = (unsigned char)recovery_id;
  return true;
}

/* BIP341. Computed from the registered key and not from the secret, so that a wrong secret fails the verification. */
static bool taproot_tweak(const struct order *order, unsigned char tweak[32]) {
  static const unsigned char tag[] = "TapTweak";
  unsigned char content[64];
  memcpy(content, order->public_key.at, 32);
  if (order->merkle_root.length == 32) memcpy(content + 32, order->merkle_root.at, 32);
  return SECP(tagged_sha256)(context, tweak, tag, sizeof tag - 1, content, 32 + order->merkle_root.length);
}

/* BIP340. The NULL in the call of `schnorrsig_sign32` means auxiliary bytes of zero. */
static bool sign_schnorr(const struct order *order, struct scratch *scratch, unsigned char *out) {
  SECP(keypair) *keypair = (SECP(keypair) *)scratch->keypair;
  SECP(xonly_pubkey) signer;
  unsigned char tweak[32];
  if (!SECP(xonly_pubkey_parse)(context, &signer, order->public_key.at)) return false;
  if (!SECP(keypair_create)(context, keypair, scratch->secret)) return false;
  if (order->is_taproot) {
    SECP(pubkey) output;
    if (!taproot_tweak(order, tweak) || !SECP(keypair_xonly_tweak_add)(context, keypair, tweak)) return false;
    if (!SECP(xonly_pubkey_tweak_add)(context, &output, &signer, tweak)) return false;
    if (!SECP(xonly_pubkey_from_pubkey)(context, &signer, NULL, &output)) return false;
  }
  if (!SECP(schnorrsig_sign32)(context, out, order->message.at, keypair, NULL)) return false;
  out[64] = NO_RECOVERY_ID;
  return SECP(schnorrsig_verify)(context, out, order->message.at, DIGEST_BYTES, &signer);
}

/* RFC 8032 by Node's own OpenSSL. */
static bool sign_ed25519(const struct order *order, const unsigned char *secret, unsigned char *out) {
  size_t length = 64;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret, KEY_BYTES);
  EVP_PKEY *registered = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, order->public_key.at, 32);
  EVP_MD_CTX *signer = EVP_MD_CTX_new();
  EVP_MD_CTX *verifier = EVP_MD_CTX_new();
  bool verified = key != NULL && registered != NULL && signer != NULL && verifier != NULL &&
                  EVP_DigestSignInit(signer, NULL, NULL, NULL, key) == 1 &&
                  EVP_DigestSign(signer, out, &length, order->message.at, order->message.length) == 1 &&
                  EVP_DigestVerifyInit(verifier, NULL, NULL, NULL, registered) == 1 &&
                  EVP_DigestVerify(verifier, out, length, order->message.at, order->message.length) == 1;
  EVP_MD_CTX_free(signer);
  EVP_MD_CTX_free(verifier);
  EVP_PKEY_free(key);
  EVP_PKEY_free(registered);
  out[64] = NO_RECOVERY_ID;
  return verified;
}

/* A key of a different form with the same lengths fails when its signature is verified. */
static bool is_row_of_form(const struct order *order) {
  return order->sealed.length == SEALED_BYTES && order->public_key.length == (order->form == ECDSA_SECP256K1 ? 33 : 32);
}

static bool is_well_formed(const struct order *order) {
  if (order->key_id.length == 0) return false;
  if (order->is_taproot && (order->form != SCHNORR_SECP256K1 || (order->merkle_root.length != 0 && order->merkle_root.length != 32))) return false;
  switch (order->form) {
    case ECDSA_SECP256K1:
    case SCHNORR_SECP256K1:
      return order->message.length == DIGEST_BYTES;
    case ED25519:
      return true;
  }
  return false;
}

static bool sign_as(const struct order *order, struct scratch *scratch, unsigned char *out) {
  switch (order->form) {
    case ECDSA_SECP256K1:
      return sign_ecdsa(order, scratch, out);
    case SCHNORR_SECP256K1:
      return sign_schnorr(order, scratch, out);
    case ED25519:
      return sign_ed25519(order, scratch->secret, out);
  }
  return false;
}

enum outcome sign_sealed(const struct order *order, unsigned char signature[SIGNATURE_BYTES]) {
  if (!is_well_formed(order)) return BAD_ARGUMENTS;
  if (!is_row_of_form(order)) return ENVELOPE_REJECTED;
  struct scratch *scratch = vault_scratch();
  enum outcome outcome = ENVELOPE_REJECTED;
  if (open_key(order, scratch)) outcome = sign_as(order, scratch, scratch->made) ? SIGNED : NOT_VERIFIED;
  if (outcome == SIGNED) memcpy(signature, scratch->made, SIGNATURE_BYTES);
  /* A faulty signature can reveal the key. So only a verified signature leaves the scratch memory, which is always wiped. */
  vault_wipe_scratch();
  return outcome;
}
