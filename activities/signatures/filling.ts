import type { Approving } from '../../application/approvals/what-was-approved';
import { cancelLapsed } from '../../application/signatures/cancel-signature';
import { failSignature } from '../../application/signatures/fail-signature';
import { inFamily } from '../../chains/families';
import type { createReaders } from '../../chains/readers';
import { AppError, invariant } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import type { SignatureRef, SignatureState } from '../../domain/signatures';
import { clockOf } from '../../entities/clock';
import type { Database } from '../../entities/database';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { signatureStore } from '../../entities/signatures/signature.store';
import { notingSignature } from '../outgoing/blockers';
import { frozenBefore } from '../outgoing/frozen-steps';
import { isNonceUsed, quoteFilling } from './evm/filling';
import { signatureRecords } from './records';
import { begin } from './sign';

type Dependencies = Approving & { readonly db: Database; readonly readers: ReturnType<typeof createReaders> };
type Outcome = 'Filled' | 'Failed' | 'Rejected' | 'PolicyChanged';
/** Null if there is nothing left to do. */
export type NextLook = { readonly againMs: number | null };

export function createSignatureFillingActivities({ db, readers, ...approving }: Dependencies) {
  const find = async ({ orgId, signatureId }: SignatureRef): Promise<SignatureEntity> => {
    const row = await signatureStore.find(db.read(orgId), signatureId);
    if (!row) throw new AppError('NotFound', 'signature not found', { signatureId });
    return row;
  };
  return {
    /**
     * Claims the nonce, builds and reads back the bytes and commits `Signing`, all in one database transaction (S8). A repeated
     * run finds this work done. The request fails if the network demands more than the approved ceiling or reports that the
     * transaction would fail.
     */
    fillSignature: notingSignature(db, async (ref: SignatureRef): Promise<Outcome | Frozen> => {
      const { orgId, signatureId } = ref;
      const row = await find(ref);
      const { payload, fromAddress } = row;
      if (row.state !== 'Approved' || payload.kind !== 'OpenEvmTransaction') return outcomeAt(row.state);
      invariant(fromAddress !== null, 'a transaction has a sender');
      const frozen = await frozenBefore(db, orgId, signatureRecords, row);
      if (frozen) return frozen;
      try {
        const fill = await quoteFilling(inFamily('evm', readers(payload.network)), payload, fromAddress);
        return outcomeAt((await db.withOrg(orgId, (tx) => begin(tx, signatureId, approving, fill))).state);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TransferWouldFail') throw error;
        return outcomeAt(await db.withOrg(orgId, (tx) => failSignature(tx, signatureId, ['Approved'], error.message)));
      }
    }),

    /**
     * If the caller has not sent the signed transaction in time, uses up the nonce with a zero payment of the sender to itself.
     * A repeated run finds the payment that an earlier run recorded.
     */
    async lapseSignature(ref: SignatureRef): Promise<NextLook> {
      const { orgId, signatureId } = ref;
      const row = await find(ref);
      const { claimNetwork: network, fromAddress: from, details } = row;
      if (row.state !== 'Signed' || network === null || from === null || details?.lapsesAt === undefined)
        return { againMs: null };
      const leftMs = Date.parse(details.lapsesAt) - (await clockOf(db.read(orgId))).getTime();
      if (leftMs > 0) return { againMs: leftMs };
      if (await isNonceUsed(inFamily('evm', readers(network)), from, row)) return { againMs: null };
      return { againMs: await db.withOrg(orgId, (tx) => cancelLapsed(tx, signatureId)) };
    },
  };
}

function outcomeAt(state: SignatureState): Outcome {
  if (state === 'Failed' || state === 'Rejected') return state;
  return state === 'Signing' || state === 'Signed' || state === 'Confirmed' ? 'Filled' : 'PolicyChanged';
}
