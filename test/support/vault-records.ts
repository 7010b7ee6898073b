import type { VaultRecords } from '../../drill/fleets/vault-records';
import { sha256Hex } from '../../platform/digests';

const OF_STORE = { orgId: 'or-1', storeId: 'ks-1' };
const MESSAGE = '0x0102';
const KEYS = [
  { curve: 'secp256k1', index: 0, publicKey: 'aa' },
  { curve: 'secp256k1', index: 1, publicKey: 'bb' },
] as const;
const SIGNATURE = { r: '0x01', s: '0x02' };

/**
 * One store after a genesis (`fg-1`), with a wallet of its first key, and with a group (`fg-2`) whose archive the device has signed
 * for the transfer `x1`.
 */
export const VAULT_RECORDS: VaultRecords = {
  sealed: ['fg-1', 'fg-2'].map((groupId) => ({
    ...{ kind: 'FleetSealed', ...OF_STORE, groupId, manifest: null, inputDigest: `input of ${groupId}` },
    task: groupId === 'fg-1' ? 'Genesis' : 'OnchainSign',
  })),
  approved: [
    {
      ...{ kind: 'FleetApproved', ...OF_STORE, groupId: 'fg-1', previous: null, digest: 'm0', manifest: {} as never, keys: KEYS },
      ...{ inputDigest: 'input of fg-1', outputDigest: 'o1', createdBy: 'us-1', submittedBy: 'us-1', reviewers: ['us-2'] },
    },
  ],
  assigned: [{ ...OF_STORE, keyId: 'key-1', scheme: 'ECDSA', curve: 'secp256k1', publicKeyHex: 'aa' }],
  vouched: [
    {
      ...{ requestId: 'x1', orgId: 'or-1', keyId: 'key-1', intentDigest: 'i', payloadDigest: 'p', claim: 'nonce 0' },
      vouched: {
        storeId: 'ks-1',
        orderDigest: 'o',
        dateVouched: 'now',
        messages: [sha256Hex(Buffer.from(MESSAGE.slice(2), 'hex'))],
      },
    },
  ],
  made: [{ kind: 'DeviceSigned', orgId: 'or-1', requestId: 'x1', keyId: 'key-1', signatures: [SIGNATURE] }],
  groups: ['fg-1', 'fg-2'].map((id) => ({
    ...{ ...OF_STORE, id, status: 'Approved', digest: `input of ${id}`, outputs: 'Accepted' },
  })),
  fleets: [{ ...OF_STORE, digest: 'm0' }],
  keys: KEYS.map((key, at) => ({
    ...{ ...OF_STORE, ...key },
    ...(at === 0 ? { keyId: 'key-1', walletKeys: 'key-1 aa Active' } : { keyId: null, walletKeys: '' }),
  })),
  requests: [
    { ...OF_STORE, id: 'x1', groupId: 'fg-2', messages: [MESSAGE], signatures: [SIGNATURE], operations: 'fg-2 Approved' },
  ],
};
