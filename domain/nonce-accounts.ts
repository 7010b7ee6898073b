/** The most nonce accounts of a wallet at once: as many transfers may wait with a durable nonce each. */
const ACCOUNTS_MAX = 16;

/** Each account of a wallet is identified only by its seed; the network shows which exist. */
export const nonceSeeds: readonly string[] = Array.from({ length: ACCOUNTS_MAX }, (_, index) => `strongroom-nonce-${index}`);

/** The most that fit into one transaction of 1,232 bytes. */
export const NONCE_ACCOUNTS_AT_ONCE_MAX = 4;
/** The size of an account that keeps a durable nonce. */
export const NONCE_ACCOUNT_BYTES = 80;
/**
 * The most that one may lock up: its bytes and 128 of overhead at 6,960 lamports each. Only the authority gets them back, by an instruction
 * that is never signed here, so a node that asks for more is not believed.
 */
export const NONCE_ACCOUNT_RENT_UNITS_MAX = 1_447_680n;
