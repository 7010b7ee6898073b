import { solanaCodecOf } from '../../../../chains/codecs';
import { SignSolanaOrder } from '../../../../signer/orders/transfer-orders';
import type { CreatedKey } from '../../../../signer/protocol';
import vectors from '../../../chains/solana/vectors.json';
import { actionOf, type Chartered, openChartered } from '../../charters/chartered';
import { NOW_MS, ORG } from '../../fixtures';

const NETWORK = 'SolanaDevnet';
const MOMENT = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
const EDDSA = { orgId: ORG, scheme: 'EdDSA', curve: 'ed25519' } as const;
const solana = solanaCodecOf(NETWORK);
const addressOf = ({ publicKeyHex }: CreatedKey) => solana.addressOf(publicKeyHex);
const outcomeOf = (signing: Promise<unknown>): Promise<unknown> =>
  signing.then(
    () => 'signed',
    (error: { readonly reason?: string }) => error.reason ?? String(error),
  );

let office: Chartered;
let sender: CreatedKey;
let payer: CreatedKey;
let outsider: CreatedKey;
beforeAll(async () => {
  office = await openChartered();
  const { signer, charter } = office;
  sender = await signer.createKey({ ...EDDSA, keyId: 'key-sender' });
  payer = await signer.createKey({ ...EDDSA, keyId: 'key-payer' });
  outsider = await signer.createKey({ ...EDDSA, keyId: 'key-outsider' });
  const walletOf = (id: string, key: CreatedKey) => ({
    ...{ id, keyId: key.sealed.keyId, network: NETWORK, address: addressOf(key), tags: [] },
  });
  const wallets = [...charter.wallets, walletOf('wa-sender', sender), walletOf('wa-payer', payer)];
  await office.adopt({ ...charter, wallets, feeSponsors: [{ id: 'fs-1', walletId: 'wa-payer' }] });
});
afterAll(() => office.close());

type Message = {
  readonly by: CreatedKey;
  readonly to: string;
  readonly units: string;
  readonly price?: bigint;
  readonly feePayer?: string;
  readonly value?: string;
};

/**
 * A message in the format for a durable nonce, but with a recent blockhash as the nonce value. The network first looks for the
 * value among recent blockhashes. If it finds the value there, it executes the message whatever nonce the account has
 * (`check_transaction_age` of Agave).
 */
function order(
  key: CreatedKey,
  { by, to, units, price = 1_000n, feePayer, value = vectors.blockhash }: Message,
  more: Partial<SignSolanaOrder>,
) {
  const from = addressOf(by);
  const lifetime = { kind: 'durable-nonce', account: vectors.nonceAccount, authority: from, value } as const;
  const { bytesHex } = solana.build(
    { network: NETWORK, asset: { kind: 'Native' }, memo: undefined, feePayer, from, to, amountUnits: BigInt(units) },
    { lifetime, computeUnitLimit: 30_000, microLamportsPerUnit: price },
  );
  return SignSolanaOrder.parse({
    ...{ orgId: ORG, keyId: key.sealed.keyId, network: NETWORK, bytesHex, sealed: key.sealed, dek: key.dek },
    intent: { from, to, amountUnits: units, asset: { kind: 'Native' } },
    ...{ feeCeilingUnits: '3000000', nonceAccount: vectors.nonceAccount, ...MOMENT, ...more },
    ...(feePayer === undefined ? {} : { sponsor: feePayer }),
  });
}
const asked = (more: object) => {
  const body = { kind: 'Native', to: vectors.recipient, amount: '1000', useDurableNonce: true, ...more };
  return [actionOf('Initiator', office.people.ada, { path: '/wallets/wa-sender/transfers', body: JSON.stringify(body) })];
};

test('a payment is not made twice by messages that carry a recent blockhash instead of a durable nonce', async () => {
  const { signer } = office;
  const payment = { by: sender, to: vectors.recipient, units: '1000' };
  await signer.signSolana(order(sender, payment, { requestId: 'twice-1', evidence: asked({}) }));
  const again = order(sender, { ...payment, price: 1_001n }, { requestId: 'twice-2', replaces: 'twice-1' });
  expect(await outcomeOf(signer.signSolana(again))).not.toBe('signed');
});

test('a sponsor does not pay if another key replaces the requested message with an empty one', async () => {
  const { signer } = office;
  const [feePayer, value] = [addressOf(payer), addressOf(outsider)];
  const payment = { by: sender, to: vectors.recipient, units: '1000', feePayer, value };
  await signer.signSolana(order(sender, payment, { requestId: 'burn-1', evidence: asked({ feeSponsorId: 'fs-1' }) }));
  const idle = { by: outsider, to: addressOf(outsider), units: '0', price: 90_000_000n, feePayer, value };
  const own = await signer.signSolana(order(outsider, idle, { requestId: 'burn-2', replaces: 'burn-1' })).catch(() => undefined);
  const [signature] = own?.signatures ?? [];
  const walletSignatureHex = signature ? `${signature.r.slice(2)}${signature.s.slice(2)}` : '00'.repeat(64);
  const paid = order(payer, idle, { requestId: 'burn-2', replaces: 'burn-1', walletSignatureHex });
  expect(await outcomeOf(signer.signSolana(paid))).not.toBe('signed');
});
