import { randomBytes } from 'node:crypto';
import type { Client } from './client';

type Posted = { readonly method: 'POST' | 'PUT'; readonly path: string; readonly body: (secret: string) => object };

/** The requests of each operation that takes a secret, with the secret in its place in the body. */
export const SECRET_BODIES: Readonly<Record<string, readonly Posted[]>> = {
  createCredential: [
    {
      method: 'POST',
      path: '/auth/credentials',
      body: (password) => ({
        challengeIdentifier: 'none',
        credentialKind: 'Password',
        credentialName: 'p',
        credentialInfo: { password },
      }),
    },
    {
      method: 'POST',
      path: '/auth/credentials',
      body: (encryptedPrivateKey) => ({
        ...{ challengeIdentifier: 'none', credentialKind: 'PasswordProtectedKey', credentialName: 'k', encryptedPrivateKey },
        credentialInfo: { credId: 'AAAA', clientData: 'AAAA', attestationData: 'AAAA' },
      }),
    },
  ],
  updateOrganizationSettings: [
    {
      method: 'PUT',
      path: '/organizations/settings',
      body: (clientSecret) => ({
        sso: { provider: 'Oidc', issuer: 'https://idp.test', clientId: 'c', clientSecret, emailDomains: [] },
        version: 1,
      }),
    },
  ],
  importKey: [{ method: 'POST', path: '/keys/import', body: importBody }],
  importWallet: [
    { method: 'POST', path: '/wallets/import', body: (share) => ({ ...importBody(share), network: 'EthereumSepolia' }) },
  ],
  activateIntegration: [
    { method: 'PUT', path: '/integrations/KytA', body: (apiKey) => ({ apiKey }) },
    { method: 'PUT', path: '/integrations/KytA', body: (webhookSecret) => ({ apiKey: 'k', webhookSecret }) },
  ],
};

function importBody(encryptedKeyShare: string): object {
  return {
    ...{ protocol: 'SOFTWARE', curve: 'secp256k1', minSigners: 1 },
    encryptedKeyShares: [{ signerId: 'AAAA', encryptedKeyShare }],
  };
}

/** Signs and sends each request with a new secret. Returns the secrets by operation. */
export async function postSecrets(client: Client): Promise<Record<string, Buffer>> {
  const secrets: Record<string, Buffer> = {};
  for (const [operation, posts] of Object.entries(SECRET_BODIES)) {
    for (const [index, { method, path, body }] of posts.entries()) {
      const secret = randomBytes(32);
      secrets[`${operation} ${index}`] = secret;
      await client.change(method, path, body(secret.toString('hex')));
    }
  }
  return secrets;
}
