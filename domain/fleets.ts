/** The kinds of fleet operations, as the published interface names them. */
export const FLEET_KINDS = [
  'Genesis',
  'Clone',
  'KeyHarvest',
  'AddProvisioner',
  'AddMacUser',
  'OnchainSign',
  'ProofOfControl',
] as const;
export type FleetKind = (typeof FLEET_KINDS)[number];

/** A ceremony changes the manifest of the fleet, and people review it. The other kinds only use keys. */
export const IS_CEREMONY = {
  Genesis: true,
  Clone: true,
  KeyHarvest: true,
  AddProvisioner: true,
  AddMacUser: true,
  OnchainSign: false,
  ProofOfControl: false,
} as const satisfies Readonly<Record<FleetKind, boolean>>;
export type CeremonyKind = { [K in FleetKind]: (typeof IS_CEREMONY)[K] extends true ? K : never }[FleetKind];

export const FLEET_STATES = ['Initialized', 'InReview', 'Rejected', 'Approved', 'Canceled'] as const;
export type FleetState = (typeof FLEET_STATES)[number];

/** The states that a group, and each of its operations, can reach next. A group that uses keys is approved without a review. */
export const FLEET_MOVES = {
  Initialized: ['InReview', 'Approved', 'Canceled'],
  InReview: ['Approved', 'Rejected', 'Canceled'],
  Rejected: [],
  Approved: [],
  Canceled: [],
} as const satisfies Readonly<Record<FleetState, readonly FleetState[]>>;

/** The curves of SLIP-10 on which an offline store makes keys, with the hardened level of the curve in the path of a key. */
export const FLEET_CURVES = { secp256k1: 20_000, ed25519: 20_001 } as const;
export type FleetCurve = keyof typeof FLEET_CURVES;

/** SLIP-10 with hardened levels only, so that other programs can derive the keys from the master secret. */
export const fleetKeyPath = (curve: FleetCurve, index: number): string => `m/${FLEET_CURVES[curve]}'/${index}'`;

export const PROVISIONERS_MIN = 2;
export const PROVISIONERS_MAX = 16;
/** The most new keys of one curve in one operation. */
export const FLEET_KEYS_MAX = 1_000;
export const FLEET_SIGN_REQUESTS_MAX = 200;
/** The wallets of one proof of control. */
export const FLEET_PROOFS_MAX = 100;
/** The text of an input travels inside two other JSON texts, each of which may escape every quotation mark. */
export const FLEET_INPUT_BYTES_MAX = 4 * 1024 * 1024;
export const FLEET_OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
export const FLEET_REASON_CHARS_MAX = 1_000;

/** A group without an outcome is canceled after this time. */
export const CEREMONY_LAPSES_AFTER_MS = 30 * 86_400_000;
/** A group that uses keys holds back payments, so it ends earlier than a ceremony. */
export const KEY_USE_LAPSES_AFTER_MS = 7 * 86_400_000;

/** More than half of the provisioners, and at least two. */
export const thresholdOf = (provisioners: number): number => Math.max(PROVISIONERS_MIN, Math.floor(provisioners / 2) + 1);
