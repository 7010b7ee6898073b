import type { FeeEstimates } from './fees';
import { FAMILIES, type Family } from './networks';
import type { AskedOptions, AssetKind } from './transfers';

type Capabilities = {
  readonly transferKinds: readonly AssetKind[];
  /** Optional members of a request that this family uses. */
  readonly options: readonly (keyof AskedOptions)[];
  readonly fees: FeeEstimates['kind'];
  /** Whether the service reads the blocks of this family, on which incoming payments and history depend. */
  readonly isRead: boolean;
  /**
   * Whether earlier blocks can be read for a single address, newest block first. This requires transactions that name their
   * sender. Without the sender, a payment is recognised only by the coins of blocks before it.
   */
  readonly isBackfilled: boolean;
};

export const CAPABILITIES: Readonly<Record<Family, Capabilities>> = {
  evm: {
    transferKinds: ['Native', 'Erc20', 'Erc721', 'Erc7984'],
    options: [],
    fees: 'Eip1559',
    isRead: true,
    isBackfilled: true,
  },
  utxo: { transferKinds: ['Native'], options: [], fees: 'Bitcoin', isRead: true, isBackfilled: false },
  solana: {
    transferKinds: ['Native', 'Spl', 'Spl2022'],
    options: ['memo', 'createDestinationAccount', 'useDurableNonce'],
    fees: 'Solana',
    isRead: true,
    isBackfilled: true,
  },
};

export const TRANSFER_OPTIONS: readonly (keyof AskedOptions)[] = ['memo', 'createDestinationAccount', 'useDurableNonce'];

export const FEE_KINDS: readonly FeeEstimates['kind'][] = [...new Set(FAMILIES.map((family) => CAPABILITIES[family].fees))];
