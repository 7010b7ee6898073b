import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { organizationStore } from '../../entities/organizations/organization.store';
import { policyStore } from '../../entities/policies/policy.store';
import { type WalletRecord, walletStore } from '../../entities/wallets/wallet.store';
import { evaluate } from '../../policy/evaluate';
import { recordAmendment } from '../amendments/record-amendment';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { viewOf } from './view';
import { lockWalletOf } from './wallets';

export const WALLET_TAGS_MAX = 10;

/** The wallet keeps its other tags. Throws `PolicyBlocked`, and `InvalidRequest` if the wallet would have too many tags. */
export function tagWallet(services: Services, authority: Authority, walletId: string, tags: readonly string[]): Promise<void> {
  return changeTags(services, authority, { walletId, kind: 'tagWallet' }, async (tx, { tags: present }) => {
    const tagsAdded = [...new Set(tags)].filter((tag) => !present.includes(tag)).sort();
    if (present.length + tagsAdded.length > WALLET_TAGS_MAX) {
      const message = `a wallet has at most ${WALLET_TAGS_MAX} tags`;
      throw badField('tags', message);
    }
    await walletStore.addTags(tx, walletId, tagsAdded);
    return { tagsAdded, tagsRemoved: [] };
  });
}

/** Ignores tags that the wallet does not have. Throws `PolicyBlocked`. */
export function untagWallet(services: Services, authority: Authority, walletId: string, tags: readonly string[]): Promise<void> {
  return changeTags(services, authority, { walletId, kind: 'untagWallet' }, async (tx, { tags: present }) => {
    const tagsRemoved = [...new Set(tags)].filter((tag) => present.includes(tag)).sort();
    await walletStore.removeTags(tx, walletId, tagsRemoved);
    return { tagsAdded: [], tagsRemoved };
  });
}

type Change = { readonly walletId: string; readonly kind: 'tagWallet' | 'untagWallet' };
type TagChange = { readonly tagsAdded: readonly string[]; readonly tagsRemoved: readonly string[] };

async function changeTags(
  { db }: Services,
  authority: Authority,
  { walletId, kind }: Change,
  change: (tx: Tx, record: WalletRecord) => Promise<TagChange>,
): Promise<void> {
  await act(db, authority, async (tx, userActionId) => {
    await organizationStore.beginPolicyChange(tx);
    const { tagsAdded, tagsRemoved } = await change(tx, await lockWalletOf(tx, authority.caller, walletId));
    const changed = [...tagsAdded, ...tagsRemoved];
    if (changed.length === 0) return;
    await walletStore.change(tx, walletId, {});
    await countAsPolicyChange(tx, authority.caller.userId, changed);
    const record = await lockWalletOf(tx, authority.caller, walletId);
    await eventStore.emit(tx, {
      kind: 'wallet.tags.modified',
      aggregateId: walletId,
      aggregateVersion: record.wallet.version,
      data: { wallet: viewOf(record), tagsAdded, tagsRemoved },
    });
    // A charter lists only wallets with an address.
    if (record.wallet.address !== null) await recordAmendment(tx, { kind, userActionId });
  });
}

/**
 * Tags decide which policies apply to a wallet. A change of a wallet's tags is treated as a change of every policy in force that
 * filters by one of the changed tags (S3, S9). Throws `PolicyBlocked` if a policy for `Policies:Modify` would hold or block such
 * a change.
 */
async function countAsPolicyChange(tx: Tx, initiatorId: string, tags: readonly string[]): Promise<void> {
  const looking = await policyStore.filteringBy(tx, tags);
  if (looking.length === 0) return;
  const guarding = await policyStore.inForce(tx, 'Policies:Modify');
  for (const { id, name } of looking) {
    const { outcome } = evaluate(guarding, { initiatorId, permissionId: null, policyId: id });
    if (outcome === 'Cleared') continue;
    throw new AppError(
      'PolicyBlocked',
      `Policy ${name} (${id}) uses this tag, and policies may not be changed without approval`,
      {
        policyId: id,
      },
    );
  }
  await organizationStore.bumpPolicyEpoch(tx);
}
