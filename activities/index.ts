import { createBackfillActivities } from './backfills/backfill-addresses';
import { createBacktestActivities } from './backtests/backtests';
import { createChangeRequestActivities } from './change-requests/change-requests';
import { createAmendmentActivities } from './charters/amendments';
import { createFleetGroupActivities } from './fleets/groups';
import { createFleetActivities } from './fleets/signer-steps';
import { createFreezeActivities } from './freezes/freezes';
import { createHousekeepingActivities } from './housekeeping/duties';
import { createIncomingActivities } from './incoming-transactions/incoming';
import { createIntegrationActivities } from './integrations/integrations';
import { createKeyActivities } from './keys/keys';
import { createRotationActivities } from './keys/rotations';
import { createMailActivities } from './mails/mails';
import { createFollowingActivities } from './outgoing/follow/follow-networks';
import { createHoldActivities } from './outgoing/holds';
import { createJudgementActivities } from './outgoing/judge';
import { createLaneActivities } from './outgoing/lanes/lanes';
import { createBroadcastActivities } from './outgoing/send';
import { createSigningActivities } from './outgoing/sign';
import { createStraightThroughActivities } from './outgoing/straight-through';
import { createRecoveryActivities } from './recovery/recoveries';
import { createScanActivities } from './scans/scan-networks';
import { createScreeningActivities, createScreeningEndActivities } from './screenings/screening';
import { createSignatureFillingActivities } from './signatures/filling';
import { createSignatureJudgementActivities } from './signatures/judge';
import { createSignatureSigningActivities } from './signatures/sign';
import { createTravelRuleProgressActivities } from './travel-rules/progress';
import { createTravelRuleActivities } from './travel-rules/travel-rule';
import { createWalletActivities } from './wallets/wallets';
import { createWebhookActivities } from './webhooks/webhooks';

type Factory = (dependencies: never) => object;
/**
 * `Needs` is the intersection of the parameters of all factories. `Made` is the intersection of the objects that the factories
 * create.
 */
type Needs<F extends Factory> = [F] extends [(dependencies: infer D) => object] ? D : never;
type Made<F extends Factory> = (F extends Factory ? (made: ReturnType<F>) => void : never) extends (made: infer A) => void
  ? A
  : never;

const together =
  <F extends Factory>(factories: readonly F[]) =>
  (dependencies: Needs<F>): Made<F> =>
    Object.assign({}, ...factories.map((create) => create(dependencies as never)));

export const createMainActivities = together([
  createJudgementActivities,
  createSignatureJudgementActivities,
  createHoldActivities,
  createTravelRuleProgressActivities,
  createChangeRequestActivities,
  createBacktestActivities,
  createWebhookActivities,
  createMailActivities,
  createRecoveryActivities,
  createHousekeepingActivities,
  createScreeningEndActivities,
  createIncomingActivities,
  createFleetGroupActivities,
]);

/** Temporal retries each activity until the signer answers. */
export const createSignerActivities = together([
  createSigningActivities,
  createSignatureSigningActivities,
  createWalletActivities,
  createRotationActivities,
  createKeyActivities,
  createFreezeActivities,
  createAmendmentActivities,
  createFleetActivities,
]);

/**
 * Only the workers of a network's queue send transactions to the network's nodes. With `through`, `prepareTransfer` also
 * requests the signature. If the signer does not sign, the workers of the signer queue repeat the request.
 */
export const createChainActivities = together([
  createStraightThroughActivities,
  createBroadcastActivities,
  createLaneActivities,
  createSignatureFillingActivities,
  createFollowingActivities,
  createScanActivities,
  createBackfillActivities,
]);

/** Only the workers of a vendor's queue call that vendor. */
export const createVendorActivities = together([
  createIntegrationActivities,
  createTravelRuleActivities,
  createScreeningActivities,
]);

export type Activities = ReturnType<typeof createMainActivities> &
  ReturnType<typeof createSignerActivities> &
  ReturnType<typeof createChainActivities> &
  ReturnType<typeof createVendorActivities>;
