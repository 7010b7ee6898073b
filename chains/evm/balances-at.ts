import { encodeFunctionData } from 'viem/utils';
import { AppError } from '../../domain/errors';
import { Data, Quantity, type Rpc, RpcError } from '../rpc/rpc';
import { asHex, ERC20 } from './call';

/**
 * The balances by contract address. The native asset has the empty string as its key. A token without a readable balance is
 * left out.
 */
export type BalancesAt = ReadonlyMap<string, bigint>;

const NATIVE = '';
const WORD_HEX = 64;
const PAIRS_AT_ONCE = 250;
/** No account has this balance, so `BALANCES_CODE` returns this word for a token without a readable balance. */
const UNREADABLE = 2n ** 256n - 1n;
/** Only the simulation of the call has code at this address. */
const PLACE = '0x00000000000000000000000000007374726f6e67';
const BALANCE_OF = '70a08231';
const GAS_OF_A_TOKEN = '0493e0';
/**
 * The call data of this code is a list of pairs of words: a token (zero for the native asset) and an account. For each pair, the
 * code returns the balance as one word. The code is written as bytes, because it is a loop of forty instructions that never
 * changes.
 */
const BALANCES_CODE = [
  // p = 0; while (p < calldatasize)
  ...['6000', '5b', '36', '81', '10', '600f', '57'],
  // return(0x80, p / 2)
  ...['6001', '1c', '6080', 'f3'],
  // token = calldata[p], account = calldata[p + 32]; if (token != 0) goto token
  ...['5b', '80', '35', '81', '6020', '01', '35', '81', '601f', '57'],
  // value = account.balance; goto store
  ...['31', '604a', '56'],
  // memory[4..36] = account under the selector; ok = token.staticcall(300,000 gas)
  ...['5b', `63${BALANCE_OF}`, '60e0', '1b', '6000', '52', '6004', '52'],
  ...['6020', '6040', '6024', '6000', '84', `62${GAS_OF_A_TOKEN}`, 'fa'],
  // value = memory[0x40] | (ok && returndatasize > 31 ? 0 : ~0)
  ...['601f', '3d', '11', '16', '6040', '51', '90', '15', '6000', '03', '17'],
  // store: memory[0x80 + p / 2] = value; p += 64
  ...['5b', '82', '6001', '1c', '6080', '01', '52', '50', '6040', '01', '6002', '56'],
].join('');

type Pair = { readonly address: string; readonly contract: string };
const wordOf = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(WORD_HEX, '0');

/**
 * The balances of each address in the state after the block with this hash. A hash, unlike a height, identifies the same state on
 * every node. Throws `NetworkUnavailable` if the node does not have this state.
 */
export async function readBalancesAt(
  network: string,
  rpc: Rpc,
  addresses: readonly string[],
  contracts: readonly string[],
  blockHash: string,
): Promise<BalancesAt[]> {
  const assets = [NATIVE, ...contracts];
  const pairs = addresses.flatMap((address) => assets.map((contract): Pair => ({ address, contract })));
  const found = await unitsOf(network, rpc, pairs, { blockHash });
  return addresses.map((_, index) => {
    const own = assets.map((contract, at) => [contract, found[index * assets.length + at]] as const);
    return new Map(own.filter((one): one is readonly [string, bigint] => one[1] !== undefined));
  });
}

type At = { readonly blockHash: string };

/** One balance for each pair, or undefined for a token without a readable balance. */
async function unitsOf(network: string, rpc: Rpc, pairs: readonly Pair[], at: At): Promise<(bigint | undefined)[]> {
  const found: (bigint | undefined)[] = [];
  for (let from = 0; from < pairs.length; from += PAIRS_AT_ONCE) {
    const some = pairs.slice(from, from + PAIRS_AT_ONCE);
    found.push(...((await together(rpc, some, at)) ?? (await oneByOne(network, rpc, some, at))));
  }
  return found;
}

/** Some nodes refuse to simulate code that is not on the chain. The result is then undefined. */
async function together(rpc: Rpc, pairs: readonly Pair[], at: At): Promise<(bigint | undefined)[] | undefined> {
  const data = `0x${pairs.map(({ address, contract }) => wordOf(contract) + wordOf(address)).join('')}`;
  try {
    const words = await rpc('eth_call', [{ to: PLACE, data }, at, { [PLACE]: { code: `0x${BALANCES_CODE}` } }], Data);
    if (words.length !== 2 + pairs.length * WORD_HEX) return undefined;
    return pairs.map((_, index) => {
      const units = BigInt(`0x${words.slice(2 + index * WORD_HEX, 2 + (index + 1) * WORD_HEX)}`);
      return units === UNREADABLE ? undefined : units;
    });
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

async function oneByOne(network: string, rpc: Rpc, pairs: readonly Pair[], at: At): Promise<(bigint | undefined)[]> {
  const found: (bigint | undefined)[] = [];
  for (const { address, contract } of pairs)
    found.push(contract === NATIVE ? await nativeAt(network, rpc, address, at) : await tokenAt(rpc, contract, address, at));
  return found;
}

async function nativeAt(network: string, rpc: Rpc, address: string, at: At): Promise<bigint> {
  try {
    return await rpc('eth_getBalance', [address, at], Quantity);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const message = `The node of ${network} states no balance at a past block: ${error.message}`;
    throw new AppError('NetworkUnavailable', message, { network }, error);
  }
}

/** The node has already returned the native balance in this state, so a refusal concerns the token. */
async function tokenAt(rpc: Rpc, contract: string, address: string, at: At): Promise<bigint | undefined> {
  const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [asHex(address)] });
  try {
    const answer = await rpc('eth_call', [{ to: contract, data }, at], Data);
    return answer.length === 2 + WORD_HEX ? BigInt(answer) : undefined;
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
