import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { newId } from '../platform/ids';
import { charterDigest } from '../signer/charters/charter';
import { createFileKek } from '../signer/keys/kek';
import { createKeyMaker } from '../signer/keys/key-maker';
import type { DekRow } from '../signer/protocol';
import type { Journal } from '../signer/record/journal/journal';
import { openJournal } from '../signer/record/journal/open-journal';
import { createKeyLog } from '../signer/record/key-log';
import { createKeyStores } from '../signer/record/key-stores';
import { schemeOf } from '../signer/schemes/scheme';
import { serveParent } from './program';

/** Only `key` gets a real secret. The parent later orders signatures with `key`. */
export type FillOrder = {
  readonly stateDir: string;
  readonly kekHex: string;
  readonly key: { readonly orgId: string; readonly keyId: string };
  readonly keys: number;
  readonly signatures: number;
  /** The number of organisations, each with its own charter. */
  readonly organizations: number;
  readonly membersEach: number;
};
export type FillAnswer = { readonly seconds: number };

const FORM = { scheme: 'ECDSA', curve: 'secp256k1' } as const;
const BATCH = 1_000;
const POOL_BYTES = 1024 * 1024;
const CIPHERTEXT_BYTES = 60;
/** The DER of an Ed25519 public key up to its 32 bytes (RFC 8410). */
const ED25519_SPKI_HEX = '302a300506032b6570032100';
const OPERATIONS = ['transferAsset', 'broadcastTransaction', 'createApprovalDecision', 'createPolicy'] as const;

type RandomKey = { readonly keyId: string; readonly address: string };

async function appendAll(journal: Journal, count: number, append: (at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    await Promise.all(Array.from({ length: size }, (_, at) => append(from + at)));
    // The journal does not wait for its index, so this loop does: otherwise changes would fill the memory while LevelDB compacts.
    await journal.index.room();
  }
}

/** Appends keys of the real length. Their ciphertexts are random and do not contain secrets. */
async function appendKeys(journal: Journal, orgId: string, dek: DekRow, count: number): Promise<readonly RandomKey[]> {
  const keys: RandomKey[] = [];
  await appendAll(journal, count, () => {
    const keyId = newId('key');
    const publicKeyHex = `02${randomBytes(32).toString('hex')}`;
    const ciphertextHex = randomBytes(CIPHERTEXT_BYTES).toString('hex');
    const sealed = { orgId, keyId, ...FORM, publicKeyHex, dekId: dek.dekId, ciphertextHex };
    keys.push({ keyId, address: `0x${randomBytes(20).toString('hex')}` });
    return journal.append({ kind: 'KeyCreated', created: { publicKeyHex, sealed, dek } });
  });
  return keys;
}

/** Cuts short random texts from one long text, because a call of the random source for each text would be slow. */
let pool = '';
let taken = 0;
function randomHex(chars: number): string {
  if (taken + chars > pool.length) [pool, taken] = [randomBytes(POOL_BYTES).toString('hex'), 0];
  taken += chars;
  return pool.slice(taken - chars, taken);
}

/** Appends the entry of a transfer on an EVM network, with random values. */
function appendSigned(journal: Journal, orgId: string, { keyId, address }: RandomKey, nonce: number): Promise<void> {
  const word = () => randomHex(64);
  return journal.append({
    kind: 'Signed',
    signed: {
      requestId: newId('transfer'),
      intentId: `transfer:${randomHex(32)}`,
      orgId,
      keyId,
      intentDigest: word(),
      payloadDigest: word(),
      claim: `EthereumSepolia ${address} ${nonce}`,
    },
    result: {
      digestHex: `0x${word()}`,
      signatures: [{ r: `0x${word()}`, s: `0x${word()}`, recoveryId: nonce % 2 === 0 ? 0 : 1 }],
    },
    policyEpoch: 1,
  });
}

/** A public key with a real format and length but without a private key. */
const randomPem = () =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.from(`${ED25519_SPKI_HEX}${randomHex(64)}`, 'hex').toString('base64')}\n-----END PUBLIC KEY-----\n`;

function charterOf(organizationId: string, members: number): string {
  const ofPerson = () => {
    const userId = newId('user');
    const credential = { id: newId('credential'), kind: 'Key', publicKey: randomPem(), operations: OPERATIONS };
    return { userId, hand: userId, isServiceAccount: false, credentials: [credential] };
  };
  const empty = { wallets: [], feeSponsors: [], registryAddresses: [], policies: [], changePolicies: [], limits: [] };
  const dateIssued = new Date().toISOString();
  return JSON.stringify({
    ...{ v: 1, signerId: 'sgn-1', organizationId, sequence: 1, previous: null, dateIssued },
    ...{ members: Array.from({ length: members }, ofPerson), ...empty },
  });
}

/** Appends the adoption of a charter. The signature has the real length, and is checked only when a signer adopts a charter. */
function appendCharter(journal: Journal, members: number): Promise<void> {
  const orgId = newId('organization');
  const charter = charterOf(orgId, members);
  const signature = Buffer.from(randomHex(128), 'hex').toString('base64');
  const head = { orgId, sequence: 1, digest: charterDigest(charter), dateAdopted: new Date().toISOString() };
  return journal.append({ kind: 'CharterAdopted', ...head, charter, signature });
}

/** Uses the signer's own code to fill a state folder, but does not judge orders or sign. */
serveParent<FillOrder, FillAnswer>(async ({ stateDir, kekHex, key, keys: keyCount, signatures, organizations, membersEach }) => {
  const started = performance.now();
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const kek = createFileKek(Buffer.from(kekHex, 'hex'));
  const onBroken = (cause: Error) => {
    throw cause;
  };
  const journal = await openJournal({ stateDir, kek, onBroken });
  const make = createKeyMaker({ kek, keyLog: createKeyLog(journal), stores: createKeyStores(journal) });
  const { dek } = await make({ ...key, ...FORM }, async () => schemeOf(FORM).createSecret());
  const { orgId } = key;
  const keys = await appendKeys(journal, orgId, dek, keyCount);
  await appendAll(journal, signatures, (at) => {
    const ofTurn = keys[at % keys.length];
    if (ofTurn === undefined) throw new Error('there are no keys to sign with');
    return appendSigned(journal, orgId, ofTurn, Math.floor(at / keys.length));
  });
  for (let at = 0; at < organizations; at += 1) {
    await appendCharter(journal, membersEach);
    await journal.index.room();
  }
  await journal.close();
  return { seconds: (performance.now() - started) / 1_000 };
});
