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

/** Only `key` gets a secret. The parent later orders signatures with `key`. */
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
    // The journal does not wait for its index. Without this wait, changes would pile up in memory while LevelDB compacts.
    await journal.index.room();
  }
}

/** Appends keys of the real length. Their ciphertexts are random, so they contain no secret. */
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

/** Fills a state folder with the signer's own code, but judges no order and signs nothing. */
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
