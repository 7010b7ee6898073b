/** A wallet has at most this many nonce accounts, and therefore at most this many waiting transfers with a durable nonce. */
const ACCOUNTS_MAX = 16;

/** The network shows which of these accounts exist. */
export const nonceSeeds: readonly string[] = Array.from({ length: ACCOUNTS_MAX }, (_, index) => `strongroom-nonce-${index}`);

/** At most this many other wallets can create nonce accounts for one wallet. */
export const NONCE_MAKERS_MAX = 4;

/** A seed has at most 32 characters, and this many of them name the wallet that may use the account. */
const SEED_ADDRESS_CHARS = 23;

/** The seeds of the accounts that `maker` creates for the wallet `authority`. */
export const nonceSeedsOf = (maker: string, authority: string): readonly string[] =>
  maker === authority ? nonceSeeds : nonceSeeds.map((_, index) => `nonce-${index}-${authority.slice(0, SEED_ADDRESS_CHARS)}`);

/** The maximum number of accounts that one transaction of 1,232 bytes can create. */
export const NONCE_ACCOUNTS_AT_ONCE_MAX = 4;
export const NONCE_ACCOUNT_BYTES = 80;
/**
 * The highest rent that a nonce account may lock up: 6,960 lamports for each byte of the account and of an overhead of 128 bytes.
 * The service never signs an instruction that returns the rent, so the rent is lost. This limit bounds the loss, even if a node
 * reports a higher rent.
 */
export const NONCE_ACCOUNT_RENT_UNITS_MAX = 1_447_680n;
