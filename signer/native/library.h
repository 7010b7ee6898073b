/*
 * libsecp256k1 as scripts/prepare/secp256k1.mjs found it. The copy inside the Rust crate prefixes its symbols, so `SECP` adds
 * the prefix.
 */
#ifndef STRONGROOM_LIBRARY_H
#define STRONGROOM_LIBRARY_H
#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_preallocated.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>

#ifndef SECP_PREFIX
#define SECP_PREFIX secp256k1_
#endif
#define SECP_JOIN(prefix, name) prefix##name
#define SECP_NAMED(prefix, name) SECP_JOIN(prefix, name)
#define SECP(name) SECP_NAMED(SECP_PREFIX, name)

#endif
