import { createBacktestActivities } from './backtests';
import { createChangeRequestActivities } from './change-requests';
import { createFreezeActivities } from './freezes';
import { createHoldActivities } from './holds';
import { createHouseActivities } from './house';
import { createIncomingActivities } from './incoming';
import { createIntegrationActivities } from './integrations';
import { createKeyActivities } from './keys';
import { createLaneActivities } from './lanes';
import { createMailActivities } from './mails';
import { createFollowingActivities } from './network-following';
import { createRecoveryActivities } from './recoveries';
import { createRotationActivities } from './rotations';
import { createScreeningActivities, createScreeningEndActivities } from './screening';
import { createSignatureFillingActivities } from './signature-filling';
import { createSignatureJudgementActivities } from './signature-judgement';
import { createSignatureSigningActivities } from './signature-signing';
import { createBroadcastActivities } from './transfer-broadcast';
import { createJudgementActivities } from './transfer-judgement';
import { createOnwardActivities } from './transfer-onward';
import { createSigningActivities } from './transfer-signing';
import { createTravelRuleActivities } from './travel-rule';
import { createTravelRuleProgressActivities } from './travel-rule-progress';
import { createWalletActivities } from './wallets';
import { createWebhookActivities } from './webhooks';

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
