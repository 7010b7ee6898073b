import type { Family } from '../domain/networks';
import { evmSchemas } from './evm/schemas';
import type { FamilySchemas } from './family-schemas';
import { solanaSchemas } from './solana/schemas';
import { utxoSchemas } from './utxo/schemas';

/** In the order in which the document lists what they have. */
export const FAMILIES = {
  utxo: utxoSchemas,
  evm: evmSchemas,
  solana: solanaSchemas,
} as const satisfies Readonly<Record<Family, FamilySchemas>>;

type EachOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;

/** All members together: one that a family has and this list lacks is a fault that the compiler finds. */
export const FAMILY_DETAILS: EachOf<(typeof FAMILIES)[Family]['details']> = {
  ...FAMILIES.utxo.details,
  ...FAMILIES.solana.details,
  ...FAMILIES.evm.details,
};
export const FAMILY_DETAILS_SAY = [FAMILIES.utxo, FAMILIES.solana, FAMILIES.evm].map(({ detailsSay }) => detailsSay).join(' ');
