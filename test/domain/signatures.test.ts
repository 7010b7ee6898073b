import {
  assertSignatureMove,
  SIGNATURE_ANSWERABLE,
  SIGNATURE_DONE,
  SIGNATURE_ENDS,
  SIGNATURE_FAILURES,
  SIGNATURE_MOVES,
  SIGNATURE_STATES,
  SIGNATURE_STATUS_OF,
  type SignatureState,
} from '../../domain/signatures';

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
  'Signed > Confirmed',
];
const PAIRS = SIGNATURE_STATES.flatMap((from) => SIGNATURE_STATES.map((to) => [from, to] as const));

test.each(PAIRS)('a request moves from %s to %s only if the list has the move', (from, to) => {
  const move = () => assertSignatureMove(from, to);
  if (LEGAL.includes(`${from} > ${to}`)) expect(move).not.toThrow();
  else expect(move).toThrow(expect.objectContaining({ code: 'WrongState', status: 409 }));
});

const reachable = (from: SignatureState): ReadonlySet<SignatureState> => {
  const seen = new Set<SignatureState>();
  const visit = (state: SignatureState) => {
    if (seen.has(state)) return;
    seen.add(state);
    SIGNATURE_MOVES[state].forEach(visit);
  };
  visit(from);
  return seen;
};

test('every state is reached from Requested', () => {
  expect([...reachable('Requested')].sort()).toEqual([...SIGNATURE_STATES].sort());
});

test('no move leaves an end state, and every unsigned state may fail', () => {
  expect(SIGNATURE_STATES.filter((state) => SIGNATURE_MOVES[state].length === 0)).toEqual(['Confirmed', 'Failed', 'Rejected']);
  expect(SIGNATURE_ENDS).toEqual(['Confirmed', 'Failed', 'Rejected']);
  expect(SIGNATURE_DONE).toEqual(['Signed', 'Confirmed', 'Failed', 'Rejected']);
  expect(SIGNATURE_FAILURES).toEqual(['Failed', 'Rejected']);
  for (const state of ['Requested', 'AwaitingApproval', 'Approved', 'Signing'] as const) {
    expect(SIGNATURE_MOVES[state]).toContain('Failed');
  }
});

test('a signed request never becomes Failed or Rejected', () => {
  for (const end of ['Failed', 'Rejected'] as const) expect(reachable('Signed')).not.toContain(end);
});

test('from Signing on, no request returns to a state in which people or policies decide', () => {
  for (const state of ['Signing', 'Signed', 'Confirmed'] as const) {
    for (const early of ['Requested', 'AwaitingApproval', 'Approved'] as const) {
      expect(reachable(state)).not.toContain(early);
    }
  }
});

test('each state is shown as exactly one status of the interface', () => {
  expect(SIGNATURE_STATUS_OF).toEqual({
    Requested: 'Pending',
    AwaitingApproval: 'Pending',
    Approved: 'Executing',
    Signing: 'Executing',
    Signed: 'Signed',
    Confirmed: 'Confirmed',
    Failed: 'Failed',
    Rejected: 'Rejected',
  });
});

test('a POST returns when people must act, when a signature exists, or when the request has ended', () => {
  const working = SIGNATURE_STATES.filter((state) => !SIGNATURE_ANSWERABLE.includes(state));
  expect(working).toEqual(['Requested', 'Approved', 'Signing']);
});
