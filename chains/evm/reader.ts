import { decodeFunctionResult, encodeFunctionData, hexToString } from 'viem/utils';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { inSlot, isAbsent } from '../../domain/slots';
import { Data, type Rpc, SmallQuantity } from '../rpc/rpc';
import { readBalancesAt } from './balances-at';
import { asHex, ERC20, ERC721, ERC7984 } from './call';
import { callFailure, neverRefused } from './errors';
import { feeBalanceOf, readCallFees, readFeeEstimates, readFeeTerms, readLeastDataFee } from './fees';
import { parseAddress } from './signatures';
import { readSponsoredFees } from './sponsored-fees';
import type { EvmNetwork, EvmReader } from './types';
import { DELEGATE, ENTRY_POINT } from './user-operations';
import { variantOf } from './variants';

/**
 * A fee for data is reused for the time between two of Ethereum's blocks, because the price of data changes only with these
 * blocks.
 */
const DATA_FEE_KEPT_MS = 12_000;
const SYMBOL_CHARS_MAX = 32;
const DECIMALS_MAX = 77;
/** The ERC-165 id of ERC-721. */
const ERC721_ID = '0x80ac58cd';
/** The ERC-165 id of ERC-7984. */
const ERC7984_ID = '0x4958f2a4';
const TRUE = `0x${'1'.padStart(64, '0')}`;
const NOTHING = `0x${'0'.repeat(64)}`;
const PADDED_ADDRESS = /^0x0{24}[0-9a-f]{40}$/;

/** A contract can return any text as its symbol. The reader returns only a short text of ordinary characters. */
function cleanSymbol(text: string): string | undefined {
  const symbol = text.replace(/\0+$/, '');
  return symbol.length <= SYMBOL_CHARS_MAX && /^[\p{L}\p{N}.$+_ -]+$/u.test(symbol) ? symbol : undefined;
}

function decodeSymbol(data: string): string | undefined {
  try {
    // Some early tokens return 32 bytes instead of a string.
    if (data.length === 66) return cleanSymbol(hexToString(asHex(data), { size: 32 }));
    return cleanSymbol(decodeFunctionResult({ abi: ERC20, functionName: 'symbol', data: asHex(data) }));
  } catch {
    return undefined;
  }
}

/** Calls a read-only function. Undefined if the contract does not exist or the call fails. */
async function view(network: string, rpc: Rpc, contract: string, data: string): Promise<string | undefined> {
  try {
    const answer = await rpc('eth_call', [{ to: contract, data }, 'latest'], Data);
    return answer === '0x' ? undefined : answer;
  } catch (error) {
    const failure = callFailure(network, error);
    if (failure instanceof AppError && failure.code === 'CallReverted') return undefined;
    throw failure;
  }
}

type TokenReads = Pick<EvmReader, 'tokenBalance' | 'collectible' | 'confidentialBalance' | 'tokenMetadata'>;

function tokenReads(network: string, rpc: Rpc): TokenReads {
  const ask = (contract: string, data: string) => view(network, rpc, contract, data);
  return {
    async tokenBalance(contract, address) {
      const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [asHex(address)] });
      const answer = await ask(contract, data);
      if (answer?.length !== 66) throw new AppError('AssetNotSupported', `There is no ERC-20 token at ${contract}`, { network });
      return BigInt(answer);
    },

    async collectible(contract, tokenId) {
      const [isOne, owned, symbolData] = await Promise.all([
        ask(contract, encodeFunctionData({ abi: ERC721, functionName: 'supportsInterface', args: [ERC721_ID] })),
        ask(contract, encodeFunctionData({ abi: ERC721, functionName: 'ownerOf', args: [BigInt(tokenId)] })),
        ask(contract, encodeFunctionData({ abi: ERC20, functionName: 'symbol' })),
      ]);
      if (isOne !== TRUE || owned === undefined || !PADDED_ADDRESS.test(owned)) return undefined;
      const symbol = symbolData === undefined ? undefined : decodeSymbol(symbolData);
      return { owner: parseAddress(`0x${owned.slice(-40)}`), ...(symbol === undefined ? {} : { symbol }) };
    },

    async confidentialBalance(contract, address) {
      const [isOne, handle] = await Promise.all([
        ask(contract, encodeFunctionData({ abi: ERC721, functionName: 'supportsInterface', args: [ERC7984_ID] })),
        ask(contract, encodeFunctionData({ abi: ERC7984, functionName: 'confidentialBalanceOf', args: [asHex(address)] })),
      ]);
      if (isOne !== TRUE || handle?.length !== NOTHING.length) return undefined;
      return handle === NOTHING ? null : handle;
    },

    async tokenMetadata(contract) {
      const [decimalsData, symbolData] = await Promise.all([
        ask(contract, encodeFunctionData({ abi: ERC20, functionName: 'decimals' })),
        ask(contract, encodeFunctionData({ abi: ERC20, functionName: 'symbol' })),
      ]);
      if (decimalsData?.length !== 66 || BigInt(decimalsData) > BigInt(DECIMALS_MAX)) return undefined;
      const symbol = symbolData === undefined ? undefined : decodeSymbol(symbolData);
      return { decimals: Number(BigInt(decimalsData)), ...(symbol === undefined ? {} : { symbol }) };
    },
  };
}

export function createEvmReader(record: EvmNetwork, rpc: Rpc): EvmReader {
  const { name: network } = record;
  const { fees, lanes } = variantOf(record);
  const ask = neverRefused(network, rpc);
  const hasCode = async (address: string) => (await ask('eth_getCode', [address, 'latest'], Data)) !== '0x';

  let dataFee: { readonly units: bigint; readonly until: number } | undefined;
  const leastDataFee = async () => {
    if (dataFee === undefined || performance.now() > dataFee.until)
      dataFee = { units: await readLeastDataFee(ask, record), until: performance.now() + DATA_FEE_KEPT_MS };
    return dataFee.units;
  };

  return {
    family: 'evm',
    hasCode,
    leastDataFee,
    chainId: async () => String(await ask('eth_chainId', [], SmallQuantity)),
    // On a network without a native coin, nodes return a constant that is not a real balance.
    nativeBalance: async (address) => (isAbsent(fees.coin) ? 0n : fees.coin(ask, address)),
    balancesAt: (addresses, contracts, blockHash) => readBalancesAt(network, rpc, addresses, contracts, blockHash),
    feeBalance: (address, feeCurrency) => feeBalanceOf(ask, record, address, feeCurrency),
    keyedCount: async (address, nonceKey) => inSlot(lanes).countOf(ask, address, nonceKey),
    transactionCount: (address, at) => ask('eth_getTransactionCount', [address, at], SmallQuantity),
    feeTerms: (intent, priority, form) => readFeeTerms(rpc, record, intent, priority, form),
    feeEstimates: (feeCurrency) => readFeeEstimates(ask, record, feeCurrency),
    hasSponsoring: async () => (await Promise.all([ENTRY_POINT, DELEGATE].map(hasCode))).every(Boolean),
    sponsoredFees: (sponsored, priority) => readSponsoredFees(rpc, record, sponsored, priority),
    callFees: (from, terms) => readCallFees(rpc, record, from, terms),

    async call(contract, dataHex, at) {
      let answer: string;
      try {
        answer = await rpc('eth_call', [{ to: contract, data: dataHex }, 'latest'], Data);
      } catch (error) {
        throw callFailure(network, error);
      }
      if (answer !== '0x' || (await hasCode(contract))) return answer;
      const message = `there is no contract at this address on ${network}`;
      throw fieldFault(at, message);
    },
    ...tokenReads(network, rpc),
  };
}
