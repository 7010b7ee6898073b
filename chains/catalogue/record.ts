import type { KeyForm } from '../../domain/keys';
import type { BareNetworkName, Tier } from '../../domain/networks';
import type { BareNetwork } from './types';

type FamilyGiven = {
  readonly family: string;
  readonly key: KeyForm;
  readonly addressForm: string;
  readonly symbol?: string;
  readonly decimals: number;
  /** The coin type of the family's mainnets in SLIP-44. Every test network has the coin type 1. */
  readonly slip44: number;
  readonly tier: Tier;
};
type Own = Partial<Pick<BareNetwork, 'standing' | 'note' | 'addressForm' | 'isMainnet'>> & {
  readonly symbol?: string;
  readonly decimals?: number;
  /** The text `{txHash}` stands for the transaction id. */
  readonly explorer?: string;
};

export const SECP256K1: KeyForm = { scheme: 'ECDSA', curve: 'secp256k1' };
export const ED25519: KeyForm = { scheme: 'EdDSA', curve: 'ed25519' };

/**
 * Completes the records with the values of the family. Every network is a mainnet unless its record sets `isMainnet` to false.
 */
export function bareNetworks<N extends BareNetworkName>(
  given: FamilyGiven,
  networks: Readonly<Record<N, Own>>,
): Readonly<Record<N, BareNetwork>> {
  const records = Object.entries<Own>(networks).map(([name, own]) => [name, recordOf(name as N, given, own)]);
  return Object.fromEntries(records) as Record<N, BareNetwork>;
}

function recordOf(name: BareNetworkName, given: FamilyGiven, own: Own): BareNetwork {
  const { isMainnet = true } = own;
  const symbol = own.symbol ?? given.symbol;
  return {
    name,
    ...{ family: given.family, ...given.key, addressForm: own.addressForm ?? given.addressForm },
    ...{ isMainnet, standing: own.standing ?? 'Live', tier: given.tier, slip44: isMainnet ? given.slip44 : 1 },
    ...(own.note === undefined ? {} : { note: own.note }),
    nativeAsset: { ...(symbol === undefined ? {} : { symbol }), decimals: own.decimals ?? given.decimals },
    ...(own.explorer === undefined ? {} : { explorerTxUrl: own.explorer }),
  };
}
