import { utxoCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { addressAt, badField } from '../../request-faults';
import { assetOf } from '../../wallets/assets';
import type { ReadTransfer } from '../family-forms';

/** Throws `InvalidAddress`, `InvalidRequest` or `TransferWouldFail`. */
export const readUtxoTransfer: ReadTransfer = async (services, { network, address }, request) => {
  if (request.kind !== 'Native') throw badField('kind', `${request.kind} is not for this network`);
  const codec = utxoCodecOf(network);
  const toAddress = addressAt('to', () => codec.parseAddress(request.to));
  if (request.amount === undefined) throw badField('amount', 'is required');
  const amountUnits = BigInt(request.amount);
  const least = codec.dustUnitsOf(toAddress);
  if (amountUnits < least) throw badField('amount', `is below ${least}, the minimum that ${network} transfers to this address`);
  const balance = await inFamily('utxo', services.readers(network)).nativeBalance(address);
  if (amountUnits > balance) {
    const message = `The wallet holds ${balance}, and the transfer needs ${amountUnits}`;
    throw badField('amount', message, 'TransferWouldFail');
  }
  const info = await assetOf(services, network, { kind: 'Native' });
  return {
    assetKind: 'Native',
    contract: null,
    toAddress,
    amountUnits: request.amount,
    priority: request.priority ?? 'Standard',
    assetSymbol: networkOf(network).nativeAsset.symbol,
    assetDecimals: info.decimals,
    assetVerified: info.verified,
  };
};
