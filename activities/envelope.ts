import type { DecodedCall, DecodedTx } from '../chains/types';
import { AppError } from '../domain/errors';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { digestOf } from '../platform/canonical';

/**
 * Bytes that were just built must do what was approved and nothing else (S8). The reading is the decoder's, which shares no
 * code with the builder; the signer makes the same comparison again on its side of the border.
 */
export function assertInsideEnvelope(decoded: DecodedTx, row: TransferEntity, nonce: number, chainId: number): void {
  const contract = decoded.asset.kind === 'Erc20' ? decoded.asset.contract.toLowerCase() : null;
  const checks: Readonly<Record<string, boolean>> = {
    chainId: decoded.chainId === chainId,
    nonce: decoded.nonce === nonce,
    recipient: decoded.recipient.toLowerCase() === row.toAddress.toLowerCase(),
    amount: decoded.amountUnits === BigInt(row.amountUnits),
    asset: contract === (row.contract?.toLowerCase() ?? null),
    fee: decoded.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  };
  assertAll(checks);
}

/** The same for a raw transaction, of which every byte but nonce and price was approved. */
export function assertInsideTerms(decoded: DecodedCall, row: TransferEntity, nonce: number, chainId: number): void {
  const { terms } = row;
  assertAll({
    chainId: decoded.chainId === chainId,
    nonce: decoded.nonce === nonce && (row.askedNonce === null || row.askedNonce === nonce),
    call: terms !== null && digestOf(decoded.call) === digestOf(terms.call),
    effect: decoded.effect.asset.kind === row.assetKind,
    fee: decoded.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  });
}

function assertAll(checks: Readonly<Record<string, boolean>>): void {
  const broken = Object.keys(checks).filter((name) => checks[name] !== true);
  if (broken.length > 0)
    throw new AppError('EnvelopeMismatch', `The built bytes differ from what was approved: ${broken.join(', ')}`);
}
