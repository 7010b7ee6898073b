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
import { lifeOfOrder } from '../signatures/order-life';

type FrozenTarget = Parameters<SignerClient['setFreeze']>[0]['target'];
type Dependencies = Approving & {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'setFreeze' | 'releaseFreeze'>;
};

export function createFreezeActivities({ db, signer, signedBodies, onAltered }: Dependencies) {
  const note = (orgId: string, freezeId: string, column: 'dateSignerTold' | 'dateSignerReleased') =>
    db.withOrg(orgId, async (tx) => {
      const row = await freezeRecordStore.lock(tx, freezeId);
      if (row) await freezeRecordStore.told(tx, row, column);
    });

  return {
    /** Reports the freeze, or its release, to the signer. An order that the signer has already received changes nothing. */
    async applyFreeze({ orgId, freezeId }: FreezeRef): Promise<'Standing' | 'Released'> {
      const reader = db.read(orgId);
      const row = await freezeRecordStore.find(reader, freezeId);
      invariant(row, `the freeze ${freezeId} exists before its workflow starts`);
      const isReleased = row.dateReleased !== null;
      const released = isReleased ? await releaseOf(reader, row, { signedBodies }) : undefined;
      if (typeof released === 'string') {
        // The row does not prove the release, so the signer keeps the freeze. The workflow's next attempt reads the row again.
        onAltered?.({ orgId, id: freezeId }, released);
        return 'Standing';
      }
      const grounds = released ?? requestOf(row);
      // A freeze that the service itself placed has no requester, so the order to freeze has no evidence. The order to release
      // always has evidence.
      const evidence = grounds === undefined ? [] : await evidenceOf(reader, signedBodies, grounds);
      const order = {
        orgId,
        freezeId,
        evidence,
        ...lifeOfOrder(),
      };
      if (isReleased) await signer.releaseFreeze(order);
      else await signer.setFreeze({ ...order, target: await targetOf(reader, row) });
      await note(orgId, freezeId, isReleased ? 'dateSignerReleased' : 'dateSignerTold');
      return isReleased ? 'Released' : 'Standing';
    },
  };
}

const requestOf = ({ userActionId }: FreezeEntity) => (userActionId === null ? undefined : { userActionId, approvalId: null });

/**
 * Returns the user action that requested the release, and the approval if a policy required an approval. If the row does not
 * prove the action and the approval, returns the reason for an alarm.
 */
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
      invariant(wallet, 'the row of a wallet is kept');
      const { keyId, network } = wallet;
      return { kind: targetKind, keyId, ...(await publicKeyOf(reader, keyId)), network };
    }
  }
}

/**
 * One key can have several key ids. If the signer's journal does not contain this key id, the signer finds the key's other ids
 * by the public key.
 */
async function publicKeyOf(reader: Reader, keyId: string) {
  const key = await keyStore.find(reader, keyId);
  if (!key || key.publicKey === null) return {};
  return { publicKey: { curve: key.curve, publicKeyHex: key.publicKey } };
}
