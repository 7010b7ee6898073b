import type { DecodedCall, DecodedSponsored, DecodedTx } from '../../../chains/evm/types';
import { AppError } from '../../../domain/errors';
import type { KeyedNonce } from '../../../domain/nonces';
import { contractOf, type TransferAsset } from '../../../domain/transfers';
import { assetOfRow } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';
import { isAmountOf } from './intent';

/**
 * Throws unless newly built bytes do exactly what was approved (S8). `decoded` comes from a decoder that shares no code with
 * the builder.
 */
export function assertInsideEnvelope(
  decoded: DecodedTx,
  row: OutgoingEntity,
  { nonce, nonceKey }: KeyedNonce,
  chainId: number,
): void {
  const checks: Readonly<Record<string, boolean>> = {
    chainId: decoded.chainId === chainId,
    nonce: decoded.nonce === nonce && (decoded.nonceKey ?? 0n) === nonceKey,
    recipient: decoded.recipient.toLowerCase() === row.toAddress.toLowerCase(),
    amount: isAmountOf(row, decoded),
    asset: isSameAsset(decoded.asset, assetOfRow(row)),
    owner: decoded.owner === undefined || decoded.owner.toLowerCase() === row.fromAddress.toLowerCase(),
    fee: decoded.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  };
  assertAll(checks);
}

/** The whole call of a raw transaction is approved. The nonce, the gas and the price are chosen later. */
export function assertInsideTerms(
  decoded: DecodedCall,
  row: Pick<OutgoingEntity, 'terms' | 'askedNonce' | 'assetKind' | 'feeCeilingUnits'>,
  { nonce, nonceKey }: KeyedNonce,
  chainId: number,
): void {
  const { terms } = row;
  assertAll({
    chainId: decoded.chainId === chainId,
    nonce:
      decoded.nonce === nonce && (decoded.nonceKey ?? 0n) === nonceKey && (row.askedNonce === null || row.askedNonce === nonce),
    call: terms !== null && digestOf(decoded.call) === digestOf(terms.call),
    effect: decoded.effect.asset.kind === row.assetKind,
    fee: decoded.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  });
}

/** A sponsor's transaction contains one operation of the wallet: the transfer or the approved calls. */
export function assertInsideSponsored(
  read: DecodedSponsored,
  row: OutgoingEntity,
  built: {
    readonly nonce: number;
    readonly chainId: number;
    readonly operationNonce: bigint;
    readonly authorizationNonce: number | null;
  },
): void {
  const { transfer, operation, authorization } = read;
  const { terms } = row;
  const calls = terms?.family === 'evm-operation' ? terms.call : undefined;
  assertAll({
    sender: operation.sender === row.fromAddress,
    sponsor: read.sponsor === row.sponsorAddress,
    operation: operation.nonce === built.operationNonce,
    authorization: (authorization?.nonce ?? null) === built.authorizationNonce,
    calls: calls === undefined || digestOf(operation.calls) === digestOf(calls),
    chainId: read.chainId === built.chainId,
    nonce: read.nonce === built.nonce,
    fee: read.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: read.opaque.length === 0 && (calls !== undefined || transfer !== undefined),
  });
  if (calls === undefined && transfer !== undefined)
    assertInsideEnvelope(transfer, row, { nonce: built.nonce, nonceKey: 0n }, built.chainId);
}

function isSameAsset(a: TransferAsset, b: TransferAsset): boolean {
  const number = (asset: TransferAsset) => (asset.kind === 'Erc721' ? asset.tokenId : null);
  const sameToken = contractOf(a)?.toLowerCase() === contractOf(b)?.toLowerCase();
  return a.kind === b.kind && sameToken && number(a) === number(b);
}

function assertAll(checks: Readonly<Record<string, boolean>>): void {
  const broken = Object.keys(checks).filter((name) => checks[name] !== true);
  if (broken.length > 0)
    throw new AppError('EnvelopeMismatch', `The built bytes differ from what was approved: ${broken.join(', ')}`);
}
