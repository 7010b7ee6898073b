import { solanaCodecOf } from '../chains/codecs';
import { inFamily } from '../chains/families';
import { networkOf } from '../chains/networks';
import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { NetworkName } from '../domain/networks';
import { feeSponsorStore } from '../entities/fee-sponsors/fee-sponsor.store';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { walletStore } from '../entities/wallets/wallet.store';
import { badField } from './request-faults';
import type { Services } from './services';
import { assertNotFrozen, reachOfWallet } from './standing-freezes';
import { type UsableWallet, usableOf } from './wallets';

/** The sponsor and the wallet. */
const SOLANA_SIGNERS = 2;

/** Why nobody can pay for somebody else there; undefined where it is possible. */
export function whyNoSponsoring(name: NetworkName): string | undefined {
  const network = networkOf(name);
  if (network.family === 'solana') return undefined;
  if (network.family !== 'evm') return `fees cannot be sponsored on ${name}`;
  return network.isLegacy || network.feeToken ? `${name} has no transactions that carry an authorization (EIP-7702)` : undefined;
}

/**
 * Who pays for a request of this wallet. Throws `InvalidRequest` with the path of the field for a sponsor that is not there, not active, on another
 * network, the wallet itself, not for end users or without the money for any fee, and `NetworkNotEnabled` where its contracts are missing.
 */
export async function sponsorFor(
  services: Services,
  { kind, orgId }: Caller,
  wallet: UsableWallet,
  feeSponsorId: string,
): Promise<Pick<TransferEntity, 'feeSponsorId' | 'sponsorAddress'>> {
  const fault = (message: string) => badField('feeSponsorId', message);
  const { network } = wallet;
  const impossible = whyNoSponsoring(network);
  if (impossible !== undefined) throw fault(impossible);
  const reader = services.db.read(orgId);
  const sponsor = isId('feeSponsor', feeSponsorId) ? await feeSponsorStore.find(reader, feeSponsorId) : undefined;
  // What is not for end users does not exist for them.
  if (!sponsor || (kind === 'EndUser' && !sponsor.allowEndUser)) throw fault('must name a fee sponsor that the organisation has');
  if (sponsor.status !== 'Active') throw fault(`must name an active fee sponsor: this one is ${sponsor.status}`);
  if (sponsor.network !== network) throw fault(`must name a fee sponsor on ${network}: this one is on ${sponsor.network}`);
  if (sponsor.walletId === wallet.id) throw fault('must not name the wallet itself, which pays its own fees without');
  const record = await walletStore.find(reader, sponsor.walletId);
  if (!record) throw fault('must name a fee sponsor that the organisation has');
  const { address } = usableOf(record.wallet);
  await assertNotFrozen(reader, reachOfWallet(record.wallet));
  await assertReady(services, network, address);
  return { feeSponsorId, sponsorAddress: address };
}

/** What only the network can tell: on EVM whether the contracts are there, on Solana whether the sponsor can pay any fee and keep its account. */
async function assertReady({ readers }: Services, network: NetworkName, sponsor: string): Promise<void> {
  const reader = readers(network);
  if (reader.family === 'solana') {
    const [held, kept] = await Promise.all([reader.nativeBalance(sponsor), reader.rentUnits(0)]);
    const least = solanaCodecOf(network).leastFeeUnits(SOLANA_SIGNERS) + kept;
    if (held >= least) return;
    throw badField(
      'feeSponsorId',
      `must name a fee sponsor that can pay: it holds ${held}, and the least is ${least} with what an account must keep`,
    );
  }
  if (await inFamily('evm', reader).hasSponsoring()) return;
  throw new AppError('NetworkNotEnabled', `The contracts that sponsoring needs are not there on ${network}`, { network });
}

/** Throws `SponsoredBlocked` for a sponsored request that a policy has ended: its answer is a fault of the request, not its record. */
export function assertNotBlocked({ id, state, feeSponsorId, approvalId, reason }: TransferEntity): void {
  if (feeSponsorId === null || state !== 'Rejected' || approvalId !== null) return;
  throw new AppError('SponsoredBlocked', reason ?? 'A policy does not let this sponsored request pass', { requestId: id });
}
