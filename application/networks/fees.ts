import type { Network } from '../../chains/types';
import { assertTierHas } from '../../domain/capability-tiers';
import { invariant } from '../../domain/errors';
import type { FeeEstimates } from '../../domain/fees';
import { NETWORKS_OF } from '../../domain/networks';
import type { FeePriority } from '../../domain/transfers';
import type { Services } from '../services';
import { enabledNetwork } from './enabled-networks';

/** Rounded up to a thousandth: a rate that is named too low would be refused by nodes. */
function rateInWords(milliUnitsPerVbyte: bigint): string {
  const fraction = (milliUnitsPerVbyte % 1_000n).toString().padStart(3, '0').replace(/0+$/, '');
  return `${milliUnitsPerVbyte / 1_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

const tiersOf = <Tier, Shown>(tiers: Readonly<Record<FeePriority, Tier>>, show: (tier: Tier) => Shown) => ({
  slow: show(tiers.Slow),
  standard: show(tiers.Standard),
  fast: show(tiers.Fast),
});

function nameIn<Name extends string>(names: readonly Name[], name: string): Name {
  const found = names.find((one) => one === name);
  invariant(found, `${name} estimates as its family does`);
  return found;
}

const view = ({ name }: Network, fees: FeeEstimates) => {
  const { blockNumber } = fees;
  switch (fees.kind) {
    case 'Eip1559':
      return {
        kind: fees.kind,
        network: nameIn(NETWORKS_OF.evm, name),
        blockNumber,
        baseFeePerGas: fees.baseFeePerGas.toString(),
        ...tiersOf(fees.tiers, ({ maxFeePerGas, maxPriorityFeePerGas }) => ({
          maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
          maxFeePerGas: maxFeePerGas.toString(),
        })),
      };
    case 'Bitcoin':
      return {
        kind: fees.kind,
        network: nameIn(NETWORKS_OF.utxo, name),
        blockNumber,
        ...tiersOf(fees.tiers, ({ milliUnitsPerVbyte, blockHorizon }) => ({
          feeRate: rateInWords(milliUnitsPerVbyte),
          blockHorizon,
        })),
      };
    case 'Solana':
      return {
        kind: fees.kind,
        network: nameIn(NETWORKS_OF.solana, name),
        blockNumber,
        ...tiersOf(fees.tiers, ({ computeUnitPrice }) => ({ computeUnitPrice: computeUnitPrice.toString() })),
      };
  }
};

/**
 * What transfers on a network would pay now (behaviour.md (l)). Throws `NetworkNotEnabled` for a network without record or node,
 * `NotFound` where its tier has none, and `NetworkUnavailable` when no node answers.
 */
export async function feesOf(services: Pick<Services, 'readers'>, name: string) {
  const { network, reader } = enabledNetwork(services, name, 'query.network');
  assertTierHas(network, 'Fees');
  return view(network, await reader.feeEstimates());
}
