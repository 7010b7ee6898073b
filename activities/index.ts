import { createBacktestActivities } from './backtests/backtests';
import { createChangeRequestActivities } from './change-requests/change-requests';
import { createFreezeActivities } from './freezes/freezes';
import { createHouseActivities } from './housekeeping/house';
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
import { createOnwardActivities } from './outgoing/straight-through';
import { createRecoveryActivities } from './recovery/recoveries';
import { createScreeningActivities, createScreeningEndActivities } from './screenings/screening';
import { createSignatureFillingActivities } from './signatures/filling';
import { createSignatureJudgementActivities } from './signatures/judge';
import { createSignatureSigningActivities } from './signatures/sign';
import { createTravelRuleProgressActivities } from './travel-rules/progress';
import { createTravelRuleActivities } from './travel-rules/travel-rule';
import { createWalletActivities } from './wallets/wallets';
import { createWebhookActivities } from './webhooks/webhooks';

type Needs<F extends (dependencies: never) => unknown> = Parameters<F>[0];

export type MainDependencies = Needs<typeof createJudgementActivities> &
  Needs<typeof createSignatureJudgementActivities> &
  Needs<typeof createHoldActivities> &
  Needs<typeof createTravelRuleProgressActivities> &
  Needs<typeof createChangeRequestActivities> &
  Needs<typeof createBacktestActivities> &
  Needs<typeof createWebhookActivities> &
  Needs<typeof createMailActivities> &
  Needs<typeof createRecoveryActivities> &
  Needs<typeof createHouseActivities> &
  Needs<typeof createScreeningEndActivities> &
  Needs<typeof createIncomingActivities>;
export type SignerDependencies = Needs<typeof createSigningActivities> &
  Needs<typeof createWalletActivities> &
  Needs<typeof createRotationActivities> &
  Needs<typeof createKeyActivities> &
  Needs<typeof createFreezeActivities> &
  Needs<typeof createSignatureSigningActivities>;
export type ChainDependencies = Needs<typeof createOnwardActivities> &
  Needs<typeof createBroadcastActivities> &
  Needs<typeof createLaneActivities> &
  Needs<typeof createSignatureFillingActivities> &
  Needs<typeof createFollowingActivities>;
export type VendorDependencies = Needs<typeof createIntegrationActivities> &
  Needs<typeof createTravelRuleActivities> &
  Needs<typeof createScreeningActivities>;

/** What the workers of the main queue do: rows, policy, webhooks, mails, the house. */
export const createMainActivities = (dependencies: MainDependencies) => ({
  ...createJudgementActivities(dependencies),
  ...createSignatureJudgementActivities(dependencies),
  ...createHoldActivities(dependencies),
  ...createTravelRuleProgressActivities(dependencies),
  ...createChangeRequestActivities(dependencies),
  ...createBacktestActivities(dependencies),
  ...createWebhookActivities(dependencies),
  ...createMailActivities(dependencies),
  ...createRecoveryActivities(dependencies),
  ...createHouseActivities(dependencies),
  ...createScreeningEndActivities(dependencies),
  ...createIncomingActivities(dependencies),
});

/** What the workers of the signer queue do: whatever needs the signer, tried again until it answers. */
export const createSignerActivities = (dependencies: SignerDependencies) => ({
  ...createSigningActivities(dependencies),
  ...createSignatureSigningActivities(dependencies),
  ...createWalletActivities(dependencies),
  ...createRotationActivities(dependencies),
  ...createKeyActivities(dependencies),
  ...createFreezeActivities(dependencies),
});

/** What the workers of a network's queue do: they alone reach its nodes for writing, and try the signer once in between. */
export const createChainActivities = (dependencies: ChainDependencies) => ({
  ...createOnwardActivities(dependencies),
  ...createBroadcastActivities(dependencies),
  ...createLaneActivities(dependencies),
  ...createSignatureFillingActivities(dependencies),
  ...createFollowingActivities(dependencies),
});

/** What the workers of a vendor's queue do: they alone reach that vendor. */
export const createVendorActivities = (dependencies: VendorDependencies) => ({
  ...createIntegrationActivities(dependencies),
  ...createTravelRuleActivities(dependencies),
  ...createScreeningActivities(dependencies),
});

/** Every activity by name, for the workflows. */
export type Activities = ReturnType<typeof createMainActivities> &
  ReturnType<typeof createSignerActivities> &
  ReturnType<typeof createChainActivities> &
  ReturnType<typeof createVendorActivities>;
