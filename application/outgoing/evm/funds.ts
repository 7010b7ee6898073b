import { evmVariantOf } from '../../../chains/codecs';
import type { EvmReader } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { AppError, invariant } from '../../../domain/errors';
import { fieldFault } from '../../../domain/field-faults';
import { isAbsent } from '../../../domain/slots';
import type { EvmTerms } from '../../../domain/transactions';
import type { FeePriority } from '../../../domain/transfers';
import type { Services } from '../../services';
import type { UsableWallet } from '../../wallets/wallets';

/** The intrinsic gas of every transaction (Yellow Paper, appendix G). */
const LEAST_GAS = 21_000n;

export type Spending = {
  readonly nativeUnits: bigint;
  readonly token?: { readonly contract: string; readonly units: bigint };
  /** In smallest units of the fee's asset; absent if a sponsor pays the fee. */
  readonly leastFee?: (reader: EvmReader) => Promise<bigint>;
  /** A token that pays the fee instead of the network's usual asset. */
  readonly feeCurrency?: string | undefined;
  /** The path of the request's field for the amount. */
  readonly at: string;
};

/**
 * Throws `TransferWouldFail` if the wallet holds less than the amount plus the lowest fee. Accepts the request if the node does
 * not respond, because the worker repeats the check with the exact fee before a nonce is claimed.
 */
export async function assertFunds(
  services: Pick<Services, 'readers'>,
  wallet: Pick<UsableWallet, 'network' | 'address'>,
  spending: Spending,
): Promise<void> {
  try {
    await compare(inFamily('evm', services.readers(wallet.network)), wallet, spending);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NetworkUnavailable') throw error;
  }
}

async function compare(reader: EvmReader, wallet: Pick<UsableWallet, 'network' | 'address'>, spending: Spending): Promise<void> {
  const { nativeUnits, token, leastFee, feeCurrency, at } = spending;
  const { network, address } = wallet;
  const { feeCeilingUnits } = networkOf(network);
  const { token: feeToken } = evmVariantOf(network).fees;
  const [held, heldToken] = await Promise.all([
    (leastFee && feeCurrency === undefined) || nativeUnits > 0n ? reader.feeBalance(address) : 0n,
    token && reader.tokenBalance(token.contract, address),
  ]);
  if (token && heldToken !== undefined && token.units > heldToken) throw short(at, heldToken, token.units);
  if (nativeUnits > held) throw short(at, held, nativeUnits);
  if (!leastFee) return;
  if (feeCurrency !== undefined) {
    const inCurrency = await reader.feeBalance(address, feeCurrency);
    const needed = (token?.contract === feeCurrency ? token.units : 0n) + (await leastFee(reader));
    if (needed > inCurrency) throw short(at, inCurrency, needed, ` with the least fee in ${feeCurrency}`);
    return;
  }
  // If the moved token also pays the fee, the amount and the fee come out of the same balance.
  const taken = !isAbsent(feeToken) && token?.contract === feeToken.contract ? token.units * feeToken.scale : nativeUnits;
  // No fee exceeds the ceiling. A wallet that holds enough for the ceiling needs no query for the lowest fee.
  if (held >= taken + feeCeilingUnits) return;
  const least = taken + (await leastFee(reader));
  if (least > held) throw short(at, held, least, ' with the least fee');
}

function short(at: string, held: bigint, needed: bigint, besides = ''): AppError {
  const message = `The wallet holds ${held}, and the request needs ${needed}${besides}`;
  return fieldFault(at, message, { code: 'TransferWouldFail' });
}

async function estimates(reader: EvmReader, feeCurrency?: string) {
  const fees = await reader.feeEstimates(feeCurrency);
  invariant(fees.kind === 'Eip1559', 'EVM networks estimate a price per gas');
  return fees;
}

/** The gas fee, plus the data fee on a rollup. */
const feeOf = async (reader: EvmReader, gas: bigint, price: Promise<bigint> | bigint) => {
  const [perGas, dataFee] = await Promise.all([price, reader.leastDataFee()]);
  return gas * perGas + dataFee;
};

export const leastTransferFee = (priority: FeePriority, feeCurrency?: string) => async (reader: EvmReader) =>
  feeOf(
    reader,
    LEAST_GAS,
    estimates(reader, feeCurrency).then(({ tiers }) => tiers[priority].maxFeePerGas),
  );

/**
 * The lowest fee of a raw transaction. If the gas limit is omitted, the lowest possible gas is assumed. If the price is omitted,
 * the lowest price that a block accepts is assumed.
 */
export const leastCallFee =
  ({ gas, maxFeePerGas, call }: EvmTerms) =>
  async (reader: EvmReader) =>
    feeOf(
      reader,
      BigInt(gas ?? LEAST_GAS),
      maxFeePerGas === null
        ? estimates(reader, call.feeCurrency).then(({ baseFeePerGas }) => baseFeePerGas)
        : BigInt(maxFeePerGas),
    );
