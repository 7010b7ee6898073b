import { median, percentile } from '../../bench/percentiles';

const HUNDRED = Array.from({ length: 100 }, (_, index) => index + 1);

test('a percentile is one of the samples, whatever their order', () => {
  expect([percentile(HUNDRED, 0.5), percentile([...HUNDRED].reverse(), 0.99), percentile([7], 0.99)]).toEqual([50, 99, 7]);
});

test('the median of an even number of samples lies between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([5])]).toEqual([2, 2.5, 5]);
});

test('without samples, the percentile and the median are zero', () => {
  expect([percentile([], 0.99), median([])]).toEqual([0, 0]);
});
