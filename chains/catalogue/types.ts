import type { KeyForm } from '../../domain/keys';
import type { BareNetworkName, NetworkStatus, Tier } from '../../domain/networks';

/** A network that is known and not served: everything that needs a codec answers `NetworkNotEnabled`. */
export type BareNetwork = KeyForm & {
  readonly name: BareNetworkName;
  readonly family: string;
  readonly isMainnet: boolean;
  readonly standing: NetworkStatus;
  readonly note?: string;
  /** What it will have when its family has code. */
  readonly tier: Tier;
  /** How an address of it looks. */
  readonly addressForm: string;
  readonly nativeAsset: { readonly symbol?: string; readonly decimals: number };
  readonly slip44: number;
  readonly explorerTxUrl?: string;
};
