import { isSolanaTransaction, isUtxoTransaction } from '../../chains/decoders';
import type { KeyForm } from '../../domain/keys';
import type { Family } from '../../domain/networks';
import { isAbsent, type Slot } from '../../domain/slots';
import { looksLikeEvmTransaction } from './payloads/evm-transaction';

/** What tells transactions of a family from messages, so that the first are never signed as the second (S12). */
type JudgedFamily = {
  /** Whether keys of this form sign on networks of the family. */
  readonly hasKeys: (key: KeyForm) => boolean;
  /** Whether bytes as 0x-hex are a transaction, signed or not. Never throws. */
  readonly isTransaction: (bytesHex: string) => boolean;
};

const FAMILIES: Readonly<Record<Family, Slot<JudgedFamily>>> = {
  evm: {
    hasKeys: ({ scheme, curve }) => scheme === 'ECDSA' && curve === 'secp256k1',
    isTransaction: looksLikeEvmTransaction,
  },
  utxo: { hasKeys: ({ curve }) => curve === 'secp256k1', isTransaction: isUtxoTransaction },
  solana: { hasKeys: ({ scheme }) => scheme === 'EdDSA', isTransaction: isSolanaTransaction },
};

/** Whether bytes are a transaction of any family on whose networks the key may sign. */
export const isTransactionFor = (key: KeyForm, bytesHex: string): boolean =>
  Object.values(FAMILIES).some((slot) => !isAbsent(slot) && slot.hasKeys(key) && slot.isTransaction(bytesHex));
