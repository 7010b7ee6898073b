import type { DecodedTx, EvmReader } from '../../../chains/evm/types';
import type { TransferIntent } from '../../../chains/types';
import { AppError, invariant } from '../../../domain/errors';
import { assetOfRow, effectAssetOf } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';
import type { SignTransferOrder } from '../../../signer/protocol';

export const intentOfRow = (row: OutgoingEntity): TransferIntent => ({
  network: row.network,
  from: row.fromAddress,
  to: row.toAddress,
  amountUnits: BigInt(row.amountUnits),
  asset: assetOfRow(row),
  ...(row.encryptedAmount === null ? {} : { encrypted: row.encryptedAmount }),
});

/** For a token that hides amounts, the bytes must contain the ciphertext of the approved amount. */
export const isAmountOf = (row: OutgoingEntity, { amountUnits, encrypted }: Pick<DecodedTx, 'amountUnits' | 'encrypted'>) =>
  row.assetKind === 'Erc7984'
    ? row.encryptedAmount !== null && encrypted !== undefined && digestOf(encrypted) === digestOf(row.encryptedAmount)
    : encrypted === undefined && amountUnits === BigInt(row.amountUnits);

/** The intent is fixed before the amount is encrypted, so the ciphertext is separate. */
export function intentOfOrder(row: OutgoingEntity): Pick<SignTransferOrder, 'intent' | 'encrypted'> {
  const { fromAddress: from, toAddress: to, amountUnits, terms } = row;
  const asset = effectAssetOf(row);
  invariant(asset.kind !== 'Spl' && asset.kind !== 'Spl2022', 'an EVM network moves no Solana tokens');
  const intent = {
    from,
    to,
    amountUnits,
    asset: 'contract' in asset && asset.kind !== 'Erc721' ? { kind: asset.kind, contract: asset.contract } : asset,
    ...(terms === null ? {} : { callDigest: digestOf(terms.call) }),
  };
  return { intent, ...(row.encryptedAmount === null ? {} : { encrypted: row.encryptedAmount }) };
}

/** Returns 0 for the native asset and for a token whose balances are hidden. */
export async function tokenUnitsOf(reader: EvmReader, { contract, assetKind, fromAddress }: OutgoingEntity): Promise<bigint> {
  if (contract === null || assetKind === 'Erc7984') return 0n;
  try {
    return await reader.tokenBalance(contract, fromAddress);
  } catch (error) {
    // The contract was a token when the request was made, but no longer is.
    if (!(error instanceof AppError) || error.code !== 'AssetNotSupported') throw error;
    throw new AppError('TransferWouldFail', error.message, error.details, error);
  }
}
