import { networkOf } from '../../chains/networks';
import type { AppError } from '../../domain/errors';
import type { Family, NetworkName } from '../../domain/networks';
import type { Slot } from '../../domain/slots';
import { badField } from '../request-faults';
import { isEvmRequest } from './evm/requests';
import { evmSponsoring } from './evm/sponsoring';
import { readEvmTransaction } from './evm/transaction';
import { readEvmTransfer } from './evm/transfer';
import { readUserOperations } from './evm/user-operations';
import type {
  ChildForm,
  ReadTransaction,
  ReadTransfer,
  ReplacementForm,
  SponsoringForm,
  TransactionRequest,
} from './family-forms';
import { solanaReplacement } from './solana/replacement';
import { solanaSponsoring } from './solana/sponsoring';
import { readSolanaTransaction } from './solana/transaction';
import { readSolanaTransfer } from './solana/transfer';
import { utxoChild } from './utxo/child';
import { utxoReplacement } from './utxo/replacement';
import { utxoSponsoring } from './utxo/sponsoring';
import { readUtxoTransaction } from './utxo/transaction';
import { readUtxoTransfer } from './utxo/transfer';

/** The part of a family that the use cases of this folder call. */
export type OutgoingFamily = {
  readonly readTransfer: Slot<ReadTransfer>;
  readonly readTransaction: Slot<ReadTransaction<TransactionRequest>>;
  readonly replacement: ReplacementForm;
  readonly child: ChildForm | null;
  readonly sponsoring: SponsoringForm;
  /**
   * Whether inclusion in a block frees the transaction's place in the sender's queue. True if the number of places is limited
   * only because nodes limit the pending transactions of a sender.
   */
  readonly freesAtInclusion: boolean;
};

const notHere = ({ kind }: TransactionRequest): AppError => badField('kind', `${kind} is not for this network`);

const evmTransaction: ReadTransaction<TransactionRequest> = (services, wallet, request) => {
  if (request.kind === 'UserOperations') return readUserOperations(services, wallet, request);
  if (!isEvmRequest(request)) throw notHere(request);
  return readEvmTransaction(services, wallet, request);
};

const solanaTransaction: ReadTransaction<TransactionRequest> = (services, wallet, request) => {
  if (request.kind === 'CreateSolanaNonceAccounts') return readSolanaTransaction(services, wallet, request);
  if (request.kind !== 'Transaction') throw notHere(request);
  const { kind, transaction, externalId } = request;
  if (typeof transaction !== 'string') throw badField('transaction', 'must be hexadecimal or base64 on this network');
  return readSolanaTransaction(services, wallet, { kind, transaction, externalId });
};

/**
 * Only a PSBT is accepted. A bare transaction does not contain the amounts of its inputs, so the service would have to trust the
 * amounts that the caller states.
 */
const utxoTransaction: ReadTransaction<TransactionRequest> = (services, wallet, request) => {
  if (request.kind !== 'Psbt') throw notHere(request);
  return readUtxoTransaction(services, wallet, request);
};

const FAMILIES: Readonly<Record<Family, OutgoingFamily>> = {
  evm: {
    readTransfer: readEvmTransfer,
    readTransaction: evmTransaction,
    replacement: {},
    child: null,
    sponsoring: evmSponsoring,
    freesAtInclusion: true,
  },
  solana: {
    readTransfer: readSolanaTransfer,
    readTransaction: solanaTransaction,
    replacement: solanaReplacement,
    child: null,
    sponsoring: solanaSponsoring,
    freesAtInclusion: false,
  },
  utxo: {
    readTransfer: readUtxoTransfer,
    readTransaction: utxoTransaction,
    replacement: utxoReplacement,
    child: utxoChild,
    sponsoring: utxoSponsoring,
    freesAtInclusion: false,
  },
};

/** This module imports the modules of the families, so those modules may import only types from this module. */
export const familyOf = (network: NetworkName): OutgoingFamily => FAMILIES[networkOf(network).family];
