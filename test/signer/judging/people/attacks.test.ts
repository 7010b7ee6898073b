import { ed25519 } from '@noble/curves/ed25519.js';
import { evmCodecOf, solanaCodecOf, utxoCodecOf } from '../../../../chains/codecs';
import type { SolanaLifetime } from '../../../../chains/solana/types';
import { readCharter } from '../../../../signer/charters/charter';
import { SignSolanaOrder } from '../../../../signer/orders/transfer-orders';
import type { CreatedKey, SignSponsoredOrder, SignUtxoOrder } from '../../../../signer/protocol';
import vectors from '../../../chains/solana/vectors.json';
import { fundedCoins } from '../../../chains/utxo/coins';
import {
  actionOf,
  type Chartered,
  GROUP_ID,
  HELD_WALLET_ID,
  openChartered,
  POLICY_ID,
  WALLET_ID,
} from '../../charters/chartered';
import { codec, FEES, NOW_MS, ORG, orderFor, payloadOrderFor, refusedAs, TO, TOKEN } from '../../fixtures';

const MOMENT = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
const COINS = 'BitcoinSignet';
const coinCodec = utxoCodecOf(COINS);
const solana = solanaCodecOf('SolanaDevnet');
const FOREIGN = coinCodec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const FOREIGN_SOLANA = solana.addressOf(Buffer.from(ed25519.getPublicKey(new Uint8Array(32).fill(8))).toString('hex'));
const EDDSA = { orgId: ORG, scheme: 'EdDSA', curve: 'ed25519' } as const;

let office: Chartered;
let coins: CreatedKey;
let sender: CreatedKey;
let payer: CreatedKey;

beforeAll(async () => {
  office = await openChartered();
  const { signer, charter } = office;
  coins = await signer.createKey({ orgId: ORG, keyId: 'key-coins', scheme: 'ECDSA', curve: 'secp256k1' });
  sender = await signer.createKey({ ...EDDSA, keyId: 'key-sender' });
  payer = await signer.createKey({ ...EDDSA, keyId: 'key-payer' });
  const onSolana = (id: string, { sealed, publicKeyHex }: CreatedKey) => ({
    ...{ id, keyId: sealed.keyId, network: 'SolanaDevnet', address: solana.addressOf(publicKeyHex), tags: [] },
  });
  const wallets = [
    ...charter.wallets,
    { id: 'wa-coins', keyId: 'key-coins', network: COINS, address: coinCodec.addressOf(coins.publicKeyHex), tags: [] },
    onSolana('wa-sender', sender),
    onSolana('wa-payer', payer),
  ];
  // The same keys have wallets on a second network.
  wallets.push({ ...onSolana('wa-payer-2', payer), network: 'SolanaTestnet' });
  wallets.push({ ...charter.wallets[0], id: 'wa-free-2', network: 'PolygonAmoy' } as (typeof wallets)[number]);
  const feeSponsors = [
    { id: 'fs-1', walletId: 'wa-payer' },
    { id: 'fs-2', walletId: 'wa-payer-2' },
  ];
  await office.adopt({ ...charter, wallets, feeSponsors });
});
afterAll(() => office.close());

const asked = (walletId: string, body: object, form = 'transfers') => [
  actionOf('Initiator', office.people.ada, { path: `/wallets/${walletId}/${form}`, body: JSON.stringify(body) }),
];
const outcomeOf = (signing: Promise<unknown>): Promise<unknown> =>
  signing.then(
    () => 'signed',
    (error: { readonly reason?: string }) => error.reason ?? String(error),
  );

describe('a payment that was signed once is not made twice', () => {
  const payment = (requestId: string, pick: readonly number[], more: Partial<SignUtxoOrder> = {}): SignUtxoOrder => {
    const { publicKeyHex, sealed, dek } = coins;
    const { address: from, coins: all, previous } = fundedCoins(COINS, publicKeyHex, undefined, [50_000n, 40_000n]);
    const chosen = pick.flatMap((index) => all[index] ?? []);
    const total = chosen.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
    const selection = { coins: chosen, feeUnits: 500n, changeUnits: total - 30_500n };
    const intent = { network: COINS, from, to: FOREIGN, amountUnits: 30_000n, publicKeyHex } as const;
    return {
      ...{ requestId, orgId: ORG, keyId: sealed.keyId, network: COINS, intent: { from, to: FOREIGN, amountUnits: '30000' } },
      ...{ feeCeilingUnits: '1000', bytesHex: coinCodec.build(intent, selection, previous).bytesHex, sealed, dek, ...MOMENT },
      ...more,
    };
  };

  test('by replacements that spend different coins of the first transaction', async () => {
    const { signer } = office;
    const evidence = asked('wa-coins', { kind: 'Native', to: FOREIGN, amount: '30000' });
    await signer.signUtxo(payment('pay-1', [0, 1], { evidence }));
    const outcomes = [
      await outcomeOf(signer.signUtxo(payment('pay-2', [0], { replaces: 'pay-1' }))),
      await outcomeOf(signer.signUtxo(payment('pay-3', [1], { replaces: 'pay-1' }))),
    ];
    expect(outcomes).toEqual(['InitiatorMissing', 'InitiatorMissing']);
    // A replacement with the same coins does not need a person, because only one of the two transactions can be included.
    const { bytesHex, ...again } = payment('pay-4', [0, 1], { replaces: 'pay-1' });
    expect(await outcomeOf(signer.signUtxo({ ...again, bytesHex: payment('x', [1, 0]).bytesHex }))).toBe('signed');
  });

  test('by operations that share only an authorization nonce with the first transaction', async () => {
    const { signer, people, transfer } = office;
    const first = transfer(people.ada);
    await signer.signTransfer(first);
    const { evidence: _none, ...bare } = first;
    const { from, to, amountUnits } = first.intent;
    const again = (key: number): SignSponsoredOrder => {
      const calls = [{ to, valueUnits: amountUnits, dataHex: '0x' }];
      const operation = { sender: from, nonce: BigInt(key) << 64n, calls, verificationGas: 1n, callGas: 1n };
      const { unsigned } = codec.buildSponsored({ operation, sponsor: TOKEN, authorizationNonce: first.nonce }, 1, FEES);
      const named = {
        requestId: `again-${key}`,
        replaces: first.requestId,
        nonce: 1,
        sponsor: TOKEN,
        part: 'Operation',
      } as const;
      return { ...bare, ...named, bytesHex: unsigned.bytesHex };
    };
    expect([await outcomeOf(signer.signSponsored(again(1))), await outcomeOf(signer.signSponsored(again(2)))]).not.toContain(
      'signed',
    );
  });
});

type Intent = SignSolanaOrder['intent'];
type Spoken = { readonly intent?: Partial<Intent>; readonly lifetime: SolanaLifetime; readonly feePayer?: string };

function solanaOrder(key: CreatedKey, { intent = {}, lifetime, feePayer }: Spoken, more: Partial<SignSolanaOrder>) {
  const from = solana.addressOf(sender.publicKeyHex);
  const whole: Intent = { from, to: vectors.recipient, amountUnits: '1000', asset: { kind: 'Native' }, ...intent };
  const { bytesHex } = solana.build(
    {
      ...{ network: 'SolanaDevnet', asset: { kind: 'Native' }, memo: whole.memo, feePayer },
      from: whole.from,
      to: whole.to,
      amountUnits: BigInt(whole.amountUnits),
    },
    { lifetime, computeUnitLimit: 30_000, microLamportsPerUnit: 1_000n },
  );
  return SignSolanaOrder.parse({
    ...{
      orgId: ORG,
      keyId: key.sealed.keyId,
      network: 'SolanaDevnet',
      intent: whole,
      bytesHex,
      sealed: key.sealed,
      dek: key.dek,
    },
    ...{ feeCeilingUnits: '3000000', ...(feePayer === undefined ? {} : { sponsor: feePayer }), ...MOMENT, ...more },
  });
}

test('a replacement keeps the memo, which identifies the account at an exchange', async () => {
  const { signer } = office;
  const { nonceAccount, blockhash: value } = vectors;
  const authority = solana.addressOf(sender.publicKeyHex);
  const lifetime = { kind: 'durable-nonce', account: nonceAccount, authority, value } as const;
  const order = (requestId: string, memo: string, more: Partial<SignSolanaOrder>) =>
    solanaOrder(sender, { intent: { memo }, lifetime }, { requestId, nonceAccount, ...more });
  const body = { kind: 'Native', to: vectors.recipient, amount: '1000', memo: 'Ours1', useDurableNonce: true };
  await signer.signSolana(order('memo-1', 'Ours1', { evidence: asked('wa-sender', body) }));
  expect(await outcomeOf(signer.signSolana(order('memo-2', 'Theirs2', { replaces: 'memo-1' })))).not.toBe('signed');
});

test('a sponsor that has paid for a message of the organisation does not pay for a stranger’s message', async () => {
  const { signer } = office;
  const feePayer = solana.addressOf(payer.publicKeyHex);
  const lifetime = { kind: 'blockhash', blockhash: vectors.blockhash, lastValidBlockHeight: 9n } as const;
  const evidence = asked('wa-sender', { kind: 'Native', to: vectors.recipient, amount: '1000', feeSponsorId: 'fs-1' });
  const own = solanaOrder(sender, { lifetime, feePayer }, { requestId: 'fee-1', evidence });
  const [signature] = (await signer.signSolana(own)).signatures;
  const walletSignatureHex = `${signature?.r.slice(2)}${signature?.s.slice(2)}`;
  await signer.signSolana(solanaOrder(payer, { lifetime, feePayer }, { requestId: 'fee-1', evidence, walletSignatureHex }));

  const secret = new Uint8Array(32).fill(9);
  const stranger = solana.addressOf(Buffer.from(ed25519.getPublicKey(secret)).toString('hex'));
  const idle = { intent: { from: stranger, to: stranger, amountUnits: '0' }, lifetime, feePayer };
  const { bytesHex } = solanaOrder(payer, idle, { requestId: 'fee-2' });
  const theirs = Buffer.from(ed25519.sign(Buffer.from(bytesHex.slice(2), 'hex'), secret)).toString('hex');
  const order = solanaOrder(payer, idle, { requestId: 'fee-2', replaces: 'fee-1', walletSignatureHex: theirs });
  expect(await outcomeOf(signer.signSolana(order))).not.toBe('signed');
});

test('a replacement of a transfer that is older than the charter keeps the ciphertext of the hidden amount', async () => {
  const other = await openChartered();
  const asset = { kind: 'Erc7984', contract: TOKEN } as const;
  const order = (requestId: string, byte: string, fees = FEES) => {
    const encrypted = { handle: `0x${byte.repeat(21)}000000000000aa36a70500`, inputProof: '0x0101' };
    return orderFor(other.keys.free, requestId, { nonce: 7_000, intent: { asset, encrypted }, fees });
  };
  await other.signer.signTransfer(order('hidden-1', 'ab'));
  await other.adopt();
  const replaces = 'hidden-1';
  expect(await outcomeOf(other.signer.signTransfer({ ...order('hidden-2', 'cd'), replaces }))).toBe('NotWithCharter');
  const slower = { ...FEES, maxFeePerGas: FEES.maxFeePerGas - 1n, maxPriorityFeePerGas: FEES.maxPriorityFeePerGas - 1n };
  expect(await outcomeOf(other.signer.signTransfer({ ...order('hidden-3', 'ab', slower), replaces }))).toBe('signed');
  await other.close();
});

describe('a sponsored message', () => {
  const lifetime = { kind: 'blockhash', blockhash: vectors.blockhash, lastValidBlockHeight: 9n } as const;
  const feePayer = () => solana.addressOf(payer.publicKeyHex);
  const asking = (feeSponsorId?: string) =>
    asked('wa-sender', {
      kind: 'Native',
      to: vectors.recipient,
      amount: '1000',
      ...(feeSponsorId === undefined ? {} : { feeSponsorId }),
    });

  test('must have the requested sponsor, on the network of the sponsor', async () => {
    const { signer } = office;
    const ordered = (requestId: string, evidence: ReturnType<typeof asked>, sponsor = feePayer()) =>
      outcomeOf(signer.signSolana(solanaOrder(sender, { lifetime, feePayer: sponsor }, { requestId, evidence })));
    expect(await ordered('sp-1', asking())).toBe('RequestMismatch');
    expect(await ordered('sp-2', asking('fs-2'))).toBe('RequestMismatch');
    expect(await ordered('sp-3', asking('fs-3'))).not.toBe('signed');
    expect(await ordered('sp-4', asking('fs-1'), FOREIGN_SOLANA)).toBe('RequestMismatch');
    expect(await ordered('sp-5', asking('fs-1'))).toBe('signed');
  });

  test('that does not move funds needs a person, unless it replaces a message that the sponsor pays for', async () => {
    const from = solana.addressOf(sender.publicKeyHex);
    const idle = { intent: { from, to: from, amountUnits: '0' }, lifetime, feePayer: feePayer() };
    expect(await outcomeOf(office.signer.signSolana(solanaOrder(sender, idle, { requestId: 'idle-1' })))).toBe(
      'InitiatorMissing',
    );
  });

  test('is completed only by the key of a sponsor of the charter in force', async () => {
    const { signer } = office;
    const complete = async (requestId: string) => {
      const own = solanaOrder(sender, { lifetime, feePayer: feePayer() }, { requestId, evidence: asking('fs-1') });
      const [signature] = (await signer.signSolana(own)).signatures;
      const walletSignatureHex = `${signature?.r.slice(2)}${signature?.s.slice(2)}`;
      return solanaOrder(payer, { lifetime, feePayer: feePayer() }, { requestId, walletSignatureHex });
    };
    const [first, second] = [await complete('done-1'), await complete('done-2')];
    expect(await outcomeOf(signer.signSolana({ ...first, requestId: 'done-3' }))).toBe('RequestMismatch');
    expect(await outcomeOf(signer.signSolana(first))).toBe('signed');
    const { content, digest } = office.signer.charters.of(ORG) ?? {};
    if (!content || digest === undefined) throw new Error('the organisation has no charter');
    await office.adopt({ ...content, sequence: 2, previous: digest, feeSponsors: [] });
    expect(await outcomeOf(signer.signSolana(second))).toBe('RequestMismatch');
  });
});

test('a request for one wallet of a key does not move the coins of another wallet of this key', async () => {
  const { signer, transfer, people } = office;
  const order = transfer(people.ada);
  const evidence = asked('wa-free-2', { kind: 'Native', to: order.intent.to, amount: order.intent.amountUnits });
  await expect(signer.signTransfer({ ...order, evidence })).rejects.toEqual(refusedAs('RequestMismatch'));
});

test('a key that is not in the charter does not sign', async () => {
  const { signer, people } = office;
  const key = await signer.createKey({ orgId: ORG, keyId: 'key-later', scheme: 'ECDSA', curve: 'secp256k1' });
  const body = JSON.stringify({ kind: 'Message', message: '0x61' });
  const evidence = [actionOf('Initiator', people.ada, { path: '/keys/key-later/signatures', body })];
  const order = { ...payloadOrderFor(key, 'sig-later', { kind: 'Message', messageHex: '0x61' }), evidence };
  await expect(signer.signPayload(order)).rejects.toEqual(refusedAs('NotInCharter'));
});

describe('a signature that was requested for a wallet is refused on another network', () => {
  test('over a transaction whose request does not specify a chain', async () => {
    const { signer, keys } = office;
    const network = 'PolygonAmoy';
    const from = codec.addressOf(keys.free.publicKeyHex);
    const intent = { network, from, to: TO, amountUnits: 1_000n, asset: { kind: 'Native' } } as const;
    const { bytesHex } = evmCodecOf(network).build(intent, 0, FEES);
    const evidence = asked(WALLET_ID, { kind: 'Transaction', transaction: { to: TO, value: '1000' } }, 'signatures');
    const order = { ...payloadOrderFor(keys.free, 'sig-chain', { kind: 'EvmTransaction', bytesHex }), evidence };
    await expect(signer.signPayload(order)).rejects.toEqual(refusedAs('RequestMismatch'));
  });

  test('over a PSBT whose coins would be logged for the other network', async () => {
    const { address: from, coins: all, previous } = fundedCoins(COINS, coins.publicKeyHex, undefined, [90_000n]);
    const intent = { network: COINS, from, to: FOREIGN, amountUnits: 30_000n, publicKeyHex: coins.publicKeyHex } as const;
    const { bytesHex } = coinCodec.build(intent, { coins: all, feeUnits: 500n, changeUnits: 59_500n }, previous);
    const evidence = asked('wa-coins', { kind: 'Psbt', psbt: bytesHex }, 'signatures');
    const order = { ...payloadOrderFor(coins, 'sig-coins', { kind: 'Psbt', network: 'BitcoinTestnet4', bytesHex }), evidence };
    await expect(office.signer.signPayload(order)).rejects.toEqual(refusedAs('RequestMismatch'));
  });
});

describe('a held transfer is refused', () => {
  async function outcomeWith(
    group: Readonly<Record<string, unknown>>,
    seatsOf: (people: Chartered['people']) => object,
    voter: 'cyd' | 'bot',
  ): Promise<unknown> {
    const other = await openChartered();
    const { charter, people, signer } = other;
    const action = { kind: 'RequestApproval', approvalGroups: [{ id: GROUP_ID, name: 'Officers', quorum: 1, ...group }] };
    const policies = charter.policies.map((policy) => ({ ...policy, action }));
    const content = readCharter(JSON.stringify({ ...charter, policies }));
    if (!content) throw new Error('the charter is malformed');
    await other.adopt(content);
    const order = other.transfer(people.ada, { walletId: HELD_WALLET_ID });
    const groups = [{ policyId: POLICY_ID, groupId: GROUP_ID, name: 'Officers', quorum: 1, denierIds: [], ...seatsOf(people) }];
    const { approval, votes } = other.approved(order, [people[voter]], { groups });
    const outcome = await outcomeOf(signer.signTransfer({ ...order, evidence: [...order.evidence, approval, ...votes] }));
    await other.close();
    return outcome;
  }

  test('with votes of an escalation before its time', async () => {
    const { ben, cyd } = office.people;
    const only = (userId: string) => ({ userId: { in: [userId] } });
    const escalation = { afterMinutes: 1_440, approvers: only(cyd.userId) };
    const seats = () => ({
      voterIds: [ben.userId],
      escalation: { from: '1970-01-01T00:00:00.000Z', voterIds: [cyd.userId], denierIds: [] },
    });
    expect(await outcomeWith({ approvers: only(ben.userId), escalation }, seats, 'cyd')).toBe('VotesMissing');
  });

  test('with the vote of a service account that the group does not list', async () => {
    const seats = ({ bot }: Chartered['people']) => ({ voterIds: [bot.userId] });
    expect(await outcomeWith({ approvers: {}, serviceAccountsCanApprove: true }, seats, 'bot')).toBe('VotesMissing');
  });
});
