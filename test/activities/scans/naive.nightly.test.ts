import { randomInt } from 'node:crypto';
import { compareOnBitcoin } from '../../support/naive/coin-comparison';
import { expectAgreement } from '../../support/naive/comparison';
import { compareOnEvm } from '../../support/naive/evm-comparison';
import { compareOnSolana } from '../../support/naive/solana-comparison';

jest.setTimeout(600_000);
const SEEDS = 1_000_000_000;
const first = Number(process.env['NAIVE_SEED'] ?? randomInt(SEEDS));
const seedsOf = (runs: number) => Array.from({ length: runs }, (_, at) => first + at);

// 10,000 blocks in total. Many short chains find more than one long chain: each has different accounts and different events.
test.each(seedsOf(50))(
  'on 200 random blocks of an EVM network the scanner agrees with a naive indexer (NAIVE_SEED=%i)',
  async (seed) => expectAgreement(await compareOnEvm(seed, 200)),
);

test.each(seedsOf(20))('on 60 random blocks of Bitcoin the scanner agrees with a naive indexer (NAIVE_SEED=%i)', async (seed) =>
  expectAgreement(await compareOnBitcoin(seed, 60)),
);

test.each(seedsOf(20))(
  'after 80 random transactions of Solana the scanner agrees with a naive indexer (NAIVE_SEED=%i)',
  async (seed) => expectAgreement(await compareOnSolana(seed, 80)),
);
