import { evmCodecOf, evmVariantOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { factsOf, networkOf } from '../../../chains/networks';
import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import { isAbsent } from '../../../domain/slots';
import { contractOf, type TransferAsset } from '../../../domain/transfers';
import { addressAt, badField, faultAt } from '../../request-faults';
import type { Services } from '../../services';
import { assetColumns, assetOf } from '../../wallets/assets';
import type { UsableWallet } from '../../wallets/wallets';
import type { ReadTransfer, TransferRequest } from '../family-forms';
import { assertFunds, leastTransferFee } from './funds';

/** Amounts of ERC-7984 are encrypted as 64 bits. */
const ENCRYPTED_UNITS_MAX = 2n ** 64n - 1n;
const NO_ENCRYPTION =
  'is not available on this network in this installation: NETWORK_SETTINGS names no confidentialAmounts service to encrypt the amounts';

/** Throws `InvalidAddress`, `InvalidRequest`, `AssetNotSupported`, and `TransferWouldFail` if the wallet holds too little. */
export const readEvmTransfer: ReadTransfer = async (services, wallet, request) => {
  const { network, address } = wallet;
  const codec = evmCodecOf(network);
  const toAddress = addressAt('to', () => codec.parseAddress(request.to));
  const asset = assetIn(request, network, (text) => codec.parseAddress(text));
  const priority = request.priority ?? 'Standard';
  const draft = { assetKind: asset.kind, contract: contractOf(asset), toAddress, priority };
  const { currencies } = evmVariantOf(network).fees;
  const feeCurrency = isAbsent(currencies) ? undefined : currencies.chosen;
  const own = { leastFee: leastTransferFee(priority, feeCurrency), feeCurrency };
  const fee = request.feeSponsorId === undefined ? own : {};
  if (asset.kind === 'Erc721') {
    const { symbol } = await faultAt('contract', () => assetOwned(services, { network, address }, asset));
    await assertFunds(services, wallet, { ...fee, nativeUnits: 0n, at: 'body.tokenId' });
    // A unique token has no price, and the amount is always one.
    const unpriced = { assetSymbol: symbol ?? null, assetDecimals: null, assetVerified: false };
    return { ...draft, tokenId: asset.tokenId, amountUnits: '1', ...unpriced };
  }
  if (request.amount === undefined) throw badField('amount', 'is required');
  const units = BigInt(request.amount);
  if (asset.kind === 'Erc7984') {
    if (units > ENCRYPTED_UNITS_MAX)
      throw badField('amount', `must be at most ${ENCRYPTED_UNITS_MAX}: it is encrypted as 64 bits`);
    await faultAt('contract', () => assertHolds(services, wallet, asset.contract));
  }
  const info = await faultAt('contract', () => assetOf(services, network, asset));
  const taken =
    asset.kind === 'Native'
      ? { nativeUnits: units }
      : { nativeUnits: 0n, ...(asset.kind === 'Erc7984' ? {} : { token: { contract: asset.contract, units } }) };
  await faultAt('contract', () => assertFunds(services, wallet, { ...fee, ...taken, at: 'body.amount' }));
  return {
    ...draft,
    amountUnits: request.amount,
    ...assetColumns(info),
  };
};

function assetIn(
  { kind, contract, tokenId }: TransferRequest,
  network: NetworkName,
  parse: (text: string) => string,
): TransferAsset {
  const { lacks } = factsOf(networkOf(network));
  if (kind === 'Native') {
    if (lacks.includes(kind)) throw badField('kind', `${network} has no native coin: use a transfer of the kind Erc20`);
    return { kind };
  }
  if ((kind !== 'Erc20' && kind !== 'Erc721' && kind !== 'Erc7984') || contract === undefined)
    throw badField('kind', `${kind} is not for this network`);
  if (kind === 'Erc7984' && lacks.includes(kind)) throw badField('kind', `${kind} ${NO_ENCRYPTION}`);
  const canonical = addressAt('contract', () => parse(contract));
  if (kind !== 'Erc721') return { kind, contract: canonical };
  if (tokenId === undefined) throw badField('tokenId', 'is required');
  return { kind, contract: canonical, tokenId };
}

/**
 * Throws `AssetNotSupported` for a contract that is not an ERC-7984 token, and `TransferWouldFail` for a token that the wallet
 * has never had. The balance is encrypted, so no check compares the balance with the amount.
 */
async function assertHolds(services: Services, { network, address }: UsableWallet, contract: string): Promise<void> {
  const held = await inFamily('evm', services.readers(network)).confidentialBalance(contract, address);
  if (held === undefined)
    throw new AppError('AssetNotSupported', `There is no ERC-7984 token at ${contract}`, { network, contract });
  if (held !== null) return;
  const message = 'The wallet has never had any of this token';
  throw badField('amount', message, 'TransferWouldFail');
}

type Collectible = Extract<TransferAsset, { readonly kind: 'Erc721' }>;

/** Throws `AssetNotSupported` if the token does not exist, and `TransferWouldFail` if the wallet does not own the token. */
async function assetOwned(
  services: Services,
  { network, address }: Pick<UsableWallet, 'network' | 'address'>,
  { contract, tokenId }: Collectible,
): Promise<{ readonly symbol?: string }> {
  const token = await inFamily('evm', services.readers(network)).collectible(contract, tokenId);
  if (!token)
    throw new AppError('AssetNotSupported', `There is no ERC-721 token ${tokenId} at ${contract}`, { network, contract });
  if (token.owner === address) return token;
  const message = `The token ${tokenId} of ${contract} does not belong to the wallet`;
  throw badField('tokenId', message, 'TransferWouldFail');
}
