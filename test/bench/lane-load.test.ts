import { coinSelection } from '../../bench/coin-selection';
import { gapsIn } from '../../bench/lane-load';

test('a missing nonce is reported as a gap, whatever the first nonce of the run was', () => {
  expect([gapsIn([]), gapsIn([0, 1, 2]), gapsIn([7, 9, 8]), gapsIn([7, 9]), gapsIn([0, 4])]).toEqual([0, 0, 0, 1, 3]);
});

test('each figure on coin selection measures the outcome in its name', () => {
  expect(coinSelection().map(({ note }) => note)).toEqual(['3 inputs', '50 inputs', 'TooManyCoins']);
});
