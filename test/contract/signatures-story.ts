import { randomBytes } from 'node:crypto';
import { psbtFor } from '../chains/utxo/psbts';
import type { Client } from '../support/client';
import { smartAccountBody } from '../support/smart-account';
import { call, refusal } from './calls';

type Signed = { readonly id: string; readonly status: string };

/** A key signs through its own operations and through those of its wallet. Both return the signatures. */
export async function signaturesStory(admin: Client): Promise<void> {
  type Wallet = {
    readonly id: string;
    readonly address: string;
    readonly signingKey: { readonly id: string; readonly publicKey: string };
  };
  const {
    id: walletId,
    address,
    signingKey,
  } = await call<Wallet>(admin, 'createWallet', { body: { network: 'EthereumSepolia' } });
  const key = { params: { keyId: signingKey.id } };
  const wallet = { params: { walletId } };
  const body = { kind: 'Hash', hash: randomBytes(32).toString('hex'), externalId: 'signature-1' };
  const first = await call<Signed>(admin, 'keysGenerateSignature', { ...key, body });
  const message = { kind: 'Message', message: '0x68656c6c6f', network: 'EthereumSepolia' };
  const second = await call<Signed>(admin, 'walletsGenerateSignature', { ...wallet, body: message });
  if (first.status !== 'Signed' || second.status !== 'Signed')
    throw new Error('an answer without a waiting policy has no signature');
  const psbt = {
    kind: 'Psbt',
    network: 'BitcoinSignet',
    psbt: psbtFor('BitcoinSignet', signingKey.publicKey.replace(/^0x/, '')),
  };
  const third = await call<Signed>(admin, 'keysGenerateSignature', { ...key, body: psbt });
  if (third.status !== 'Signed') throw new Error('the answer to a PSBT of the key has no signature');
  const account = smartAccountBody(address, [{ to: address, value: '0' }]);
  const published = { ...account, signatures: {}, transactionReference: 'transaction-1' };
  const fourth = await call<Signed>(admin, 'keysGenerateSignature', { ...key, body: published });
  if (fourth.status !== 'Signed') throw new Error('the answer to calls of the account has no signature');
  await call(admin, 'keysGetSignature', { params: { ...key.params, signatureId: third.id } });
  await call(admin, 'keysGetSignature', { params: { ...key.params, signatureId: second.id } });
  await call(admin, 'walletsGetSignature', { params: { ...wallet.params, signatureId: second.id } });
  await call(admin, 'keysListSignatures', { ...key, query: '?limit=1' });
  await call(admin, 'walletsListSignatures', wallet);
  const other = await refusal(admin, 'keysGenerateSignature', { ...key, body: { ...body, hash: '00'.repeat(32) } });
  if (other['status'] !== 409) throw new Error('a different request with a used external id was accepted');
}
