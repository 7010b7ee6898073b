import { networkOf } from '../chains/networks';
import { AppError } from '../domain/errors';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import type { Authority } from './authority';
import { readEvmTransfer } from './evm/transfer';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { readSolanaTransfer } from './solana/transfer';
import { badField, type PerFamily, type ReadTransfer, type TransferRequest } from './transfer-forms';
import { readUtxoTransfer } from './utxo/transfer';
import { assertExternalId, recordRequest } from './wallet-requests';

const FORMS: PerFamily<ReadTransfer> = { evm: readEvmTransfer, solana: readSolanaTransfer, utxo: readUtxoTransfer };

/**
 * Records a transfer, starts its workflow and answers when it is held, on its way or ended (behaviour.md (p) 9). The same
 * `externalId` with the same request answers the first transfer; with another request it is a `Conflict`. Without one it is
 * `InvalidRequest` where the organisation requires it, since a request sent again after a lost answer would pay twice (S16).
 */
export async function requestTransfer(
  services: Services,
  authority: Authority,
  walletId: string,
  request: TransferRequest,
): Promise<TransferEntity> {
  const { caller } = authority;
  const reader = services.db.read(caller.orgId);
  const [wallet] = await Promise.all([signingWallet(reader, caller, walletId), assertExternalId(reader, caller.orgId, request)]);
  const { family } = networkOf(wallet.network);
  const read = FORMS[family];
  if (!read) throw new AppError('NetworkNotEnabled', `${wallet.network} takes no transfers`, { network: wallet.network });
  if (family !== 'solana') assertNoOptions(request);
  const draft = await read(services, wallet, request);
  return recordRequest(services, authority, wallet, { form: 'Transfer', body: request, ...draft });
}

/** A member that a network has no use for would be taken for granted by whoever sent it. */
function assertNoOptions(request: TransferRequest): void {
  for (const field of ['memo', 'createDestinationAccount', 'useDurableNonce'] as const) {
    if (request[field] !== undefined) throw badField(field, 'is not for this network');
  }
}
