import { utxoCodecOf } from '../../../chains/codecs';
import { MINUTE_MS } from '../../../domain/durations';
import { signRequests } from '../../../offline-signer/signing/sign-requests';
import type { SignRequest } from '../../../platform/fleets/inputs';
import { keyHolder } from '../../signer/charters/chartered';
import { createDevice, inputOf, outcomesOf, VOUCHED_AT, vouched } from './fleet';
import { asked, charter, type evidenceFor, HELD, held, people, storeCharter } from './office';
import { coinPayment, evmPayment } from './payments';

const { ada, ben, cyd } = people;
const RULES = {
  v: 1,
  requireCharter: true,
  confirmAllAtOnce: false,
  messages: false,
  networks: { EthereumSepolia: {} },
} as const;
const device = () => createDevice({ charter: charter() });
const run = async (requests: readonly SignRequest[], on = device()) => outcomesOf(await signRequests(inputOf(requests), on));
const one = async (payment: ReturnType<typeof evmPayment>, on = device()) => (await run([vouched(payment)], on))[0];

describe('under a charter', () => {
  test('a payment that a member asked for is signed', async () => {
    const on = device();
    expect(await one(asked(evmPayment('xfr-1')), on)).toBe('signed');
    expect(on.shown.pages[0]).toEqual(expect.arrayContaining([`Asked for by: ${ada.userId}`]));
  });

  test('a held payment is signed with the votes that the charter demands', async () => {
    const on = device();
    expect(await one(held('xfr-1', { voters: [ben, cyd] }), on)).toBe('signed');
    expect(on.shown.pages[0]).toEqual(
      expect.arrayContaining([`Approved by: ${ben.userId}, ${cyd.userId}`, 'Policy "Two officers" demands 2 approvals']),
    );
  });

  test('a policy about key stores is judged by the store of the device', async () => {
    const { storeId } = inputOf([]);
    const under = (filter: Parameters<typeof storeCharter>[0]) =>
      one(asked(evmPayment('xfr-1')), createDevice({ charter: storeCharter(filter) }));
    expect(await under({ notIn: [storeId] })).toBe('signed');
    expect(await under({ notIn: ['software'] })).toBe('PolicyBlocked');
    expect(await under({ in: ['software'] })).toBe('signed');
    expect(await under({ in: [storeId] })).toBe('PolicyBlocked');
  });

  test.each([
    ['without evidence', 'InitiatorMissing', () => evmPayment('xfr-1')],
    ['without an approval', 'ApprovalMissing', () => held('xfr-1')],
    ['with one vote of two', 'VotesMissing', () => held('xfr-1', { voters: [ben] })],
    ['with one person voting twice', 'VotesMissing', () => held('xfr-1', { voters: [ben, ben] })],
    ['with a vote of the requester', 'VotesMissing', () => held('xfr-1', { voters: [ada, ben] })],
    ['of a stranger', 'NotInCharter', () => asked(evmPayment('xfr-1'), { by: keyHolder('eve') })],
    ['for another recipient', 'RequestMismatch', () => asked(evmPayment('xfr-1'), { body: { to: `0x${'11'.repeat(20)}` } })],
    ['for another amount', 'RequestMismatch', () => asked(evmPayment('xfr-1'), { body: { amount: '5' } })],
    ['for another wallet', 'RequestMismatch', () => asked(evmPayment('xfr-1'), { walletId: HELD })],
    [
      'with an approval of another amount',
      'ApprovalMismatch',
      () => held('xfr-1', { voters: [ben, cyd], seen: { amountUnits: '5' } }),
    ],
    [
      'with an approval of a lower fee',
      'ApprovalMismatch',
      () => held('xfr-1', { voters: [ben, cyd], seen: { feeCeilingUnits: '1' } }),
    ],
    ['without an anchor', 'ActionNotAnchored', () => asked(evmPayment('xfr-1'), { anchor: null })],
    [
      'with an anchor of another signer',
      'ActionNotAnchored',
      () => asked(evmPayment('xfr-1'), { anchor: `anchor1.other.1.${'A'.repeat(43)}` }),
    ],
  ])('a payment %s is not signed', async (_name, code, make) => {
    const on = device();
    expect(await one(make(), on)).toBe(code);
    expect(on.kept.size).toBe(0);
  });

  test('evidence of another request does not help', async () => {
    const other = held('xfr-2', { voters: [ben, cyd] });
    const payment = held('xfr-1');
    expect(await one({ ...payment, order: { ...payment.order, evidence: other.order['evidence'] } })).toBe('ApprovalMismatch');
  });

  test('a changed vote or request does not help', async () => {
    const payment = held('xfr-1', { voters: [ben, cyd] });
    const evidence = payment.order['evidence'] as ReturnType<typeof evidenceFor>;
    for (const at of evidence.keys()) {
      const changed = evidence.map((each, index) =>
        index === at && each.kind !== 'Approval' ? { ...each, nonce: Buffer.alloc(32, at).toString('base64url') } : each,
      );
      const code = await one({ ...payment, order: { ...payment.order, evidence: changed } });
      expect(code).toBe(
        { Initiator: 'ActionMismatch', Approval: 'signed', Approver: 'VotesMissing' }[evidence[at]?.kind ?? 'Approver'],
      );
    }
  });

  test('one signed action serves one payload, even with another nonce and request', async () => {
    const on = device();
    const payment = asked(evmPayment('xfr-1'));
    expect(await one(payment, on)).toBe('signed');
    const again = evmPayment('xfr-2', { nonce: 8 });
    expect(await one({ ...again, order: { ...again.order, evidence: payment.order['evidence'] } }, on)).toBe('ClaimTaken');
  });

  test('an old action is refused: a day at most, by the dates of anchor and vouch', async () => {
    const dayAgo = Date.parse(VOUCHED_AT) - 24 * 60 * MINUTE_MS;
    const at = (timeMs: number) => asked(evmPayment('xfr-1'), { anchor: ada.anchorAt(timeMs) });
    expect(await one(at(dayAgo - 1))).not.toBe('signed');
  });

  test('an order that only uses up a nonce of the charter needs no person', async () => {
    const payment = evmPayment('xfr-1');
    const { from } = payment.order['intent'] as { from: string };
    const on = device();
    expect(await one(evmPayment('xfr-1', { to: from, amountUnits: 0n }), on)).toBe('signed');
    expect(on.shown.pages[0]).toContain('Charter 3: the order moves nothing, so no person had to ask for it.');
  });

  test('a mainnet must be named by the charter', async () => {
    const wallets = charter().content.wallets.map((wallet) => ({ ...wallet, network: 'Ethereum' }));
    const onMainnet = (mainnets: { mainnets?: string[] }) => createDevice({ charter: charter({ ...mainnets, wallets }) });
    const payment = () => asked(evmPayment('xfr-1', { network: 'Ethereum' }));
    expect(await one(payment(), onMainnet({ mainnets: ['Ethereum'] }))).toBe('signed');
    expect(await one(payment(), onMainnet({ mainnets: ['Polygon'] }))).toBe('MainnetNotAllowed');
    expect(await one(payment(), onMainnet({}))).toBe('MainnetNotAllowed');
    expect(await one(payment(), createDevice())).toBe('MainnetNotAllowed');
  });

  test('an order for a test network never moves the coins of a mainnet wallet with the same key', async () => {
    const payment = coinPayment('xfr-1');
    const address = utxoCodecOf('Bitcoin').addressOf(payment.key.publicKey);
    const wallets = [{ id: 'wa-btc', keyId: 'key-1', network: 'Bitcoin', address, tags: [] }];
    expect(await one(asked(payment), createDevice({ charter: charter({ wallets }) }))).toBe('MainnetNotAllowed');
  });
});

describe('without a charter', () => {
  test('the screen says so, and the rules decide', async () => {
    const on = createDevice();
    expect(await one(asked(evmPayment('xfr-1')), on)).toBe('signed');
    expect(on.shown.pages[0]).toEqual(
      expect.arrayContaining([
        'No charter: only the signer vouches for what people approved.',
        `Asked for by: ${ada.userId} (not verified)`,
      ]),
    );
    expect(await one(asked(evmPayment('xfr-1')), createDevice({ rules: RULES }))).toBe('CharterRequired');
    expect(await one(asked(evmPayment('xfr-1')), createDevice({ rules: RULES, charter: charter() }))).toBe('signed');
  });
});
