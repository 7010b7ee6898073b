import { compareOnBitcoin } from '../../support/naive/coin-comparison';
import { expectAgreement } from '../../support/naive/comparison';

jest.setTimeout(300_000);
const BLOCKS = 20;
const seed = Number(process.env['NAIVE_SEED'] ?? 20_261_130);

test(`on ${BLOCKS} random blocks of Bitcoin the scanner agrees with a naive indexer (NAIVE_SEED=${seed})`, async () => {
  const compared = await compareOnBitcoin(seed, BLOCKS);
  expectAgreement(compared);
  expect(compared.naive.length).toBeGreaterThan(BLOCKS);
});
