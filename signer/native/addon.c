/* The functions that addon.ts describes, over Node-API. A wrong argument throws; nothing here reads or answers a key in the clear. */
#define NAPI_VERSION 8
#include <node_api.h>

#include "openssl.h"
#include "signing.h"
#include "vault.h"

static napi_value refuse(napi_env env, const char *code, const char *message) {
  napi_throw_error(env, code, message);
  return NULL;
}

static bool read_bytes(napi_env env, napi_value value, struct bytes *bytes) {
  bool is_buffer = false;
  if (napi_is_buffer(env, value, &is_buffer) != napi_ok || !is_buffer) return false;
  return napi_get_buffer_info(env, value, (void **)&bytes->at, &bytes->length) == napi_ok;
}

static bool read_slot(napi_env env, napi_value value, int32_t *slot) {
  return napi_get_value_int32(env, value, slot) == napi_ok && vault_key(*slot) != NULL;
}

static napi_value put_key(napi_env env, napi_callback_info info) {
  napi_value arguments[1], answer;
  size_t count = 1;
  struct bytes key;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 1 || !read_bytes(env, arguments[0], &key) || key.length != KEY_BYTES) return refuse(env, "BadArguments", "a key has 32 bytes");
  int slot = vault_put(key.at);
  OPENSSL_cleanse(key.at, key.length);
  if (slot < 0) return refuse(env, "VaultFull", "every slot for a data key is taken");
  return napi_create_int32(env, slot, &answer) == napi_ok ? answer : NULL;
}

static napi_value drop_key(napi_env env, napi_callback_info info) {
  napi_value arguments[1];
  size_t count = 1;
  int32_t slot = -1;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 1 || !read_slot(env, arguments[0], &slot)) return refuse(env, "BadArguments", "no key lies in this slot");
  vault_drop(slot);
  return NULL;
}

static napi_value sign(napi_env env, napi_callback_info info) {
  napi_value arguments[8], answer;
  size_t count = 8;
  int32_t slot = -1, form = -1;
  struct order order = {0};
  unsigned char signature[SIGNATURE_BYTES];
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 8) return refuse(env, "BadArguments", "eight arguments are needed");
  if (!read_slot(env, arguments[0], &slot)) return refuse(env, "BadArguments", "no key lies in this slot");
  bool is_read = read_bytes(env, arguments[1], &order.key_id) && read_bytes(env, arguments[2], &order.sealed) &&
                 read_bytes(env, arguments[3], &order.associated) && napi_get_value_int32(env, arguments[4], &form) == napi_ok &&
                 read_bytes(env, arguments[5], &order.message) && read_bytes(env, arguments[6], &order.public_key);
  if (!is_read) return refuse(env, "BadArguments", "an argument is of another type");
  napi_valuetype type = napi_undefined;
  napi_typeof(env, arguments[7], &type);
  order.is_taproot = type != napi_undefined;
  if (order.is_taproot && !read_bytes(env, arguments[7], &order.merkle_root)) return refuse(env, "BadArguments", "a root is a buffer");
  order.data_key = vault_key(slot);
  order.form = (enum form)form;
  switch (sign_sealed(&order, signature)) {
    case BAD_ARGUMENTS:
      return refuse(env, "BadArguments", "an argument has another length than its form asks for");
    case ENVELOPE_REJECTED:
      return refuse(env, "EnvelopeRejected", "the sealed key does not open");
    case NOT_VERIFIED:
      return refuse(env, "NotVerified", "the signature does not verify");
    case SIGNED:
      break;
  }
  return napi_create_buffer_copy(env, sizeof signature, signature, NULL, &answer) == napi_ok ? answer : NULL;
}

static bool export_function(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value function;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function) == napi_ok &&
         napi_set_named_property(env, exports, name, function) == napi_ok;
}

NAPI_MODULE_INIT() {
  if (!vault_open()) return refuse(env, "NotLocked", "memory for keys cannot be locked (see ulimit -l)");
  if (!signing_open()) return refuse(env, "NotReady", "the arithmetic cannot be prepared");
  bool is_exported = export_function(env, exports, "putKey", put_key) && export_function(env, exports, "dropKey", drop_key) &&
                     export_function(env, exports, "sign", sign);
  return is_exported ? exports : refuse(env, "NotReady", "the functions cannot be exported");
}
