import { createPublicKey, verify } from 'node:crypto';
import { schnorr } from '@noble/curves/secp256k1.js';
import { utils as btc } from '@scure/btc-signer';
import { recoverAddress, recoverMessageAddress, serializeTransaction } from 'viem/utils';
import { newId } from '../../../../platform/ids';
import { newHash, type SignatureApi, type SignatureBody, startSignatureApi } from '../../../support/signature-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let signatures: SignatureApi;
beforeAll(async () => {
  signatures = await startSignatureApi();
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

const SEPOLIA = 11_155_111;
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const bytes = (hex: string) => Buffer.from(hex.replace(/^0x/, ''), 'hex');

test('200: if no policy holds the request, the answer contains the signature and every member of the published interface', async () => {
  const hash = newHash();
  const answer = await signatures.ask({ kind: 'Hash', hash, externalId: 'one', network: 'EthereumSepolia' });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^sig-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      keyId: signatures.keyId,
      requester: { userId: signatures.admin.userId, tokenId: signatures.admin.tokenId },
      requestBody: { kind: 'Hash', hash, externalId: 'one', network: 'EthereumSepolia' },
      status: 'Signed',
      network: 'EthereumSepolia',
      externalId: 'one',
      dateSigned: expect.any(String),
    },
  });
  const { r, s, recid = 0 } = (answer.body as Required<SignatureBody>).signature;
  expect(await recoverAddress({ hash, signature: { r, s, yParity: recid } })).toBe(signatures.wallet.address);
  expect(Object.values(answer.body)).not.toContain(null);
});

test('200: an Ed25519 key signs the bytes of messages and hashes, as node:crypto verifies', async () => {
  const { id, publicKey } = await signatures.createKey({ scheme: 'EdDSA', curve: 'ed25519' });
  const key = createPublicKey({
    key: Buffer.concat([bytes('302a300506032b6570032100'), bytes(publicKey)]),
    format: 'der',
    type: 'spki',
  });
  const hash = newHash();
  for (const [body, signed] of [
    [{ kind: 'Message', message: '0x68656c6c6f' }, bytes('68656c6c6f')],
    [{ kind: 'Hash', hash }, bytes(hash)],
  ] as const) {
    const { signature } = await signatures.request(body, `/keys/${id}/signatures`);
    expect(signature).not.toHaveProperty('recid');
    expect(verify(null, signed, key, bytes(signature?.encoded ?? ''))).toBe(true);
  }
});

test('200: a Schnorr key signs with the plain key and, for a Taproot output, with the tweaked key', async () => {
  const { id, publicKey } = await signatures.createKey({ scheme: 'Schnorr', curve: 'secp256k1' });
  const hash = newHash();
  const plain = await signatures.request({ kind: 'Hash', hash }, `/keys/${id}/signatures`);
  expect(schnorr.verify(bytes(plain.signature?.encoded ?? ''), bytes(hash), bytes(publicKey))).toBe(true);
  const tweaked = await signatures.request({ kind: 'Hash', hash, taprootMerkleRoot: '' }, `/keys/${id}/signatures`);
  const [output] = btc.taprootTweakPubkey(bytes(publicKey), new Uint8Array());
  expect(schnorr.verify(bytes(tweaked.signature?.encoded ?? ''), bytes(hash), output)).toBe(true);
});

test('200: a policy on any wallet of the key holds a request that specifies only the key (S3)', async () => {
  const held = await signatures.createWallet({ tags: ['cold'] });
  await signatures.addPolicy({ name: 'Cold', filters: { walletTags: { hasAny: ['cold'] } } });
  const answer = await signatures.request({}, `/keys/${held.signingKey.id}/signatures`);
  expect(answer).toMatchObject({ status: 'Pending', approvalId: expect.stringMatching(/^ap-/) });
  expect(answer).not.toHaveProperty('signature');
  const approval = await signatures.admin.client.get(`/v2/policy-approvals/${answer.approvalId}`);
  expect((approval.body as { readonly activity: object }).activity).toMatchObject({
    kind: 'Wallets:Sign',
    signatureRequest: { id: answer.id, approvalId: answer.approvalId, status: 'Pending' },
  });
  // Filters list wallets, and this key has no wallet, so the filtered policy does not apply.
  const bare = await signatures.createKey({ scheme: 'ECDSA', curve: 'secp256k1' });
  expect(await signatures.request({}, `/keys/${bare.id}/signatures`)).toMatchObject({ status: 'Signed' });
});

const transaction = {
  chainId: SEPOLIA,
  nonce: 0,
  to: RECIPIENT,
  value: '5',
  gasLimit: '21000',
  maxFeePerGas: '2000000000',
  maxPriorityFeePerGas: '1',
};

test('200: rules about amounts and recipients evaluate a transaction, and trigger on any other payload', async () => {
  const wallet = await signatures.createWallet();
  const path = `/keys/${wallet.signingKey.id}/signatures`;
  const filters = { walletId: { in: [wallet.id] } };
  await signatures.addPolicy({
    name: 'Friends',
    filters,
    rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [RECIPIENT] } },
    action: { kind: 'Block' },
  });
  await signatures.addPolicy({
    name: 'Pocket money',
    filters,
    rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } },
    action: { kind: 'Block' },
  });
  const status = async (body: object) => (await signatures.request({ ...body }, path)).status;
  expect(await status({ kind: 'Transaction', transaction })).toBe('Signed');
  expect(await status({ kind: 'Transaction', transaction: { ...transaction, nonce: 1, to: signatures.wallet.address } })).toBe(
    'Rejected',
  );
  expect(await status({ kind: 'Transaction', transaction: { ...transaction, nonce: 1, value: '1000000000000000000' } })).toBe(
    'Rejected',
  );
  expect(
    await status({ kind: 'Transaction', transaction: { ...transaction, nonce: 1, data: '0x12345678', gasLimit: '90000' } }),
  ).toBe('Rejected');
  expect(await status({ kind: 'Hash', hash: newHash() })).toBe('Rejected');
  expect(await status({ kind: 'Message', message: '00' })).toBe('Rejected');
});

test('200: Eip191 signs a hexadecimal message as bytes, like Message does, and any other text as characters', async () => {
  for (const [message, signed] of [
    ['0x6869', { raw: '0x6869' }],
    ['0X6869', { raw: '0x6869' }],
    ['0x', { raw: '0x' }],
    ['hi', 'hi'],
    ['0x marks bytes', '0x marks bytes'],
  ] as const) {
    const { encoded } = (await signatures.request({ kind: 'Eip191', message })).signature ?? { encoded: '' };
    expect(await recoverMessageAddress({ message: signed, signature: encoded as `0x${string}` })).toBe(signatures.wallet.address);
  }
  const asBytes = await signatures.request({ kind: 'Message', message: '6869' });
  expect((await signatures.request({ kind: 'Eip191', message: '0x6869' })).signature).toEqual(asBytes.signature);
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a hash', { kind: 'Hash', hash: newHash(), network: 'BaseSepolia' }, 'body.network'],
  ['a message', { kind: 'Message', message: '00', network: 'BaseSepolia' }, 'body.network'],
  ['a proof', { kind: 'Bip322', message: '00', network: 'LitecoinTestnet' }, 'body.network'],
  ['an authorization', { kind: 'Eip7702', address: RECIPIENT, nonce: 0, chainId: 84_532 }, 'body.chainId'],
  [
    'typed data',
    {
      kind: 'Eip712',
      types: { Mail: [{ name: 'amount', type: 'uint256' }] },
      domain: { chainId: 84_532 },
      message: { amount: '1' },
    },
    'body.domain.chainId',
  ],
  ['a transaction by its chain', { kind: 'Transaction', transaction: { ...transaction, chainId: 84_532 } }, 'body.transaction'],
  ['a transaction by its network', { kind: 'Transaction', transaction, network: 'BaseSepolia' }, 'body.network'],
])('400: %s for a network that is neither enabled nor in SIGN_WITHOUT_NODES', async (_title, body, path) => {
  expect(await signatures.ask(body)).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt(path)));
});

test('200: the same request with the same externalId returns the first signature', async () => {
  const body = { kind: 'Hash', hash: newHash(), externalId: 'again' };
  const first = await signatures.request(body);
  expect(await signatures.request(body)).toEqual(first);
});

test('409: a different request with the same externalId; the error contains the id of the first request', async () => {
  const { id } = await signatures.request({ externalId: 'taken' });
  const duplicate = { duplicate: { id, externalId: 'taken' } };
  expect(await signatures.ask({ externalId: 'taken' })).toMatchObject(refusal(409, 'Conflict', duplicate));
});

test('400: a request without an externalId, if the organisation requires one (S16)', async () => {
  const { client } = signatures.admin;
  await client.change('PUT', '/organizations/settings', { externalIdRequired: true });
  const before = await signatures.count();
  expect(await signatures.ask()).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.externalId')));
  expect(await signatures.count()).toBe(before);
  await client.change('PUT', '/organizations/settings', { externalIdRequired: false });
});

const typed = {
  kind: 'Eip712',
  types: { Mail: [{ name: 'amount', type: 'uint256' }] },
  domain: { name: 'Mail', chainId: SEPOLIA },
  message: { amount: '1' },
};
const unsigned = serializeTransaction({
  type: 'eip1559',
  chainId: SEPOLIA,
  nonce: 0,
  to: RECIPIENT,
  gas: 21_000n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['an unknown kind', { kind: 'SignDocDirect', signDoc: '00' }, 'body.kind'],
  ['a PSBT without a network', { kind: 'Psbt', psbt: '70736274ff' }, 'body.network'],
  ['a digest that is too short', { kind: 'Hash', hash: '0xab' }, 'body.hash'],
  [
    'a Taproot tweak for a key that cannot have one',
    { kind: 'Hash', hash: newHash(), taprootMerkleRoot: '' },
    'body.taprootMerkleRoot',
  ],
  ['a message that is not hexadecimal', { kind: 'Message', message: 'hello' }, 'body.message'],
  ['a message that is a transaction (S12)', { kind: 'Message', message: unsigned }, 'body.message'],
  ['a text of hexadecimal digits that could be bytes', { kind: 'Eip191', message: 'cafe' }, 'body.message'],
  ['a text with an odd number of digits', { kind: 'Eip191', message: '123' }, 'body.message'],
  ['a text that ends with half a byte', { kind: 'Eip191', message: '0xabc' }, 'body.message'],
  ['bytes that are a transaction (S12)', { kind: 'Eip191', message: unsigned }, 'body.message'],
  ['typed data with an unknown type', { ...typed, types: { Mail: [{ name: 'amount', type: 'money' }] } }, 'body.message'],
  ['typed data without a member', { ...typed, message: {} }, 'body.message'],
  ['typed data with an undeclared member', { ...typed, message: { amount: '1', more: '2' } }, 'body.message'],
  ['typed data with two roots', { ...typed, types: { ...typed.types, Other: [] } }, 'body.types'],
  ['typed data for a mainnet', { ...typed, domain: { chainId: 1 } }, 'body.domain.chainId'],
  [
    'an authorization that is valid on every chain',
    { kind: 'Eip7702', address: RECIPIENT, nonce: 0, chainId: 0 },
    'body.chainId',
  ],
  ['an authorization for an invalid address', { kind: 'Eip7702', address: '0xab', nonce: 0, chainId: SEPOLIA }, 'body.address'],
  ['hex that is not a transaction', { kind: 'Transaction', transaction: '0x1234' }, 'body.transaction'],
  ['a transaction for a mainnet', { kind: 'Transaction', transaction: { ...transaction, chainId: 1 } }, 'body.transaction'],
  [
    'a fee above the ceiling',
    { kind: 'Transaction', transaction: { ...transaction, maxFeePerGas: '9000000000000000000' } },
    'body.transaction',
  ],
  ['a network that is not that of the transaction', { kind: 'Transaction', transaction, network: 'Ethereum' }, 'body.network'],
  ['a network without a record', { kind: 'Hash', hash: newHash(), network: 'Bitcoin' }, 'body.network'],
  [
    'a kind of network that is not supported yet',
    { kind: 'Hash', hash: newHash(), blockchainKind: 'Solana' },
    'body.blockchainKind',
  ],
  ['an externalId of 51 characters', { kind: 'Hash', hash: newHash(), externalId: 'x'.repeat(51) }, 'body.externalId'],
])('400: for %s, the error contains the path, and no row is stored', async (_title, body, path) => {
  const before = await signatures.count();
  const answer = await signatures.ask(body);
  expect(answer).toMatchObject({ status: 400, body: { error: { details: faultAt(path) } } });
  expect(await signatures.count()).toBe(before);
});

test('400: the key cannot sign this kind of payload', async () => {
  const eddsa = await signatures.createKey({ scheme: 'EdDSA', curve: 'ed25519' });
  const stark = await signatures.createKey({ scheme: 'ECDSA', curve: 'stark' });
  const dh = await signatures.createKey({ scheme: 'DH', curve: 'secp256k1' });
  const asked = async (keyId: string, body: Readonly<Record<string, unknown>>) =>
    signatures.ask(body, `/keys/${keyId}/signatures`);
  expect(await asked(stark.id, { kind: 'Transaction', transaction })).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.kind')),
  );
  const ofSolana = async (body: object) => asked(eddsa.id, { kind: 'Transaction', transaction: '00', ...body });
  expect(await ofSolana({})).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.network')));
  for (const network of ['Solana', 'Algorand'])
    expect(await ofSolana({ network })).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt('body.network')));
  // A request for an unsupported network must not be signed as if it specified no network.
  for (const body of [
    { kind: 'Message', message: '00', blockchainKind: 'Solana' },
    { kind: 'Psbt', psbt: '00', blockchainKind: 'Bitcoin' },
  ])
    expect(await asked(eddsa.id, { ...body, network: 'Tsc' })).toMatchObject(
      refusal(400, 'NetworkNotEnabled', faultAt('body.network')),
    );
  for (const body of [{}, { transaction }])
    expect(await ofSolana({ network: 'SolanaDevnet', ...body })).toMatchObject(
      refusal(400, 'InvalidRequest', faultAt('body.transaction')),
    );
  expect(await asked(stark.id, { kind: 'Message', message: '00' })).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.kind')),
  );
  expect(await asked(stark.id, { kind: 'Hash', hash: 'ff'.repeat(32) })).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.hash')),
  );
  expect(await asked(dh.id, { kind: 'Hash', hash: newHash() })).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.kind')),
  );
});

test('404: a key that is unknown, belongs to another organisation, or is not the end user’s own', async () => {
  const path = `/keys/${signatures.keyId}/signatures`;
  const body = { kind: 'Hash', hash: newHash() };
  const endUser = await signatures.api.createPerson(signatures.orgId, { kind: 'EndUser' });
  expect(await signatures.ask(body, `/keys/${newId('key')}/signatures`)).toMatchObject(refusal(404, 'NotFound'));
  expect(await signatures.stranger.client.change('POST', path, body)).toMatchObject(refusal(404, 'NotFound'));
  expect(await endUser.client.change('POST', path, body)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: the caller is not the end user of a delegated key; for the end user no policy applies', async () => {
  const owner = await signatures.api.createPerson(signatures.orgId, { kind: 'EndUser' });
  const { client } = signatures.admin;
  const made = await client.change('POST', '/keys', { scheme: 'ECDSA', curve: 'secp256k1', delegateTo: owner.userId });
  expect(made.status).toBe(200);
  const path = `/keys/${(made.body as { readonly id: string }).id}/signatures`;
  expect(await signatures.ask({}, path)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await owner.client.change('POST', path, { kind: 'Hash', hash: newHash() })).toMatchObject({
    status: 200,
    body: { status: 'Signed' },
  });
});

test('403: without Keys:Signatures:Create', async () => {
  const person = await signatures.api.createPerson(signatures.orgId, { operations: ['Keys:Signatures:Read'] });
  const body = { kind: 'Hash', hash: newHash() };
  expect(await person.client.change('POST', `/keys/${signatures.keyId}/signatures`, body)).toMatchObject(
    refusal(403, 'Forbidden'),
  );
});

test('409: the key was deleted', async () => {
  const { id } = await signatures.createKey({ scheme: 'ECDSA', curve: 'secp256k1' });
  expect((await signatures.admin.client.change('DELETE', `/keys/${id}`, {})).status).toBe(200);
  expect([404, 409]).toContain((await signatures.ask({}, `/keys/${id}/signatures`)).status);
});
