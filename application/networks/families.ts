import type { ChainReader } from '../../chains/types';
import type { FeeEstimates } from '../../domain/fees';
import type { Family, NetworkName } from '../../domain/networks';
import { callEvmFunction, type FunctionRead } from './evm/contract-call';
import { eip1559Shown } from './evm/fees';
import { solanaShown } from './solana/fees';
import { bitcoinShown } from './utxo/fees';

type AskedFamily = {
  readonly shownFees: (fees: FeeEstimates) => { readonly kind: FeeEstimates['kind'] };
  /** Null for families without contracts. */
  readonly callFunction: ((reader: ChainReader, network: NetworkName, read: FunctionRead) => Promise<unknown>) | null;
};

export const ASKED_FAMILIES = {
  evm: { shownFees: eip1559Shown, callFunction: callEvmFunction },
  utxo: { shownFees: bitcoinShown, callFunction: null },
  solana: { shownFees: solanaShown, callFunction: null },
} as const satisfies Readonly<Record<Family, AskedFamily>>;
