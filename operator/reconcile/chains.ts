import type { createReaders } from '../../chains/readers';
import type { Network } from '../../chains/types';
import type { Finding } from './compare';
import { chainEvidence, senderOf } from './families';
import type { Foreign, SignedUse } from './family-evidence';

export function createChains(readers: ReturnType<typeof createReaders>, networks: readonly Network[]) {
  const evidence = chainEvidence(readers, networks);

  return {
    know(used: SignedUse): void {
      for (const { know } of evidence.values()) know(used);
    },
    async standing(used: SignedUse): Promise<Finding['chain']> {
      for (const { standing } of evidence.values()) {
        const found = await standing(used);
        if (found !== undefined) return found;
      }
      return 'Unknown';
    },
    /** Returns `ChainSilent` for a network without a node, and for nodes that do not respond or do not agree. */
    async judge(network: Network, address: string): Promise<readonly Foreign[]> {
      const silent: Foreign = { kind: 'ChainSilent', claim: senderOf(network, address) };
      try {
        return (await evidence.get(network.family)?.judge(network, address)) ?? [silent];
      } catch {
        return [silent];
      }
    },
  };
}
