import { networkOf } from '../../chains/networks';
import { assertTierHas, type TierPart } from '../../domain/capability-tiers';
import type { Family } from '../../domain/networks';
import type { TransferForm } from '../../domain/transfers';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { assertNotBlocked } from '../fee-sponsors/sponsoring';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { signingWallet } from '../wallets/signing-wallets';
import type { UsableWallet } from '../wallets/wallets';
import { draftBefore, type RequestBody, recordRequest, repetitionRule, type TransferDraft } from './record-request';

/** A form's part of a request; the order of the checks is the same for both forms, so that both refuse alike. */
type OutgoingRequest = {
  readonly form: TransferForm;
  readonly body: RequestBody;
  /** The part that the tier of the network must have. */
  readonly part: TierPart;
  /** Throws for members that the family has no use for, even if the request was recorded before. */
  readonly assertCapable?: (family: Family) => void;
  /** Reads the request as new, with its sponsor if it names one. */
  readonly draft: (wallet: UsableWallet) => Promise<TransferDraft>;
};

/**
 * Records a request of either form, starts its workflow and returns when it is held, under way or ended (behaviour.md (p) 9). The same `externalId`
 * with the same request returns the first one; with another request it is a `Conflict`. A missing one is `InvalidRequest` if the organisation
 * requires it, since a request sent again after a lost response would pay twice (S16).
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
  const drafted = before ?? (await draft(wallet));
  const row = await recordRequest(services, authority, wallet, { form, body, ...rule, ...drafted });
  assertNotBlocked(row);
  return row;
}
