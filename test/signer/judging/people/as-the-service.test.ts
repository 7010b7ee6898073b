import { utxoCodecOf } from '../../../../chains/codecs';
import { utxoDecoderOf } from '../../../../chains/decoders';
import type { PolicyInForce } from '../../../../domain/policies';
import { digestOf } from '../../../../platform/canonical';
import type { Charter } from '../../../../signer/charters/charter';
import type { CreatedKey, SignUtxoOrder } from '../../../../signer/protocol';
import { fundedCoins } from '../../../chains/utxo/coins';
import { psbtFor } from '../../../chains/utxo/psbts';
import { actionOf, type Chartered, HELD_WALLET_ID, openChartered, WALLET_ID } from '../../charters/chartered';
import { codec, FEES, keyOrder, NOW_MS, ORG, orderFor, payloadOrderFor, refusedAs, TO, TOKEN } from '../../fixtures';

const OTHER_WALLET_ID = 'wa-00000-other-0000000000000000';
const COIN_WALLET_ID = 'wa-00000-coins-0000000000000000';
const COIN_NETWORK = 'BitcoinSignet';
const WINDOW = 60;

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const policy = (rule: PolicyInForce['rule'], filters: PolicyInForce['filters'] = null): Charter['policies'][number] => {
  const [held] = office.charter.policies;
  if (!held) throw new Error('no policy');
  return { ...held, rule, filters } as Charter['policies'][number];
};

test('a whitelist permits a single call only if the decoder can read its recipient', async () => {
  const { signer, people, keys, adopt, charter } = office;
  const addresses = [TO, TOKEN];
  await adopt({ ...charter, policies: [policy({ kind: 'TransactionRecipientWhitelist', configuration: { addresses } })] });
  const from = codec.addressOf(keys.free.publicKeyHex);
  const calling = (
    nonce: number,
    { to, value, data }: { readonly to: string; readonly value: string; readonly data: string },
  ) => {
    const call = { type: 2 as const, to, valueUnits: value, dataHex: data, accessList: [], authorizationList: [] };
    const { bytesHex } = codec.buildCall(call, nonce, FEES);
    const { asset, recipient, amountUnits } = codec.effectOf(call);
    const intent = { from, to: recipient, amountUnits: amountUnits.toString(), asset, callDigest: digestOf(call) };
    const body = JSON.stringify({ kind: 'Transaction', transaction: { to, value, data } });
    const evidence = [actionOf('Initiator', people.ada, { path: `/wallets/${WALLET_ID}/transactions`, body })];
    const order = { ...orderFor(keys.free, `call-${nonce}`, { nonce }), intent: intent as never, bytesHex, evidence };
    return signer.signTransfer(order);
  };
  await expect(calling(50, { to: TO, value: '5', data: '0x' })).resolves.toBeDefined();
  const approve = `0x095ea7b3${'00'.repeat(12)}${'11'.repeat(20)}${'00'.repeat(31)}01`;
  await expect(calling(51, { to: TOKEN, value: '0', data: approve })).rejects.toEqual(refusedAs('ApprovalMissing'));
});

test('a vote is accepted at every path that the service serves', async () => {
  const { signer, people, held, adopt } = office;
  await adopt();
  const { ada, ben, cyd } = people;
  const voted = (path: (approvalId: string) => string) => {
    const order = held(ada, [ben, cyd]);
    const approval = order.evidence.find((one) => one.kind === 'Approval');
    if (approval?.kind !== 'Approval') throw new Error('no approval');
    const { approvalId, digest } = approval;
    const vote = actionOf('Approver', cyd, {
      path: path(approvalId),
      body: JSON.stringify({ value: 'Approved' }),
      approvalDigest: digest,
    });
    return signer.signTransfer({ ...order, evidence: [...order.evidence.slice(0, -1), vote] });
  };
  await expect(voted((id) => `/policy-approvals/${id}/decisions`)).resolves.toBeDefined();
  await expect(voted((id) => `/v2/policy-approvals/${id}/decisions/`)).resolves.toBeDefined();
  await expect(voted((id) => `/v1/policy-approvals/${id}/decisions`)).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(voted((id) => `/policy-approvals/${id}/decisions//`)).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(voted((id) => `/policy-approvals/${id}`)).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(voted(() => '/policy-approvals/ap-other/decisions')).rejects.toEqual(refusedAs('VotesMissing'));
});

test('a decision on several approvals is accepted at the path without a version too', async () => {
  const { signer, people, transfer, approved, adopt, keys } = office;
  await adopt();
  const order = transfer(people.ada, { walletId: HELD_WALLET_ID });
  expect(order.keyId).toBe(keys.held.sealed.keyId);
  const { approval, votes } = approved(order, [people.ben]);
  const { approvalId, digest } = approval;
  const list = [{ approvalId, digest }];
  const bulk = {
    ...actionOf('Approver', people.cyd, {
      path: '/policy-approvals/decisions',
      body: JSON.stringify({ decisions: [{ approvalId, value: 'Approved' }] }),
      approvalDigest: digestOf({ v: 1, decisions: list }),
    }),
    decided: JSON.stringify(list),
  };
  await expect(signer.signTransfer({ ...order, evidence: [...order.evidence, approval, ...votes, bulk] })).resolves.toBeDefined();
});

test('the path of a freeze release may end with a slash, and any other deviation is refused', async () => {
  const { signer, people, adopt } = office;
  await adopt();
  const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 1_000).toISOString() };
  const freeze = { orgId: ORG, freezeId: 'frz-1', ...moment };
  await signer.setFreeze({ ...freeze, evidence: [], target: { kind: 'Organization' } });
  const release = (path: string) =>
    signer.releaseFreeze({ ...freeze, evidence: [actionOf('Initiator', people.ada, { method: 'DELETE', path })] });
  for (const path of ['/freezes/frz-1//', '/freezes/frz-1/2', '/freezes/', '/freezes/frz-1/?a'])
    await expect(release(path)).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(release('/freezes/frz-1/')).resolves.toBeDefined();
});

test('a key does not sign for a wallet if the charter lists a different key for the wallet', async () => {
  const { signer, people, transfer, adopt, charter } = office;
  const wallets = charter.wallets.map((wallet) => (wallet.id === WALLET_ID ? { ...wallet, keyId: 'key-alias' } : wallet));
  await adopt({ ...charter, wallets });
  await expect(signer.signTransfer(transfer(people.ada))).rejects.toEqual(refusedAs('RequestMismatch'));
});

describe('a key with two wallets', () => {
  const withOther = (policies: Charter['policies']): Charter => {
    const [free, ...rest] = office.charter.wallets;
    if (!free) throw new Error('no wallet');
    const second = { ...free, id: OTHER_WALLET_ID, network: 'EthereumHolesky', tags: ['other'] };
    return { ...office.charter, wallets: [free, second, ...rest], policies };
  };
  const usageOf = (walletIds: readonly string[], count = 1) => ({
    amountUsdMicro: '0',
    usage: walletIds.map((walletId) => ({ walletId, timeframeMinutes: WINDOW, count, amountUsdMicro: '0' })),
  });
  const message = () => {
    const { people, keys } = office;
    const body = JSON.stringify({ kind: 'Message', message: '0x616263' });
    const order = payloadOrderFor(keys.free, 'sig-1', { kind: 'Message', messageHex: '0x616263' });
    return { ...order, evidence: [actionOf('Initiator', people.ada, { path: `/keys/${order.keyId}/signatures`, body })] };
  };

  test('counts a payment in the windows of the paying wallet, and a signature in the windows of both wallets', async () => {
    const { signer, people, transfer, adopt } = office;
    await adopt(withOther([policy({ kind: 'TransactionCountVelocity', configuration: { limit: 3, timeframe: WINDOW } })]));
    const paying = (attested: ReturnType<typeof usageOf>) => signer.signTransfer({ ...transfer(people.ada), attested });
    await expect(paying(usageOf([WALLET_ID]))).resolves.toBeDefined();
    await expect(paying(usageOf([WALLET_ID], 4))).rejects.toEqual(refusedAs('ApprovalMissing'));
    await expect(paying(usageOf([OTHER_WALLET_ID]))).rejects.toEqual(refusedAs('ApprovalMissing'));
    const signing = (walletIds: readonly string[]) => signer.signPayload({ ...message(), attested: usageOf(walletIds) });
    await expect(signing([WALLET_ID])).rejects.toEqual(refusedAs('ApprovalMissing'));
    await expect(signing([WALLET_ID, OTHER_WALLET_ID])).resolves.toBeDefined();
  });

  test('is judged by the policies of the paying wallet for a payment, and by the policies of both wallets for a signature', async () => {
    const { signer, people, transfer, adopt } = office;
    await adopt(withOther([policy({ kind: 'AlwaysTrigger' }, { walletTags: { hasAny: ['other'] } })]));
    await expect(signer.signTransfer(transfer(people.ada))).resolves.toBeDefined();
    await expect(signer.signPayload(message())).rejects.toEqual(refusedAs('ApprovalMissing'));
  });
});

describe('under a whitelist', () => {
  let key: CreatedKey;
  const coins = utxoCodecOf(COIN_NETWORK);
  const FRIEND = coins.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');

  const paying = (requestId: string, to: string | undefined): SignUtxoOrder => {
    const { publicKeyHex, sealed, dek } = key;
    const { address: from, coins: spent, previous } = fundedCoins(COIN_NETWORK, publicKeyHex, undefined, [50_000n]);
    const recipient = to ?? from;
    const intent = { network: COIN_NETWORK, from, to: recipient, amountUnits: 20_000n, publicKeyHex } as const;
    const body = JSON.stringify({ kind: 'Native', to: recipient, amount: '20000' });
    return {
      ...{ requestId, orgId: ORG, keyId: sealed.keyId, network: COIN_NETWORK, feeCeilingUnits: '1000', sealed, dek },
      intent: { from, to: recipient, amountUnits: '20000' },
      bytesHex: coins.build(intent, { coins: spent, feeUnits: 500n, changeUnits: 29_500n }, previous).bytesHex,
      evidence: [actionOf('Initiator', office.people.ada, { path: `/wallets/${COIN_WALLET_ID}/transfers`, body })],
      issuedAt: new Date(NOW_MS).toISOString(),
      notAfter: new Date(NOW_MS + 60_000).toISOString(),
    };
  };

  async function adoptCoins() {
    const { signer, charter, adopt } = office;
    key = await signer.createKey(keyOrder('key-coins'));
    const address = coins.addressOf(key.publicKeyHex);
    const wallet = { id: COIN_WALLET_ID, keyId: 'key-coins', network: COIN_NETWORK, address, tags: [] };
    const whitelist = policy({ kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } });
    await adopt({ ...charter, wallets: [...charter.wallets, wallet], policies: [whitelist] });
  }

  test('a PSBT is held even if it pays only the sender', async () => {
    await adoptCoins();
    const { publicKeyHex } = key;
    const psbt = psbtFor(COIN_NETWORK, publicKeyHex, { pay: [] });
    const { address, recipients, amountUnits } = utxoDecoderOf(COIN_NETWORK).effectOf(psbt, { publicKeyHex });
    expect(recipients).toEqual([address]);
    const said = { path: `/wallets/${COIN_WALLET_ID}/transactions`, body: JSON.stringify({ kind: 'Psbt', psbt }) };
    const order = {
      ...paying('txn-1', undefined),
      intent: { from: address, to: address, amountUnits: String(amountUnits), callDigest: digestOf({ psbtHex: psbt }) },
      bytesHex: psbt,
      evidence: [actionOf('Initiator', office.people.ada, said)],
    };
    await expect(office.signer.signUtxo(order)).rejects.toEqual(refusedAs('ApprovalMissing'));
  });

  test('coins may go back to the sender, and otherwise only to listed recipients', async () => {
    await adoptCoins();
    const { signer } = office;
    await expect(signer.signUtxo(paying('xfr-friend', FRIEND))).rejects.toEqual(refusedAs('ApprovalMissing'));
    // The order must not state the sender as the recipient instead of the true recipient.
    const { bytesHex } = paying('xfr-friend', FRIEND);
    await expect(signer.signUtxo({ ...paying('xfr-self', undefined), bytesHex })).rejects.toEqual(refusedAs('RecipientMismatch'));
    await expect(signer.signUtxo(paying('xfr-self', undefined))).resolves.toBeDefined();
  });

  test('a payment in ether to the sender is held like any other payment', async () => {
    const { signer, people, transfer, adopt, charter, keys } = office;
    const whitelist = policy({ kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } });
    await adopt({ ...charter, policies: [whitelist] });
    const { from } = transfer(people.ada).intent;
    const order = orderFor(keys.free, 'xfr-self', { nonce: 500, intent: { to: from } });
    const body = JSON.stringify({ kind: 'Native', to: from, amount: order.intent.amountUnits });
    const evidence = [actionOf('Initiator', people.ada, { path: `/wallets/${WALLET_ID}/transfers`, body })];
    await expect(signer.signTransfer({ ...order, evidence })).rejects.toEqual(refusedAs('ApprovalMissing'));
  });
});

test('a fee sponsor that is not in the charter is refused as NotInCharter', async () => {
  const { signer, people, charter, adopt, next, keys } = office;
  await adopt();
  const sponsor = codec.addressOf(keys.held.publicKeyHex);
  const plain = orderFor(keys.free, 'xfr-sponsored', { nonce: 600 });
  const { from: sender, to, amountUnits } = plain.intent;
  const calls = [{ to, valueUnits: amountUnits, dataHex: '0x' }];
  const operation = { sender, nonce: 600n << 64n, calls, verificationGas: 1n, callGas: 1n };
  const { unsigned } = codec.buildSponsored({ operation, sponsor, authorizationNonce: 600 }, 600, FEES);
  const body = JSON.stringify({ kind: 'Native', to, amount: amountUnits, feeSponsorId: 'fs-1' });
  const order = {
    ...{ ...plain, bytesHex: unsigned.bytesHex, sponsor, part: 'Operation' as const },
    evidence: [actionOf('Initiator', people.ada, { path: `/wallets/${WALLET_ID}/transfers`, body })],
  };
  await expect(signer.signSponsored(order)).rejects.toEqual(refusedAs('NotInCharter'));
  const feeSponsors = [{ id: 'fs-1', walletId: HELD_WALLET_ID }];
  await adopt(next({ feeSponsors, policies: [], wallets: charter.wallets }));
  await expect(signer.signSponsored({ ...order, sponsor: to })).rejects.toBeDefined();
  await expect(signer.signSponsored(order)).resolves.toBeDefined();
});
