import { keepAttestation } from '../../application/wallets/attestation';
import { AppError } from '../../domain/errors';
import type { DutyResult } from '../../domain/housekeeping';
import type { OpenRow } from '../../entities/housekeeping/housekeeping.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import type { SignerClient } from '../../signer/protocol';
import { type DutyParts, ROWS_MAX, resultOf } from './duty';

export type AttestingParts = { readonly signer: Pick<SignerClient, 'attestAddress'> };

/** Wallets on existing keys, imported ones, and those of earlier releases have no attestation when they become active. */
export function createAttestationDuty({ db, housekeeping, signer, logger }: DutyParts & AttestingParts) {
  const attest = async ({ orgId, id }: OpenRow): Promise<boolean> => {
    const record = await walletStore.find(db.read(orgId), id);
    if (!record || record.wallet.address === null) return false;
    const { wallet } = record;
    try {
      const signed = await signer.attestAddress({ orgId, keyId: wallet.keyId, network: wallet.network });
      await db.withOrg(orgId, (tx) => keepAttestation(tx, wallet, signed));
      return true;
    } catch (err) {
      if (err instanceof AppError && err.code === 'SignerUnavailable') throw err;
      logger.error({ orgId, recordId: id, err }, 'the address of a wallet has no attestation: compare its row with the signer');
      return false;
    }
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.unattestedWallets({ after, olderThanMs: 0, rowsMax: ROWS_MAX });
    let done = 0;
    for (const row of rows) if (await attest(row)) done += 1;
    return resultOf(rows, done);
  };
}
