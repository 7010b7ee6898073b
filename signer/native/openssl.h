/* Node's own copy of OpenSSL exports these functions, so OpenSSL's headers need not be installed. */
#ifndef STRONGROOM_OPENSSL_H
#define STRONGROOM_OPENSSL_H
#include <stddef.h>

typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct engine_st ENGINE;

#define EVP_CTRL_AEAD_GET_TAG 0x10
#define EVP_CTRL_AEAD_SET_TAG 0x11
#define EVP_PKEY_ED25519 1087

EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void);
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *context);
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *context, int type, int number, void *pointer);
const EVP_CIPHER *EVP_aes_256_gcm(void);
int EVP_EncryptInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const unsigned char *key, const unsigned char *iv);
int EVP_EncryptUpdate(EVP_CIPHER_CTX *context, unsigned char *out, int *out_length, const unsigned char *in, int in_length);
int EVP_EncryptFinal_ex(EVP_CIPHER_CTX *context, unsigned char *out, int *out_length);
int EVP_DecryptInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const unsigned char *key, const unsigned char *iv);
int EVP_DecryptUpdate(EVP_CIPHER_CTX *context, unsigned char *out, int *out_length, const unsigned char *in, int in_length);
int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *context, unsigned char *out, int *out_length);

const EVP_MD *EVP_sha256(void);
unsigned char *HMAC(const EVP_MD *digest, const void *key, int key_length, const unsigned char *data, size_t data_length, unsigned char *out, unsigned int *out_length);

EVP_PKEY *EVP_PKEY_new_raw_private_key(int type, ENGINE *engine, const unsigned char *key, size_t length);
EVP_PKEY *EVP_PKEY_new_raw_public_key(int type, ENGINE *engine, const unsigned char *key, size_t length);
void EVP_PKEY_free(EVP_PKEY *key);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
int EVP_DigestSignInit(EVP_MD_CTX *context, EVP_PKEY_CTX **key_context, const EVP_MD *digest, ENGINE *engine, EVP_PKEY *key);
int EVP_DigestSign(EVP_MD_CTX *context, unsigned char *signature, size_t *length, const unsigned char *data, size_t data_length);
int EVP_DigestVerifyInit(EVP_MD_CTX *context, EVP_PKEY_CTX **key_context, const EVP_MD *digest, ENGINE *engine, EVP_PKEY *key);
int EVP_DigestVerify(EVP_MD_CTX *context, const unsigned char *signature, size_t length, const unsigned char *data, size_t data_length);

int RAND_bytes(unsigned char *out, int length);
void OPENSSL_cleanse(void *pointer, size_t length);

#endif
