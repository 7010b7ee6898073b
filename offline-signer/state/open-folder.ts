import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetCurve } from '../../domain/fleets';
import { canonical } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import type { SignedManifest } from '../../platform/fleets/manifests';
import type { BySigner, StatementType, statementBytes } from '../../platform/fleets/statement';
import { parseStrictJson } from '../../platform/strict-json';
import { Refused, refuseUnlessAllowed } from '../refused';
import { type MachineIdentity, stateBy } from '../secrets/identity-keys';
import { fleetSecret } from '../secrets/slip10';
import { type Claims, NO_CLAIMS, openClaims } from './claims';
import { createPinKey, type PinCost, type PinKey, SealedState, sealState, unsealState } from './pin-seal';
import { replaceText } from './replace-file';
import { State } from './state';

const STATE_FILE = 'state.sealed';
const CLAIMS_FILE = 'claims.log';

/** The files by which people at the device decide what it signs. */
export type LocalFile = 'rules.json' | 'charter.json';

/** `derive` returns the secret of a key, which is wiped when the function that uses it has ended. */
export type Keys = { readonly derive: (curve: FleetCurve, index: number) => Buffer };

/** The folder of a device, a provisioner or an operator's machine, opened with its PIN. */
export type OpenFolder = {
  readonly state: () => State;
  /** Replaces the state atomically. Throws `Refused` if another run of the program has changed the state. */
  readonly save: (change: Partial<State>) => void;
  readonly sign: (type: StatementType, body: Parameters<typeof statementBytes>[1]) => BySigner;
  readonly claims: Claims;
  /** Throws `Refused` if the folder has no master secret. */
  readonly withKeys: <T>(use: (keys: Keys) => T | Promise<T>) => Promise<T>;
  /** Throws `Refused` before the service has confirmed a manifest. */
  readonly committedManifest: () => SignedManifest;
  /** Throws `Refused` before people have compared the signer's key. */
  readonly pinnedSignerKey: () => string;
  /** Undefined if the folder does not have the file. */
  readonly textOf: (name: LocalFile) => string | undefined;
  /** True if the file, or its absence, is what people have trusted. */
  readonly isTrusted: (name: LocalFile) => boolean;
  /** People trust the file as it is now. */
  readonly trustText: (name: LocalFile) => void;
  readonly keepText: (name: LocalFile, text: string) => void;
};

function present<T>(value: T | null, otherwise: string): T {
  if (value === null) throw new Refused(otherwise);
  return value;
}

async function useKeys<T>(master: Buffer, use: (keys: Keys) => T | Promise<T>): Promise<T> {
  const derived: Buffer[] = [];
  try {
    return await use({
      derive(curve, index) {
        const secret = fleetSecret(master, curve, index);
        derived.push(secret);
        return secret;
      },
    });
  } finally {
    for (const secret of [...derived, master]) secret.fill(0);
  }
}

type Opened = { readonly folder: string; readonly pinKey: PinKey; readonly state: State; readonly text: string };

function opened({ folder, pinKey, state: first, text: read }: Opened): OpenFolder {
  const path = join(folder, STATE_FILE);
  let [state, text] = [first, read];
  const save = (change: Partial<State>) => {
    refuseUnlessAllowed(readFileSync(path, 'utf8') === text, 'Another run of the program has changed this folder. Start again.');
    const next = State.parse({ ...state, ...change });
    const sealed = sealState(pinKey, canonical(next));
    replaceText(path, sealed);
    [state, text] = [next, sealed];
  };
  const textOf = (name: LocalFile) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined);
  const digestNow = (name: LocalFile) => {
    const now = textOf(name);
    return now === undefined ? null : sha256Hex(now);
  };
  const trustText = (name: LocalFile) => save({ trusted: { ...state.trusted, [name]: digestNow(name) } });
  return {
    state: () => state,
    save,
    sign: (type, body) => stateBy(state.signingSecret, type, body),
    claims: openClaims(join(folder, CLAIMS_FILE), state.claims, (claims) => save({ claims })),
    withKeys: async (use) => useKeys(Buffer.from(present(state.master, 'This folder holds no master secret.'), 'hex'), use),
    committedManifest: () => present(state.committed, 'The service has not confirmed a manifest of this fleet yet.'),
    pinnedSignerKey: () => present(state.signerKey, "The signer's key has not been compared with paper yet."),
    textOf,
    isTrusted: (name) => state.trusted[name] === digestNow(name),
    trustText,
    keepText(name, text) {
      replaceText(join(folder, name), text);
      trustText(name);
    },
  };
}

/** Throws `Refused` if the folder has a state already, because its keys would be lost. */
export function createFolder(folder: string, pin: string, identity: MachineIdentity, cost?: PinCost): OpenFolder {
  const path = join(folder, STATE_FILE);
  refuseUnlessAllowed(!existsSync(path), 'This folder holds an identity already.');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const nothing = {
    signerKey: null,
    master: null,
    committed: null,
    pending: null,
    last: null,
    shares: [],
    done: [],
    newestDate: null,
  };
  const state = State.parse({ v: 1, ...identity, ...nothing, claims: NO_CLAIMS });
  const pinKey = createPinKey(pin, cost);
  const text = sealState(pinKey, canonical(state));
  replaceText(path, text);
  return opened({ folder, pinKey, state, text });
}

/** Throws `Refused` for a wrong PIN, a changed state or an incomplete log of claims. */
export function openFolder(folder: string, pin: string): OpenFolder {
  const path = join(folder, STATE_FILE);
  refuseUnlessAllowed(existsSync(path), 'This folder holds no identity. Run the command "identity" first.');
  const text = readFileSync(path, 'utf8');
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  const sealed = SealedState.safeParse(json.ok ? json.value : undefined);
  refuseUnlessAllowed(sealed.success, 'The state of this folder cannot be read.');
  const { pinKey, plain } = unsealState(sealed.data, pin);
  const state = State.safeParse(JSON.parse(plain));
  refuseUnlessAllowed(state.success, 'The state of this folder was written by another version of the program.');
  return opened({ folder, pinKey, state: state.data, text });
}
