import { type Evidence, violationsOf } from '../../../drill/chaos/invariants';
import { VAULT_RECORDS } from '../../support/vault-records';

const REQUESTED = 'wallet.transfer.requested';
const FAILED = 'wallet.transfer.failed';
const CONFIRMED = [REQUESTED, 'wallet.transfer.broadcasted', 'wallet.transfer.confirmed'];
const moments = (transferId: string, kinds: readonly string[]) =>
  kinds.map((kind, index) => ({ transferId, kind, version: index + 1 }));
const order = (externalId: string, to: string) => ({ externalId, network: 'EthereumSepolia', from: 'w', to, amountUnits: 10n });

const OUT = { address: 'w', direction: 'Out', status: 'Confirmed', txHash: '0x1', amountUnits: 10n };
const IN = { ...OUT, address: 'r1', direction: 'In' };
const historiesOf = (...moved: readonly (typeof OUT)[]) => ({ histories: { ...HOLDS.histories, moved } });

/** Two orders of one wallet: the first was carried out for a fee of 1, the second failed before anything was signed. */
const HOLDS: Evidence = {
  ordered: [order('a', 'r1'), order('b', 'r2')],
  told: [
    { externalId: 'a', id: 'x1', state: 'Confirmed', feeUnits: 1n, txHash: '0x1' },
    { externalId: 'b', id: 'x2', state: 'Failed', feeUnits: 0n, txHash: null },
  ],
  paid: new Map([
    ['r1', [10n]],
    ['r2', []],
  ]),
  purses: [
    { network: 'EthereumSepolia', address: 'w', fundedUnits: 100n, balanceUnits: 89n, nonces: [0], feesUnits: 1n },
    { network: 'BitcoinSignet', address: 'v', fundedUnits: 5n, balanceUnits: 5n, nonces: undefined, feesUnits: undefined },
  ],
  events: [...moments('x1', CONFIRMED), ...moments('x2', [REQUESTED, FAILED])],
  arrived: [...moments('x1', CONFIRMED), ...moments('x1', CONFIRMED), ...moments('x2', [REQUESTED, FAILED])],
  unrelayed: [],
  openClaims: [],
  eventIds: ['ev-1', 'ev-2'],
  histories: { moved: [OUT, IN], watched: new Set(['r1', 'r2']) },
  offline: VAULT_RECORDS,
  feed: { eventIds: ['ev-1', 'ev-2'], fault: undefined },
};
const group = (row: Evidence['offline']['groups'][number] | undefined, changes: object) =>
  ({ ...(row as never as object), ...changes }) as never;
const inVault = (changes: Partial<Evidence['offline']>) => ({ offline: { ...VAULT_RECORDS, ...changes } });
const [CEREMONY, SIGNING] = VAULT_RECORDS.groups;
const purse = { network: 'EthereumSepolia', address: 'w', fundedUnits: 100n, balanceUnits: 89n, nonces: [0], feesUnits: 1n };

test('consistent evidence has no violation, even if an event arrived twice', () => {
  expect(violationsOf(HOLDS)).toEqual([]);
});

test.each<[string, Partial<Evidence>, RegExp]>([
  ['an event that the feed lacks', { feed: { eventIds: ['ev-2'], fault: undefined } }, /the feed lacks the event ev-1/],
  [
    'an event twice in the feed',
    { feed: { eventIds: ['ev-1', 'ev-2', 'ev-1'], fault: undefined } },
    /the feed has 1 events twice/,
  ],
  ['a broken feed', { feed: { ...HOLDS.feed, fault: 'the event 2 of the feed: Gap' } }, /reader of the feed found: the event 2/],
  ['a history without the payment of its sender', historiesOf(IN), /a: the history of its sender has \[\]/],
  ['a payment twice in the history of its sender', historiesOf(OUT, OUT, IN), /sender has \[Confirmed 10,Confirmed 10\]/],
  ['a history that is not final', historiesOf({ ...OUT, status: 'Included' }, IN), /sender has \[Included 10\] instead/],
  ['a watched recipient without the payment', historiesOf(OUT), /a: the history of its watched recipient has \[\]/],
  ['a watched recipient with another amount', historiesOf(OUT, { ...IN, amountUnits: 9n }), /recipient has \[Confirmed 9\]/],
  [
    'a payment in a history for a transfer that failed',
    historiesOf(OUT, IN, { ...IN, address: 'r2', txHash: '0x2' }),
    /b: the history of its watched recipient has \[Confirmed 10\] instead of \[\]/,
  ],
  ['an order without a row', { told: HOLDS.told.slice(0, 1), events: moments('x1', CONFIRMED) }, /b: 0 transfers instead of one/],
  [
    'two rows of one order',
    { told: [...HOLDS.told, { externalId: 'b', id: 'x2', state: 'Failed', feeUnits: 0n, txHash: null }] },
    /b: 2 transfers/,
  ],
  [
    'a transfer that never ended',
    { told: [{ externalId: 'a', id: 'x1', state: 'Broadcasted', feeUnits: 1n, txHash: '0x1' }, ...HOLDS.told.slice(1)] },
    /a \(x1\) is Broadcasted at the end/,
  ],
  ['a second payment', { paid: new Map([['r1', [10n, 10n]]]) }, /the chain paid \[10, 10\] instead of \[10\]/],
  ['a confirmed transfer without a payment', { paid: new Map() }, /a is Confirmed and the chain paid \[\]/],
  ['another amount', { paid: new Map([['r1', [11n]]]) }, /paid \[11\] instead of \[10\]/],
  [
    'a failed transfer with a payment',
    { paid: new Map([...HOLDS.paid, ['r2', [10n]]]) },
    /b is Failed and the chain paid \[10\]/,
  ],
  ['a nonce that is missing', { purses: [{ ...purse, nonces: [0, 2] }] }, /nonce 1 is missing or used twice among 2/],
  ['a nonce that comes twice', { purses: [{ ...purse, nonces: [0, 0] }] }, /nonce 1 is missing or used twice among 2/],
  ['a balance that is too low', { purses: [{ ...purse, balanceUnits: 88n }] }, /w holds 88 instead of 89/],
  [
    'a fee that the service did not report',
    { purses: [{ ...purse, feesUnits: 2n, balanceUnits: 88n }] },
    /took 2 as fees, the service says 1/,
  ],
  [
    'a missing event',
    { events: [...moments('x1', CONFIRMED.slice(0, 2)), ...moments('x2', [REQUESTED, FAILED])] },
    /x1 is Confirmed without exactly one wallet.transfer.confirmed/,
  ],
  [
    'events in another order',
    {
      events: [...moments('x1', [...CONFIRMED].reverse()), ...moments('x2', [REQUESTED, FAILED])],
      arrived: [...moments('x1', [...CONFIRMED].reverse()), ...HOLDS.arrived],
    },
    /x1: its events are in the order/,
  ],
  ['an event that was not delivered', { arrived: HOLDS.arrived.slice(6) }, /x1: wallet.transfer.requested never arrived/],
  ['a row that was not relayed', { unrelayed: ['x1'] }, /x1 has outbox rows/],
  ['a group that is open', inVault({ groups: [group(SIGNING, { status: 'Initialized' })] }), /fg-2 is open at the end/],
  ['two accepted outputs', inVault({ groups: [group(SIGNING, { outputs: 'Accepted Accepted' })] }), /fg-2 is Approved with 1/],
  ['an approval without an output', inVault({ groups: [group(SIGNING, { outputs: 'Refused' })] }), /the outputs: Refused/],
  [
    'an output that is never verified',
    inVault({ groups: [group(CEREMONY, { outputs: 'Accepted Checking' })] }),
    /fg-1 is Approved/,
  ],
  [
    'two archives of a group',
    inVault({ sealed: [...VAULT_RECORDS.sealed, ...VAULT_RECORDS.sealed] }),
    /fg-1 is Approved with 2 archives/,
  ],
  [
    'signatures that two groups brought',
    inVault({ requests: VAULT_RECORDS.requests.map((row) => ({ ...row, operations: 'fg-2 Approved, fg-3 Approved' })) }),
    /x1 was signed in fg-2 Approved, fg-3 Approved instead of fg-2/,
  ],
  [
    'a second vouch',
    inVault({ vouched: [...VAULT_RECORDS.vouched, ...VAULT_RECORDS.vouched] }),
    /x1: vouches in the journal: 2 instead of 1/,
  ],
  [
    'a key that the journal does not know',
    inVault({ assigned: [] }),
    /the offline store: assigned keys: none instead of|: assigned/,
  ],
  ['a claim that stays open', { openClaims: ['x2'] }, /x2 has a claim that is open/],
])('%s is a violation', (_, planted, words) => {
  expect(violationsOf({ ...HOLDS, ...planted }).join('\n')).toMatch(words);
});
