import { codecOf } from '../chains/codecs';
import { AppError } from '../domain/errors';
import type { FeePriority, TransferAsset } from '../domain/transfers';
import type { TravelRulePayload } from '../domain/travel-rules';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { assetOf } from './assets';
import type { Authority } from './authority';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { assertExternalId, recordRequest } from './wallet-requests';

export type TransferRequest = {
  readonly kind: TransferAsset['kind'];
  readonly contract?: string | undefined;
  readonly to: string;
  readonly amount: string;
  readonly priority?: FeePriority | undefined;
  readonly externalId?: string | undefined;
  readonly travelRule?: TravelRulePayload | undefined;
};

/**
 * Records a transfer, starts its workflow and answers when it is held, on its way or ended (behaviour.md (p) 9). The same
 * `externalId` with the same request answers the first transfer; with another request it is a `Conflict`. Without one it is
 * `InvalidRequest` where the organisation requires it, since a request sent again after a lost answer would pay twice (S16).
 */
export async function requestTransfer(
  services: Services,
  authority: Authority,
  walletId: string,
  request: TransferRequest,
): Promise<TransferEntity> {
  const { caller } = authority;
  const reader = services.db.read(caller.orgId);
  const [wallet] = await Promise.all([signingWallet(reader, caller, walletId), assertExternalId(reader, caller.orgId, request)]);
  const codec = codecOf(wallet.network);
  const to = addressAt('to', () => codec.parseAddress(request.to));
  const { contract: given } = request;
  const contract = given === undefined ? null : addressAt('contract', () => codec.parseAddress(given));
  const asset = await assetOf(services, wallet.network, contract === null ? { kind: 'Native' } : { kind: 'Erc20', contract });
  return recordRequest(services, authority, wallet, {
    form: 'Transfer',
    body: request,
    assetKind: request.kind,
    contract,
    toAddress: to,
    amountUnits: request.amount,
    priority: request.priority ?? 'Standard',
    assetSymbol: asset.symbol ?? null,
    assetDecimals: asset.decimals,
    assetVerified: asset.verified,
  });
}

/** An address that is wrong is a fault of one field of the body, and the caller is told which. */
function addressAt(field: 'to' | 'contract', parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { issues: [{ path: `body.${field}`, message: error.message }] }, error);
  }
}
