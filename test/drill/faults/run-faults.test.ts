import { none } from '../../../drill/faults/fault';
import { FAULTS } from '../../../drill/faults/run-faults';

test('every fault of the surroundings has a name of its own and says what is done', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  expect(FAULTS.filter(({ done }) => done.length < 20)).toEqual([]);
});

test('the fault that doubles each process comes last, because the doubles stay', () => {
  expect(FAULTS.at(-1)?.name).toBe('two of each');
});

test('a promise without an objection is seen, and a promise with many objections names the first three', () => {
  expect(none('it holds', [])).toEqual({ had: 'it holds', seen: true });
  expect(none('it holds', ['a', 'b', 'c', 'd'])).toEqual({ had: 'it holds', seen: false, note: 'a; b; c' });
});
