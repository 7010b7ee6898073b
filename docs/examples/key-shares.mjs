// Exports a key from Strongroom or imports one, over the published API and with HPKE from @hpke/core; docs/key-shares.md explains it.
//
//   node docs/examples/key-shares.mjs export IDENTITY.json KEY_ID SECRET.json
//   node docs/examples/key-shares.mjs import IDENTITY.json SECRET.json
//
// IDENTITY.json identifies the caller: { "baseUrl", "orgId", "users": [{ "token", "credId", "privateKeyPem" }] }, as .data/first-run.json does.
// SECRET.json then holds the key in the clear: anyone who reads it controls the funds.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';

const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
const ENC_BYTES = 32;
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const bytes = (from) => new Uint8Array(from).buffer;
const text = (from) => bytes(Buffer.from(from, 'utf8'));

/** Calls the API once. A change is announced first, and its challenge is signed with the caller's own key. */
async function call(identity, method, path, body) {
  const [user] = identity.users;
  const send = async (verb, where, payload, headers = {}) => {
    const response = await fetch(new URL(where, identity.baseUrl), {
      method: verb,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${verb} ${where}: ${response.status} ${answer.error?.message ?? ''}`);
    return answer;
  };
  if (method === 'GET') return send('GET', path);

  const payload = JSON.stringify(body);
  const announced = { userActionHttpMethod: method, userActionHttpPath: path, userActionPayload: payload };
  const { challenge, challengeIdentifier } = await send('POST', '/auth/action/init', JSON.stringify(announced));
  const clientData = Buffer.from(JSON.stringify({ type: 'key.get', challenge }));
  const signature = sign(null, clientData, createPrivateKey(user.privateKeyPem)).toString('base64url');
  const credentialAssertion = { credId: user.credId, clientData: clientData.toString('base64url'), signature };
  const firstFactor = { kind: 'Key', credentialAssertion };
  const { userAction } = await send('POST', '/auth/action', JSON.stringify({ challengeIdentifier, firstFactor }));
  return send(method, path, payload, { 'x-svc-useraction': userAction });
}

async function exportKey(identity, keyId, secretFile) {
  // The key pair exists only in this process, so only this process can open the response.
  const pair = await suite.kem.generateKeyPair();
  const encryptionKey = Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)).toString('base64');
  const { curve: wanted } = await call(identity, 'GET', `/keys/${keyId}`);
  const supportedSchemes = [{ protocol: 'Software', curve: wanted }];
  const key = await call(identity, 'POST', `/keys/${keyId}/export`, { encryptionKey, supportedSchemes });

  const { publicKey, scheme, curve, encryptedKeyShares } = key;
  const sealed = Buffer.from(encryptedKeyShares[0].encryptedKeyShare, 'base64');
  const recipient = await suite.createRecipientContext({
    recipientKey: pair.privateKey,
    enc: bytes(sealed.subarray(0, ENC_BYTES)),
    info: text(['strongroom/key-share/v1', 'export', identity.orgId, curve, publicKey].join('\n')),
  });
  const secret = Buffer.from(await recipient.open(bytes(sealed.subarray(ENC_BYTES)))).toString('hex');
  writeFileSync(secretFile, JSON.stringify({ scheme, curve, publicKey, secret }), { mode: 0o600, flag: 'wx' });
  return publicKey;
}

async function importKey(identity, secretFile) {
  const { scheme, curve, publicKey, secret } = readJson(secretFile);
  const { clusters } = await call(identity, 'GET', '/signers');
  const { signerId, encryptionKey } = clusters[0].signers[0];
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(bytes(Buffer.from(encryptionKey, 'base64'))),
    info: text(['strongroom/key-share/v1', 'import', identity.orgId, curve, signerId].join('\n')),
  });
  const ciphertext = await sender.seal(bytes(Buffer.from(secret, 'hex')));
  const encryptedKeyShare = Buffer.concat([Buffer.from(sender.enc), Buffer.from(ciphertext)]).toString('base64');
  const encryptedKeyShares = [{ signerId, encryptedKeyShare }];
  const key = await call(identity, 'POST', '/keys/import', {
    protocol: 'Software',
    scheme,
    curve,
    minSigners: 1,
    encryptedKeyShares,
  });
  if (key.publicKey !== publicKey) throw new Error(`the imported key has the public key ${key.publicKey}, not ${publicKey}`);
  return key.id;
}

const [what, identityFile, ...rest] = process.argv.slice(2);
const identity = readJson(identityFile);
process.stdout.write(`${await (what === 'export' ? exportKey(identity, ...rest) : importKey(identity, ...rest))}\n`);
