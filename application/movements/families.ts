import { inFamily } from '../../chains/families';
import type { ChainReader, Network } from '../../chains/types';
import type { Family } from '../../domain/networks';
import { absent, isAbsent, type Slot } from '../../domain/slots';

/** Balances by contract; the contract of the native asset is empty. */
export type StatedBalances = ReadonlyMap<string, bigint>;

type BlockPlace = { readonly height: number; readonly hash: string };

type StatingFamily = {
  /**
   * The balances of each address after the block at `place`, as a node states them. The blocks that the service has read are not
   * used. Throws `NetworkUnavailable`.
   */
  readonly statedBalances: Slot<
    (reader: ChainReader, network: Network, addresses: readonly string[], place: BlockPlace) => Promise<readonly StatedBalances[]>
  >;
};

/** The node is queried only for tokens in the network's record, because a stranger's token can report any balance. */
const FAMILIES: Readonly<Record<Family, StatingFamily>> = {
  evm: {
    statedBalances: (reader, { tokens }, addresses, { hash }) => {
      const contracts = tokens.map(({ contract }) => contract);
      return inFamily('evm', reader).balancesAt(addresses, contracts, hash);
    },
  },
  solana: { statedBalances: absent('nodes of Solana state only present balances') },
  utxo: {
    statedBalances: absent(
      'a node of the Bitcoin family states a balance only after it has read its whole chain for the address',
    ),
  },
};

export const statingOf = (family: Family): StatingFamily => FAMILIES[family];

/** The reason why balances on this network are not compared with movements. Undefined if they are compared. */
export function whyUnswept({ family, unswept }: Network): string | undefined {
  const { statedBalances } = FAMILIES[family];
  return unswept ?? (isAbsent(statedBalances) ? statedBalances.why : undefined);
}
