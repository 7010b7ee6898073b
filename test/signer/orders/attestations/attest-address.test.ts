import { HDKey } from '@scure/bip32';
import { isAttestedBy, readAttestation } from '../../../../platform/address-attestation';
import { sealShare } from '../../../../signer/keys/hpke';
import { importInfo } from '../../../../signer/keys/key-shares';
import type { AttestAddressOrder } from '../../../../signer/orders/attestations/attest-address';
import type { CreatedKey } from '../../../../signer/protocol';
import { keyOrder, NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../../fixtures';

const OTHER_ORG = 'or-00000-00000-0000000000000002';

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path);
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const order = (keyId: string, network = 'EthereumSepolia', orgId = ORG): AttestAddressOrder => ({ orgId, keyId, network });
async function attested(asked: AttestAddressOrder) {
  const signed = await signer.attestAddress(asked);
  return { signed, said: readAttestation(signed.attestation) };
}

async function imported(keyId: string, secret: Buffer): Promise<CreatedKey> {
  const { signerId, encryptionKey } = signer.health();
  const info = importInfo({ orgId: ORG, curve: 'secp256k1', signerId });
  const share = await sealShare(Buffer.from(encryptionKey, 'base64'), info, secret);
  return signer.importKey({ ...keyOrder(keyId), requestId: `imp-${keyId}`, encryptedShare: share.toString('base64') });
}

describe('the signer attests', () => {
  test('the addresses that BIP84 gives for its first receiving key', async () => {
    // BIP84, test vectors: the first receiving address of the mnemonic "abandon … about".
    const account =
      'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';
    const child = HDKey.fromExtendedKey(account, { private: 0x04b2430c, public: 0x04b24746 }).derive('m/0/0');
    await imported('key-1', Buffer.from(child.privateKey ?? []));
    const { said } = await attested(order('key-1', 'Bitcoin'));
    expect(said).toMatchObject({
      address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      publicKey: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
    });
  });

  test('the key, the organisation, the network and the time, with a key that stays the same after a restart', async () => {
    const { publicKeyHex } = await signer.createKey(keyOrder('key-1'));
    const { signed, said } = await attested(order('key-1'));
    expect(said).toEqual({
      v: 1,
      signerId: signer.health().signerId,
      organizationId: ORG,
      keyId: 'key-1',
      network: 'EthereumSepolia',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      publicKey: publicKeyHex,
      isKnownOutside: false,
      dateAttested: new Date(NOW_MS).toISOString(),
    });
    const key = signer.attestor.publicKeyHex;
    expect(isAttestedBy(key, signed)).toBe(true);
    await signer.close();
    signer = await openOperations(folder.path);
    expect(await signer.attestAddress(order('key-1'))).toEqual(signed);
    expect(signer.attestor.publicKeyHex).toBe(key);
  });

  test('that a key exists outside the signer if the key, or a key above it, was imported or exported', async () => {
    const parent = await imported('key-parent', Buffer.alloc(32, 0x21));
    const { sealed, dek } = parent;
    await signer.createKey({ ...keyOrder('key-child'), parent: { keyId: 'key-parent', path: 'm/0', sealed, dek } });
    for (const keyId of ['key-parent', 'key-child']) expect((await attested(order(keyId))).said?.isKnownOutside).toBe(true);
    const own = await signer.createKey(keyOrder('key-own'));
    expect((await attested(order('key-own'))).said?.isKnownOutside).toBe(false);
    await signer.exportKey({
      requestId: 'exp-1',
      ...{ orgId: ORG, keyId: 'key-own', sealed: own.sealed, dek: own.dek },
      recipientKey: Buffer.alloc(32, 9).toString('base64'),
      issuedAt: new Date(NOW_MS).toISOString(),
      notAfter: new Date(NOW_MS + 60_000).toISOString(),
    });
    expect((await attested(order('key-own'))).said?.isKnownOutside).toBe(true);
  });
});

describe('the signer refuses', () => {
  test('a key that this signer did not make, and the key of another organisation', async () => {
    await signer.createKey(keyOrder('key-1', OTHER_ORG));
    for (const keyId of ['key-1', 'key-2'])
      await expect(signer.attestAddress(order(keyId))).rejects.toThrow(refusedAs('KeyRowMismatch'));
  });

  test('an unknown network, and a network on which the key has no address', async () => {
    await signer.createKey(keyOrder('key-1'));
    for (const network of ['Nowhere', 'KeyECDSA', 'SolanaDevnet'])
      await expect(signer.attestAddress(order('key-1', network))).rejects.toThrow(refusedAs('UnknownNetwork'));
  });
});

test('an attestation with one changed character does not verify', async () => {
  await signer.createKey(keyOrder('key-1'));
  const { signed } = await attested(order('key-1'));
  const key = signer.attestor.publicKeyHex;
  const changed = {
    ...signed,
    attestation: signed.attestation.replace(/"0x(.)/, (_all, one) => `"0x${one === '1' ? '2' : '1'}`),
  };
  expect(isAttestedBy(key, changed)).toBe(false);
  expect(isAttestedBy(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, signed)).toBe(false);
});

test('a text is accepted only in the exact form that a signer writes', async () => {
  await signer.createKey(keyOrder('key-1'));
  const { attestation } = await signer.attestAddress(order('key-1'));
  const twice = attestation.replace('"v":1', '"v":1,"address":"0x0"');
  for (const text of [twice, ` ${attestation}`, attestation.replace('"v":1', '"v":2'), '', 'null'])
    expect(readAttestation(text)).toBeUndefined();
});
