import { codecOf } from '../chains/codecs';
import { networkOf } from '../chains/networks';
import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import { ANSWERABLE_STATES, type FeePriority, type TransferAsset } from '../domain/transfers';
import type { Reader } from '../entities/database';
import { organizationStore } from '../entities/organizations/organization.store';
import type { Dispatch } from '../entities/outbox/outbox.store';
import { outboxStore } from '../entities/outbox/outbox.store';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { type WalletAccess, walletStore } from '../entities/wallets/wallet.store';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import { assetOf } from './assets';
import { type Authority, act } from './authority';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { emitTransfer } from './transfer-events';
import { assertVisibleWallet } from './wallets';

/** How long the POST waits for a transfer that nobody holds to be on its way. */
export const TRANSFER_ANSWER_LIMIT_MS = 15_000;

export type TransferRequest = {
  readonly kind: TransferAsset['kind'];
  readonly contract?: string | undefined;
  readonly to: string;
  readonly amount: string;
  readonly priority?: FeePriority | undefined;
  readonly externalId?: string | undefined;
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
  const [wallet, { externalIdRequired }] = await Promise.all([
    signingWallet(reader, caller, walletId),
    organizationStore.settings(reader, caller.orgId),
  ]);
  if (externalIdRequired && request.externalId === undefined) throw withoutExternalId();
  const network = networkOf(wallet.network);
  const codec = codecOf(wallet.network);
  const body = JSON.parse(JSON.stringify(request)) as Record<string, string>;
  const requestDigest = digestOf({ walletId, body });
  const to = addressAt('to', () => codec.parseAddress(request.to));
  const { contract: given } = request;
  const contract = given === undefined ? null : addressAt('contract', () => codec.parseAddress(given));
  const asset = await assetOf(services, wallet.network, contract === null ? { kind: 'Native' } : { kind: 'Erc20', contract });

  const id = newId('transfer');
  const start: Dispatch = {
    kind: 'start',
    aggregateId: id,
    dedupeKey: `start:${id}`,
    routing: {
      workflow: 'transfer',
      walletId,
      network: wallet.network,
      summary: `Transfer on ${wallet.network} from wallet ${walletId}`,
    },
  };
  const requested = await act(services.db, authority, async (tx) => {
    const fresh = await tx.insertOnce(TransferEntity, {
      orgId: caller.orgId,
      id,
      walletId,
      network: wallet.network,
      requesterUserId: caller.userId,
      requesterTokenId: caller.tokenId,
      requestBody: body,
      requestDigest,
      externalId: request.externalId ?? null,
      assetKind: request.kind,
      contract,
      fromAddress: wallet.address,
      toAddress: to,
      amountUnits: request.amount,
      priority: request.priority ?? 'Standard',
      assetSymbol: asset.symbol ?? null,
      assetDecimals: asset.decimals,
      assetVerified: asset.verified,
      feeCeilingUnits: network.feeCeilingUnits.toString(),
      state: 'Requested',
    });
    if (!fresh) return firstOf(await transferStore.findByExternalId(tx, 'Transfer', request.externalId ?? ''), requestDigest);
    const row = await transferStore.lock(tx, id);
    await emitTransfer(tx, row);
    await outboxStore.add(tx, start);
    return row;
  });
  if (requested.id === id) void services.dispatcher.tryNow(caller.orgId, start);

  const read = async () => (await transferStore.find(services.db.read(caller.orgId), requested.id)) ?? requested;
  return services.changes.waitFor(requested.id, read, ({ state }) => ANSWERABLE_STATES.includes(state), TRANSFER_ANSWER_LIMIT_MS);
}

function firstOf(first: TransferEntity | undefined, requestDigest: string): TransferEntity {
  if (first?.requestDigest === requestDigest) return first;
  throw new AppError('Conflict', 'Conflicting transfer with same externalId', {
    ...(first ? { duplicate: { id: first.id, externalId: first.externalId } } : {}),
  });
}

function withoutExternalId(): AppError {
  const message = 'is required by the settings of this organization';
  return new AppError('InvalidRequest', `body.externalId ${message}`, { issues: [{ path: 'body.externalId', message }] });
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

/** A transfer with what decides who may see it. */
export type TransferRead = { readonly access: WalletAccess | undefined; readonly row: TransferEntity | undefined };

export async function readTransfer(reader: Reader, walletId: string, transferId: string): Promise<TransferRead> {
  const [access, row] = await Promise.all([walletStore.access(reader, walletId), transferStore.find(reader, transferId)]);
  return { access, row };
}

/** The transfer of this wallet; `NotFound` also for one of another wallet or organisation. */
export function visibleTransfer(
  caller: Caller,
  { walletId, transferId }: { readonly walletId: string; readonly transferId: string },
  { access, row }: TransferRead,
): TransferEntity {
  assertVisibleWallet(caller, walletId, access);
  if (row?.walletId !== walletId || row.form !== 'Transfer')
    throw new AppError('NotFound', 'transfer not found', { walletId, transferId });
  return row;
}
