/**
 * These orders do not show their full effect. An exported key can sign anything, bytes may be a transaction on any chain, and
 * typed data may be valid on every chain. The signer refuses such an order unless the named environment variable of the signer
 * allows it.
 */
export const SIGNER_SWITCHES = {
  Export: 'SIGNER_EXPORT',
  Hash: 'SIGNER_HASH',
  ChainlessTypedData: 'SIGNER_CHAINLESS_TYPED_DATA',
} as const;
export type SignerSwitch = keyof typeof SIGNER_SWITCHES;
export const SIGNER_SWITCH_NAMES = Object.keys(SIGNER_SWITCHES) as readonly SignerSwitch[];

/** The terms for these orders in messages, each as the subject of a sentence. */
export const SWITCHED: Readonly<Record<SignerSwitch, string>> = {
  Export: 'the export of keys',
  Hash: 'a signature over a hash, or over bytes as they are,',
  ChainlessTypedData: 'a signature over typed data whose domain has no chainId',
};

/**
 * A Solana off-chain message begins with 0xff and "solana offchain". On chains with Ed25519 keys, no transaction begins with
 * 0xff.
 */
export const OFF_CHAIN_PREFIX = '0xff736f6c616e61206f6666636861696e';

/** True if these bytes, signed directly with Ed25519, cannot be a transaction. `messageHex` is lower-case hex with 0x. */
export const isOffChainMessage = (messageHex: string): boolean => messageHex.startsWith(OFF_CHAIN_PREFIX);
