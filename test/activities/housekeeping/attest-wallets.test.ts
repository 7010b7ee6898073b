import { AppError } from '../../../domain/errors';
import { walletStore } from '../../../entities/wallets/wallet.store';
import { newId } from '../../../platform/ids';
import type { SignerClient } from '../../../signer/protocol';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { startTestSigner, type TestSigner } from '../../support/signer';

/** An address that no key of this test has. */
const FOREIGN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let signer: TestSigner;
let attestAddress: SignerClient['attestAddress'];
let housekeeping: Housekeeping;
let orgId: string;
beforeAll(async () => {
  signer = await startTestSigner();
  housekeeping = await openHousekeeping({ signer: { attestAddress: (order) => attestAddress(order) } });
});
afterAll(async () => {
  await housekeeping?.close();
  await signer?.close();
});
beforeEach(async () => {
  attestAddress = signer.client.attestAddress;
  await housekeeping.upset('DELETE FROM wallets');
  await housekeeping.upset('DELETE FROM wallet_attestations');
  housekeeping.lines();
  orgId = await housekeeping.database.createOrganization();
});

type Given = {
  readonly status?: string;
  readonly network?: string;
  readonly address?: string | null;
  readonly isKnown?: boolean;
};

/** A wallet of an earlier release, whose key the signer has made. */
async function wallet({ status = 'Active', network = 'EthereumSepolia', address, isKnown = true }: Given = {}): Promise<string> {
  const [id, keyId] = [newId('wallet'), newId('key')];
  const order = { orgId, keyId, scheme: 'ECDSA', curve: 'secp256k1' } as const;
  const publicKey = isKnown ? (await signer.client.createKey(order)).publicKeyHex : null;
  const own = isKnown
    ? JSON.parse((await signer.client.attestAddress({ orgId, keyId, network: 'EthereumSepolia' })).attestation)
    : {};
  await housekeeping.upset(
    `INSERT INTO wallets (org_id, id, network, key_id, status, address, request_digest, created_by) VALUES ($1, $2, $3, $4, $5, $6, '', 'us')`,
    [orgId, id, network, keyId, status, address === undefined ? own.address : address],
  );
  const key = `INSERT INTO keys (org_id, id, scheme, curve, status, public_key) VALUES ($1, $2, 'ECDSA', 'secp256k1', 'Active', $3)`;
  await housekeeping.upset(key, [orgId, keyId, publicKey]);
  return id;
}

const attested = (id: string) => walletStore.attestation(housekeeping.database.db.read(orgId), id);
const FAULT = 'error: the addresses of 2 wallets have no attestation: compare the rows with the signer';

test('a wallet of an earlier release is attested, once', async () => {
  const id = await wallet();
  expect(await housekeeping.keep('attest-wallets')).toEqual({ looked: 1, done: 1 });
  expect(await attested(id)).toMatchObject({ walletId: id, attestation: expect.stringContaining(orgId) });
  expect(await housekeeping.keep('attest-wallets')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual([]);
});

test('an unfinished wallet, an archived wallet and a wallet without an address are left alone', async () => {
  for (const status of ['Creating', 'Archived']) await wallet({ status });
  await wallet({ network: 'KeyECDSA', address: null });
  expect(await housekeeping.keep('attest-wallets')).toEqual({ looked: 0, done: 0 });
});

test('an altered address gets no attestation, an operator is alerted, and the other addresses are attested', async () => {
  const altered = await wallet({ address: FOREIGN });
  const unknown = await wallet({ isKnown: false, address: FOREIGN });
  const honest = await wallet();
  expect(await housekeeping.keep('attest-wallets')).toEqual({ looked: 3, done: 1 });
  expect([await attested(altered), await attested(unknown)]).toEqual([undefined, undefined]);
  expect(await attested(honest)).toBeDefined();
  expect(housekeeping.lines()).toEqual([FAULT]);
});

test('the attestation of another wallet is not accepted for this wallet', async () => {
  const [id, other] = [await wallet(), await wallet()];
  const { wallet: row } = (await walletStore.find(housekeeping.database.db.read(orgId), other)) ?? {};
  attestAddress = (order) => signer.client.attestAddress({ ...order, keyId: row?.keyId ?? '' });
  expect(await housekeeping.keep('attest-wallets')).toEqual({ looked: 2, done: 1 });
  expect(await attested(id)).toBeUndefined();
});

test.each([
  ['is away', new AppError('SignerUnavailable', 'away')],
  ['runs an earlier release', new AppError('SignerRefused', 'unknown', { reason: 'MalformedOrder', nothingSigned: true })],
])('while the signer %s, the round fails, and a later round attests the wallet', async (_how, error) => {
  const id = await wallet();
  attestAddress = () => Promise.reject(error);
  await expect(housekeeping.keep('attest-wallets')).rejects.toBe(error);
  expect(housekeeping.lines()).toEqual([]);
  attestAddress = signer.client.attestAddress;
  expect(await housekeeping.keep('attest-wallets')).toEqual({ looked: 1, done: 1 });
  expect(await attested(id)).toBeDefined();
});
