/**
 * The prefix of each kind's id. An id is `<prefix>-<5>-<5>-<16>`, and the parts are a lower-case ULID. So ids of one kind sort
 * by time, and fit the published pattern `prefix-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}`. Approvals and applications share
 * `ap`, as in the published interface; no row contains an application's id.
 */
export const ID_PREFIXES = {
  organization: 'or',
  user: 'us',
  token: 'to',
  application: 'ap',
  tenant: 'acct',
  credential: 'cred',
  challenge: 'ch',
  oneTimeCode: 'otc',
  recovery: 'rcv',
  changeRequest: 'cr',
  userAction: 'ua',
  permission: 'pm',
  assignment: 'as',
  wallet: 'wa',
  key: 'key',
  keyStore: 'ks',
  dataKey: 'dek',
  keyRequest: 'krq',
  signer: 'sgn',
  transfer: 'xfr',
  transaction: 'tx',
  signature: 'sig',
  payload: 'pl',
  claim: 'cl',
  registryAddress: 'adr',
  contractSchema: 'csc',
  backtest: 'btr',
  policy: 'plc',
  policyEvaluation: 'plce',
  verdict: 'vd',
  travelRuleMessage: 'trm',
  approval: 'ap',
  integration: 'int',
  screening: 'scr',
  incomingTransaction: 'itx',
  movement: 'ce',
  addressWatch: 'aw',
  reachabilityWarning: 'rwn',
  webhook: 'wh',
  webhookSecret: 'whs',
  webhookEvent: 'whe',
  event: 'ev',
  mail: 'ml',
  outbox: 'ob',
  payloadReading: 'prd',
  freeze: 'frz',
  feeSponsor: 'fs',
  amendment: 'amd',
  auditEntry: 'au',
  backfill: 'bf',
  fleet: 'fl',
  fleetGroup: 'fg',
  fleetOperation: 'fo',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

export function formatId(kind: IdKind, ulid: string): string {
  return `${ID_PREFIXES[kind]}-${ulid.slice(0, 5)}-${ulid.slice(5, 10)}-${ulid.slice(10)}`;
}

const ID_REST = /^-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/;

/** Every id has this format, so no other text can be an id. */
export function isId(kind: IdKind, text: string): boolean {
  return text.startsWith(`${ID_PREFIXES[kind]}-`) && ID_REST.test(text.slice(ID_PREFIXES[kind].length));
}
