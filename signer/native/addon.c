/* The functions of addon.ts. A wrong argument throws. Signing keys and roots never leave the locked memory in the clear. */
#define NAPI_VERSION 8
#include <node_api.h>

#include "confine.h"
#include "openssl.h"
#include "root.h"
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

/* Stores a key in a slot with `put`. Always wipes the caller's buffer. */
static napi_value put_with(napi_env env, napi_callback_info info, int (*put)(const unsigned char *key)) {
  napi_value arguments[1], answer;
  size_t count = 1;
  struct bytes key;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 1 || !read_bytes(env, arguments[0], &key)) return refuse(env, "BadArguments", "a key is a buffer");
  bool is_whole = key.length == KEY_BYTES;
  int slot = is_whole ? put(key.at) : -1;
  OPENSSL_cleanse(key.at, key.length);
  if (!is_whole) return refuse(env, "BadArguments", "a key has 32 bytes");
  if (slot < 0) return refuse(env, "VaultFull", "every slot for a key is taken");
  if (napi_create_int32(env, slot, &answer) == napi_ok) return answer;
  vault_drop(slot);
  return NULL;
}

static napi_value put_key(napi_env env, napi_callback_info info) { return put_with(env, info, vault_put); }

static napi_value put_root(napi_env env, napi_callback_info info) { return put_with(env, info, root_put); }

static napi_value root_id_of(napi_env env, napi_callback_info info) {
  napi_value arguments[1], answer;
  size_t count = 1;
  struct bytes secret;
  unsigned char id[ROOT_ID_BYTES];
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 1 || !read_bytes(env, arguments[0], &secret) || secret.length != KEY_BYTES) return refuse(env, "BadArguments", "a secret has 32 bytes");
  if (!root_id(secret.at, id)) return refuse(env, "NotReady", "the id cannot be derived");
  return napi_create_buffer_copy(env, sizeof id, id, NULL, &answer) == napi_ok ? answer : NULL;
}

static bool read_envelope(napi_env env, napi_callback_info info, int32_t *slot, struct bytes *in, struct bytes *associated) {
  napi_value arguments[3];
  size_t count = 3;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  return count == 3 && read_slot(env, arguments[0], slot) && read_bytes(env, arguments[1], in) && read_bytes(env, arguments[2], associated);
}

static napi_value wrap(napi_env env, napi_callback_info info) {
  napi_value answer;
  int32_t slot = -1;
  struct bytes plain, associated;
  unsigned char *out;
  if (!read_envelope(env, info, &slot, &plain, &associated)) return refuse(env, "BadArguments", "an argument is of another type");
  if (napi_create_buffer(env, plain.length + WRAP_BYTES, (void **)&out, &answer) != napi_ok) return NULL;
  return root_wrap(vault_key(slot), plain, associated, out) ? answer : refuse(env, "NotReady", "the key cannot be wrapped");
}

static napi_value unwrap(napi_env env, napi_callback_info info) {
  napi_value answer;
  int32_t slot = -1;
  struct bytes wrapped, associated;
  unsigned char *out;
  if (!read_envelope(env, info, &slot, &wrapped, &associated)) return refuse(env, "BadArguments", "an argument is of another type");
  if (wrapped.length < WRAP_BYTES) return refuse(env, "EnvelopeRejected", "the wrapped key is too short");
  if (napi_create_buffer(env, wrapped.length - WRAP_BYTES, (void **)&out, &answer) != napi_ok) return NULL;
  return root_unwrap(vault_key(slot), wrapped, associated, out) ? answer : refuse(env, "EnvelopeRejected", "the wrapped key does not open");
}

static napi_value deny_code(napi_env env, napi_callback_info info) {
  napi_value answer;
  (void)info;
  return napi_get_boolean(env, deny_new_code(), &answer) == napi_ok ? answer : NULL;
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

static napi_value deny_others(napi_env env, napi_callback_info info) {
  napi_value arguments[1], answer;
  size_t count = 1;
  bool needs_network = false;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 1 || napi_get_value_bool(env, arguments[0], &needs_network) != napi_ok) return refuse(env, "BadArguments", "a boolean is needed");
  return napi_get_boolean(env, deny_calls(needs_network), &answer) == napi_ok ? answer : NULL;
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
                     export_function(env, exports, "sign", sign) && export_function(env, exports, "rootIdOf", root_id_of) &&
                     export_function(env, exports, "putRoot", put_root) && export_function(env, exports, "wrap", wrap) &&
                     export_function(env, exports, "unwrap", unwrap) && export_function(env, exports, "denyNewCode", deny_code) &&
                     export_function(env, exports, "denyCalls", deny_others);
  return is_exported ? exports : refuse(env, "NotReady", "the functions cannot be exported");
}
