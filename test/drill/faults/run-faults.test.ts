import { none } from '../../../drill/faults/fault';
import { FAULTS } from '../../../drill/faults/run-faults';

test("every fault in a process's environment has a unique name and describes what the drill does", () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  expect(FAULTS.filter(({ done }) => done.length < 20)).toEqual([]);
});

test('the fault that starts every process twice comes last, because the second processes keep running', () => {
  expect(FAULTS.at(-1)?.name).toBe('two of each');
});

test('a requirement without objections counts as met, and an unmet requirement reports the first three objections', () => {
  expect(none('it holds', [])).toEqual({ had: 'it holds', seen: true });
  expect(none('it holds', ['a', 'b', 'c', 'd'])).toEqual({ had: 'it holds', seen: false, note: 'a; b; c' });
});
