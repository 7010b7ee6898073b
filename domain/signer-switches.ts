/**
 * Orders whose full effect cannot be read from them, by the variable of the signer's configuration that switches each on: a key itself,
 * bytes that may be a transaction of any chain, typed data that is valid on every chain.
 */
export const SIGNER_SWITCHES = {
  Export: 'SIGNER_EXPORT',
  Hash: 'SIGNER_HASH',
  ChainlessTypedData: 'SIGNER_CHAINLESS_TYPED_DATA',
} as const;
export type SignerSwitch = keyof typeof SIGNER_SWITCHES;
export const SIGNER_SWITCH_NAMES = Object.keys(SIGNER_SWITCHES) as readonly SignerSwitch[];

/** The order that each switch allows, as the beginning of a sentence. */
export const SWITCHED: Readonly<Record<SignerSwitch, string>> = {
  Export: 'the export of keys',
  Hash: 'a signature over a hash, or over bytes as they are,',
  ChainlessTypedData: 'a signature over typed data whose domain has no chainId',
};

/** 0xff and "solana offchain" begin a Solana off-chain message: no transaction begins with 0xff, whichever chain the key is valid on. */
export const OFF_CHAIN_PREFIX = '0xff736f6c616e61206f6666636861696e';

/** Whether these bytes cannot be a transaction for a scheme that signs bytes directly (Ed25519). Hex with 0x, in lower case. */
export const isOffChainMessage = (messageHex: string): boolean => messageHex.startsWith(OFF_CHAIN_PREFIX);
