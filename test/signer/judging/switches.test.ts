import { SIGNER_SWITCH_NAMES, type SignerSwitch } from '../../../domain/signer-switches';
import type { SigningPayload } from '../../../signer/judging/signing-payload';
import { createPortableSigning } from '../../../signer/keys/sealed-signing';
import type { CreatedKey } from '../../../signer/protocol';
import { keyOrder, NOW_MS, ORG, openOperations, orderFor, payloadOrderFor, refusedAs, temporaryFolder } from '../fixtures';

const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
const SOLANA_OFF_CHAIN = `0x${Buffer.concat([Buffer.of(0xff), Buffer.from('solana offchain'), Buffer.alloc(70)]).toString('hex')}`;
const FORMS = {
  ECDSA: { scheme: 'ECDSA', curve: 'secp256k1' },
  Schnorr: { scheme: 'Schnorr', curve: 'secp256k1' },
  EdDSA: { scheme: 'EdDSA', curve: 'ed25519' },
  Stark: { scheme: 'ECDSA', curve: 'stark' },
} as const;
const typedData = (domain: object) =>
  JSON.stringify({ types: { Note: [{ name: 'text', type: 'string' }] }, domain, message: { text: 'hello' } });
const hash: SigningPayload = { kind: 'Hash', digestHex: `0x${'01'.repeat(32)}` };

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
const reopen = async (...on: readonly SignerSwitch[]) => {
  await signer?.close();
  signer = await openOperations(folder.path, undefined, createPortableSigning, on);
};
beforeEach(async () => {
  folder = temporaryFolder();
  await reopen();
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});
const sign = (key: CreatedKey, payload: SigningPayload, requestId = 'sig-1') =>
  signer.signPayload(payloadOrderFor(key, requestId, payload));

test.each<[string, SignerSwitch, keyof typeof FORMS, SigningPayload]>([
  ['a hash by ECDSA', 'Hash', 'ECDSA', hash],
  ['a hash by Schnorr', 'Hash', 'Schnorr', hash],
  ['a hash by Schnorr for a Taproot output', 'Hash', 'Schnorr', { ...hash, taprootMerkleRootHex: '0x' }],
  ['a hash by EdDSA', 'Hash', 'EdDSA', hash],
  ['a hash on the STARK curve', 'Hash', 'Stark', hash],
  ['an unchanged message by EdDSA', 'Hash', 'EdDSA', { kind: 'Message', messageHex: '0x68656c6c6f' }],
  ['a truncated off-chain prefix', 'Hash', 'EdDSA', { kind: 'Message', messageHex: SOLANA_OFF_CHAIN.slice(0, 32) }],
  ['typed data without a chain', 'ChainlessTypedData', 'ECDSA', { kind: 'Eip712', typedData: typedData({ name: 'Notes' }) }],
])('%s is refused with the switch %s off, and signed with the switch on', async (_what, needed, form, payload) => {
  const key = await signer.createKey({ orgId: ORG, keyId: 'key-1', ...FORMS[form] });
  await reopen(...SIGNER_SWITCH_NAMES.filter((name) => name !== needed));
  await expect(sign(key, payload)).rejects.toEqual(refusedAs(`${needed}SwitchedOff`));
  expect(signer.log.size).toBe(0);
  await reopen(needed);
  expect((await sign(key, payload)).signatures).toHaveLength(1);
  // With the switch off again, the signer repeats the earlier signature and refuses a new request.
  await reopen();
  expect((await sign(key, payload)).signatures).toHaveLength(1);
  await expect(sign(key, payload, 'sig-2')).rejects.toMatchObject({ reason: `${needed}SwitchedOff`, signedBefore: false });
});

test.each<[string, keyof typeof FORMS, SigningPayload]>([
  ['an off-chain message of Solana', 'EdDSA', { kind: 'Message', messageHex: SOLANA_OFF_CHAIN }],
  ['a personal message', 'ECDSA', { kind: 'Message', messageHex: '0x68656c6c6f' }],
  ['typed data for a chain', 'ECDSA', { kind: 'Eip712', typedData: typedData({ chainId: 11_155_111 }) }],
])('%s does not need a switch', async (_what, form, payload) => {
  const key = await signer.createKey({ orgId: ORG, keyId: 'key-1', ...FORMS[form] });
  expect((await sign(key, payload)).signatures).toHaveLength(1);
});

test('without SIGNER_EXPORT no key is exported, not even a second time, and the key still signs', async () => {
  const key = await signer.createKey(keyOrder('key-1'));
  const { sealed, dek } = key;
  const recipientKey = Buffer.alloc(32, 9).toString('base64');
  const order = { requestId: 'exp-1', orgId: ORG, keyId: 'key-1', sealed, dek, recipientKey, ...moment };
  await reopen('Hash', 'ChainlessTypedData');
  await expect(signer.exportKey(order)).rejects.toEqual(refusedAs('ExportSwitchedOff'));
  await signer.signTransfer(orderFor(key, 'xfr-1'));
  await reopen('Export');
  await signer.exportKey(order);
  await reopen();
  await expect(signer.exportKey(order)).rejects.toEqual(refusedAs('ExportSwitchedOff'));
});
