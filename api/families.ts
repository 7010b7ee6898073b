import type { Family } from '../domain/networks';
import { evmSchemas } from './evm/schemas';
import type { FamilySchemas } from './family-schemas';
import { solanaSchemas } from './solana/schemas';
import { utxoSchemas } from './utxo/schemas';

/** The OpenAPI document lists the details of the families in this order. */
export const SHOWN_FAMILIES = {
  utxo: utxoSchemas,
  solana: solanaSchemas,
  evm: evmSchemas,
} as const satisfies Readonly<Record<Family, FamilySchemas>>;

type EachOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;

/** The compiler reports an error if a detail is missing here. */
export const FAMILY_DETAILS: EachOf<(typeof SHOWN_FAMILIES)[keyof typeof SHOWN_FAMILIES]['details']> = {
  ...SHOWN_FAMILIES.utxo.details,
  ...SHOWN_FAMILIES.solana.details,
  ...SHOWN_FAMILIES.evm.details,
};
export const FAMILY_DETAILS_SAY = Object.values(SHOWN_FAMILIES)
  .flatMap(({ detailsSay }) => detailsSay)
  .join(' ');
