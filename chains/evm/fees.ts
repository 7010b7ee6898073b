import { AppError } from '../../domain/errors';
import type { FeeEstimates } from '../../domain/fees';
import type { NetworkName } from '../../domain/networks';
import { inSlot, isAbsent } from '../../domain/slots';
import type { EvmTerms } from '../../domain/transactions';
import type { FeePriority } from '../../domain/transfers';
import { Quantity, quantityOf, type Rpc } from '../rpc/rpc';
import type { TransferIntent } from '../types';
import { callOf, type Hex } from './call';
import { estimateFailure, neverRefused } from './errors';
import type { Market, Markets } from './markets';
import { serializeCall, serializeTransfer } from './serialize';
import type { EvmNetwork, EvmTransferForm, FeeTerms } from './types';
import { variantOf } from './variants';

/** A full block raises the base fee by at most an eighth, so twice the present base fee is enough for five full blocks. */
export const BASE_FEE_FACTOR = 2n;
const PLAIN_TRANSFER_GAS = 21_000n;
/**
 * A margin is needed because the gas of a token transfer depends on storage, which may change before the transaction is mined.
 */
const GAS_MARGIN_PERCENT = 25n;

/** Market prices in the unit in which the network charges fees, or in units of the token `feeCurrency`. */
function readMarkets(rpc: Rpc, network: EvmNetwork, feeCurrency?: string): Promise<Markets> {
  const { market, currencies } = variantOf(network).fees;
  return feeCurrency === undefined ? market(rpc) : inSlot(currencies).market(rpc, feeCurrency);
}

export function feeBalanceOf(ask: Rpc, network: EvmNetwork, address: string, feeCurrency?: string): Promise<bigint> {
  const { balance, currencies } = variantOf(network).fees;
  return feeCurrency === undefined ? balance(ask, address) : inSlot(currencies).balance(ask, address, feeCurrency);
}

export const readMarket = async (rpc: Rpc, network: EvmNetwork, priority: FeePriority, feeCurrency?: string): Promise<Market> =>
  (await readMarkets(rpc, network, feeCurrency)).at(priority);

export async function readFeeEstimates(rpc: Rpc, network: EvmNetwork, feeCurrency?: string): Promise<FeeEstimates> {
  const { blockNumber, at } = await readMarkets(rpc, network, feeCurrency);
  const tierOf = (priority: FeePriority) => {
    const { baseFee, tip } = at(priority);
    return { maxPriorityFeePerGas: tip, maxFeePerGas: baseFee * BASE_FEE_FACTOR + tip };
  };
  return {
    kind: 'Eip1559',
    blockNumber,
    baseFeePerGas: at('Standard').baseFee,
    tiers: { Slow: tierOf('Slow'), Standard: tierOf('Standard'), Fast: tierOf('Fast') },
  };
}

type Tried = {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly lists?: Readonly<Record<string, unknown>>;
};

export async function estimateGas(
  rpc: Rpc,
  network: NetworkName,
  from: string,
  { to, value, data, lists }: Tried,
): Promise<bigint> {
  try {
    const gas = await rpc('eth_estimateGas', [{ from, to, value: quantityOf(value), data, ...lists }], Quantity);
    return gas <= PLAIN_TRANSFER_GAS ? PLAIN_TRANSFER_GAS : gas + (gas * GAS_MARGIN_PERCENT) / 100n;
  } catch (error) {
    throw estimateFailure(network, error);
  }
}

export function assertCovered(network: NetworkName, balance: bigint, neededUnits: bigint): void {
  if (balance >= neededUnits) return;
  const message = 'The balance does not cover the amount and the highest possible fee';
  throw new AppError('TransferWouldFail', message, { network, neededUnits: String(neededUnits) });
}

/**
 * Reads the gas and the prices of a transfer. Throws `TransferWouldFail` if the transfer would fail, or if the sender's balance
 * does not cover the amount and the highest fee.
 */
export async function readFeeTerms(
  rpc: Rpc,
  network: EvmNetwork,
  intent: TransferIntent,
  priority: FeePriority,
  form: EvmTransferForm = {},
): Promise<FeeTerms> {
  const { from } = intent;
  const { feeCurrency } = form;
  const ask = neverRefused(network.name, rpc);
  const call = callOf(intent);
  const [gas, { baseFee, tip }, balance] = await Promise.all([
    estimateGas(rpc, network.name, from, { ...call, lists: wordsOf(form) }),
    readMarket(ask, network, priority, feeCurrency),
    feeBalanceOf(ask, network, from, feeCurrency),
  ]);
  const fees = { gas, maxFeePerGas: baseFee * BASE_FEE_FACTOR + tip, maxPriorityFeePerGas: tip };
  const terms = await withDataFee(ask, network, fees, () => serializeTransfer(network, intent, NONCE_LIKE, fees, form));
  assertCovered(network.name, balance, (feeCurrency === undefined ? call.value : 0n) + highestFee(terms));
  return terms;
}

/**
 * A gas estimate depends on these members: a fee in a token costs more gas, and so does the first transaction under a nonce
 * key.
 */
const wordsOf = ({ feeCurrency, nonceKey }: EvmTransferForm) => ({
  ...(feeCurrency === undefined ? {} : { feeCurrency }),
  ...(nonceKey === undefined ? {} : { nonceKey: quantityOf(nonceKey) }),
});

/** A nonce with as many bytes as the nonce of a busy account. A smaller nonce would underestimate the data fee. */
export const NONCE_LIKE = 0xff_ffff;

export const highestFee = ({ gas, maxFeePerGas, dataFeeUnits = 0n }: FeeTerms) => gas * maxFeePerGas + dataFeeUnits;

export async function withDataFee(ask: Rpc, network: EvmNetwork, fees: FeeTerms, bytesOf: () => Hex): Promise<FeeTerms> {
  const { dataFee } = variantOf(network).fees;
  return isAbsent(dataFee) ? fees : { ...fees, dataFeeUnits: await dataFee(ask, bytesOf()) };
}

/** The smallest transfer: any transaction that moves something has more bytes, or bytes that compress less well. */
const SMALLEST = { amountUnits: 0n, asset: { kind: 'Native' } } as const;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

export async function readLeastDataFee(ask: Rpc, network: EvmNetwork): Promise<bigint> {
  const fees = { gas: PLAIN_TRANSFER_GAS, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const smallest = { ...SMALLEST, network: network.name, from: ZERO_ADDRESS, to: ZERO_ADDRESS };
  return (await withDataFee(ask, network, fees, () => serializeTransfer(network, smallest, 0, fees))).dataFeeUnits ?? 0n;
}

const given = (digits: string | null) => (digits === null ? undefined : BigInt(digits));

/**
 * A requested price is kept. Throws `TransferWouldFail` for a requested price below the base fee: no block would include the
 * transaction, and the transaction would block the later transactions of its sender.
 */
function pricesOf({ call, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms, { baseFee, tip }: Market): Omit<FeeTerms, 'gas'> {
  const askedMax = given(maxFeePerGas);
  if (askedMax !== undefined && askedMax < baseFee) {
    throw new AppError('TransferWouldFail', `The requested price per gas is below the ${baseFee} wei of the next block`);
  }
  if (call.type === 0 || call.type === 1) {
    // Types 0 and 1 always pay the whole price. If the caller does not request a price, the computed price is high enough for
    // only about two full blocks.
    const price = askedMax ?? baseFee + baseFee / 4n + tip;
    return { maxFeePerGas: price, maxPriorityFeePerGas: price };
  }
  const askedTip = given(maxPriorityFeePerGas);
  if (askedMax === undefined) {
    const ownTip = askedTip ?? tip;
    return { maxFeePerGas: baseFee * BASE_FEE_FACTOR + ownTip, maxPriorityFeePerGas: ownTip };
  }
  return { maxFeePerGas: askedMax, maxPriorityFeePerGas: askedTip ?? (tip < askedMax ? tip : askedMax) };
}

const listsOf = ({ call }: EvmTerms) => ({
  ...(call.accessList.length === 0 ? {} : { accessList: call.accessList }),
  ...(call.authorizationList.length === 0
    ? {}
    : {
        authorizationList: call.authorizationList.map(({ chainId, nonce, yParity, ...one }) => ({
          ...one,
          chainId: quantityOf(chainId),
          nonce: quantityOf(nonce),
          yParity: quantityOf(yParity),
        })),
      }),
});

/**
 * Keeps the requested gas and prices. Throws `TransferWouldFail` in the same cases as `readFeeTerms`, and for a requested price
 * below the base fee.
 */
export async function readCallFees(rpc: Rpc, network: EvmNetwork, from: string, terms: EvmTerms): Promise<FeeTerms> {
  const ask = neverRefused(network.name, rpc);
  const { to, dataHex: data, feeCurrency, nonceKey } = terms.call;
  const form = { ...(feeCurrency ? { feeCurrency } : {}), ...(nonceKey ? { nonceKey: BigInt(nonceKey) } : {}) };
  const value = BigInt(terms.call.valueUnits);
  const [gas, market, balance] = await Promise.all([
    given(terms.gas) ?? estimateGas(rpc, network.name, from, { to, value, data, lists: { ...listsOf(terms), ...wordsOf(form) } }),
    readMarket(ask, network, 'Standard', feeCurrency),
    feeBalanceOf(ask, network, from, feeCurrency),
  ]);
  const fees = { gas, ...pricesOf(terms, market) };
  const complete = await withDataFee(ask, network, fees, () => serializeCall(network, terms.call, NONCE_LIKE, fees));
  assertCovered(network.name, balance, (feeCurrency === undefined ? value : 0n) + highestFee(complete));
  return complete;
}
