import { z } from 'zod';
import type { Rpc, RpcOptions } from '../rpc/rpc';
import type { Gateway, Receipt } from '../types';
import type { PretenceNetwork, PretenceReader } from './types';

const Count = z.int().nonnegative();
const Units = z
  .string()
  .regex(/^\d{1,31}$/)
  .transform(BigInt);
const Account = z.object({ balance: Units, sequence: Count });
const Head = z.object({ height: Count, hash: z.string(), feeUnits: Units });
const Block = z.object({ height: Count, hash: z.string(), parentHash: z.string(), txHashes: z.array(z.string()) });
const Found = z.object({ height: Count, blockHash: z.string(), feeUnits: Units });
const Taken = z.enum(['Accepted', 'AlreadyKnown', 'NonceTooLow', 'InsufficientFunds']);

export function createPretenceReader(_network: PretenceNetwork, rpc: Rpc): PretenceReader {
  const accountOf = (address: string) => rpc('account', [address], Account);
  return {
    family: 'pretence',
    chainId: () => rpc('chain', [], z.string()),
    nativeBalance: async (address) => (await accountOf(address)).balance,
    nextSequence: async (address) => (await accountOf(address)).sequence,
    async feeEstimates() {
      const { height, feeUnits } = await rpc('head', [], Head);
      const tier = { feeUnits };
      return { kind: 'Pretence', blockNumber: height, tiers: { Slow: tier, Standard: tier, Fast: tier } };
    },
  };
}

export function createPretenceGateway(_network: PretenceNetwork, rpc: Rpc): Gateway {
  const find = (txHash: string) => rpc('find', [txHash], Found.nullable());
  return {
    broadcast: (rawHex) => rpc('send', [rawHex], Taken),
    async head() {
      const { height, hash } = await rpc('head', [], Head);
      return { height, hash };
    },
    block: async (height) => (await rpc('block', [height], Block.nullable())) ?? undefined,
    async receipts(txHashes) {
      const found = await Promise.all(txHashes.map(async (txHash) => [txHash, await find(txHash)] as const));
      return new Map(found.flatMap(([txHash, one]): [string, Receipt][] => (one ? [[txHash, { ...one, success: true }]] : [])));
    },
    isKnown: async (txHash) => (await find(txHash)) !== null,
  };
}

export const pretenceRpcOptions = ({ chainId }: PretenceNetwork): Pick<RpcOptions, 'identity'> => ({
  identity: { method: 'chain', params: [], expected: chainId },
});
