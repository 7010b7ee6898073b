import type { TravelRulePayload, TravelRuleStatus } from '../../domain/travel-rules';

export type TravelRuleMessage = {
  /** Our id of the message. The vendor identifies the message by this id, so a repeated submission creates only one message. */
  readonly id: string;
  readonly network: string;
  readonly asset: { readonly kind: string; readonly contract?: string; readonly symbol?: string; readonly decimals?: number };
  /** In the smallest unit of the asset, as a decimal string. */
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  readonly payload: TravelRulePayload;
  /** The address for the vendor's callbacks; absent if the vendor has a permanent address. */
  readonly callbackUrl?: string;
};

/** The calls of one organisation to the vendor. A call never retries, and throws `VendorError` if there is no usable answer. */
export type TravelRuleVendor = {
  /** False for a message that the vendor will never accept. */
  readonly validate: (message: TravelRuleMessage) => Promise<boolean>;
  readonly submit: (
    message: TravelRuleMessage,
  ) => Promise<{ readonly vendorMessageId: string; readonly status: TravelRuleStatus }>;
  readonly status: (messageId: string) => Promise<TravelRuleStatus>;
};
