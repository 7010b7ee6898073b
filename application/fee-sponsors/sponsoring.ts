import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { NetworkName } from '../../domain/networks';
import { charterStore } from '../../entities/charters/charter.store';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { assertNotFrozen, reachOfWallet } from '../freezes/active-freezes';
import { familyOf } from '../outgoing/families';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type UsableWallet, usableOf } from '../wallets/wallets';

/** Undefined if fees can be sponsored. */
export const whyNoSponsoring = (network: NetworkName): string | undefined => familyOf(network).sponsoring.whyNot(network);

/**
 * Throws `InvalidRequest` with the path of the field unless the sponsor is allowed and able to pay for this wallet. Throws
 * `TargetFrozen` for a frozen sponsor, and `WrongState` if the sponsor's wallet is not active. Throws `NetworkNotEnabled` if the
 * network lacks the contracts that sponsoring needs.
 */
export async function sponsorFor(
  services: Services,
  { kind, orgId }: Caller,
  wallet: UsableWallet,
  feeSponsorId: string,
): Promise<Pick<OutgoingEntity, 'feeSponsorId' | 'sponsorAddress'>> {
  const fault = (message: string) => badField('feeSponsorId', message);
  const { network } = wallet;
  const { whyNot, assertReady } = familyOf(network).sponsoring;
  const impossible = whyNot(network);
  if (impossible !== undefined) throw fault(impossible);
  const reader = services.db.read(orgId);
  const sponsor = isId('feeSponsor', feeSponsorId) ? await feeSponsorStore.find(reader, feeSponsorId) : undefined;
  // To an end user, a sponsor that does not serve end users looks as if it did not exist.
  if (!sponsor || (kind === 'EndUser' && !sponsor.allowEndUser)) throw fault('must name a fee sponsor that the organisation has');
  if (kind === 'EndUser' && (await charterStore.endUsers(reader)) !== undefined)
    throw fault('must be absent: under the charter of the organisation, end users pay their own fees');
  if (sponsor.status !== 'Active') throw fault(`must name an active fee sponsor: this one is ${sponsor.status}`);
  if (sponsor.network !== network) throw fault(`must name a fee sponsor on ${network}: this one is on ${sponsor.network}`);
  if (sponsor.walletId === wallet.id) throw fault('must not name the wallet itself, which pays its own fees anyway');
  const record = await walletStore.find(reader, sponsor.walletId);
  if (!record) throw fault('must name a fee sponsor that the organisation has');
  const { address } = usableOf(record.wallet);
  await assertNotFrozen(reader, reachOfWallet(record.wallet));
  invariant(assertReady, 'a family without sponsoring has said why');
  await assertReady(services, network, address);
  return { feeSponsorId, sponsorAddress: address };
}

/** Throws `SponsoredBlocked` if a policy has blocked a sponsored request. The caller gets this error instead of the record. */
export function assertNotBlocked({ id, state, feeSponsorId, approvalId, reason }: OutgoingEntity): void {
  if (feeSponsorId === null || state !== 'Rejected' || approvalId !== null) return;
  throw new AppError('SponsoredBlocked', reason ?? 'A policy blocks this sponsored request', { requestId: id });
}
