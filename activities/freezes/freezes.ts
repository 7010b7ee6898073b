import type { Proofs } from '../../application/approvals/countable-votes';
import { ALTERED, type Approving } from '../../application/approvals/what-was-approved';
import { whyNotReleased } from '../../application/freezes/confirmed-release';
import { invariant } from '../../domain/errors';
import type { FreezeRef } from '../../domain/freezes';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Database, Reader } from '../../entities/database';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import { keyStore } from '../../entities/keys/key.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { SignerClient } from '../../signer/protocol';
import { evidenceOf } from '../signatures/order-evidence';

/** An order that the signer gets later than this is stale; another attempt makes a fresh one. */
const ORDER_LIFE_MS = 60_000;

type FrozenTarget = Parameters<SignerClient['setFreeze']>[0]['target'];
type Dependencies = Approving & {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'setFreeze' | 'releaseFreeze'>;
};

/** Activities of the `signer` queue that have the signer stand still and go on. */
export function createFreezeActivities({ db, signer, signedBodies, onAltered }: Dependencies) {
  const note = (orgId: string, freezeId: string, column: 'dateSignerTold' | 'dateSignerReleased') =>
    db.withOrg(orgId, async (tx) => {
      const row = await freezeRecordStore.lock(tx, freezeId);
      if (row) await freezeRecordStore.told(tx, row, column);
    });

  return {
    /**
     * Tells the signer what the row says now, with the evidence of who asked for it. Run again it says the same, which changes nothing
     * there; a signer that takes up an older state folder hears it anew.
     */
    async applyFreeze({ orgId, freezeId }: FreezeRef): Promise<'Standing' | 'Released'> {
      const reader = db.read(orgId);
      const row = await freezeRecordStore.find(reader, freezeId);
      invariant(row, `the freeze ${freezeId} is there before its workflow`);
      const isReleased = row.dateReleased !== null;
      const released = isReleased ? await releaseOf(reader, row, { signedBodies }) : undefined;
      if (typeof released === 'string') {
        // The signer goes on standing still, and a later look finds the row as it is by then.
        onAltered?.({ orgId, id: freezeId }, released);
        return 'Standing';
      }
      const grounds = released ?? requestOf(row);
      // What the service froze of itself nobody asked for: the signer stands still on its word, and goes on only on that of people.
      const evidence = grounds === undefined ? [] : await evidenceOf(reader, grounds);
      const now = Date.now();
      const order = {
        orgId,
        freezeId,
        evidence,
        issuedAt: new Date(now).toISOString(),
        notAfter: new Date(now + ORDER_LIFE_MS).toISOString(),
      };
      if (isReleased) await signer.releaseFreeze(order);
      else await signer.setFreeze({ ...order, target: await targetOf(reader, row) });
      await note(orgId, freezeId, isReleased ? 'dateSignerReleased' : 'dateSignerTold');
      return isReleased ? 'Released' : 'Standing';
    },
  };
}

const requestOf = ({ userActionId }: FreezeEntity) => (userActionId === null ? undefined : { userActionId, approvalId: null });

/** Who asked for the release and, where policies asked people, who approved it; why nobody has, where the row says so by itself. */
async function releaseOf(reader: Reader, row: FreezeEntity, proofs: Proofs) {
  const { releaseActionId: userActionId, releasedBy } = row;
  const change = releasedBy === null ? undefined : await changeRequestStore.find(reader, releasedBy);
  if (userActionId === null || !change) return ALTERED.content;
  const altered = await whyNotReleased(reader, row, change, proofs);
  return altered ?? { userActionId, approvalId: change.approvalId };
}

async function targetOf(reader: Reader, { targetKind, targetId }: FreezeEntity): Promise<FrozenTarget> {
  switch (targetKind) {
    case 'Organization':
      return { kind: targetKind };
    case 'Key':
      return { kind: targetKind, keyId: targetId, ...(await publicKeyOf(reader, targetId)) };
    case 'Network':
      return { kind: targetKind, network: targetId };
    case 'Wallet': {
      const wallet = await reader.row(WalletEntity, 'WHERE t.id = $1', [targetId]);
      invariant(wallet, 'a wallet stays');
      const { keyId, network } = wallet;
      return { kind: targetKind, keyId, ...(await publicKeyOf(reader, keyId)), network };
    }
  }
}

/** The signer's journal may not know the id, so that it could not tell under which others the same key stands. */
async function publicKeyOf(reader: Reader, keyId: string) {
  const key = await keyStore.find(reader, keyId);
  if (!key || key.publicKey === null) return {};
  return { publicKey: { curve: key.curve, publicKeyHex: key.publicKey } };
}
