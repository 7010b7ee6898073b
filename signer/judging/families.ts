import { isSolanaTransaction, isUtxoTransaction } from '../../chains/decoders';
import { familiesOf } from '../../chains/networks';
import type { KeyForm } from '../../domain/keys';
import type { Family } from '../../domain/networks';
import { isAbsent, recognisedBy, type Slot } from '../../domain/slots';
import { Refusal } from '../wire/refusal';
import { looksLikeEvmTransaction } from './payloads/evm-transaction';

/** Accepts bytes in 0x-hex, signed or not. Never throws. */
export type IsTransaction = (bytesHex: string) => boolean;

const FAMILIES: Readonly<Record<Family, Slot<IsTransaction>>> = {
  evm: looksLikeEvmTransaction,
  utxo: isUtxoTransaction,
  solana: isSolanaTransaction,
};

/**
 * Throws a `Refusal` if the bytes are a transaction of any family for which keys of this form sign (S12). If a family cannot
 * recognise its transactions, no message is signed.
 */
export function assertIsMessage(key: KeyForm, bytesHex: string): void {
  const slotOf = (family: Family) => FAMILIES[family];
  const found = recognisedBy(familiesOf(key), slotOf, (isTransaction) => isTransaction(bytesHex));
  if (found === undefined) return;
  throw new Refusal(isAbsent(found) ? 'PayloadNotSupported' : 'MessageIsTransaction');
}
