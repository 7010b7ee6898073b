import { networkOf } from '../../chains/networks';
import { assertTierHas, type TierPart } from '../../domain/capability-tiers';
import type { Family } from '../../domain/networks';
import type { TransferForm } from '../../domain/transfers';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { assertNotBlocked } from '../fee-sponsors/sponsoring';
import { assertConflicts } from '../fleets/assert-conflicts';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { type SigningWallet, signingWallet } from '../wallets/signing-wallets';
import { draftBefore, type RequestBody, recordRequest, repetitionRule, type TransferDraft } from './record-request';

/** The parts of a request that depend on its form. */
type OutgoingRequest = {
  readonly form: TransferForm;
  readonly body: RequestBody;
  /** The feature that the network's tier must include. */
  readonly part: TierPart;
  /** Throws for members that the family does not use, even if the request was recorded before. */
  readonly assertCapable?: (family: Family) => void;
  readonly draft: (wallet: SigningWallet) => Promise<TransferDraft>;
};

/**
 * Returns once the request is held, under way or ended, or at the time limit of `waitForAnswer`. If an earlier request of this
 * form has the same `externalId`, returns the earlier request if the content is the same, and throws `Conflict` if the content
 * differs. Throws `InvalidRequest` if the organisation requires an external id and the request has none (S16).
 */
export async function requestOutgoing(
  services: Services,
  authority: Authority,
  walletId: string,
  { form, body, part, assertCapable, draft }: OutgoingRequest,
): Promise<OutgoingEntity> {
  const { caller } = authority;
  const reader = services.db.read(caller.orgId);
  const [wallet, rule, before] = await Promise.all([
    signingWallet(reader, caller, walletId),
    repetitionRule(reader, caller.orgId, body),
    draftBefore(reader, form, body),
  ]);
  const network = networkOf(wallet.network);
  assertTierHas(network, part);
  assertCapable?.(network.family);
  if (wallet.storeKind !== 'Software' && !before) assertConflicts(network, body);
  const drafted = before ?? (await draft(wallet));
  const row = await recordRequest(services, authority, wallet, { form, body, ...rule, ...drafted });
  assertNotBlocked(row);
  return row;
}
