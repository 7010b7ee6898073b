import {
  ANSWERABLE_STATES,
  assertMove,
  STATUS_OF,
  TRANSFER_ENDS,
  TRANSFER_FAILURES,
  TRANSFER_MOVES,
  TRANSFER_STATES,
  type TransferState,
} from '../../domain/transfers';

/** This list repeats the table on purpose. A row may move from the left state to the right state, and nowhere else. */
const LEGAL = [
  'Requested > AwaitingApproval',
  'Requested > Approved',
  'Requested > Rejected',
  'Requested > Failed',
  'AwaitingApproval > Approved',
  'AwaitingApproval > Rejected',
  'AwaitingApproval > Failed',
  'Approved > AwaitingApproval',
  'Approved > Signing',
  'Approved > Rejected',
  'Approved > Failed',
  'Signing > Signed',
  'Signing > Failed',
  'Signing > Rejected',
  'Signed > Broadcasted',
  'Signed > Confirmed',
  'Signed > Failed',
  'Broadcasted > Confirmed',
  'Broadcasted > Failed',
];
const PAIRS = TRANSFER_STATES.flatMap((from) => TRANSFER_STATES.map((to) => [from, to] as const));

test.each(PAIRS)('a transfer moves from %s to %s only if the list has the move', (from, to) => {
  const move = () => assertMove(from, to);
  if (LEGAL.includes(`${from} > ${to}`)) expect(move).not.toThrow();
  else expect(move).toThrow(expect.objectContaining({ code: 'WrongState', status: 409 }));
});

const reachable = (from: TransferState): ReadonlySet<TransferState> => {
  const seen = new Set<TransferState>();
  const visit = (state: TransferState) => {
    if (seen.has(state)) return;
    seen.add(state);
    TRANSFER_MOVES[state].forEach(visit);
  };
  visit(from);
  return seen;
};

test('every state is reached from Requested', () => {
  expect([...reachable('Requested')].sort()).toEqual([...TRANSFER_STATES].sort());
});

test('no move leaves an end state, and every other state may fail', () => {
  const ends = TRANSFER_STATES.filter((state) => TRANSFER_MOVES[state].length === 0);
  expect(ends).toEqual(['Confirmed', 'Failed', 'Rejected']);
  expect(TRANSFER_ENDS).toEqual(ends);
  expect(TRANSFER_FAILURES).toEqual(['Failed', 'Rejected']);
  for (const state of TRANSFER_STATES.filter((one) => !ends.includes(one))) expect(TRANSFER_MOVES[state]).toContain('Failed');
});

test('from Signing on, no transfer returns to a state in which people or policies decide', () => {
  for (const state of ['Signing', 'Signed', 'Broadcasted'] as const) {
    for (const early of ['Requested', 'AwaitingApproval', 'Approved'] as const) {
      expect(reachable(state)).not.toContain(early);
    }
  }
});

test('a signed transfer is never rejected', () => {
  for (const state of ['Signed', 'Broadcasted'] as const) expect(reachable(state)).not.toContain('Rejected');
});

test('each state is shown as exactly one status of the interface', () => {
  expect(STATUS_OF).toEqual({
    Requested: 'Pending',
    AwaitingApproval: 'Pending',
    Approved: 'Executing',
    Signing: 'Executing',
    Signed: 'Executing',
    Broadcasted: 'Broadcasted',
    Confirmed: 'Confirmed',
    Failed: 'Failed',
    Rejected: 'Rejected',
  });
});

test('a POST returns when people must act, when the transfer is broadcast, or when the transfer has ended', () => {
  const working = TRANSFER_STATES.filter((state) => !ANSWERABLE_STATES.includes(state));
  expect(working).toEqual(['Requested', 'Approved', 'Signing', 'Signed']);
});
