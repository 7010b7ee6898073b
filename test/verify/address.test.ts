import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestationBytes } from '../../platform/address-attestation';
import { checkAddress } from '../../verify/address';
import { WrongUsage } from '../../verify/not-verified';
import { keyOrder, ORG, openOperations, temporaryFolder } from '../signer/fixtures';
import { refusal } from './office';

let folder: ReturnType<typeof temporaryFolder>;
let state: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeAll(async () => {
  folder = temporaryFolder();
  state = temporaryFolder();
  signer = await openOperations(state.path);
  await signer.createKey(keyOrder('key-1'));
});
afterAll(async () => {
  await signer.close();
  folder.remove();
  state.remove();
});

const attested = () => signer.attestAddress({ orgId: ORG, keyId: 'key-1', network: 'Ethereum' });
const addressIn = (attestation: string): string => JSON.parse(attestation).address;

function check(content: unknown, more: { readonly signerKey?: string; readonly address?: string } = {}) {
  const file = join(folder.path, 'attestation.json');
  writeFileSync(file, JSON.stringify(content));
  return checkAddress({ file, signerKey: signer.attestor.publicKeyHex, ...more });
}

test('the service’s response verifies with the signer’s key, and the address is shown', async () => {
  const signed = await attested();
  const address = addressIn(signed.attestation);
  const shown = check({ walletId: 'wa-1', ...signed }, { address }).join('\n');
  expect(check(signed, { address: address.toLowerCase() }).join('\n')).toBe(shown);
  expect(shown).toContain(`Address       ${address}`);
  expect(shown).toContain('Ethereum (MAINNET)');
  expect(shown).toMatch(/\nVERIFIED: the signer holds the key of this address for this organisation\.$/);
  expect(shown).not.toContain('KNOWN OUTSIDE');
});

test('an altered address, another signer’s key and an unknown format of attestation are refused', async () => {
  const signed = await attested();
  const address = addressIn(signed.attestation);
  const foreign = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const altered = { ...signed, attestation: signed.attestation.replace(address, foreign) };
  const other = /No signer with this key made the attestation/;
  expect(await refusal(() => check(altered))).toMatch(other);
  expect(await refusal(() => check(signed, { signerKey: '1'.repeat(64) }))).toMatch(other);
  expect(await refusal(() => check(signed, { address: foreign }))).toContain(`ANOTHER address than ${foreign}: ${address}`);
  expect(await refusal(() => check({ ...signed, address: foreign }))).toContain('does not hold the attestation of an address');
  const text = JSON.stringify({ v: 2, address: foreign });
  expect(await refusal(() => check({ attestation: text, signature: signer.attestor.sign(attestationBytes(text)) }))).toMatch(
    /form .* does not know/,
  );
});

test('no attestation verifies under a point of small order, because anyone can sign for it', async () => {
  // The neutral element: R = 1 and S = 0 are valid for every message (RFC 8032, 5.1.7, without the check of the order).
  const neutral = `01${'00'.repeat(31)}`;
  const signature = Buffer.concat([Buffer.from(neutral, 'hex'), Buffer.alloc(32)]).toString('base64');
  const forged = { attestation: (await attested()).attestation, signature };
  expect(await refusal(() => check(forged, { signerKey: neutral }))).toMatch(/No signer with this key/);
});

test('the address of an exported key is shown with a warning that the key is known outside the signer', async () => {
  const text = (await attested()).attestation.replace('"isKnownOutside":false', '"isKnownOutside":true');
  expect(check({ attestation: text, signature: signer.attestor.sign(attestationBytes(text)) }).join('\n')).toContain(
    'KNOWN OUTSIDE',
  );
});

test('for a key of an end user, the program shows the fingerprints to compare with the address', async () => {
  const fingerprint = Array.from({ length: 8 }, () => '0a1f').join(' ');
  const holder = { userId: 'us-1', credentials: [fingerprint] };
  const textWith = async (more: object) => JSON.stringify({ ...JSON.parse((await attested()).attestation), holder, ...more });
  const signed = (text: string) => ({ attestation: text, signature: signer.attestor.sign(attestationBytes(text)) });
  const shown = check(signed(await textWith({}))).join('\n');
  expect(shown).toContain('Holder        us-1');
  expect(shown).toContain(`Credential    ${fingerprint}`);
  const other = await textWith({ holder: { userId: 'us-1', credentials: ['\u001b[2K'] } });
  expect(await refusal(() => check(signed(other)))).toMatch(/form that this program does not know/);
});

test.each(['', '0x00', 'A'.repeat(64)])('%j is not a signer’s key', async (signerKey) => {
  await expect(Promise.resolve().then(async () => check(await attested(), { signerKey }))).rejects.toThrow(WrongUsage);
});
