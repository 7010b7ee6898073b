import { decodeFunctionResult, encodeFunctionData, hexToString } from 'viem/utils';
import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import { Data, Quantity, type Rpc, RpcError, SmallQuantity } from '../rpc/rpc';
import { asHex, ERC20 } from './call';
import { neverRefused } from './errors';
import { readCallFees, readFeeTerms } from './fees';
import type { EvmReader } from './types';

const SYMBOL_CHARS_MAX = 32;
const DECIMALS_MAX = 77;

/** A contract chooses its symbol freely: only a short run of ordinary characters is passed on. */
function cleanSymbol(text: string): string | undefined {
  const symbol = text.replace(/\0+$/, '');
  return symbol.length <= SYMBOL_CHARS_MAX && /^[\p{L}\p{N}.$+_ -]+$/u.test(symbol) ? symbol : undefined;
}

function decodeSymbol(data: string): string | undefined {
  try {
    // Some early tokens answer 32 bytes in place of a string.
    if (data.length === 66) return cleanSymbol(hexToString(asHex(data), { size: 32 }));
    return cleanSymbol(decodeFunctionResult({ abi: ERC20, functionName: 'symbol', data: asHex(data) }));
  } catch {
    return undefined;
  }
}

/** Reads of one EVM network through its nodes. */
export function createEvmReader(network: NetworkName, rpc: Rpc): EvmReader {
  const ask = neverRefused(network, rpc);
  /** What a contract answers; undefined when there is none or it refuses. */
  const view = async (contract: string, data: string): Promise<string | undefined> => {
    try {
      const answer = await rpc('eth_call', [{ to: contract, data }, 'latest'], Data);
      return answer === '0x' ? undefined : answer;
    } catch (error) {
      if (error instanceof RpcError) return undefined;
      throw error;
    }
  };

  return {
    family: 'evm',
    chainId: async () => String(await ask('eth_chainId', [], SmallQuantity)),
    nativeBalance: (address) => ask('eth_getBalance', [address, 'latest'], Quantity),
    transactionCount: (address, at) => ask('eth_getTransactionCount', [address, at], SmallQuantity),
    feeTerms: (intent, priority) => readFeeTerms(rpc, intent, priority),
    callFees: (from, terms) => readCallFees(rpc, network, from, terms),

    async tokenBalance(contract, address) {
      const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [asHex(address)] });
      const answer = await view(contract, data);
      if (answer?.length !== 66) throw new AppError('AssetNotSupported', `There is no ERC-20 token at ${contract}`, { network });
      return BigInt(answer);
    },

    async tokenMetadata(contract) {
      const [decimalsData, symbolData] = await Promise.all([
        view(contract, encodeFunctionData({ abi: ERC20, functionName: 'decimals' })),
        view(contract, encodeFunctionData({ abi: ERC20, functionName: 'symbol' })),
      ]);
      if (decimalsData?.length !== 66 || BigInt(decimalsData) > BigInt(DECIMALS_MAX)) return undefined;
      const symbol = symbolData === undefined ? undefined : decodeSymbol(symbolData);
      return { decimals: Number(BigInt(decimalsData)), ...(symbol === undefined ? {} : { symbol }) };
    },
  };
}
