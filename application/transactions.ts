import { networkOf } from '../chains/networks';
import { AppError } from '../domain/errors';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import type { Authority } from './authority';
import { type EvmTransactionRequest, readEvmTransaction } from './evm/transaction';
import { badField } from './request-faults';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { readSolanaTransaction, type SolanaTransactionRequest } from './solana/transaction';
import type { PerFamily, ReadTransaction } from './transfer-forms';
import { readUtxoTransaction, type UtxoTransactionRequest } from './utxo/transaction';
import { draftBefore, recordRequest, repetitionRule } from './wallet-requests';

export type TransactionRequest = EvmTransactionRequest | SolanaTransactionRequest | UtxoTransactionRequest;

const FORMS: PerFamily<ReadTransaction<TransactionRequest>> = {
  evm: (services, wallet, request) => {
    if (request.kind === 'CreateSolanaNonceAccounts' || request.kind === 'Psbt') throw notHere(request);
    return readEvmTransaction(services, wallet, request);
  },
  solana: (services, wallet, request) => {
    if (request.kind === 'CreateSolanaNonceAccounts') return readSolanaTransaction(services, wallet, request);
    if (request.kind !== 'Transaction') throw notHere(request);
    const { kind, transaction, externalId } = request;
    if (typeof transaction !== 'string') throw badField('transaction', 'must be hexadecimal or base64 on this network');
    return readSolanaTransaction(services, wallet, { kind, transaction, externalId });
  },
  utxo: (services, wallet, request) => {
    if (!isPsbt(request)) throw notHere(request);
    return readUtxoTransaction(services, wallet, request);
  },
};

/** Of the Bitcoin family nothing but a PSBT tells what it spends, and a transaction alone would have to be believed. */
function isPsbt(request: TransactionRequest): request is UtxoTransactionRequest {
  return request.kind === 'Psbt';
}

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
  const [wallet, rule, before] = await Promise.all([
    signingWallet(reader, caller, walletId),
    repetitionRule(reader, caller.orgId, request),
    draftBefore(reader, 'Transaction', request),
  ]);
  const { family } = networkOf(wallet.network);
  const read = FORMS[family];
  if (!read) throw new AppError('NetworkNotEnabled', `${wallet.network} takes no transactions`, { network: wallet.network });
  const draft = before ?? (await read(services, wallet, request));
  return recordRequest(services, authority, wallet, { form: 'Transaction', body: request, ...rule, ...draft });
}
