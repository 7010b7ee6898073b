import fc from 'fast-check';
import type { ApprovalGroup, Vote, VoteValue } from '../../domain/approvals';
import type { GroupDefinition } from '../../domain/policies';
import { fixVoters, mayVote, outcomeOf, standingsOf } from '../../policy/approvals';

const employees = ['us-a', 'us-b', 'us-c', 'us-i'].map((id) => ({ id, isRegistered: true }));
const fix = (definition: GroupDefinition, people = employees) => fixVoters([{ policyId: 'plc-1', definition }], people, 'us-i');
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
  test('anyone in the organisation is every registered employee of the moment, the initiator only to deny', () => {
    const people = [...employees, { id: 'us-invited', isRegistered: false }];
    expect(fix({ quorum: 1, approvers: {} }, people)).toEqual([
      group({ voterIds: ['us-a', 'us-b', 'us-c'], denierIds: ['us-i'] }),
    ]);
  });

  test('the initiator may approve where the group says so', () => {
    expect(fix({ quorum: 1, approvers: {}, initiatorCanApprove: true })).toMatchObject([
      { voterIds: ['us-a', 'us-b', 'us-c', 'us-i'], denierIds: [] },
    ]);
  });

  test('a named approver counts once however often the policy names the person', () => {
    const [fixed] = fix({ quorum: 2, approvers: { userId: { in: ['us-a', 'us-a', 'us-a'] } } });
    expect(fixed?.voterIds).toEqual(['us-a']);
    expect(outcomeOf([fixed ?? group({})], [yes('us-a')])).toBe('Pending');
  });

  test('a named approver who is no longer active is not a voter', () => {
    expect(fix({ quorum: 1, approvers: { userId: { in: ['us-a', 'us-gone'] } } })).toMatchObject([{ voterIds: ['us-a'] }]);
  });

  test('nobody is added who is not named', () => {
    const [fixed] = fix({ name: 'Finance', quorum: 1, approvers: { userId: { in: ['us-b'] } } });
    expect(fixed).toEqual(group({ name: 'Finance', voterIds: ['us-b'] }));
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
  ])('%s %s: %s', (userId, value, expected) => {
    expect(mayVote(groups, userId, value)).toBe(expected);
  });
});

describe('outcome', () => {
  const two = [
    group({ name: 'Finance', quorum: 2, voterIds: ['us-a', 'us-b', 'us-c'] }),
    group({ quorum: 1, voterIds: ['us-c', 'us-d'] }),
  ];

  test('one approval less than a quorum is pending and the quorum in every group approves', () => {
    expect(outcomeOf(two, [])).toBe('Pending');
    expect(outcomeOf(two, [yes('us-a'), yes('us-b')])).toBe('Pending');
    expect(outcomeOf(two, [yes('us-a'), yes('us-b'), yes('us-d')])).toBe('Approved');
  });

  test('a user counts in each group that lists the user', () => {
    expect(outcomeOf(two, [yes('us-a'), yes('us-c')])).toBe('Approved');
  });

  test('one denial ends it, also by an initiator who may not approve', () => {
    expect(outcomeOf(two, [yes('us-a'), no('us-d')])).toBe('Denied');
    expect(outcomeOf([group({ voterIds: ['us-a'], denierIds: ['us-i'] })], [no('us-i')])).toBe('Denied');
  });

  test('the approval of an initiator who may only deny does not count', () => {
    expect(outcomeOf([group({ voterIds: ['us-a'], denierIds: ['us-i'] })], [yes('us-i')])).toBe('Pending');
  });

  test('votes of people who are not listed count for nothing', () => {
    expect(outcomeOf([group({ voterIds: ['us-a'] })], [yes('us-x'), no('us-y')])).toBe('Pending');
  });

  test('a quorum that nobody can reach stays pending', () => {
    expect(outcomeOf([group({ quorum: 2, voterIds: ['us-a'] })], [yes('us-a')])).toBe('Pending');
  });

  test('without groups nothing is approved', () => {
    expect(outcomeOf([], [])).toBe('Denied');
  });

  test('a group tells how many approvals it has', () => {
    expect(standingsOf(two, [yes('us-a'), yes('us-x')])).toEqual([
      { name: 'Finance', quorum: 2, have: 1 },
      { name: null, quorum: 1, have: 0 },
    ]);
  });
});

describe('whatever the votes', () => {
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

  test('approved means that each group has its quorum of its own voters and nobody listed denied', () => {
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

  test('a further denial by a listed user always ends in a denial, a further approval never does', () => {
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
