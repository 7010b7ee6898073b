import type { NetworkNameOf } from '../../domain/networks';
import type { EvmNetwork, EvmNetworkOf, EvmVariant } from './types';

/** Amounts whose names begin with `milli` are in thousandths of the native coin. */
type Common = Pick<EvmNetwork, 'chainId'> & {
  readonly symbol: string;
  readonly decimals?: number;
  /** The highest fee that is approved for a transaction. */
  readonly milliCeiling: number;
  readonly explorer?: string;
};
type Optional<V extends EvmVariant> = Partial<Omit<EvmNetworkOf<V>, 'name' | 'family' | 'nativeAsset' | 'explorerTxUrl'>>;
/**
 * A network without a variant works as Ethereum does. Any other network's record must have all members that its variant needs.
 */
type OfVariant<V extends EvmVariant> = V extends 'ethereum'
  ? Optional<V>
  : Optional<V> & Pick<EvmNetworkOf<V>, 'variant' | Exclude<keyof EvmNetworkOf<V>, keyof EvmNetworkOf<'ethereum'>>>;
type Given = Common & OfVariant<EvmVariant>;

const ETHER_SLIP44 = 60;
/** SLIP-44 has one coin type for the test networks of all coins. */
const TESTNET_SLIP44 = 1;
const WEI_PER_MILLI = 10n ** 15n;
/**
 * The multiple of `milliCeiling` that the signer accepts: fees may rise between the approval of a transfer and its signature.
 */
const SIGNER_FACTOR = 5n;
const CONFIRMATIONS = 12;
const TESTNET_CONFIRMATIONS = 3;
const IN_FLIGHT_MAX = 16;

/** A network's own values take precedence over the shared values. */
export function evmNetworks<N extends NetworkNameOf<'evm'>>(given: Readonly<Record<N, Given>>): Readonly<Record<N, EvmNetwork>> {
  const records = Object.entries<Given>(given).map(([name, own]) => [name, recordOf(name as N, own)]);
  return Object.fromEntries(records) as Record<N, EvmNetwork>;
}

function recordOf(name: NetworkNameOf<'evm'>, { symbol, decimals = 18, milliCeiling, explorer, ...own }: Given): EvmNetwork {
  const { isMainnet = false } = own;
  const feeCeilingUnits = BigInt(milliCeiling) * WEI_PER_MILLI;
  return {
    name,
    family: 'evm',
    curve: 'secp256k1',
    scheme: 'ECDSA',
    isMainnet,
    standing: 'Live',
    tier: 1,
    variant: 'ethereum',
    sees: { native: 'Calls' },
    lacks: [],
    feeCurrencies: [],
    nativeAsset: { symbol, decimals },
    confirmations: isMainnet ? CONFIRMATIONS : TESTNET_CONFIRMATIONS,
    feeCeilingUnits,
    signerFeeCeilingUnits: feeCeilingUnits * SIGNER_FACTOR,
    inFlightMax: IN_FLIGHT_MAX,
    slip44: isMainnet ? ETHER_SLIP44 : TESTNET_SLIP44,
    ...(explorer === undefined ? {} : { explorerTxUrl: `${explorer}/tx/{txHash}` }),
    tokens: [],
    ...own,
  };
}
