import type { CharterWallet, Holder } from '../../charters/charter';
import { type AdoptedCharter, amendmentName } from '../charter-entries';
import type { Index } from '../journal/index-store';
import { actionName } from '../signing-entries';
import { addHolderSet, addRemovals, type CredentialRemoval } from './credential-removals';

/**
 * `action` is the digest of the signed action that requested the key. `isRegistered` is true if the action began the registration
 * of the end user: such an action may request several keys, all of the same end user.
 */
export type KeyHolding = Holder & { readonly action: string; readonly isRegistered?: boolean };

/** A wallet of a key that an end user holds. No charter lists such wallets, because there are too many of them. */
export type WalletHeldEntry = AdoptedCharter & {
  readonly kind: 'WalletHeld';
  readonly orgId: string;
  readonly amendmentId: string;
  /** The digest of the signed action; absent for a wallet of a registration, whose action may request several wallets. */
  readonly action?: string;
  readonly wallet: CharterWallet;
};

/** An end user has removed a credential. `action` is the digest of the signed action. */
export type HolderCredentialRemovedEntry = AdoptedCharter & {
  readonly kind: 'HolderCredentialRemoved';
  readonly orgId: string;
  readonly amendmentId: string;
  readonly action: string;
  readonly userId: string;
  readonly removal: CredentialRemoval;
};

export const holdingName = (orgId: string, keyId: string) => `holding/${orgId}/${keyId}`;
/**
 * Under this name, the index contains the id that this signed action requested: the id of a key or, for a registration, of an end
 * user.
 */
export const keyActionName = (orgId: string, digest: string) => `key-action/${orgId}/${digest}`;
export const heldWalletName = (orgId: string, walletId: string) => `held-wallet/${orgId}/${walletId}`;
/** One wallet per network, so this list is short. */
export const heldWalletsName = (orgId: string, keyId: string) => `held-wallets/${orgId}/${keyId}`;

export const servedBy = (keyId: string, { userId, isRegistered = false }: KeyHolding): string => (isRegistered ? userId : keyId);

type Facts = Pick<Index, 'get' | 'put'>;

export function applyHolding(
  index: Facts,
  { orgId, keyId }: { readonly orgId: string; readonly keyId: string },
  holding: KeyHolding,
) {
  index.put(holdingName(orgId, keyId), holding);
  index.put(keyActionName(orgId, holding.action), servedBy(keyId, holding));
  addHolderSet(index, orgId, holding);
}

export function applyHolderCredentialRemoved(index: Facts, entry: HolderCredentialRemovedEntry): void {
  const { orgId, amendmentId, action, sequence, digest, removal } = entry;
  addRemovals(index, entry, [removal]);
  index.put(amendmentName(orgId, amendmentId), { sequence, digest } satisfies AdoptedCharter);
  index.put(actionName(orgId, action), amendmentId);
}

export function applyWalletHeld(index: Facts, { orgId, amendmentId, action, wallet, sequence, digest }: WalletHeldEntry): void {
  const { id, keyId } = wallet;
  index.put(heldWalletName(orgId, id), keyId);
  const ofKey = heldWalletsName(orgId, keyId);
  index.put(ofKey, [...(index.get<readonly CharterWallet[]>(ofKey) ?? []), wallet]);
  index.put(amendmentName(orgId, amendmentId), { sequence, digest } satisfies AdoptedCharter);
  if (action !== undefined) index.put(actionName(orgId, action), amendmentId);
}
