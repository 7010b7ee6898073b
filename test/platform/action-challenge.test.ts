import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type ActionCommitment, challengeOf, committedOf } from '../../platform/action-challenge';

const commitment = fc.record({
  orgId: fc.string(),
  userId: fc.string(),
  credentialIds: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
  method: fc.constantFrom('POST', 'PUT', 'DELETE'),
  path: fc.webPath(),
  bodySha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  dateExpires: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  approvalDigest: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
  anchor: fc.option(fc.stringMatching(/^[!-~]{1,192}$/)),
});
const nonce = fc.uint8Array({ minLength: 16, maxLength: 16 });

/** Computes the challenge only from its documented rule, as an approver's own tool would. */
function recompute(bytes: Uint8Array, c: ActionCommitment): string {
  const members: [string, unknown][] = [
    ...(c.approvalDigest === null ? [] : [['approvalDigest', c.approvalDigest] as [string, unknown]]),
    ['bodySha256', c.bodySha256],
    ['credentials', [...c.credentialIds].sort()],
    ['expires', c.dateExpires.toISOString()],
    ['method', c.method],
    ['org', c.orgId],
    ['path', c.path],
    ['user', c.userId],
    ['v', c.anchor === null ? 1 : 2],
  ];
  if (c.anchor !== null) members.unshift(['anchor', c.anchor]);
  const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  return Buffer.concat([bytes, createHash('sha256').update(text).digest()]).toString('base64url');
}

test('the challenge follows the documented rule, in any order of the credentials', () => {
  fc.assert(
    fc.property(nonce, commitment, (bytes, c) => {
      expect(challengeOf(bytes, c)).toBe(recompute(bytes, c));
      expect(challengeOf(bytes, { ...c, credentialIds: [...c.credentialIds].reverse() })).toBe(challengeOf(bytes, c));
    }),
  );
});

test('a change of any member changes the challenge', () => {
  fc.assert(
    fc.property(nonce, commitment, commitment, (bytes, a, b) => {
      for (const name of Object.keys(a) as (keyof ActionCommitment)[]) {
        if (name === 'credentialIds' || JSON.stringify(a[name]) === JSON.stringify(b[name])) continue;
        expect(challengeOf(bytes, { ...a, [name]: b[name] })).not.toBe(challengeOf(bytes, a));
      }
      expect(challengeOf(bytes, { ...a, credentialIds: [...a.credentialIds, 'one more'] })).not.toBe(challengeOf(bytes, a));
    }),
  );
});

const FIXED: ActionCommitment = {
  orgId: 'or-1',
  userId: 'us-1',
  credentialIds: ['b', 'a'],
  method: 'POST',
  path: '/wallets',
  bodySha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  dateExpires: new Date('2026-01-02T03:04:05.678Z'),
  approvalDigest: null,
  anchor: null,
};

test('the challenge of one fixed action is SHA-256 over the text in the decision document', () => {
  expect(challengeOf(new Uint8Array(16), FIXED)).toBe('AAAAAAAAAAAAAAAAAAAAAE8NSKo9Zk-_eWrmSibpok8sffsHCPUNNV07kqdC2efe');
});

test('an action without an anchor keeps the format of earlier releases, and an action with an anchor (a signed time) has a new format', () => {
  expect(committedOf(FIXED)).toMatchObject({ v: 1 });
  expect(committedOf(FIXED)).not.toHaveProperty('anchor');
  const anchored = { ...FIXED, anchor: 'anchor1.sig-1.0.x' };
  expect(committedOf(anchored)).toMatchObject({ v: 2, anchor: anchored.anchor });
  // SHA-256 of the text of FIXED with the two members, computed outside this code.
  expect(challengeOf(new Uint8Array(16), anchored)).toBe('AAAAAAAAAAAAAAAAAAAAAByYCNSfE5ge6u8FfrC1lVvNeyNceTYY55dt5xZigsG5');
});
