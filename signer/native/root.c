#include "root.h"

#include <string.h>

#include "openssl.h"

/* HKDF-SHA256 (RFC 5869) without salt, one block, into locked memory. */
static const unsigned char *derive(const unsigned char *secret, const char *info) {
  struct scratch *scratch = vault_scratch();
  unsigned char text[64];
  unsigned int length = 0;
  size_t count = strlen(info);
  memcpy(text, info, count);
  text[count] = 1;
  if (HMAC(EVP_sha256(), "", 0, secret, KEY_BYTES, scratch->pseudorandom, &length) == NULL) return NULL;
  return HMAC(EVP_sha256(), scratch->pseudorandom, KEY_BYTES, text, count + 1, scratch->wrapping, &length);
}

bool root_id(const unsigned char *secret, unsigned char id[ROOT_ID_BYTES]) {
  const unsigned char *derived = derive(secret, "wallet/kek-id/v1");
  if (derived != NULL) memcpy(id, derived, ROOT_ID_BYTES);
  vault_wipe_scratch();
  return derived != NULL;
}

int root_put(const unsigned char *secret) {
  const unsigned char *derived = derive(secret, "wallet/kek/v1");
  int slot = derived == NULL ? -1 : vault_put(derived);
  vault_wipe_scratch();
  return slot;
}

bool root_wrap(const unsigned char *root, struct bytes plain, struct bytes associated, unsigned char *out) {
  int length = 0;
  unsigned char *tag = out + WRAP_IV_BYTES + plain.length;
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  bool wrapped = cipher != NULL && RAND_bytes(out, WRAP_IV_BYTES) == 1 &&
                 EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, root, out) == 1 &&
                 EVP_EncryptUpdate(cipher, NULL, &length, associated.at, (int)associated.length) == 1 &&
                 EVP_EncryptUpdate(cipher, out + WRAP_IV_BYTES, &length, plain.at, (int)plain.length) == 1 &&
                 EVP_EncryptFinal_ex(cipher, tag, &length) == 1 &&
                 EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, WRAP_TAG_BYTES, tag) == 1;
  EVP_CIPHER_CTX_free(cipher);
  return wrapped;
}

bool root_unwrap(const unsigned char *root, struct bytes wrapped, struct bytes associated, unsigned char *out) {
  int length = 0;
  unsigned char *sealed = wrapped.at + WRAP_IV_BYTES;
  size_t count = wrapped.length - WRAP_BYTES;
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  bool opened = cipher != NULL && EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, root, wrapped.at) == 1 &&
                EVP_DecryptUpdate(cipher, NULL, &length, associated.at, (int)associated.length) == 1 &&
                EVP_DecryptUpdate(cipher, out, &length, sealed, (int)count) == 1 &&
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, WRAP_TAG_BYTES, sealed + count) == 1 &&
                EVP_DecryptFinal_ex(cipher, out + count, &length) == 1;
  EVP_CIPHER_CTX_free(cipher);
  /* GCM writes the plain text before it checks the tag, so a failure must wipe the text. */
  if (!opened) OPENSSL_cleanse(out, count);
  return opened;
}
