import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';
import { organizationStore } from '../../entities/organizations/organization.store';
import type { Person } from './api';
import type { WalletApi } from './wallet-api';

/** A key as the API returns it. */
export type KeyBody = {
  readonly id: string;
  readonly scheme: string;
  readonly curve: string;
  readonly publicKey: string;
  readonly derivedFrom?: { readonly keyId: string; readonly path: string };
};

export const ECDSA = { scheme: 'ECDSA', curve: 'secp256k1' } as const;

/** Creates a key over HTTP, as the administrator unless `by` is a different person. */
export async function createKey(wallets: WalletApi, body: object = ECDSA, by: Person = wallets.admin): Promise<KeyBody> {
  const answer = await by.client.change('POST', '/keys', body);
  if (answer.status !== 200) throw new Error(`createKey returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Switches on settings of the organisation that are off by default. */
export async function switchOn(on: WalletApi, orgId: string, ...settings: ('keyImport' | 'keyExport')[]): Promise<void> {
  for (const name of settings) await setSwitch(on, orgId, name, true);
}

export const setSwitch = ({ api }: WalletApi, orgId: string, name: 'keyImport' | 'keyExport', isOn: boolean): Promise<unknown> =>
  api.database.db.withOrg(orgId, (tx) => organizationStore.changeSettings(tx, { [name]: isOn }));

const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
const encoded = (text: string) => new TextEncoder().encode(text).buffer;
const bytesOf = (from: Uint8Array) => new Uint8Array(from).buffer;

/** A customer's X25519 key pair for the export of keys. The customer sends the public half. */
export async function createRecipient() {
  const pair = await suite.kem.generateKeyPair();
  return {
    encryptionKey: Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)).toString('base64'),
    /** Opens the answer of `exportKey`. */
    open: async (orgId: string, { publicKey, curve, encryptedKeyShares }: KeyExportBody): Promise<Buffer> => {
      const sealed = Buffer.from(encryptedKeyShares[0]?.encryptedKeyShare ?? '', 'base64');
      const recipient = await suite.createRecipientContext({
        recipientKey: pair.privateKey,
        enc: bytesOf(sealed.subarray(0, 32)),
        info: encoded(['strongroom/key-share/v1', 'export', orgId, curve, publicKey].join('\n')),
      });
      return Buffer.from(await recipient.open(bytesOf(sealed.subarray(32))));
    },
  };
}

export type KeyExportBody = {
  readonly publicKey: string;
  readonly curve: string;
  readonly encryptedKeyShares: readonly { readonly signerId: string; readonly encryptedKeyShare: string }[];
};

type SignerBody = { readonly signerId: string; readonly encryptionKey: string };

/** The members of an import of this secret, encrypted to a signer from the answer of `listSigners`. */
export async function sealForSigner(
  { signerId, encryptionKey }: SignerBody,
  orgId: string,
  secret: Uint8Array,
  curve = 'secp256k1',
) {
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(bytesOf(Buffer.from(encryptionKey, 'base64'))),
    info: encoded(['strongroom/key-share/v1', 'import', orgId, curve, signerId].join('\n')),
  });
  const sealed = Buffer.concat([Buffer.from(sender.enc), Buffer.from(await sender.seal(bytesOf(secret)))]);
  const encryptedKeyShares = [{ signerId, encryptedKeyShare: sealed.toString('base64') }];
  return { protocol: 'Software', curve, minSigners: 1, encryptedKeyShares };
}

/** Like `sealForSigner`, but for the signer of the test. */
export const importOf = async ({ signer }: WalletApi, orgId: string, secret: Uint8Array, curve = 'secp256k1') =>
  sealForSigner(await signer.client.health(), orgId, secret, curve);
