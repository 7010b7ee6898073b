import { coinSelection } from '../../bench/coin-selection';
import { gapsIn } from '../../bench/lane-load';

test('a nonce that no block holds is a gap, wherever the run began', () => {
  expect([gapsIn([]), gapsIn([0, 1, 2]), gapsIn([7, 9, 8]), gapsIn([7, 9]), gapsIn([0, 4])]).toEqual([0, 0, 0, 1, 3]);
});

test('the figures of coin selection have the outcomes that they name', () => {
  expect(coinSelection().map(({ note }) => note)).toEqual(['3 inputs', '50 inputs', 'TooManyCoins']);
});
