import { readTrustedCharter, trustCharter } from '../../../offline-signer/signing/trusted-charter';
import { charterDigest } from '../../../signer/charters/charter';
import { ORG, SIGNER } from './fleet';
import { charter } from './office';

const place = { orgId: ORG, signerId: SIGNER };
const textOf = (changes: Parameters<typeof charter>[0] = {}) => JSON.stringify(charter(changes).content);
const screenThatTypes = (typed: string) => {
  const said: string[] = [];
  return { said, say: (lines: readonly string[]) => void said.push(...lines), ask: async () => typed };
};
const trusting = (text: string, typed = charterDigest(text).slice(0, 32), before = charter({ sequence: 2 })) =>
  trustCharter(text, { ...place, before }, screenThatTypes(typed));

test('a charter is trusted after a person typed its digest, which the device does not show', async () => {
  const text = textOf();
  const digest = charterDigest(text);
  const screen = screenThatTypes(`${digest.slice(0, 4)} ${digest.slice(4, 32).toUpperCase()}`);
  const file = await trustCharter(text, { ...place, before: undefined }, screen);
  expect(screen.said.join('\n')).toContain('Charter 3');
  expect(screen.said.join('\n')).not.toContain(digest.slice(0, 16));
  expect(readTrustedCharter(file, place).digest).toBe(digest);
});

test('not with another digest', async () => {
  const text = textOf();
  await expect(trusting(text, 'f'.repeat(32))).rejects.toThrow('not the digits');
  await expect(trusting(text, '')).rejects.toThrow('not the digits');
  await expect(trusting(text, charterDigest(text).slice(0, 31))).rejects.toThrow('not the digits');
});

test.each([
  ['of another organisation', { organizationId: 'or-other' }, 'another organisation'],
  ['of another signer', { signerId: 'sgn-other' }, 'another signer'],
  ['older than the trusted one', { sequence: 1, previous: null }, 'older'],
  ['with the number of the trusted one and other content', { sequence: 2 }, 'same number'],
] as const)('not a charter %s', async (_name, changes, reason) => {
  await expect(trusting(textOf(changes))).rejects.toThrow(reason);
});

test.each(['', '{}', '[]', JSON.stringify({ v: 1, digest: '0'.repeat(64), charter: textOf() })])(
  'a changed file is refused',
  (text) => {
    expect(() => readTrustedCharter(text, place)).toThrow('not a charter that this device has trusted');
  },
);
