import type { Session } from '../../../offline-signer/session';
import { readTrustedCharter, trustCharter } from '../../../offline-signer/signing/trusted-charter';
import type { LocalFile } from '../../../offline-signer/state/open-folder';
import { shortDigest } from '../../../platform/fleets/statement';
import { CHARTER_BYTES_MAX, charterDigest } from '../../../signer/charters/charter';
import { createScreen } from '../../support/offline-fleet';
import { ORG, SIGNER } from './fleet';
import { charter } from './office';

const place = { orgId: ORG, signerId: SIGNER };
type Changes = Parameters<typeof charter>[0];
const textOf = (changes: Changes = {}) => JSON.stringify(charter(changes).content);

/** A device of the organisation, with the folder's files in memory. On the paper is the fingerprint of each text. */
function deviceWith(...paper: readonly string[]) {
  const files = new Map<LocalFile, string>();
  const written = paper.map((text) => [`the charter ${JSON.parse(text).sequence}`, shortDigest(charterDigest(text))] as const);
  const screen = createScreen(new Map(written));
  const open = {
    committedManifest: () => ({ manifest: { orgId: ORG } }),
    textOf: (name: LocalFile) => files.get(name),
    keepText: (name: LocalFile, text: string) => void files.set(name, text),
  };
  const session = { open, screen, now: () => new Date() } as never as Session;
  return { screen, kept: () => files.get('charter.json'), trust: (text: string) => trustCharter(session, { charter: text }) };
}

test('a charter is trusted after a person typed its fingerprint, which the device does not show', async () => {
  const text = textOf();
  const { trust, screen, kept } = deviceWith(text);
  await trust(text);
  expect(screen.said.join('\n')).toContain('Charter 3');
  expect(screen.said.join('\n')).not.toContain(charterDigest(text).slice(0, 16));
  expect(readTrustedCharter(kept() ?? '', place).digest).toBe(charterDigest(text));
});

test('the signed charter of the operator is trusted in the same way', async () => {
  const text = textOf();
  const { trust, kept } = deviceWith(text);
  await trust(JSON.stringify({ charter: text, signature: 'AAAA' }));
  expect(readTrustedCharter(kept() ?? '', place).digest).toBe(charterDigest(text));
});

test('another fingerprint changes nothing', async () => {
  const [text, other] = [textOf(), textOf({ members: [] })];
  const { trust, kept } = deviceWith(other);
  await expect(trust(text)).rejects.toThrow('not the fingerprint');
  expect(kept()).toBeUndefined();
});

test.each<[string, NonNullable<Changes>, string]>([
  ['of another organisation', { organizationId: 'or-other' }, 'another organisation'],
  ['older than the trusted one', { sequence: 2 }, 'older'],
  ['with the number of the trusted one and other content', { members: [] }, 'same number'],
])('a charter %s is refused', async (_name, changes, reason) => {
  const [text, other] = [textOf(), textOf(changes)];
  const { trust, kept } = deviceWith(text);
  await trust(text);
  const before = kept();
  await expect(trust(other)).rejects.toThrow(reason);
  expect(kept()).toBe(before);
});

test('the trusted charter may be offered again, and a later one replaces it', async () => {
  const [text, later] = [textOf(), textOf({ sequence: 4 })];
  const { trust, kept } = deviceWith(text, later);
  await trust(text);
  await trust(text);
  await trust(later);
  expect(readTrustedCharter(kept() ?? '', place).content.sequence).toBe(4);
});

test.each(['', '{}', '[]', JSON.stringify({ v: 1, digest: '0'.repeat(64), charter: textOf() })])(
  'a changed file is refused',
  (text) => {
    expect(() => readTrustedCharter(text, place)).toThrow('not a charter that this device has trusted');
  },
);

test('a charter of another signer does not judge the orders of this signer', async () => {
  const text = textOf({ signerId: 'sgn-other' });
  const { trust, kept } = deviceWith(text);
  await trust(text);
  expect(() => readTrustedCharter(kept() ?? '', place)).toThrow('another signer');
});

test('a file that is longer than any charter is refused before it is read', async () => {
  const { trust, kept } = deviceWith();
  const longest = 2 * CHARTER_BYTES_MAX + 1_024;
  await expect(trust(' '.repeat(longest))).rejects.toThrow('not a charter that this release can read');
  await expect(trust(' '.repeat(longest + 1))).rejects.toThrow('longer than any charter');
  expect(kept()).toBeUndefined();
});
