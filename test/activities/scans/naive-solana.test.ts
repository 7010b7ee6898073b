import { expectAgreement } from '../../support/naive/comparison';
import { compareOnSolana } from '../../support/naive/solana-comparison';

jest.setTimeout(300_000);
const TRANSACTIONS = 60;
const seed = Number(process.env['NAIVE_SEED'] ?? 20_261_130);

test(`after ${TRANSACTIONS} random transactions of Solana the scanner agrees with a naive indexer (NAIVE_SEED=${seed})`, async () => {
  const compared = await compareOnSolana(seed, TRANSACTIONS);
  expectAgreement(compared);
  for (const kind of ['NativeTransfer', 'SplTransfer', 'Spl2022Transfer', '"isReverted":true'])
    expect(compared.naive.filter((line) => line.includes(kind)).length).toBeGreaterThan(0);
});
