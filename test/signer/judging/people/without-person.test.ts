import { digestOf } from '../../../../platform/canonical';
import type { Charter } from '../../../../signer/charters/charter';
import { type Chartered, HELD_WALLET_ID, openChartered, WALLET_ID } from '../../charters/chartered';
import { codec, FEES, orderFor, refusedAs, TO, TOKEN } from '../../fixtures';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

test('without a person’s request the signer only repeats a signed payment, or uses up a nonce', async () => {
  await office.adopt();
  const { signer, people, transfer, keys } = office;
  const first = transfer(people.ada);
  await signer.signTransfer(first);
  const { evidence: _none, ...bare } = first;
  const faster = { ...bare, requestId: 'xfr-faster', replaces: first.requestId };
  const fees = { gas: 60_000n, maxFeePerGas: 999_999_999n, maxPriorityFeePerGas: 999_999_999n };
  const { bytesHex } = orderFor(keys.free, 'x', { nonce: first.nonce, fees });
  await expect(signer.signTransfer({ ...faster, bytesHex })).resolves.toBeDefined();
  const other = orderFor(keys.free, 'x', { nonce: first.nonce, intent: { amountUnits: 1_001n } });
  await expect(signer.signTransfer({ ...other, requestId: 'xfr-more', replaces: first.requestId })).rejects.toEqual(
    refusedAs('InitiatorMissing'),
  );
  const self = { to: first.intent.from, amountUnits: 0n };
  await expect(signer.signTransfer(orderFor(keys.free, 'xfr-cancel', { nonce: 9_000, intent: self }))).resolves.toBeDefined();
  const one = orderFor(keys.free, 'xfr-one', { nonce: 9_001, intent: { ...self, amountUnits: 1n } });
  await expect(signer.signTransfer(one)).rejects.toEqual(refusedAs('InitiatorMissing'));
});

test('an order that uses up a nonce must go to the sender, without moving funds and without a call', async () => {
  await office.adopt();
  const { signer, keys } = office;
  const from = codec.addressOf(keys.free.publicKeyHex);
  const filler = (nonce: number, intent: object) =>
    orderFor(keys.free, `fill-${nonce}`, { nonce, intent: { to: from, amountUnits: 0n, ...intent } });
  const call = { type: 2 as const, to: from, valueUnits: '0', dataHex: '0x', accessList: [], authorizationList: [] };
  const raw = filler(9_013, {});
  const orders = [
    filler(9_010, { to: TO }),
    filler(9_011, { asset: { kind: 'Erc20', contract: TOKEN } }),
    { ...raw, intent: { ...raw.intent, callDigest: digestOf(call) }, bytesHex: codec.buildCall(call, 9_013, FEES).bytesHex },
  ];
  for (const order of orders) await expect(signer.signTransfer(order)).rejects.toEqual(refusedAs('InitiatorMissing'));
  await expect(signer.signTransfer(filler(9_014, {}))).resolves.toBeDefined();
});

test('a nonce is used up without a person only for a wallet of the charter', async () => {
  await office.adopt({ ...office.charter, wallets: office.charter.wallets.filter(({ id }) => id !== WALLET_ID) });
  const { from } = office.transfer(office.people.ada).intent;
  const filler = orderFor(office.keys.free, 'xfr-cancel', { nonce: 9_000, intent: { to: from, amountUnits: 0n } });
  await expect(office.signer.signTransfer(filler)).rejects.toEqual(refusedAs('InitiatorMissing'));
});

test('a nonce is used up without a person only at the address that the charter states', async () => {
  const wallets = office.charter.wallets.map((wallet) => (wallet.id === WALLET_ID ? { ...wallet, address: TO } : wallet));
  await office.adopt({ ...office.charter, wallets });
  const from = codec.addressOf(office.keys.free.publicKeyHex);
  const filler = orderFor(office.keys.free, 'xfr-cancel', { nonce: 9_000, intent: { to: from, amountUnits: 0n } });
  await expect(office.signer.signTransfer(filler)).rejects.toEqual(refusedAs('InitiatorMissing'));
});

describe('the sponsor completes what the sender has signed', () => {
  const sponsored = () => {
    const { people, keys, transfer } = office;
    const sponsor = codec.addressOf(keys.held.publicKeyHex);
    const { evidence, ...order } = transfer(people.ada, { body: { feeSponsorId: 'fs-1' } });
    const { from: sender, to, amountUnits } = order.intent;
    const calls = [{ to, valueUnits: amountUnits, dataHex: '0x' }];
    const operation = { sender, nonce: BigInt(order.nonce) << 64n, calls, verificationGas: 1n, callGas: 1n };
    const { unsigned } = codec.buildSponsored({ operation, sponsor, authorizationNonce: order.nonce }, order.nonce, FEES);
    const ofSender = { ...order, bytesHex: unsigned.bytesHex, sponsor, part: 'Operation' as const, evidence };
    return { ofSender, unsigned };
  };
  const feeSponsors = [{ id: 'fs-1', walletId: HELD_WALLET_ID }];
  const completed = async (changes: Partial<Charter>) => {
    const { signer, keys, next, charter, adopt } = office;
    await adopt({ ...charter, policies: [], feeSponsors });
    const { ofSender, unsigned } = sponsored();
    const { signatures } = await signer.signSponsored(ofSender);
    const { bytesHex } = codec.completeSponsored(
      unsigned,
      signatures.map(({ r, s, recoveryId = 0 }) => ({ r, s, recoveryId })),
    );
    const previous = signer.listCharters({}).charters[0]?.digest ?? null;
    await adopt(next({ policies: [], feeSponsors, ...changes, previous }));
    const { sealed, dek } = keys.held;
    return signer.signSponsored({ ...ofSender, keyId: sealed.keyId, sealed, dek, bytesHex, part: 'Transaction' });
  };
  const onHolesky = ({ charter }: Chartered) =>
    charter.wallets.map((one) => (one.id === HELD_WALLET_ID ? { ...one, network: 'EthereumHolesky' } : one));

  test('if the charter lists the sponsor', async () => {
    await expect(completed({})).resolves.toBeDefined();
  });

  test.each<[string, (of: Chartered) => Partial<Charter>]>([
    ['no fee sponsor', () => ({ feeSponsors: [] })],
    ['another wallet of the network', () => ({ feeSponsors: [{ id: 'fs-1', walletId: WALLET_ID }] })],
    ['the same address on another network', (of) => ({ wallets: onHolesky(of) })],
  ])('and not if the next charter contains %s', async (_what, changes) => {
    await expect(completed(changes(office))).rejects.toEqual(refusedAs('RequestMismatch'));
  });
});
