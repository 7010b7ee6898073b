import type { Family } from '../../domain/networks';
import { evmBodies } from './evm/bodies';
import type { FamilyBodies } from './family-bodies';
import { solanaBodies } from './solana/bodies';
import { utxoBodies } from './utxo/bodies';

/** The interface lists the kinds of bodies in this order of families. */
const FAMILIES = {
  evm: evmBodies,
  utxo: utxoBodies,
  solana: solanaBodies,
} as const satisfies Readonly<Record<Family, FamilyBodies>>;

type Bodies = (typeof FAMILIES)[keyof typeof FAMILIES];
type Of<Member extends keyof FamilyBodies> = readonly Bodies[Member][number][];
const EACH: readonly Bodies[] = Object.values(FAMILIES);

export const FAMILY_TRANSFERS: Of<'transfers'> = EACH.flatMap(({ transfers }): Of<'transfers'> => transfers);
export const FAMILY_TRANSACTIONS: Of<'transactions'> = EACH.flatMap(({ transactions }): Of<'transactions'> => transactions);
export const FAMILY_RAW_TRANSACTIONS: Of<'rawTransactions'> = EACH.flatMap(
  ({ rawTransactions }): Of<'rawTransactions'> => rawTransactions,
);
export const FAMILY_SIGNATURES: Of<'signatures'> = EACH.flatMap(({ signatures }): Of<'signatures'> => signatures);
export const FAMILY_KEY_SIGNATURES: Of<'keySignatures'> = EACH.flatMap(({ keySignatures }): Of<'keySignatures'> => keySignatures);
export const FAMILY_SIGNABLE_TRANSACTIONS: Of<'signableTransactions'> = EACH.flatMap(
  ({ signableTransactions }): Of<'signableTransactions'> => signableTransactions,
);
