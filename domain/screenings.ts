/** Vendors that rate the risk of a transaction. */
export const SCREENING_VENDORS = ['KytA', 'KytB'] as const;
export type ScreeningVendor = (typeof SCREENING_VENDORS)[number];

/** From the lowest to the highest; a configured level includes every higher level. */
export const ALERT_LEVELS = ['LOW', 'MEDIUM', 'HIGH', 'SEVERE'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** An empty list means any category. */
type Categories = { readonly categoryIds: readonly number[] };
/** Each member represents a case in which there is no finding. If the member is false, the policy triggers in this case. */
export type CommonFallbacks = {
  readonly skipUnscreenableTransaction: boolean;
  readonly skipUnsupportedNetwork: boolean;
  readonly skipUnsupportedAsset: boolean;
};

export type KytAIncomingConfiguration = {
  readonly alerts: Categories & { readonly alertLevel: AlertLevel };
  readonly exposures: { readonly direct: Categories };
  readonly fallbackBehaviours: CommonFallbacks & { readonly skipKytAFailure: boolean };
  /**
   * The template for the user id that the vendor receives; `{{walletId}}`, `{{walletTags}}` and `{{initiatorId}}` are replaced.
   */
  readonly userIdTemplate?: string;
};
export type KytAConfiguration = KytAIncomingConfiguration & { readonly addresses: Categories };
export type KytBConfiguration = {
  /** From 0 to 100; the rule triggers at the threshold and above. */
  readonly riskScoreThreshold: number;
  readonly fallbackBehaviours: CommonFallbacks & { readonly skipKytBFailure: boolean };
};

/** Why there is no finding. */
export type NotScreened =
  | { readonly kind: 'Unscreenable' }
  | { readonly kind: 'UnsupportedNetwork' }
  | { readonly kind: 'UnsupportedAsset' }
  | { readonly kind: 'VendorFailed'; readonly failure: string };

/** `categoryId` is null if the vendor does not specify a category. */
export type KytAFindings = {
  readonly kind: 'Screened';
  readonly alerts: readonly { readonly level: AlertLevel; readonly categoryId: number | null }[];
  readonly directExposures: readonly { readonly categoryId: number | null }[];
  readonly addresses: readonly { readonly categoryId: number | null }[];
};
export type KytBFindings = { readonly kind: 'Screened'; readonly riskScore: number };

export type Screening =
  | { readonly vendor: 'KytA'; readonly result: KytAFindings | NotScreened }
  | { readonly vendor: 'KytB'; readonly result: KytBFindings | NotScreened };

/** An older result is not reused, because the vendor may have new information. */
export const SCREENING_AGE_MAX_MS = 86_400_000;

/** Everything that the vendor may learn about the activity. */
export type ScreeningQuestion = {
  readonly direction: 'Sent' | 'Received';
  readonly network: string;
  /** Null for the native asset. */
  readonly contract: string | null;
  /** In smallest units of the asset, as a decimal string. */
  readonly amountUnits: string;
  /** Null if unknown. */
  readonly from: string | null;
  readonly to: readonly string[];
  readonly userId: string;
  /** Present if the transaction is already on chain. */
  readonly txHash?: string;
};
