import { evmCodecOf } from '../../chains/codecs';
import { contractOf, type TransferAsset } from '../../domain/transfers';
import { assetOf } from '../assets';
import { addressAt, badField, type ReadTransfer, type TransferRequest } from '../transfer-forms';

/** Reads a transfer on an EVM network. Throws `InvalidAddress`, `InvalidRequest` or `AssetNotSupported`. */
export const readEvmTransfer: ReadTransfer = async (services, { network }, request) => {
  const codec = evmCodecOf(network);
  const toAddress = addressAt('to', () => codec.parseAddress(request.to));
  const asset = assetIn(request, (text) => codec.parseAddress(text));
  const info = await assetOf(services, network, asset);
  if (request.amount === undefined) throw badField('amount', 'is required');
  return {
    assetKind: asset.kind,
    contract: contractOf(asset),
    toAddress,
    amountUnits: request.amount,
    priority: request.priority ?? 'Standard',
    assetSymbol: info.symbol ?? null,
    assetDecimals: info.decimals,
    assetVerified: info.verified,
  };
};

function assetIn({ kind, contract }: TransferRequest, parse: (text: string) => string): TransferAsset {
  if (kind === 'Native') return { kind };
  if (kind !== 'Erc20' || contract === undefined) throw badField('kind', `${kind} is not for this network`);
  return { kind, contract: addressAt('contract', () => parse(contract)) };
}
