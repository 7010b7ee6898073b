import { AppError, invariant } from '../../domain/errors';
import type { FeeSponsorStatus } from '../../domain/fee-sponsors';
import type { Reader, Tx } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { keyStore } from '../../entities/keys/key.store';
import { keyCustody } from '../../entities/keys/key-custody';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';

/**
 * Throws `TransferWouldFail` if the sponsor no longer pays or its key may not sign. A replacement also accepts a sponsor that
 * was deactivated or archived in the meantime.
 */
export async function assertSponsorMaySign(
  tx: Tx,
  { feeSponsorId }: OutgoingEntity,
  standings: readonly FeeSponsorStatus[] = ['Active'],
): Promise<void> {
  const sponsor = feeSponsorId === null ? undefined : await feeSponsorStore.find(tx, feeSponsorId);
  const key = sponsor && (await keyStore.ofWallet(tx, sponsor.walletId));
  const maySign = key?.status === 'Active' && key.dateExported === null && key.delegatedTo === null;
  if (sponsor && standings.includes(sponsor.status) && maySign) return;
  throw new AppError('TransferWouldFail', 'The fee sponsor stopped paying before anything was signed');
}

export async function sponsorKey(reader: Reader, { feeSponsorId }: OutgoingEntity) {
  const record = feeSponsorId === null ? undefined : await feeSponsorStore.find(reader, feeSponsorId);
  const wallet = record && (await reader.row(WalletEntity, 'WHERE t.id = $1', [record.walletId]));
  invariant(wallet, 'the row of a wallet is kept');
  const { keyId } = wallet;
  return { keyId, custody: await keyCustody.ofKey(reader, keyId) };
}

/** Marks a refusal with `nothingSigned: false`. The wallet has already signed, so no claim may be released. */
export async function behindTheWallet<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
    throw new AppError('SignerRefused', error.message, { ...error.details, nothingSigned: false }, error);
  }
}
