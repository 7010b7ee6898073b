import { isSolanaTransaction, isUtxoTransaction } from '../../chains/decoders';
import { familiesOf } from '../../chains/networks';
import type { KeyForm } from '../../domain/keys';
import type { Family } from '../../domain/networks';
import { isAbsent, recognisedBy, type Slot } from '../../domain/slots';
import { Refusal } from '../wire/refusal';
import { looksLikeEvmTransaction } from './payloads/evm-transaction';

/** Tells whether bytes in 0x-hex are a transaction of the family, signed or not. Never throws. */
export type IsTransaction = (bytesHex: string) => boolean;

const FAMILIES: Readonly<Record<Family, Slot<IsTransaction>>> = {
  evm: looksLikeEvmTransaction,
  utxo: isUtxoTransaction,
  solana: isSolanaTransaction,
};

/** A transaction is never signed as a message, whichever family the key signs for; if one family cannot tell, no message is signed (S12). */
export function assertIsMessage(key: KeyForm, bytesHex: string): void {
  const slotOf = (family: Family) => FAMILIES[family];
  const found = recognisedBy(familiesOf(key), slotOf, (isTransaction) => isTransaction(bytesHex));
  if (found === undefined) return;
  throw new Refusal(isAbsent(found) ? 'PayloadNotSupported' : 'MessageIsTransaction');
}
