import { createPublicKey, verify } from 'node:crypto';
import { readCharter, readCharterInForce } from '../../../signer/charters/charter';
import { charterInForce } from '../../../signer/charters/charter-in-force';
import { signedActionOf } from '../../../signer/judging/people/signed-action';
import { NOW_MS, refusedAs } from '../fixtures';
import { actionOf, type Chartered, keyHolder, openChartered, type Person, passkeyHolder } from './chartered';

let office: Chartered;
beforeAll(async () => {
  office = await openChartered();
});
afterAll(() => office.close());

/** The neutral element of Ed25519. Under this key one signature is valid for every message. */
const NEUTRAL = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), NEUTRAL]);
const weakKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
const publicKey = weakKey.export({ format: 'pem', type: 'spki' }).toString();
const signature = Buffer.concat([NEUTRAL, Buffer.alloc(32)]);

test.each([
  ['key', keyHolder('mal')],
  ['passkey', passkeyHolder('mal')],
])('a weak %s is not adopted, and cannot sign under a charter in force', (_name, honest: Person) => {
  const forger: Person = {
    userId: honest.userId,
    credential: { ...honest.credential, publicKey },
    anchorAt: office.anchorAt,
    answer: (challenge) => ({ ...honest.answer(challenge), signature: signature.toString('base64url') }),
  };
  expect(verify(null, Buffer.from('any message'), weakKey, signature)).toBe(true);
  const { userId, credential } = forger;
  const member = { userId, hand: userId, isServiceAccount: false, credentials: [credential] };
  const text = JSON.stringify({ ...office.charter, members: [member] });
  expect(readCharter(text)).toBeUndefined();
  const content = readCharterInForce(text);
  if (!content) throw new Error('the text is not a charter');
  const action = actionOf('Initiator', forger, { path: '/any' });
  const anchors = { madeAtMs: () => NOW_MS };
  const judged = () => signedActionOf(charterInForce(content, 'any'), action, { nowMs: NOW_MS, anchors });
  expect(judged).toThrow(refusedAs('AssertionInvalid'));
});
