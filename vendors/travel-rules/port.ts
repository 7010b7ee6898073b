import type { TravelRulePayload, TravelRuleStatus } from '../../domain/travel-rules';

/** What a counterparty is told of a transfer, and of the people behind it. */
export type TravelRuleMessage = {
  /** Ours; the vendor knows the message by it, so that what is submitted twice is one message. */
  readonly id: string;
  readonly network: string;
  readonly asset: { readonly kind: string; readonly contract?: string; readonly symbol?: string; readonly decimals?: number };
  /** In the smallest unit of the asset, as a decimal string. */
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  readonly payload: TravelRulePayload;
  /** Where the vendor tells of changes; absent where it was told so once and for all. */
  readonly callbackUrl?: string;
};

/** How one organisation asks the vendor. Each throws `VendorError` where there is no usable answer, and none tries again. */
export type TravelRuleVendor = {
  /** False for a message that the vendor would not take, however often it is sent. */
  readonly validate: (message: TravelRuleMessage) => Promise<boolean>;
  readonly submit: (
    message: TravelRuleMessage,
  ) => Promise<{ readonly vendorMessageId: string; readonly status: TravelRuleStatus }>;
  readonly status: (messageId: string) => Promise<TravelRuleStatus>;
};
