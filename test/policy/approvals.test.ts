import fc from 'fast-check';
import type { ApprovalGroup, Vote, VoteValue } from '../../domain/approvals';
import type { GroupDefinition, PolicyInForce } from '../../domain/policies';
import {
  areAsked,
  areStillAsked,
  type Candidate,
  fixVoters,
  mayVote as mayVoteAt,
  voteOutcome as outcomeAt,
  standingsOf as standingsAt,
} from '../../policy/approvals';
import { askFor, BLOCK, somePolicy } from '../support/policies';

const NOW = new Date('2026-01-01T12:00:00.000Z');
const mayVote = (groups: readonly ApprovalGroup[], userId: string, value: VoteValue, now = NOW) =>
  mayVoteAt(groups, userId, value, now);
const outcomeOf = (groups: readonly ApprovalGroup[], votes: readonly Vote[], now = NOW) => outcomeAt(groups, votes, now);
const standingsOf = (groups: readonly ApprovalGroup[], votes: readonly Vote[], now = NOW) => standingsAt(groups, votes, now);

const person = (id: string, set: Partial<Candidate> = {}): Candidate => ({
  id,
  isRegistered: true,
  isServiceAccount: false,
  createdBy: null,
  isCooling: false,
  ...set,
});
const program = (id: string, createdBy: string | null): Candidate => person(id, { isServiceAccount: true, createdBy });
const employees = ['us-a', 'us-b', 'us-c', 'us-i'].map((id) => person(id));
const fix = (definition: GroupDefinition, people = employees) =>
  fixVoters([{ policyId: 'plc-1', definition }], people, 'us-i', NOW);
const group = (set: Partial<ApprovalGroup>): ApprovalGroup => ({
  policyId: 'plc-1',
  name: null,
  quorum: 1,
  voterIds: [],
  denierIds: [],
  ...set,
});
const vote = (userId: string, value: VoteValue): Vote => ({ userId, value });
const yes = (userId: string) => vote(userId, 'Approved');
const no = (userId: string) => vote(userId, 'Denied');

describe('voters', () => {
  test('if no approvers are listed, every employee who is registered at that time is a voter; the initiator may only deny', () => {
    const people = [...employees, person('us-invited', { isRegistered: false })];
    expect(fix({ quorum: 1, approvers: {} }, people)).toEqual([
      group({ voterIds: ['us-a', 'us-b', 'us-c'], denierIds: ['us-i'] }),
    ]);
  });

  test('the initiator may approve if the group allows this', () => {
    expect(fix({ quorum: 1, approvers: {}, initiatorCanApprove: true })).toMatchObject([
      { voterIds: ['us-a', 'us-b', 'us-c', 'us-i'], denierIds: [] },
    ]);
  });

  test('a named approver is one voter, even if the policy lists the person several times', () => {
    const [fixed] = fix({ quorum: 2, approvers: { userId: { in: ['us-a', 'us-a', 'us-a'] } } });
    expect(fixed?.voterIds).toEqual(['us-a']);
    expect(outcomeOf([fixed ?? group({})], [yes('us-a')])).toBe('Pending');
  });

  test('a named approver who is no longer active is not a voter', () => {
    expect(fix({ quorum: 1, approvers: { userId: { in: ['us-a', 'us-gone'] } } })).toMatchObject([{ voterIds: ['us-a'] }]);
  });

  test('a group with named approvers has no other voters', () => {
    const [fixed] = fix({ name: 'Finance', quorum: 1, approvers: { userId: { in: ['us-b'] } } });
    expect(fixed).toEqual(group({ name: 'Finance', voterIds: ['us-b'] }));
  });
});

describe('programs and newcomers (S10)', () => {
  const withProgram = [...employees, program('us-p', 'us-a')];
  const listed = ['us-a', 'us-b', 'us-c', 'us-i', 'us-p', 'us-q', 'us-r'];
  const everybody: GroupDefinition = { quorum: 2, approvers: { userId: { in: listed } }, serviceAccountsCanApprove: true };

  test('a program that is not named has no vote, even if the group lets programs approve', () => {
    const [fixed] = fix({ ...everybody, approvers: {} }, withProgram);
    expect(fixed).toMatchObject({ voterIds: ['us-a', 'us-b', 'us-c'], denierIds: ['us-i'] });
    const escalated = { ...everybody, approvers: { userId: { in: ['us-a'] } }, escalation: { afterMinutes: 5, approvers: {} } };
    expect(fix(escalated, withProgram)[0]?.escalation).toMatchObject({ voterIds: ['us-b', 'us-c'], denierIds: ['us-i'] });
  });

  test('a program has no vote if the group does not let programs approve', () => {
    expect(fix({ quorum: 1, approvers: {} }, withProgram)[0]?.voterIds).not.toContain('us-p');
    expect(fix({ quorum: 1, approvers: { userId: { in: ['us-p'] } } }, withProgram)[0]?.voterIds).toEqual([]);
  });

  test('the creator of a program may only deny a request of the program', () => {
    const [fixed] = fixVoters([{ policyId: 'plc-1', definition: everybody }], withProgram, 'us-a', NOW);
    expect(fixed).toMatchObject({ voterIds: ['us-b', 'us-c', 'us-i'], denierIds: ['us-a', 'us-p'] });
  });

  test('all programs of the initiator may only deny', () => {
    const people = [...employees, program('us-p', 'us-i'), program('us-q', 'us-i'), program('us-r', 'us-b')];
    expect(fix(everybody, people)[0]).toMatchObject({
      voterIds: ['us-a', 'us-b', 'us-c', 'us-r'],
      denierIds: ['us-i', 'us-p', 'us-q'],
    });
  });

  test("a person and the person's programs together give one approval", () => {
    const [fixed = group({})] = fix(everybody, withProgram);
    expect(fixed.hands).toEqual({ 'us-p': 'us-a' });
    expect(outcomeOf([fixed], [yes('us-a'), yes('us-p')])).toBe('Pending');
    expect(outcomeOf([fixed], [yes('us-a'), yes('us-p'), yes('us-b')])).toBe('Approved');
  });

  test('a group with only people has no member `hands`', () => {
    expect(fix({ quorum: 1, approvers: {} })[0]).not.toHaveProperty('hands');
  });

  test('a new voter may deny and not approve', () => {
    const people = [...employees, person('us-new', { isCooling: true })];
    const [fixed = group({})] = fix({ quorum: 1, approvers: { userId: { in: ['us-a', 'us-new'] } } }, people);
    expect(fixed).toMatchObject({ voterIds: ['us-a'], denierIds: ['us-new'], newIds: ['us-new'] });
    expect(mayVote([fixed], 'us-new', 'Approved')).toBe(false);
    expect(mayVote([fixed], 'us-new', 'Denied')).toBe(true);
  });
});

describe('who may vote', () => {
  const groups = [group({ voterIds: ['us-a'], denierIds: ['us-i'] }), group({ voterIds: ['us-b'] })];

  test.each<[string, VoteValue, boolean]>([
    ['us-a', 'Approved', true],
    ['us-a', 'Denied', true],
    ['us-b', 'Approved', true],
    ['us-i', 'Approved', false],
    ['us-i', 'Denied', true],
    ['us-x', 'Approved', false],
    ['us-x', 'Denied', false],
  ])('whether %s may vote %s: %s', (userId, value, expected) => {
    expect(mayVote(groups, userId, value)).toBe(expected);
  });
});

describe('outcome', () => {
  const two = [
    group({ name: 'Finance', quorum: 2, voterIds: ['us-a', 'us-b', 'us-c'] }),
    group({ quorum: 1, voterIds: ['us-c', 'us-d'] }),
  ];

  test('one approval less than the quorum leaves the outcome pending, and a quorum in every group approves the activity', () => {
    expect(outcomeOf(two, [])).toBe('Pending');
    expect(outcomeOf(two, [yes('us-a'), yes('us-b')])).toBe('Pending');
    expect(outcomeOf(two, [yes('us-a'), yes('us-b'), yes('us-d')])).toBe('Approved');
  });

  test('the vote of a user is included in each group that lists the user', () => {
    expect(outcomeOf(two, [yes('us-a'), yes('us-c')])).toBe('Approved');
  });

  test('one denial ends the approval, even by an initiator who may not approve', () => {
    expect(outcomeOf(two, [yes('us-a'), no('us-d')])).toBe('Denied');
    expect(outcomeOf([group({ voterIds: ['us-a'], denierIds: ['us-i'] })], [no('us-i')])).toBe('Denied');
  });

  test('the approval of an initiator who may only deny is ignored', () => {
    expect(outcomeOf([group({ voterIds: ['us-a'], denierIds: ['us-i'] })], [yes('us-i')])).toBe('Pending');
  });

  test('votes of people who are not listed are ignored', () => {
    expect(outcomeOf([group({ voterIds: ['us-a'] })], [yes('us-x'), no('us-y')])).toBe('Pending');
  });

  test('an approval whose quorum cannot be reached stays pending', () => {
    expect(outcomeOf([group({ quorum: 2, voterIds: ['us-a'] })], [yes('us-a')])).toBe('Pending');
  });

  test('without groups, nothing is approved', () => {
    expect(outcomeOf([], [])).toBe('Denied');
  });

  test('the number of approvals of each group is reported', () => {
    expect(standingsOf(two, [yes('us-a'), yes('us-x')])).toEqual([
      { name: 'Finance', quorum: 2, have: 1 },
      { name: null, quorum: 1, have: 0 },
    ]);
  });
});

describe('for any votes', () => {
  const userId = fc.constantFrom('us-a', 'us-b', 'us-c', 'us-d', 'us-x');
  const users = fc.uniqueArray(userId, { maxLength: 5 });
  const groups = fc.array(
    fc
      .record({ quorum: fc.integer({ min: 1, max: 4 }), voterIds: users, denierIds: users })
      .map(({ denierIds, ...rest }) => group({ ...rest, denierIds: denierIds.filter((id) => !rest.voterIds.includes(id)) })),
    { minLength: 1, maxLength: 4 },
  );
  const votes = fc.uniqueArray(fc.record({ userId, value: fc.constantFrom<VoteValue>('Approved', 'Denied') }), {
    selector: (one) => one.userId,
  });

  test('an approved outcome means that each group has a quorum of its own voters and that no listed person has denied', () => {
    fc.assert(
      fc.property(groups, votes, (someGroups, someVotes) => {
        fc.pre(outcomeOf(someGroups, someVotes) === 'Approved');
        for (const one of someGroups) {
          const approvals = someVotes.filter((v) => v.value === 'Approved' && one.voterIds.includes(v.userId));
          expect(approvals.length).toBeGreaterThanOrEqual(one.quorum);
          expect(someVotes.some((v) => v.value === 'Denied' && [...one.voterIds, ...one.denierIds].includes(v.userId))).toBe(
            false,
          );
        }
      }),
    );
  });

  test('the order of votes and groups changes nothing', () => {
    fc.assert(
      fc.property(groups, votes, (someGroups, someVotes) => {
        expect(outcomeOf([...someGroups].reverse(), [...someVotes].reverse())).toBe(outcomeOf(someGroups, someVotes));
      }),
    );
  });

  test('a further denial by a listed user always ends in a denial, and a further approval never does', () => {
    fc.assert(
      fc.property(groups, votes, userId, (someGroups, someVotes, someone) => {
        fc.pre(!someVotes.some((v) => v.userId === someone));
        const before = outcomeOf(someGroups, someVotes);
        if (mayVote(someGroups, someone, 'Denied')) expect(outcomeOf(someGroups, [...someVotes, no(someone)])).toBe('Denied');
        if (before !== 'Denied') expect(outcomeOf(someGroups, [...someVotes, yes(someone)])).not.toBe('Denied');
      }),
    );
  });

  test('a vote that may not be cast changes nothing', () => {
    fc.assert(
      fc.property(
        groups,
        votes,
        userId,
        fc.constantFrom<VoteValue>('Approved', 'Denied'),
        (someGroups, someVotes, someone, value) => {
          fc.pre(!someVotes.some((v) => v.userId === someone) && !mayVote(someGroups, someone, value));
          expect(outcomeOf(someGroups, [...someVotes, vote(someone, value)])).toBe(outcomeOf(someGroups, someVotes));
        },
      ),
    );
  });
});

describe('escalation', () => {
  const HOUR_LATER = new Date('2026-01-01T13:00:00.000Z');
  const JUST_BEFORE = new Date(HOUR_LATER.getTime() - 1);
  const escalated = (set: Partial<GroupDefinition> = {}) =>
    fix({
      quorum: 1,
      approvers: { userId: { in: ['us-a'] } },
      escalation: { afterMinutes: 60, approvers: { userId: { in: ['us-a', 'us-b', 'us-i'] } } },
      ...set,
    });

  test('fixes its voters when the approval is requested, and leaves out the voters of the group', () => {
    expect(escalated()).toEqual([
      group({
        voterIds: ['us-a'],
        escalation: { from: HOUR_LATER.toISOString(), voterIds: ['us-b'], denierIds: ['us-i'] },
      }),
    ]);
  });

  test('gives its voters a full vote from its time on, to the millisecond, and no vote before', () => {
    for (const value of ['Approved', 'Denied'] as const) {
      expect(mayVote(escalated(), 'us-b', value, JUST_BEFORE)).toBe(false);
      expect(mayVote(escalated(), 'us-b', value, HOUR_LATER)).toBe(true);
    }
    expect(mayVote(escalated(), 'us-i', 'Denied', JUST_BEFORE)).toBe(false);
    expect(mayVote(escalated(), 'us-i', 'Denied', HOUR_LATER)).toBe(true);
    expect(mayVote(escalated(), 'us-i', 'Approved', HOUR_LATER)).toBe(false);
  });

  test('a vote in another group is included in the escalated group only from the time of the escalation on', () => {
    const groups = [...escalated(), group({ voterIds: ['us-b'] })];
    expect(outcomeOf(groups, [yes('us-b')], JUST_BEFORE)).toBe('Pending');
    expect(outcomeOf(groups, [yes('us-b')], HOUR_LATER)).toBe('Approved');
    expect(standingsOf(groups, [yes('us-b')], JUST_BEFORE).map(({ have }) => have)).toEqual([0, 1]);
  });

  test("a person and the person's programs together give one approval, even if a program votes by the escalation", () => {
    const [fixed] = fix(
      {
        quorum: 2,
        approvers: { userId: { in: ['us-a'] } },
        serviceAccountsCanApprove: true,
        escalation: { afterMinutes: 60, approvers: { userId: { in: ['us-p'] } } },
      },
      [...employees, program('us-p', 'us-a')],
    );
    expect(standingsOf(fixed ? [fixed] : [], [yes('us-a'), yes('us-p')], HOUR_LATER)).toMatchObject([{ have: 1 }]);
  });
});

describe('groups of an open approval', () => {
  const asking = (groups: readonly GroupDefinition[], set: Partial<PolicyInForce> = {}) =>
    somePolicy('plc-1', { action: askFor(groups), ...set });
  const finance = { name: 'Finance', quorum: 2, approvers: {} };
  const nameless = { quorum: 1, approvers: {} };
  const held = [group({ name: 'Finance', quorum: 2 }), group({})];

  test('are still required if the policy still has as many groups of each name', () => {
    expect(areStillAsked(held, [asking([finance, nameless])])).toBe(true);
    expect(areStillAsked(held, [asking([nameless, { ...finance, quorum: 1 }, nameless])])).toBe(true);
  });

  test('are identified by their ids, even under new names', () => {
    const known = [group({ groupId: 'g1', name: 'Finance' }), group({ groupId: '#1' })];
    expect(
      areStillAsked(known, [
        asking([
          { ...finance, id: 'g1', name: 'Treasury' },
          { ...nameless, id: '#1' },
        ]),
      ]),
    ).toBe(true);
    expect(
      areStillAsked(known, [
        asking([
          { ...finance, id: 'g2' },
          { ...nameless, id: '#1' },
        ]),
      ]),
    ).toBe(false);
    expect(areStillAsked(known, [asking([{ ...finance, id: 'g1' }])])).toBe(false);
  });

  test.each<[string, PolicyInForce[]]>([
    ['the policy is archived', []],
    ['the policy is now in shadow mode', [asking([finance, nameless], { mode: 'Shadow' })]],
    ['the policy blocks instead', [asking([], { action: BLOCK })]],
    ['a named group is gone', [asking([nameless, nameless])]],
    ['one of the groups without a name is gone', [asking([finance])]],
    ['the groups belong to a different policy', [{ ...asking([finance, nameless]), id: 'plc-2' }]],
  ])('are no longer required if %s', (_what, inForce) => {
    expect(areStillAsked(held, inForce)).toBe(false);
  });
});

test.each<[string, boolean, Partial<ApprovalGroup>]>([
  ['without a change', true, {}],
  ['from an earlier release, without ids', true, { groupId: undefined as never }],
  ['with one vote more', true, { quorum: 3 }],
  ['with one vote fewer', false, { quorum: 1 }],
  ['with a stranger among the voters', false, { voterIds: ['us-a', 'us-x'] }],
  ['with the initiator among the voters', false, { voterIds: ['us-a', 'us-i'] }],
  ['with the id of a different group', false, { groupId: 'other' }],
  ['with the id of a different policy', false, { policyId: 'plc-2' }],
  ['with a stranger among the voters of an escalation', false, { escalation: { from: '', voterIds: ['us-x'], denierIds: [] } }],
  ['with the voters of the escalation', true, { escalation: { from: '', voterIds: ['us-c'], denierIds: [] } }],
])('groups %s satisfy the policies: %s', (_how, expected, set) => {
  const definition: GroupDefinition = {
    ...{ id: 'group', quorum: 2, approvers: { userId: { in: ['us-a', 'us-b', 'us-i'] } } },
    escalation: { afterMinutes: 1, approvers: { userId: { in: ['us-c'] } } },
  };
  const groups = fix(definition).map((one) => ({ ...one, ...set }));
  expect(areAsked(groups, [{ policyId: 'plc-1', definition }], 'us-i')).toBe(expected);
});
