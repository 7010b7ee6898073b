import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { newId } from '../platform/ids';
import { createFileKek } from '../signer/keys/kek';
import { createKeyMaker } from '../signer/keys/key-maker';
import type { DekRow } from '../signer/protocol';
import type { Journal } from '../signer/record/journal/journal';
import { openJournal } from '../signer/record/journal/open-journal';
import { createKeyLog } from '../signer/record/key-log';
import { schemeOf } from '../signer/schemes/scheme';
import { serveParent } from './program';

/** `key` is the one key whose secret exists. The parent orders signatures with it later. */
export type FillOrder = {
  readonly stateDir: string;
  readonly kekHex: string;
  readonly key: { readonly orgId: string; readonly keyId: string };
  readonly keys: number;
  readonly signatures: number;
};
export type FillAnswer = { readonly seconds: number };

const FORM = { scheme: 'ECDSA', curve: 'secp256k1' } as const;
const BATCH = 1_000;
const POOL_BYTES = 1024 * 1024;
const CIPHERTEXT_BYTES = 60;

type RandomKey = { readonly keyId: string; readonly address: string };

async function appendAll(journal: Journal, count: number, append: (at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    await Promise.all(Array.from({ length: size }, (_, at) => append(from + at)));
    // The journal does not wait for its index. Without this the changes would pile up in memory while LevelDB compacts.
    await journal.index.room();
  }
}

/** Rows of the real length, without a secret that would open them. */
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

/** Short random texts from one long one, because a call of the random source costs more than an entry's text. */
let pool = '';
let taken = 0;
function randomHex(chars: number): string {
  if (taken + chars > pool.length) [pool, taken] = [randomBytes(POOL_BYTES).toString('hex'), 0];
  taken += chars;
  return pool.slice(taken - chars, taken);
}

/** The entry that a transfer on an EVM network leaves, of random values. */
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

/** Fills a state folder as the signer itself does, except that no order is judged and nothing is signed. */
serveParent<FillOrder, FillAnswer>(async ({ stateDir, kekHex, key, keys: keyCount, signatures }) => {
  const started = performance.now();
  mkdirSync(stateDir, { mode: 0o700 });
  const kek = createFileKek(Buffer.from(kekHex, 'hex'));
  const onBroken = (cause: Error) => {
    throw cause;
  };
  const journal = await openJournal({ stateDir, kek, onBroken });
  const make = createKeyMaker(kek, createKeyLog(journal));
  const { dek } = await make({ ...key, ...FORM }, async () => schemeOf(FORM).createSecret());
  const { orgId } = key;
  const keys = await appendKeys(journal, orgId, dek, keyCount);
  await appendAll(journal, signatures, (at) => {
    const ofTurn = keys[at % keys.length];
    if (ofTurn === undefined) throw new Error('there are no keys to sign with');
    return appendSigned(journal, orgId, ofTurn, Math.floor(at / keys.length));
  });
  await journal.close();
  return { seconds: (performance.now() - started) / 1_000 };
});
