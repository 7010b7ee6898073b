import { invariant } from '../domain/errors';
import type { FreezeRef } from '../domain/freezes';
import { changeRequestStore } from '../entities/change-requests/change-request.store';
import type { Database, Reader } from '../entities/database';
import type { FreezeEntity } from '../entities/freezes/freeze.entity';
import { freezeRecordStore } from '../entities/freezes/freeze-record.store';
import { WalletEntity } from '../entities/wallets/wallet.entity';
import type { SignerClient } from '../signer/protocol';
import { evidenceOf } from './signature-evidence';

/** An order that the signer gets later than this is stale; another attempt makes a fresh one. */
const ORDER_LIFE_MS = 60_000;

type FrozenTarget = Parameters<SignerClient['setFreeze']>[0]['target'];
type Dependencies = { readonly db: Database; readonly signer: Pick<SignerClient, 'setFreeze' | 'releaseFreeze'> };

/** Activities of the `signer` queue that have the signer stand still and go on. */
export function createFreezeActivities({ db, signer }: Dependencies) {
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
      const grounds = isReleased ? await releaseOf(reader, row) : requestOf(row);
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

/** Who asked for the release and, where policies asked people, who approved it. */
async function releaseOf(reader: Reader, { id, releaseActionId, releasedBy }: FreezeEntity) {
  invariant(releaseActionId !== null && releasedBy !== null, `the freeze ${id} was released by somebody`);
  const change = await changeRequestStore.find(reader, releasedBy);
  invariant(change, 'a change request stays');
  return { userActionId: releaseActionId, approvalId: change.approvalId };
}

async function targetOf(reader: Reader, { targetKind, targetId }: FreezeEntity): Promise<FrozenTarget> {
  switch (targetKind) {
    case 'Organization':
      return { kind: targetKind };
    case 'Key':
      return { kind: targetKind, keyId: targetId };
    case 'Network':
      return { kind: targetKind, network: targetId };
    case 'Wallet': {
      const wallet = await reader.row(WalletEntity, 'WHERE t.id = $1', [targetId]);
      invariant(wallet, 'a wallet stays');
      return { kind: targetKind, keyId: wallet.keyId, network: wallet.network };
    }
  }
}
