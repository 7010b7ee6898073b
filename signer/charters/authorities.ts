import type { HeldWallets } from '../record/holders/held-wallets';
import type { KnownKey } from '../record/key-entries';
import type { KeyLog } from '../record/key-log';
import type { CharterInForce } from './charter-in-force';
import type { Charters } from './charters';
import { heldAuthority } from './held-authority';

export interface Authorities {
  /** Undefined for an organisation that has no charter. */
  of(orgId: string): CharterInForce | undefined;
  /**
   * The authority over orders that use this key: the end user who holds the key, or the charter if no end user holds the key.
   * Undefined for an organisation without a charter. Throws a `Refusal` if an end user holds the key and the charter does not
   * serve end users.
   */
  over(key: KnownKey): CharterInForce | undefined;
}

export function createAuthorities(
  { of }: Pick<Charters, 'of'>,
  keys: Pick<KeyLog, 'holderOf'>,
  wallets: Pick<HeldWallets, 'ofKey'>,
): Authorities {
  return {
    of,
    over(key) {
      const charter = of(key.orgId);
      const holder = charter && keys.holderOf(key);
      return holder ? heldAuthority(charter, holder, wallets.ofKey(key.orgId, key.keyId)) : charter;
    },
  };
}
