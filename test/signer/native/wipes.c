/*
 * Signs with fake libraries. Their functions write a mark wherever a real library would write a secret. In each round a later
 * call fails. After each failure no mark may be left in the scratch memory, in the buffer of the caller, or on the stack below
 * the caller.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../../signer/native/signing.c"
#include "../../../signer/native/vault.c"

#define MARK_BYTES 16
#define STACK_BYTES (256 * 1024)

static int calls, failing_call;
/* Computes one byte of the mark, so that no memory holds the mark itself. */
static unsigned char mark(size_t at) { return (unsigned char)((at % MARK_BYTES) * 37 + 91); }
static bool succeeds(void) { return ++calls != failing_call; }
static int leaving(void *at, size_t length) {
  for (size_t index = 0; index < length; index += 1) ((volatile unsigned char *)at)[index] = mark(index);
  return succeeds();
}

void OPENSSL_cleanse(void *pointer, size_t length) {
  for (size_t at = 0; at < length; at += 1) ((volatile unsigned char *)pointer)[at] = 0;
}
int RAND_bytes(unsigned char *out, int length) { return leaving(out, (size_t)length); }
const EVP_MD *EVP_sha256(void) { return NULL; }
const EVP_CIPHER *EVP_aes_256_gcm(void) { return NULL; }
unsigned char *HMAC(const EVP_MD *d, const void *k, int kl, const unsigned char *data, size_t dl, unsigned char *out, unsigned int *length) {
  (void)d, (void)k, (void)kl, (void)data, (void)dl, *length = 32;
  return leaving(out, 32) ? out : NULL;
}
static char something;
EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void) { return succeeds() ? (EVP_CIPHER_CTX *)&something : NULL; }
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *c) { (void)c; }
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *c, int t, int n, void *p) { return (void)c, (void)t, (void)n, (void)p, succeeds(); }
int EVP_DecryptInit_ex(EVP_CIPHER_CTX *c, const EVP_CIPHER *a, ENGINE *e, const unsigned char *k, const unsigned char *iv) {
  return (void)c, (void)a, (void)e, (void)k, (void)iv, succeeds();
}
int EVP_DecryptUpdate(EVP_CIPHER_CTX *c, unsigned char *out, int *ol, const unsigned char *in, int il) {
  (void)c, (void)in, *ol = il;
  return out == NULL ? succeeds() : leaving(out, (size_t)il);
}
int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *c, unsigned char *out, int *ol) { return (void)c, (void)out, (void)ol, succeeds(); }
EVP_PKEY *EVP_PKEY_new_raw_private_key(int t, ENGINE *e, const unsigned char *k, size_t l) {
  return (void)t, (void)e, (void)k, (void)l, succeeds() ? (EVP_PKEY *)&something : NULL;
}
EVP_PKEY *EVP_PKEY_new_raw_public_key(int t, ENGINE *e, const unsigned char *k, size_t l) { return EVP_PKEY_new_raw_private_key(t, e, k, l); }
void EVP_PKEY_free(EVP_PKEY *k) { (void)k; }
EVP_MD_CTX *EVP_MD_CTX_new(void) { return succeeds() ? (EVP_MD_CTX *)&something : NULL; }
void EVP_MD_CTX_free(EVP_MD_CTX *c) { (void)c; }
int EVP_DigestSignInit(EVP_MD_CTX *c, EVP_PKEY_CTX **k, const EVP_MD *d, ENGINE *e, EVP_PKEY *p) {
  return (void)c, (void)k, (void)d, (void)e, (void)p, succeeds();
}
int EVP_DigestVerifyInit(EVP_MD_CTX *c, EVP_PKEY_CTX **k, const EVP_MD *d, ENGINE *e, EVP_PKEY *p) { return EVP_DigestSignInit(c, k, d, e, p); }
int EVP_DigestSign(EVP_MD_CTX *c, unsigned char *s, size_t *l, const unsigned char *d, size_t dl) {
  return (void)c, (void)d, (void)dl, leaving(s, *l);
}
int EVP_DigestVerify(EVP_MD_CTX *c, const unsigned char *s, size_t l, const unsigned char *d, size_t dl) {
  return (void)c, (void)s, (void)l, (void)d, (void)dl, succeeds();
}

size_t SECP(context_preallocated_size)(unsigned int f) { return (void)f, 64; }
SECP(context) *SECP(context_preallocated_create)(void *m, unsigned int f) { return (void)f, succeeds() ? m : NULL; }
int SECP(context_randomize)(SECP(context) *c, const unsigned char *s) { return (void)c, (void)s, succeeds(); }
int SECP(ecdsa_sign_recoverable)(const SECP(context) *c, SECP(ecdsa_recoverable_signature) *s, const unsigned char *m, const unsigned char *k,
                                 SECP(nonce_function) f, const void *d) {
  return (void)c, (void)m, (void)k, (void)f, (void)d, leaving(s, sizeof *s);
}
int SECP(ecdsa_recoverable_signature_serialize_compact)(const SECP(context) *c, unsigned char *out, int *id,
                                                        const SECP(ecdsa_recoverable_signature) *s) {
  return (void)c, (void)s, *id = 0, leaving(out, 64);
}
int SECP(ecdsa_recover)(const SECP(context) *c, SECP(pubkey) *p, const SECP(ecdsa_recoverable_signature) *s, const unsigned char *m) {
  return (void)c, (void)p, (void)s, (void)m, succeeds();
}
int SECP(ec_pubkey_serialize)(const SECP(context) *c, unsigned char *out, size_t *l, const SECP(pubkey) *p, unsigned int f) {
  (void)c, (void)p, (void)f;
  /* A failing call here serializes another key, so the comparison of keys that follows this call fails. */
  memset(out, succeeds() ? 0 : 1, *l);
  return succeeds();
}
int SECP(ecdsa_recoverable_signature_convert)(const SECP(context) *c, SECP(ecdsa_signature) *p, const SECP(ecdsa_recoverable_signature) *s) {
  return (void)c, (void)s, leaving(p, sizeof *p);
}
int SECP(ecdsa_signature_normalize)(const SECP(context) *c, SECP(ecdsa_signature) *o, const SECP(ecdsa_signature) *i) {
  return (void)c, (void)o, (void)i, !succeeds();
}
int SECP(tagged_sha256)(const SECP(context) *c, unsigned char *h, const unsigned char *t, size_t tl, const unsigned char *m, size_t ml) {
  return (void)c, (void)t, (void)tl, (void)m, (void)ml, memset(h, 0, 32), succeeds();
}
int SECP(xonly_pubkey_parse)(const SECP(context) *c, SECP(xonly_pubkey) *p, const unsigned char *i) { return (void)c, (void)p, (void)i, succeeds(); }
int SECP(keypair_create)(const SECP(context) *c, SECP(keypair) *k, const unsigned char *s) { return (void)c, (void)s, leaving(k, sizeof *k); }
int SECP(keypair_xonly_tweak_add)(const SECP(context) *c, SECP(keypair) *k, const unsigned char *t) { return (void)c, (void)k, (void)t, succeeds(); }
int SECP(xonly_pubkey_tweak_add)(const SECP(context) *c, SECP(pubkey) *o, const SECP(xonly_pubkey) *p, const unsigned char *t) {
  return (void)c, (void)o, (void)p, (void)t, succeeds();
}
int SECP(xonly_pubkey_from_pubkey)(const SECP(context) *c, SECP(xonly_pubkey) *x, int *y, const SECP(pubkey) *p) {
  return (void)c, (void)x, (void)y, (void)p, succeeds();
}
int SECP(schnorrsig_sign32)(const SECP(context) *c, unsigned char *s, const unsigned char *m, const SECP(keypair) *k, const unsigned char *a) {
  return (void)c, (void)m, (void)k, (void)a, leaving(s, 64);
}
int SECP(schnorrsig_verify)(const SECP(context) *c, const unsigned char *s, const unsigned char *m, size_t l, const SECP(xonly_pubkey) *p) {
  return (void)c, (void)s, (void)m, (void)l, (void)p, succeeds();
}

static bool has_mark(const volatile unsigned char *at, size_t length) {
  size_t run = 0;
  for (size_t index = 0; index < length; index += 1) {
    run = at[index] == mark(run) ? run + 1 : at[index] == mark(0);
    if (run == MARK_BYTES) return true;
  }
  return false;
}

/* The frames of calls that have returned lie below the frame of this function. */
__attribute__((noinline)) static bool stack_has_mark(void) {
  const volatile unsigned char *frame = __builtin_frame_address(0);
  return has_mark(frame - STACK_BYTES, STACK_BYTES - 512);
}

__attribute__((noinline)) static void clear_stack(void) {
  volatile unsigned char below[STACK_BYTES];
  for (size_t at = 0; at < sizeof below; at += 1) below[at] = 0;
}

/* Calls from far down the stack, so that the later search for marks does not overwrite marks that were left. */
__attribute__((noinline)) static enum outcome from_below(const struct order *order, unsigned char *signature) {
  volatile unsigned char distance[8192];
  distance[0] = distance[sizeof distance - 1] = 0;
  enum outcome outcome = order != NULL ? sign_sealed(order, signature) : signing_open() ? SIGNED : NOT_VERIFIED;
  distance[1] = distance[0];
  return outcome;
}

static int faults, failures;
static void look(const char *what, bool has_failed) {
  bool on_stack = stack_has_mark();
  bool in_scratch = has_mark((unsigned char *)vault_scratch(), sizeof(struct scratch));
  if (has_failed) failures += 1;
  if (!on_stack && !in_scratch) return;
  faults += 1;
  printf("%s, call %d fails: left%s%s\n", what, failing_call, on_stack ? " on the stack" : "", in_scratch ? " in the scratch memory" : "");
}

static void try_form(const char *what, enum form form, bool is_taproot) {
  static unsigned char data_key[KEY_BYTES], zeros[SEALED_BYTES];
  struct bytes text = {zeros, 32}, sealed = {zeros, SEALED_BYTES}, key = {zeros, form == ECDSA_SECP256K1 ? 33 : 32};
  struct order order = {data_key, text, sealed, text, form, text, key, is_taproot, {zeros, 0}};
  for (failing_call = 1;; failing_call += 1) {
    unsigned char signature[SIGNATURE_BYTES] = {0};
    calls = 0;
    clear_stack();
    enum outcome outcome = from_below(&order, signature);
    look(what, outcome != SIGNED);
    if (outcome != SIGNED && has_mark(signature, sizeof signature)) faults += 1, printf("%s, call %d fails: answered\n", what, failing_call);
    if (outcome == SIGNED && calls < failing_call) return;
    if (outcome == SIGNED) faults += 1, printf("%s, call %d fails: signed\n", what, failing_call);
  }
}

int main(void) {
  if (!vault_open()) return 2;
  for (failing_call = 1;; failing_call += 1) {
    calls = 0;
    context = NULL;
    clear_stack();
    bool is_open = from_below(NULL, NULL) == SIGNED;
    look("opening", !is_open);
    if (is_open) break;
  }
  try_form("ECDSA", ECDSA_SECP256K1, false);
  try_form("Schnorr", SCHNORR_SECP256K1, false);
  try_form("Taproot", SCHNORR_SECP256K1, true);
  try_form("EdDSA", ED25519, false);
  printf("%d failures, %d faults\n", failures, faults);
  return faults == 0 ? 0 : 1;
}
