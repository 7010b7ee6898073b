import type { UtxoNetwork } from './types';

/** The block by which a node of the network is recognised. */
export const identifyingBlock = ({ ownBlock, genesisHash }: UtxoNetwork): { readonly height: number; readonly hash: string } =>
  ownBlock ?? { height: 0, hash: genesisHash };

/** The block hash by which CAIP-2 (namespace bip122) names the chain. */
export const utxoChainId = ({ forkHash, genesisHash }: UtxoNetwork): string => forkHash ?? genesisHash;
