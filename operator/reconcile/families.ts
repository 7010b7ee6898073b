import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { Network } from '../../chains/types';
import { FAMILIES as FAMILY_NAMES, type Family } from '../../domain/networks';
import { inSlot, isAbsent, type Slot } from '../../domain/slots';
import { coinClaimOf, createCoins } from './coins';
import type { FamilyEvidence, SignedUse } from './family-evidence';
import { createNonces, nonceClaimOf } from './nonces';
import { type PayloadRow, signaturesIn } from './payloads';
import { createSolana, durableClaimOf } from './solana';

export type Readers = ReturnType<typeof createReaders>;

export type ReconciledFamily = {
  /** The claims (reserved nonces and coins) and signatures have the format of the signing log. */
  readonly usedBy: (row: PayloadRow) => SignedUse;
  readonly loggedAddress: (address: string) => string;
  /** `networks` are the networks of the family on which the deployment has senders. */
  readonly evidence: (readers: Readers, networks: readonly string[]) => FamilyEvidence;
};

const asItStands = (address: string) => address;
const FAMILIES: Readonly<Record<Family, Slot<ReconciledFamily>>> = {
  evm: {
    usedBy: ({ network, fromAddress, nonce }) => ({ claims: [nonceClaimOf(network, fromAddress, nonce)], signatures: [] }),
    loggedAddress: (address) => address.toLowerCase(),
    evidence: createNonces,
  },
  utxo: {
    usedBy: ({ network, coins }) => ({ claims: coins.map((coin) => coinClaimOf(network, coin)), signatures: [] }),
    loggedAddress: asItStands,
    evidence: createCoins,
  },
  solana: {
    usedBy: ({ network, account, value, rawHex }) => ({
      claims: account === null || value === null ? [] : [durableClaimOf(network, account, value)],
      signatures: signaturesIn(rawHex),
    }),
    loggedAddress: asItStands,
    evidence: createSolana,
  },
};

/** Empty if the network of the row is unknown. */
export function usedBy(row: PayloadRow): SignedUse {
  const network = findNetwork(row.network);
  return network ? inSlot(FAMILIES[network.family]).usedBy(row) : { claims: [], signatures: [] };
}

export function senderOf({ name, family }: Network, address: string): string {
  const slot = FAMILIES[family];
  return `${name} ${isAbsent(slot) ? address : slot.loggedAddress(address)}`;
}

export const chainEvidence = (readers: Readers, networks: readonly Network[]): ReadonlyMap<Family, FamilyEvidence> =>
  new Map(
    FAMILY_NAMES.flatMap((family) => {
      const slot = FAMILIES[family];
      const names = networks.flatMap((network) => (network.family === family ? [network.name] : []));
      return isAbsent(slot) ? [] : [[family, slot.evidence(readers, [...new Set(names)])] as const];
    }),
  );
