import type { UtxoNetwork } from './types';

export const identifyingBlock = ({ ownBlock, genesisHash }: UtxoNetwork): { readonly height: number; readonly hash: string } =>
  ownBlock ?? { height: 0, hash: genesisHash };

/** The chain id of CAIP-2, namespace bip122. */
export const utxoChainId = ({ forkHash, genesisHash }: UtxoNetwork): string => forkHash ?? genesisHash;
