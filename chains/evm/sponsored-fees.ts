import { AppError } from '../../domain/errors';
import { inSlot } from '../../domain/slots';
import type { UserCall } from '../../domain/transactions';
import type { FeePriority } from '../../domain/transfers';
import { Data, Quantity, type Rpc } from '../rpc/rpc';
import { estimateFailure, neverRefused } from './errors';
import { assertCovered, BASE_FEE_FACTOR, estimateGas, highestFee, NONCE_LIKE, readMarket, withDataFee } from './fees';
import type { EvmNetwork, Sponsored, SponsoredFees, UserOperation } from './types';
import { batchOf, DELEGATE, ENTRY_POINT } from './user-operations';
import { variantOf } from './variants';

/** The code that EIP-7702 gives an account that has delegated to `DELEGATE`. */
const DELEGATED = `0xef0100${DELEGATE.slice(2).toLowerCase()}`;
/** Gas for checking the signature, and for the entry point's first write of a new nonce. */
const VERIFICATION_GAS = 150_000n;
/**
 * Gas per call beyond the estimate: a contract that sends value to an empty account pays 34,000 gas more than a
 * transaction does.
 */
const CALL_GAS_MORE = 60_000n;
/** Gas for the entry point's own work. The entry point reverts if the remaining gas is less than the operation's gas limits. */
const OUTER_GAS = 150_000n;
const BYTE_GAS = 16n;
const AUTHORIZATION_GAS = 25_000n;

type Asked = Pick<Sponsored, 'sponsor'> & Pick<UserOperation, 'sender' | 'calls' | 'nonce'>;

/**
 * The limits are generous: after a transaction that runs out of gas, the operation stays valid, and a third party could execute
 * the operation later.
 */
export async function readSponsoredFees(
  rpc: Rpc,
  network: EvmNetwork,
  { sender, sponsor, calls, nonce }: Asked,
  priority: FeePriority,
): Promise<SponsoredFees> {
  const ask = neverRefused(network.name, rpc);
  const [code, { baseFee, tip }, balance, tried] = await Promise.all([
    ask('eth_getCode', [sender, 'latest'], Data),
    readMarket(ask, network, priority),
    ask('eth_getBalance', [sponsor, 'latest'], Quantity),
    gasOf(rpc, network, sender, calls),
  ]);
  const isDelegated = code.toLowerCase() === DELEGATED;
  if (!isDelegated && code !== '0x')
    throw new AppError('TransferWouldFail', 'The wallet runs other code than the code that sponsoring needs', {
      network: network.name,
    });
  const callGas = tried + BigInt(calls.length) * CALL_GAS_MORE;
  const operation = { sender, nonce, calls, verificationGas: VERIFICATION_GAS, callGas };
  const prices = { maxFeePerGas: baseFee * BASE_FEE_FACTOR + tip, maxPriorityFeePerGas: tip };
  const sponsored = { operation, sponsor, authorizationNonce: isDelegated ? null : 0 };
  const build = inSlot(variantOf(network).serialize.sponsored);
  const bytesWith = (gas: bigint) => build(sponsored, NONCE_LIKE, { ...prices, gas }).bytes;
  const dataGas = BigInt(bytesWith(OUTER_GAS).length / 2) * BYTE_GAS;
  // A contract that calls another contract keeps a sixty-fourth of its gas (EIP-150).
  const inner = ((VERIFICATION_GAS + callGas) * 64n) / 63n;
  const gas = inner + OUTER_GAS + dataGas + (isDelegated ? 0n : AUTHORIZATION_GAS);
  const fees = { gas, ...prices };
  const terms = await withDataFee(ask, network, fees, () => bytesWith(gas));
  assertCovered(network.name, balance, highestFee(terms));
  return { ...terms, verificationGas: VERIFICATION_GAS, callGas, isDelegated };
}

/**
 * Several calls are estimated together, because a call may depend on earlier calls. For this estimate the account has the code
 * of `DELEGATE`, even if the real account has not delegated yet.
 */
async function gasOf(rpc: Rpc, { name }: EvmNetwork, sender: string, calls: readonly UserCall[]): Promise<bigint> {
  const [only, ...more] = calls;
  if (only && more.length === 0) {
    const { to, valueUnits, dataHex: data } = only;
    return estimateGas(rpc, name, sender, { to, value: BigInt(valueUnits), data });
  }
  const code = await neverRefused(name, rpc)('eth_getCode', [DELEGATE, 'latest'], Data);
  const asked = { from: ENTRY_POINT, to: sender, data: batchOf(calls) };
  try {
    const gas = await rpc('eth_estimateGas', [asked, 'latest', { [sender]: { code } }], Quantity);
    return gas + gas / 5n;
  } catch (error) {
    throw estimateFailure(name, error);
  }
}
