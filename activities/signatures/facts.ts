import { isDeepStrictEqual } from 'node:util';
import type { WalletSign } from '../../application/policies/evaluate-activity';
import { draftOf } from '../../application/signatures/evm/prepare-transaction';
import {
  evmDecoderOf,
  evmSmartAccountOf,
  evmSpendsOf,
  evmUserEffectOf,
  solanaDecoderOf,
  utxoDecoderOf,
} from '../../chains/decoders';
import { findEvmNetwork, networkOf } from '../../chains/networks';
import { exactParts, ofParts } from '../../domain/amounts';
import type { Movement } from '../../domain/asset-movements';
import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { SignaturePayload, SmartAccountCalls } from '../../domain/signatures';
import { contractOf } from '../../domain/transfers';
import type { Reader } from '../../entities/database';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { tokenStore } from '../../entities/tokens/token.store';
import type { Prices } from '../../vendors/prices/port';
import { usdMicroOf } from '../outgoing/usd-value';
import { publicKeyOfRequest } from './claims';

/**
 * The assets that a signature moves, as policies judge them. If the assets are unknown, rules about amounts and recipients
 * trigger.
 */
export type Moved = Pick<WalletSign, 'recipients' | 'paysNobody' | 'amountUsdMicro' | 'movement'>;
type Known = Movement & { readonly network: NetworkName };

const NOT_KNOWN: Moved = { recipients: [], amountUsdMicro: null, movement: null };
const NOTHING: Moved = { recipients: [], paysNobody: true, amountUsdMicro: '0', movement: null };

/**
 * Code that did not build the bytes reads their effect. Typed data can let other accounts take tokens, so these accounts are
 * treated as recipients (S12). The effect of a hash, a message or an EIP-7702 authorization is unknown.
 */
export async function movedBy(reader: Reader, prices: Prices, row: SignatureEntity): Promise<Moved> {
  const { payload, claimNetwork, fromAddress } = row;
  if (payload.kind === 'Psbt') return paidBy(reader, prices, payload, await publicKeyOfRequest(reader, row));
  if (payload.kind === 'Eip712') return worthOf(reader, prices, takenBy(payload.typedData));
  if (payload.kind === 'SvcSmartAccountTransaction') {
    const moved = await worthOf(reader, prices, calledBy(payload));
    // An authorization also sets the account's code, so the request is never treated as a zero payment of the wallet to itself.
    return payload.authorization === null ? toOthers(moved, payload.address) : moved;
  }
  if (payload.kind === 'SolanaTransaction') {
    if (solanaDecoderOf(payload.network).advancesAlone(payload.bytesHex)) return NOTHING;
    return toOthers(await worthOf(reader, prices, sentBy(payload, fromAddress)), fromAddress);
  }
  if ((payload.kind !== 'EvmTransaction' && payload.kind !== 'OpenEvmTransaction') || claimNetwork === null) return NOT_KNOWN;
  const bytesHex = payload.kind === 'EvmTransaction' ? payload.bytesHex : draftOf(payload);
  const { effect, opaque } = evmDecoderOf(claimNetwork).decodeCall(bytesHex);
  if (opaque.length > 0) throw new AppError('EnvelopeMismatch', 'The bytes of the transaction cannot be read back');
  const { asset, recipient, amountUnits } = effect;
  if (asset.kind === 'Call') return NOT_KNOWN;
  const contract = contractOf(asset);
  const movements = [{ network: claimNetwork, contract, recipients: [recipient], amountUnits }];
  return toOthers(await worthOf(reader, prices, movements), fromAddress);
}

/** `paysNobody` is true if the whole effect is a zero payment of the wallet to itself. */
function toOthers(moved: Moved, from: string | null): Moved {
  const { movement } = moved;
  const isNothing = movement !== null && movement.contract === null && movement.amountUnits === 0n;
  return { ...moved, paysNobody: isNothing && movement.recipients.every((recipient) => recipient === from) };
}

/** Empty unless the transaction is a plain transfer of this wallet: lookup tables and unknown programs may do anything. */
function sentBy(
  { network, bytesHex }: Extract<SignaturePayload, { kind: 'SolanaTransaction' }>,
  signer: string | null,
): readonly Known[] {
  const decoder = solanaDecoderOf(network);
  if (decoder.refused(bytesHex).length > 0)
    throw new AppError('EnvelopeMismatch', 'The bytes of the transaction cannot be read back');
  const { from, opaque } = decoder.decodeTransfer(bytesHex);
  const { asset, recipient, amountUnits } = decoder.effectOf(bytesHex);
  if (opaque.length > 0 || asset.kind === 'Call' || from !== signer) return [];
  return [{ network, contract: contractOf(asset), recipients: [recipient], amountUnits }];
}

/** The amount of a PSBT that contains coins of other owners, or a script without an address, is never understated. */
async function paidBy(
  reader: Reader,
  prices: Prices,
  { network, bytesHex }: Extract<SignaturePayload, { kind: 'Psbt' }>,
  publicKeyHex: string,
): Promise<Moved> {
  const decoder = utxoDecoderOf(network);
  if (decoder.decode(bytesHex).opaque.length > 0)
    throw new AppError('EnvelopeMismatch', 'The bytes of the transaction cannot be read back');
  const { address, recipients, amountUnits } = decoder.effectOf(bytesHex, { publicKeyHex });
  if (recipients.length === 0) return NOT_KNOWN;
  const moved = await worthOf(reader, prices, [{ network, contract: null, recipients, amountUnits }]);
  return { ...moved, paysNobody: recipients.every((recipient) => recipient === address) };
}

/**
 * Returns for each asset the sum over all calls. Empty if the effect of any call is unknown. An authorization moves nothing,
 * because the authorized code obeys only the account.
 */
function calledBy({ typedData, network, address, calls }: SmartAccountCalls): readonly Known[] {
  const read = evmSmartAccountOf(typedData);
  const isSame = read !== undefined && read.address === address && isDeepStrictEqual(read.calls, calls);
  if (!isSame || findEvmNetwork(read.chainId)?.name !== network)
    throw new AppError('EnvelopeMismatch', 'The message of the account cannot be read back');
  const effects = read.calls.map(evmUserEffectOf);
  const moved = new Map<string | null, Known>();
  for (const { asset, recipient, amountUnits } of effects) {
    if (asset.kind === 'Call') return [];
    const contract = contractOf(asset);
    const { recipients, amountUnits: before } = moved.get(contract) ?? { recipients: [], amountUnits: 0n };
    const known = { network, contract, recipients: [...new Set([...recipients, recipient])], amountUnits: before + amountUnits };
    moved.set(contract, known);
  }
  return [...moved.values()];
}

/** Empty if a token or its chain is unknown. */
function takenBy(typedData: string): readonly Known[] {
  const spends = evmSpendsOf(typedData) ?? [];
  const known = spends.flatMap(({ chainId, contract, recipient, amountUnits }): Known[] => {
    const network = findEvmNetwork(chainId);
    return network ? [{ network: network.name, contract, recipients: [recipient], amountUnits }] : [];
  });
  return known.length === spends.length ? known : [];
}

async function worthOf(reader: Reader, prices: Prices, movements: readonly Known[]): Promise<Moved> {
  const [movement] = movements;
  if (movement === undefined) return NOT_KNOWN;
  let sum: bigint | null = 0n;
  for (const { network, contract, amountUnits } of movements) {
    const decimals = await decimalsOf(reader, network, contract);
    // A contract that is not a known token may do anything, even if the call data looks like a transfer.
    if (decimals === null) return NOT_KNOWN;
    const worth = await usdMicroOf(prices, { network, contract, decimals, amountUnits });
    sum = worth === null || sum === null ? null : sum + exactParts(worth);
  }
  return {
    recipients: [...new Set(movements.flatMap(({ recipients }) => recipients))],
    amountUsdMicro: sum === null ? null : ofParts(sum),
    movement: movements.length === 1 ? movement : null,
  };
}

/** Null for a token that neither the network's record nor a request contains, because the contract is not trusted. */
async function decimalsOf(reader: Reader, name: NetworkName, contract: string | null): Promise<number | null> {
  const { nativeAsset, tokens } = networkOf(name);
  if (contract === null) return nativeAsset.decimals;
  const listed = tokens.find((token) => token.contract === contract);
  return (listed ?? (await tokenStore.find(reader, name, contract)))?.decimals ?? null;
}
