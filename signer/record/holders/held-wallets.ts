import type { CharterWallet } from '../../charters/charter';
import { refuseUnless } from '../../wire/refusal';
import type { AdoptedCharter } from '../charter-entries';
import { type Evidence, recorded } from '../evidence';
import type { Journal } from '../journal/journal';
import { actionName } from '../signing-entries';
import { heldWalletName, heldWalletsName, type WalletHeldEntry } from './holder-entries';

export interface HeldWallets {
  ofKey(orgId: string, keyId: string): readonly CharterWallet[];
  /**
   * Resolves once the wallet is durable. Throws a `Refusal` if the id or the action was used before, or if the key already has a
   * wallet on the network.
   */
  record(wallet: Omit<WalletHeldEntry, 'kind'>, evidence: readonly Evidence[]): Promise<AdoptedCharter>;
}

export function createHeldWallets({ index, append }: Pick<Journal, 'index' | 'append'>): HeldWallets {
  const ofKey = (orgId: string, keyId: string) => index.get<readonly CharterWallet[]>(heldWalletsName(orgId, keyId)) ?? [];
  return {
    ofKey,
    async record(held, evidence) {
      const { orgId, action, wallet, sequence, digest } = held;
      refuseUnless(action === undefined || index.get(actionName(orgId, action)) === undefined, 'ActionUsed');
      const isTaken = ofKey(orgId, wallet.keyId).some(({ network }) => network === wallet.network);
      refuseUnless(!isTaken && index.get(heldWalletName(orgId, wallet.id)) === undefined, 'RequestMismatch');
      await append({ kind: 'WalletHeld', ...held }, recorded(evidence));
      return { sequence, digest };
    },
  };
}
