import { outgoingEnvelopeOf } from '../../application/outgoing/outgoing-envelope';
import type { TransferState } from '../../domain/transfers';
import type { Tx } from '../../entities/database';
import { laneStore, nonceClaim } from '../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { PayloadEntity } from '../../entities/outgoing/payload.entity';
import { verdictStore } from '../../entities/policies/verdict.store';
import { newId } from '../../platform/ids';
import { RECIPIENT, startTransferApi, type TransferApi, type TransferBody } from './transfer-api';
import { waitUntil } from './wait-until';

export type Verb = 'abort' | 'cancel' | 'speed-up';

export type ReplacementApi = TransferApi & {
  /** Creates a request in this state, with a payload and a claim (a reserved nonce) if the state has them. Returns its id. */
  readonly standing: (
    form: 'transfers' | 'transactions',
    state: TransferState,
    body?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
  readonly path: (id: string, verb: Verb, walletId?: string) => string;
  readonly row: (id: string) => Promise<OutgoingEntity>;
  /** Waits for the replacement of this request and moves it to `Broadcasted`, because no step does so here. */
  readonly newestSent: (otherThan: string) => Promise<void>;
};

/** Records the verdict `Cleared` for a request, as if no policy held it. Returns the id of the verdict. */
async function cleared(tx: Tx, id: string): Promise<string> {
  const row = await outgoingStore.lock(tx, id);
  return verdictStore.record(tx, {
    ...{ activityKind: 'Wallets:Sign', activityId: id, policyEpoch: row.policyEpoch ?? 0, outcome: 'Cleared' },
    ...{ facts: { envelope: outgoingEnvelopeOf(row) }, evaluations: [], shadows: [] },
  });
}

/** The transfer API with requests in any state. No step signs or sends here. */
export async function startReplacementApi(): Promise<ReplacementApi> {
  const transfers = await startTransferApi();
  const { orgId, wallet } = transfers;
  const { db } = transfers.api.database;
  const row = async (id: string) => {
    const found = await outgoingStore.find(db.read(orgId), id);
    if (!found) throw new Error(`no transfer ${id}`);
    return found;
  };
  let nonce = 0;
  return {
    ...transfers,
    row,
    path: (id, verb, walletId = wallet.id) =>
      `/wallets/${walletId}/${id.startsWith('tx-') ? 'transactions' : 'transfers'}/${id}/${verb}`,
    standing: async (form, state, body = {}) => {
      const answer =
        form === 'transfers'
          ? await transfers.ask(body)
          : await transfers.broadcast({ kind: 'Evm', to: RECIPIENT, value: '1', ...body });
      const { id } = answer.body as TransferBody;
      if (state === 'AwaitingApproval') return id;
      await db.withOrg(orgId, async (tx) => {
        await tx.update(OutgoingEntity, { id }, { state, approvalId: null, verdictId: await cleared(tx, id) });
        if (state === 'Approved') return;
        const { network, fromAddress } = await outgoingStore.lock(tx, id);
        const isSigned = state !== 'Signing' && state !== 'Failed';
        await tx.insert(PayloadEntity, {
          ...{ orgId, id: newId('payload'), transferId: id, network, fromAddress, nonce, maxFeeUnits: '1' },
          ...{ unsignedHex: '0x', digestHex: '0x', state: isSigned ? 'Broadcasted' : 'Built' },
          ...(isSigned ? { rawHex: '0x', txHash: `0x${id}` } : {}),
        });
        if (state !== 'Failed') await laneStore.claim(tx, { id, network }, nonceClaim(fromAddress, nonce));
        nonce += 1;
      });
      return id;
    },
    newestSent: async (otherThan) => {
      const id = await waitUntil('the replacement', async () => {
        const { replacedById } = await row(otherThan);
        return replacedById !== null && (await row(replacedById)).state === 'Approved' && replacedById;
      });
      await db.withOrg(orgId, (tx) => tx.update(OutgoingEntity, { id }, { state: 'Broadcasted' }));
    },
  };
}
