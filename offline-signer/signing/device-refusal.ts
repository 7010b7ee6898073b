/**
 * Why the device itself refuses a request, in words for the output and the screen. The other refusals are those of the signer's
 * judgement (`signer/wire/refusal-reasons.ts`).
 */
export const DEVICE_FAULTS = {
  OrderMalformed: 'the order is not a canonical order of this kind',
  VouchInvalid: 'the pinned signer has not signed this vouch',
  VouchMismatch: 'the vouch is for another order, key, group, store or organisation',
  KeyMismatch: 'the key is not the key that this device derives at this index',
  CharterOutdated: 'the signer has judged by another charter than the charter of this device',
  CharterRequired: 'the rules of this device demand a charter, and the device has none',
  AmountHidden: 'the bytes do not show the amount',
  NotOffline: 'an offline key does not sign orders of this kind',
  NonceNotDurable: 'without a durable nonce, the payment could be made a second time',
  NetworkNotAllowed: 'the rules of this device do not allow the network',
  RecipientNotAllowed: 'the rules of this device do not allow the recipient',
  AssetNotAllowed: 'the rules of this device do not allow the asset',
  AboveRequestLimit: 'the amount is above the limit for one request',
  AboveGroupLimit: 'the amounts of this group are above the limit for one group',
  FeeAboveRule: 'the fee is above the ceiling of this device',
  EffectUnknown: 'the bytes do not show who receives which amount, and the rules of this device limit amounts or recipients',
  MessageNotAllowed: 'the rules of this device do not allow messages',
  ClaimTaken: 'this device has signed another payload for the same nonce, coin, request or signed action',
  ReplacesNothing: 'the order replaces a payment of this device, and shares no nonce or coin with all that replace it',
  OperatorDeclined: 'the operator has declined the request',
} as const;
export type DeviceFault = keyof typeof DEVICE_FAULTS;

export class DeviceRefusal extends Error {
  constructor(readonly fault: DeviceFault) {
    super(DEVICE_FAULTS[fault]);
    this.name = 'DeviceRefusal';
  }
}

export function refuseOnDeviceUnless(condition: boolean, fault: DeviceFault): asserts condition {
  if (!condition) throw new DeviceRefusal(fault);
}
