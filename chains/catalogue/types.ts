import type { KeyForm } from '../../domain/keys';
import type { BareNetworkName, NetworkStatus, Tier } from '../../domain/networks';

/** A network that is known but not served: everything that needs a codec throws `NetworkNotEnabled`. */
export type BareNetwork = KeyForm & {
  readonly name: BareNetworkName;
  readonly family: string;
  readonly isMainnet: boolean;
  readonly standing: NetworkStatus;
  readonly note?: string;
  /** The tier that the network will have once the service supports its family. */
  readonly tier: Tier;
  readonly addressForm: string;
  readonly nativeAsset: { readonly symbol?: string; readonly decimals: number };
  readonly slip44: number;
  readonly explorerTxUrl?: string;
};
