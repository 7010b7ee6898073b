import { networkOf } from '../chains/networks';
import { AppError } from '../domain/errors';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import type { Authority } from './authority';
import { type EvmTransactionRequest, readEvmTransaction } from './evm/transaction';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { readSolanaTransaction, type SolanaTransactionRequest } from './solana/transaction';
import { badField, type PerFamily, type ReadTransaction } from './transfer-forms';
import { assertExternalId, recordRequest } from './wallet-requests';

export type TransactionRequest = EvmTransactionRequest | SolanaTransactionRequest;

const FORMS: PerFamily<ReadTransaction<TransactionRequest>> = {
  evm: (services, wallet, request, isFirst) => {
    if (request.kind === 'CreateSolanaNonceAccounts') throw notHere(request);
    return readEvmTransaction(services, wallet, request, isFirst);
  },
  solana: (services, wallet, request, isFirst) => {
    if (request.kind === 'CreateSolanaNonceAccounts') return readSolanaTransaction(services, wallet, request, isFirst);
    if (request.kind !== 'Transaction') throw notHere(request);
    const { kind, transaction, externalId } = request;
    if (typeof transaction !== 'string') throw badField('transaction', 'must be hexadecimal or base64 on this network');
    return readSolanaTransaction(services, wallet, { kind, transaction, externalId }, isFirst);
  },
};

const notHere = ({ kind }: TransactionRequest): AppError => badField('kind', `${kind} is not for this network`);

/** Records a raw transaction, starts its workflow and answers as `requestTransfer` does. Throws what the reading of its family throws. */
export async function requestTransaction(
  services: Services,
  authority: Authority,
  walletId: string,
  request: TransactionRequest,
): Promise<TransferEntity> {
  const { caller } = authority;
  const reader = services.db.read(caller.orgId);
  const { externalId } = request;
  const [wallet, , first] = await Promise.all([
    signingWallet(reader, caller, walletId),
    assertExternalId(reader, caller.orgId, request),
    externalId === undefined ? undefined : transferStore.findByExternalId(reader, 'Transaction', externalId),
  ]);
  const { family } = networkOf(wallet.network);
  const read = FORMS[family];
  if (!read) throw new AppError('NetworkNotEnabled', `${wallet.network} takes no transactions`, { network: wallet.network });
  const draft = await read(services, wallet, request, first === undefined);
  return recordRequest(services, authority, wallet, { form: 'Transaction', body: request, ...draft });
}
