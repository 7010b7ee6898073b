import { networkOf } from '../chains/networks';
import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import { assertTierHas } from '../domain/tiers';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import type { Authority } from './authority';
import { type EvmTransactionRequest, readEvmTransaction } from './evm/transaction';
import { readUserOperations, type UserOperationsRequest } from './evm/user-operations';
import { badField } from './request-faults';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { readSolanaTransaction, type SolanaTransactionRequest } from './solana/transaction';
import { assertNotBlocked, sponsorFor } from './sponsoring';
import type { PerFamily, ReadTransaction } from './transfer-forms';
import { readUtxoTransaction, type UtxoTransactionRequest } from './utxo/transaction';
import { draftBefore, recordRequest, repetitionRule, type TransferDraft } from './wallet-requests';
import type { UsableWallet } from './wallets';

export type TransactionRequest =
  | EvmTransactionRequest
  | UserOperationsRequest
  | SolanaTransactionRequest
  | UtxoTransactionRequest;

const FORMS: PerFamily<ReadTransaction<TransactionRequest>> = {
  evm: (services, wallet, request) => {
    if (request.kind === 'CreateSolanaNonceAccounts' || request.kind === 'Psbt') throw notHere(request);
    if (request.kind === 'UserOperations') return readUserOperations(services, wallet, request);
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
  const network = networkOf(wallet.network);
  assertTierHas(network, 'Transfers');
  const read = FORMS[network.family];
  if (!read) throw new AppError('NetworkNotEnabled', `${wallet.network} takes no transactions`, { network: wallet.network });
  const draft = before ?? (await readWith(read, services, caller, wallet, request));
  const row = await recordRequest(services, authority, wallet, { form: 'Transaction', body: request, ...rule, ...draft });
  assertNotBlocked(row);
  return row;
}

async function readWith(
  read: ReadTransaction<TransactionRequest>,
  services: Services,
  caller: Caller,
  wallet: UsableWallet,
  request: TransactionRequest,
): Promise<TransferDraft> {
  const draft = await read(services, wallet, request);
  return 'feeSponsorId' in request ? { ...draft, ...(await sponsorFor(services, caller, wallet, request.feeSponsorId)) } : draft;
}
