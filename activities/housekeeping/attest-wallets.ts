import { keepAttestation } from '../../application/wallets/attestation';
import type { DutyResult } from '../../domain/housekeeping';
import type { OpenRow } from '../../entities/housekeeping/housekeeping.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import type { SignerClient } from '../../signer/protocol';
import { type DutyParts, isSignerAway, ROWS_MAX, resultOf } from './duty';

export type AttestingParts = { readonly signer: Pick<SignerClient, 'attestAddress'> };

/** Wallets on existing or imported keys, and wallets from earlier releases, have no attestation when they become active. */
export function createAttestationDuty({ db, housekeeping, signer, logger }: DutyParts & AttestingParts) {
  const attest = async ({ orgId, id }: OpenRow): Promise<void> => {
    const record = await walletStore.find(db.read(orgId), id);
    if (!record) return;
    const { wallet } = record;
    const signed = await signer.attestAddress({ orgId, keyId: wallet.keyId, network: wallet.network });
    await db.withOrg(orgId, (tx) => keepAttestation(tx, wallet, signed));
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.unattestedWallets({ after, olderThanMs: 0, rowsMax: ROWS_MAX });
    const refused: (OpenRow & { readonly err: unknown })[] = [];
    for (const row of rows) {
      try {
        await attest(row);
      } catch (err) {
        if (isSignerAway(err)) throw err;
        refused.push({ ...row, err });
      }
    }
    const [first] = refused;
    // One log line for all wallets, because a signer with the wrong state folder refuses every wallet.
    if (first) {
      const { orgId, id: recordId, err } = first;
      const which = refused.length === 1 ? 'the address of a wallet has' : `the addresses of ${refused.length} wallets have`;
      logger.error({ orgId, recordId, err }, `${which} no attestation: compare the rows with the signer`);
    }
    return resultOf(rows, rows.length - refused.length);
  };
}
