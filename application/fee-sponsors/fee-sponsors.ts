import { AppError, invariant } from '../../domain/errors';
import type { FeeSponsorStatus } from '../../domain/fee-sponsors';
import { isId } from '../../domain/ids';
import type { Reader } from '../../entities/database';
import type { FeeSponsorEntity } from '../../entities/fee-sponsors/fee-sponsor.entity';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { newId } from '../../platform/ids';
import { storeKindOf } from '../keys/store-kind';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { lockWalletOf, usableOf } from '../wallets/wallets';
import { whyNoSponsoring } from './sponsoring';
import { type FeeSponsorView, feeSponsorView, type SponsoredFeeView, sponsoredFeeView } from './view';

type Parts = Pick<Services, 'db'>;
type FeeSponsorRequest = { readonly name?: string | undefined; readonly walletId: string; readonly allowEndUser: boolean };
type Page = { readonly after: string | undefined; readonly limit: number };

const notFound = (feeSponsorId: string) => new AppError('NotFound', 'fee sponsor not found', { feeSponsorId });

/**
 * Throws `InvalidRequest` for a wallet that cannot be a sponsor, and `Conflict` for a wallet that already is a fee sponsor.
 * Throws `WrongState` for a wallet that is not active, and `NetworkNotEnabled` for a wallet that only signs.
 */
export function createFeeSponsor({ db }: Parts, authority: Authority, request: FeeSponsorRequest): Promise<FeeSponsorView> {
  return act(db, authority, async (tx, userActionId) => {
    const { walletId, name = null, allowEndUser } = request;
    const record = await lockWalletOf(tx, authority.caller, walletId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NotFound')
        throw badField('walletId', 'must name a wallet that the organisation has');
      throw error;
    });
    const { network } = usableOf(record.wallet);
    // An end user who owns a delegated key could spend the funds that the organisation keeps in the wallet for fees.
    if (record.key.delegatedTo !== null) throw badField('walletId', 'must not name a wallet that is delegated to an end user');
    if (storeKindOf(record.key) !== 'Software')
      throw badField('walletId', 'must not name a wallet whose key lies in an offline store');
    const impossible = whyNoSponsoring(network);
    if (impossible !== undefined) throw badField('walletId', `must name a wallet on another network: ${impossible}`);
    const id = newId('feeSponsor');
    if (!(await feeSponsorStore.add(tx, { id, name, walletId, network, allowEndUser, userActionId }))) {
      throw new AppError('Conflict', 'this wallet is already a fee sponsor', { walletId });
    }
    const row = await feeSponsorStore.find(tx, id);
    invariant(row, `the fee sponsor ${id} exists`);
    return feeSponsorView(row);
  });
}

async function rowOf(id: string, find: (id: string) => Promise<FeeSponsorEntity | undefined>): Promise<FeeSponsorEntity> {
  const row = isId('feeSponsor', id) ? await find(id) : undefined;
  if (!row) throw notFound(id);
  return row;
}

/** Throws `NotFound`. */
export async function getFeeSponsor(reader: Reader, id: string): Promise<FeeSponsorView> {
  return feeSponsorView(await rowOf(id, (one) => feeSponsorStore.find(reader, one)));
}

/** Lists the newest fee sponsor first. If there is a next page, the list contains one fee sponsor more than `limit`. */
export async function listFeeSponsors(reader: Reader, { after, limit }: Page): Promise<FeeSponsorView[]> {
  return (await feeSponsorStore.page(reader, after, limit)).map(feeSponsorView);
}

/** Lists the newest request first. If there is a next page, the list contains one fee more than `limit`. Throws `NotFound`. */
export async function listSponsoredFees(reader: Reader, id: string, { after, limit }: Page): Promise<SponsoredFeeView[]> {
  const { id: sponsorId } = await rowOf(id, (one) => feeSponsorStore.find(reader, one));
  return (await feeSponsorStore.fees(reader, sponsorId, after, limit)).map(sponsoredFeeView);
}

/** Idempotent. `Archived` is final: an archived fee sponsor refuses any other status with `WrongState`. Throws `NotFound`. */
export function setFeeSponsorStatus(
  { db }: Parts,
  authority: Authority,
  id: string,
  status: FeeSponsorStatus,
): Promise<FeeSponsorView> {
  return act(db, authority, async (tx) => {
    const row = await rowOf(id, (one) => feeSponsorStore.lock(tx, one));
    if (row.status === status) return feeSponsorView(row);
    if (row.status === 'Archived') throw new AppError('WrongState', 'the fee sponsor was deleted', { feeSponsorId: id });
    await feeSponsorStore.setStatus(tx, id, status);
    return feeSponsorView({ ...row, status });
  });
}
