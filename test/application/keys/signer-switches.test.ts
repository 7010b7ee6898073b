import { SIGNER_SWITCH_NAMES, SIGNER_SWITCHES, type SignerSwitch } from '../../../domain/signer-switches';
import { openSignerSwitchWriter, type SignerSwitchWriter } from '../../../entities/deployment/signer-switch.store';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { createLogger } from '../../../platform/logger';
import { publishSwitches } from '../../../worker/signer-switches';
import { createRecipient, switchOn } from '../../support/keys';
import { newHash, type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let signatures: SignatureApi;
let writer: SignerSwitchWriter;
let ed25519: string;
let encryptionKey: string;
beforeAll(async () => {
  signatures = await startSignatureApi({ own: 'the switches of the signer belong to no organisation' });
  writer = openSignerSwitchWriter(signatures.api.database.relayUrl);
  ed25519 = (await signatures.createKey({ scheme: 'EdDSA', curve: 'ed25519' })).id;
  encryptionKey = (await createRecipient()).encryptionKey;
  await switchOn(signatures, signatures.orgId, 'keyExport');
}, START_LIMIT_MS);
afterAll(async () => {
  await writer?.close();
  await signatures?.close();
});
/** Sets the signer's switches, and the switches that a worker has stored. */
async function setSwitches(on: readonly SignerSwitch[], told: readonly SignerSwitch[] = on): Promise<void> {
  signatures.signer.setSwitches(on);
  await writer.write(told);
}
afterEach(() => setSwitches(SIGNER_SWITCH_NAMES));

const without = (name: SignerSwitch) => SIGNER_SWITCH_NAMES.filter((other) => other !== name);
const typedData = (domain: object) => ({
  kind: 'Eip712',
  types: { Note: [{ name: 'text', type: 'string' }] },
  domain,
  message: { text: 'hello' },
});
const OFF_CHAIN = `0x${Buffer.concat([Buffer.of(0xff), Buffer.from('solana offchain'), Buffer.alloc(70)]).toString('hex')}`;
const exporting = (key: string) =>
  signatures.admin.client.change('POST', `/keys/${key}/export`, {
    encryptionKey,
    supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }],
  });

const ASKED: readonly (readonly [string, SignerSwitch, string, () => ReturnType<SignatureApi['ask']>])[] = [
  ['a hash', 'Hash', 'body.kind', () => signatures.ask({ kind: 'Hash', hash: newHash() })],
  [
    'a hash by a wallet',
    'Hash',
    'body.kind',
    () => signatures.ask({ kind: 'Hash', hash: newHash() }, `/wallets/${signatures.wallet.id}/signatures`),
  ],
  [
    'a message that is signed unhashed',
    'Hash',
    'body.kind',
    () => signatures.ask({ kind: 'Message', message: '0x6869' }, `/keys/${ed25519}/signatures`),
  ],
  ['typed data without a chain', 'ChainlessTypedData', 'body.domain.chainId', () => signatures.ask(typedData({ name: 'Notes' }))],
];
test.each(ASKED)(
  '%s: 400 with the name of the switch and nothing stored while the switch is off, and 200 once it is on',
  async (_what, name, path, ask) => {
    await setSwitches(without(name));
    const before = await signatures.count();
    const refused = await ask();
    expect(refused).toMatchObject(refusal(400, 'InvalidRequest', { ...faultAt(path), switch: SIGNER_SWITCHES[name] }));
    expect(JSON.stringify(refused.body)).toContain(SIGNER_SWITCHES[name]);
    expect(await signatures.count()).toBe(before);
    await setSwitches(SIGNER_SWITCH_NAMES);
    expect(await ask()).toMatchObject({ status: 200, body: { status: 'Signed' } });
  },
);

test.each<[string, object, () => string]>([
  ['a personal message', { kind: 'Message', message: '0x6869' }, () => signatures.keyId],
  ['typed data of a chain', typedData({ chainId: 11_155_111 }), () => signatures.keyId],
  ['an off-chain message of Solana', { kind: 'Message', message: OFF_CHAIN }, () => ed25519],
])('%s does not need a switch', async (_what, body, key) => {
  await setSwitches([]);
  expect(await signatures.ask({ ...body }, `/keys/${key()}/signatures`)).toMatchObject({
    status: 200,
    body: { status: 'Signed' },
  });
});

test('an export: 400 with the name SIGNER_EXPORT while this switch is off, whatever the organisation allows, and 200 once it is on', async () => {
  const { id } = await signatures.createKey({ scheme: 'ECDSA', curve: 'secp256k1' });
  await setSwitches(without('Export'));
  const named = refusal(400, 'InvalidRequest', { ...faultAt('body.encryptionKey'), switch: 'SIGNER_EXPORT' });
  expect(await exporting(id)).toMatchObject(named);
  // The row now claims that exports are on. The answer does not change, because the signer's own configuration decides.
  await setSwitches(without('Export'), SIGNER_SWITCH_NAMES);
  expect(await exporting(id)).toMatchObject(named);
  expect((await signatures.admin.client.get(`/keys/${id}`)).body).not.toHaveProperty('exported');
  await setSwitches(SIGNER_SWITCH_NAMES);
  expect((await exporting(id)).status).toBe(200);
});

test('a stored switch that allows more than the signer does not lead to a signature, and the request ends with the reason', async () => {
  await setSwitches(without('Hash'), SIGNER_SWITCH_NAMES);
  const { id } = await signatures.request();
  const row = await signatures.api.database.db.read(signatures.orgId).row(SignatureEntity, 'WHERE t.id = $1', [id]);
  expect(row).toMatchObject({ state: 'Failed', reason: expect.stringContaining('HashSwitchedOff') });
});

test('a request that was signed before returns its signature again while its switch is off', async () => {
  const body = { kind: 'Hash', hash: newHash(), externalId: 'before' };
  const first = await signatures.request(body);
  await setSwitches([]);
  expect(await signatures.ask(body)).toMatchObject({ status: 200, body: { id: first.id, status: 'Signed' } });
});

test('the worker stores the switches of the signer, and leaves the row as it is when the signer does not answer', async () => {
  const logger = createLogger('test', 'silent');
  signatures.signer.setSwitches(['Export']);
  const leave = await publishSwitches({ signer: signatures.signer.client, writer, logger });
  await leave();
  expect(await signatures.ask()).toMatchObject(refusal(400, 'InvalidRequest', { switch: 'SIGNER_HASH' }));
  const silent = { switches: () => Promise.reject(new Error('away')) };
  await (await publishSwitches({ signer: silent, writer, logger }))();
  const { id } = await signatures.createKey({ scheme: 'ECDSA', curve: 'secp256k1' });
  expect((await exporting(id)).status).toBe(200);
});
