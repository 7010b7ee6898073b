import { isOfFamily } from '../../chains/families';
import type { createReaders } from '../../chains/readers';
import type { Network } from '../../chains/types';
import { createCoins } from './coins';
import type { Finding } from './compare';
import type { Foreign, SignedUse } from './evidence';
import { createNonces, senderOf } from './nonces';
import { createSolana } from './solana';

/** The families together, each with what its chains can prove. */
export function createChains(readers: ReturnType<typeof createReaders>, solanaNetworks: readonly string[]) {
  const [evm, utxo, solana] = [createNonces(readers), createCoins(readers), createSolana(readers, solanaNetworks)];
  const judgeOne = (network: Network, address: string): Promise<readonly Foreign[]> => {
    if (isOfFamily('evm', network)) return evm.judge(network, address);
    return isOfFamily('utxo', network) ? utxo.judge(network, address) : solana.judge(network, address);
  };

  return {
    know(used: SignedUse): void {
      for (const family of [evm, utxo, solana]) family.know(used);
    },
    async standing(used: SignedUse): Promise<Finding['chain']> {
      return (await evm.standing(used)) ?? (await utxo.standing(used)) ?? (await solana.standing(used)) ?? 'Unknown';
    },
    /** `ChainSilent` for a network without a node, and for nodes that do not answer or do not agree. */
    async judge(network: Network, address: string): Promise<readonly Foreign[]> {
      try {
        return await judgeOne(network, address);
      } catch {
        return [{ kind: 'ChainSilent', claim: senderOf(network, address) }];
      }
    },
  };
}
