import { evmCodecOf } from '../../../chains/codecs';
import type { AbiFunction, EvmCodec, FunctionArguments, TransactionInput } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { Effect } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import { fieldFault } from '../../../domain/field-faults';
import { lowestHole } from '../../../domain/nonces';
import type { EvmTerms } from '../../../domain/transactions';
import { contractOf } from '../../../domain/transfers';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { addressAt } from '../../request-faults';
import type { Services } from '../../services';
import type { AssetInfo } from '../../wallets/asset-info';
import { assetColumns, assetIfAny } from '../../wallets/assets';
import type { UsableWallet } from '../../wallets/wallets';
import type { ReadTransaction } from '../family-forms';
import { assertFunds, leastCallFee } from './funds';

type Members = Omit<TransactionInput, 'type' | 'chainId' | 'from' | 'accessList' | 'authorizationList' | 'gasPrice'>;
export type FunctionCallRequest = {
  readonly contract: string;
  readonly abi: AbiFunction;
  readonly calldata?: FunctionArguments | undefined;
  readonly value?: string | undefined;
};
type Named = { readonly externalId?: string | undefined };
export type EvmTransactionRequest =
  | ({ readonly kind: 'Transaction'; readonly transaction: TransactionInput | string } & Named)
  | ({ readonly kind: 'Eip1559' } & Members & Named)
  | ({ readonly kind: 'FunctionCall'; readonly call: FunctionCallRequest } & Named)
  | ({ readonly kind: 'Evm' } & Omit<Members, 'maxFeePerGas' | 'maxPriorityFeePerGas'> & Named);

/** `at` is the path of the transaction's members, for error messages. */
export function inputOf(
  request: EvmTransactionRequest,
  codec: EvmCodec,
): { readonly input: TransactionInput | string; readonly at: string } {
  if (request.kind === 'Transaction') return { input: request.transaction, at: 'body.transaction' };
  if (request.kind === 'FunctionCall') return { input: callInput(request.call, codec), at: 'body.call' };
  const { kind: _kind, externalId: _externalId, ...input } = request;
  return { input, at: 'body' };
}

function callInput({ contract, abi, calldata = {}, value }: FunctionCallRequest, codec: EvmCodec): TransactionInput {
  if (abi.stateMutability === 'view' || abi.stateMutability === 'pure') {
    throw refused('body.call.abi', 'stateMutability', 'names a read-only function, which needs no transaction');
  }
  if (abi.stateMutability !== 'payable' && value !== undefined && BigInt(value === '0x' ? 0 : value) !== 0n) {
    throw refused('body.call', 'value', 'must be zero: the function is not payable');
  }
  const to = addressAt('call.contract', () => codec.parseAddress(contract));
  return { to, data: codec.encodeFunction(abi, calldata, 'body.call'), ...(value === undefined ? {} : { value }) };
}

/**
 * Throws `InvalidRequest` with the path of the fault, `Conflict` for a nonce that another open request has, and
 * `TransferWouldFail` if the wallet holds too little.
 */
export const readEvmTransaction: ReadTransaction<EvmTransactionRequest> = async (services, wallet, request) => {
  const codec = evmCodecOf(wallet.network);
  const { input, at } = inputOf(request, codec);
  const terms = codec.termsOf(input, wallet.address, at);
  assertCeiling(wallet, terms, at);
  await assertNonce(services, wallet, terms, at);
  if (request.kind === 'FunctionCall') await assertContract(services, wallet, terms.call.to);
  const { asset, info, recipient, amountUnits } = await effectOf(services, wallet, codec.effectOf(terms.call), {
    at: request.kind === 'FunctionCall' ? 'body.call' : at,
    field: request.kind === 'FunctionCall' ? 'contract' : 'data',
  });
  // Only the native coin is checked. Token movements depend on the contract; the gas estimate simulates these movements.
  const nativeUnits = BigInt(terms.call.valueUnits);
  await assertFunds(services, wallet, {
    nativeUnits,
    leastFee: leastCallFee(terms),
    feeCurrency: terms.call.feeCurrency,
    at: typeof input === 'string' ? at : `${at}.value`,
  });
  return {
    terms,
    askedNonce: askedNonceOf(terms),
    assetKind: asset.kind,
    contract: asset.kind === 'Call' ? null : contractOf(asset),
    toAddress: recipient,
    amountUnits: amountUnits.toString(),
    priority: 'Standard',
    ...assetColumns(info),
  };
};

function refused(at: string, field: string, message: string): AppError {
  const path = `${at}.${field}`;
  return fieldFault(path, message);
}

const keyOf = ({ call: { nonceKey } }: EvmTerms): bigint => BigInt(nonceKey ?? 0);

/** Null for a nonce with a `nonceKey` above 0, because each such `nonceKey` has a sequence of nonces of its own. */
export const askedNonceOf = (terms: EvmTerms): number | null => (keyOf(terms) > 0n ? null : terms.nonce);

function assertCeiling({ network }: UsableWallet, { gas, maxFeePerGas }: EvmTerms, at: string): void {
  if (gas === null || maxFeePerGas === null) return;
  const { feeCeilingUnits } = networkOf(network);
  if (BigInt(gas) * BigInt(maxFeePerGas) <= feeCeilingUnits) return;
  throw refused(at, 'gasLimit', `times the price per gas is above the fee ceiling of ${feeCeilingUnits} on ${network}`);
}

/**
 * Throws `InvalidRequest` for a nonce that leaves a gap, because the gap would block the sender for ever. Throws
 * `InvalidRequest` for a used nonce, because the transaction could never get into a block. Throws `Conflict` for a nonce that
 * another open request has. The worker checks the nonce again before claiming it, because another request may claim the nonce
 * first.
 */
async function assertNonce(services: Services, wallet: UsableWallet, terms: EvmTerms, at: string): Promise<void> {
  const { nonce, ownNonces } = terms;
  if (nonce === null) return;
  const { network, address } = wallet;
  const reader = inFamily('evm', services.readers(network));
  const nonceKey = keyOf(terms);
  if (nonceKey > 0n) {
    const next = await reader.keyedCount(address, nonceKey);
    if (nonce === next) return;
    throw refused(
      at,
      'nonce',
      nonce < next
        ? `is already used: the next nonce of this nonceKey is ${next}`
        : `leaves a gap: the next nonce of this nonceKey is ${next}`,
    );
  }
  const chainCount = await reader.transactionCount(address, 'latest');
  const { taken, asked } = await laneStore.nonces(services.db.read(wallet.orgId), { network, address }, chainCount);
  const next = lowestHole([...taken, ...asked], chainCount);
  if (nonce < chainCount) throw refused(at, 'nonce', `is already used: the next one is ${next}`);
  if ([nonce, ...ownNonces].some((one) => taken.includes(one) || asked.includes(one))) {
    throw new AppError('Conflict', `The nonce ${nonce} is taken by an open request of this wallet: the next one is ${next}`, {
      nonce,
      next,
    });
  }
  if (nonce > next) throw refused(at, 'nonce', `leaves a gap: the next one is ${next}`);
}

/**
 * Throws `InvalidRequest` for an address without code. A call to such an address would succeed and do nothing, so the wallet
 * would lose the value and the fee.
 */
async function assertContract(services: Services, { network }: UsableWallet, address: string): Promise<void> {
  if (await inFamily('evm', services.readers(network)).hasCode(address)) return;
  throw refused('body.call', 'contract', `there is no contract at this address on ${network}`);
}

type Recorded = Effect & { readonly info: AssetInfo | undefined };

type Place = { readonly at: string; readonly field: string };

/**
 * Refuses a call that looks like a token transfer if the called contract is not a token. The effect of the call would be
 * unknown.
 */
async function effectOf(services: Services, { network }: UsableWallet, effect: Effect, { at, field }: Place): Promise<Recorded> {
  const { asset } = effect;
  if (asset.kind === 'Call') return { ...effect, info: undefined };
  const info = await assetIfAny(services, network, asset);
  if (info === undefined)
    throw refused(at, field, `looks like a transfer of a token, and there is no token at ${contractOf(asset)} on ${network}`);
  return { ...effect, info };
}
