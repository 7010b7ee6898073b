import { evmPayloads, isUtxoTransaction, solanaPayloads } from '../../chains/codecs';
import type { TransactionInput } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import type { Network } from '../../chains/types';
import type { KeyForm } from '../../domain/keys';
import type { Family } from '../../domain/networks';
import { absent, inSlot, isAbsent, type Slot } from '../../domain/slots';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { prepareEvm } from './evm/prepare-transaction';
import type { Prepared } from './payloads';
import { prepareSolana } from './solana';

type SigningFamily = {
  /** A transaction that its caller sends: what the signer is asked for it, and what it takes. */
  readonly prepareTransaction: Slot<(key: KeyEntity, transaction: string | TransactionInput, network: Network) => Prepared>;
  readonly message: Slot<{
    /** Whether keys of this form sign on networks of the family. */
    readonly hasKeys: (key: KeyForm) => boolean;
    readonly isTransaction: (bytesHex: string) => boolean;
    /** Why such bytes are not signed as a message. */
    readonly fault: string;
  }>;
};

const FAMILIES: Readonly<Record<Family, SigningFamily>> = {
  evm: {
    prepareTransaction: (key, transaction, network) => prepareEvm(key, transaction, inFamily('evm', network)),
    message: {
      hasKeys: ({ scheme, curve }) => scheme === 'ECDSA' && curve === 'secp256k1',
      isTransaction: evmPayloads.isEvmTransaction,
      fault: 'is a transaction: use the kind Transaction',
    },
  },
  utxo: {
    prepareTransaction: absent('This is for networks of the family evm', { family: 'evm' }),
    message: {
      hasKeys: ({ curve }) => curve === 'secp256k1',
      isTransaction: isUtxoTransaction,
      fault: 'is a transaction of the Bitcoin family',
    },
  },
  solana: {
    prepareTransaction: (key, transaction, { name }) => prepareSolana(key, transaction, name),
    message: {
      hasKeys: ({ scheme }) => scheme === 'EdDSA',
      isTransaction: solanaPayloads.isTransaction,
      fault: 'is a transaction of Solana: use the kind Transaction',
    },
  },
};

export const prepareTransaction = (key: KeyEntity, transaction: string | TransactionInput, network: Network): Prepared =>
  inSlot(FAMILIES[network.family].prepareTransaction)(key, transaction, network);

/** Whoever can have "messages" signed must not have transactions signed by it, of whatever family the key may sign for (S12). */
export function whyNoMessage(key: KeyForm, bytesHex: string): string | undefined {
  for (const { message } of Object.values(FAMILIES)) {
    if (!isAbsent(message) && message.hasKeys(key) && message.isTransaction(bytesHex)) return message.fault;
  }
  return undefined;
}
