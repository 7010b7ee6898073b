import { createHmac } from 'node:crypto';

export const WEBHOOK_SECRET = 'simulated-webhook-secret';

/** Names that no event, log or history may contain. */
export const ORIGINATOR = 'Ana Original';
export const BENEFICIARY = 'Ben Ficiary';

/** A payload with a beneficiary who keeps the wallet at another service. */
export const CUSTODIAL = {
  kind: 'TravelRuleVendor',
  originator: { naturalPerson: { name: ORIGINATOR } },
  beneficiary: { naturalPerson: { name: BENEFICIARY } },
  beneficiaryVASPdid: 'did:web:exchange.example',
} as const;

const { beneficiaryVASPdid: _service, ...ownWallet } = CUSTODIAL;
/** A payload with a beneficiary who keeps the wallet without a service. */
export const NON_CUSTODIAL = { ...ownWallet, beneficiaryProof: { kind: 'SelfDeclared' } } as const;

/** The headers of a callback, with the time and the signature that prove the vendor as the sender. */
export function signedHeaders(
  text: string,
  { secret = WEBHOOK_SECRET, atMs = Date.now() }: { readonly secret?: string; readonly atMs?: number } = {},
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1_000));
  return {
    'content-type': 'application/json',
    'x-travel-rule-timestamp': seconds,
    'x-travel-rule-signature': createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex'),
  };
}
