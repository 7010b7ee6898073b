import { expectAgreement } from '../../support/naive/comparison';
import { compareOnEvm } from '../../support/naive/evm-comparison';

jest.setTimeout(300_000);
const BLOCKS = 200;
const seed = Number(process.env['NAIVE_SEED'] ?? 20_261_130);

test(`on ${BLOCKS} random blocks of an EVM network the scanner agrees with a naive indexer (NAIVE_SEED=${seed})`, async () => {
  const compared = await compareOnEvm(seed, BLOCKS);
  expectAgreement(compared);
  // Otherwise the chain has become too tame to show anything.
  for (const kind of ['NativeTransfer', 'Erc20Transfer', 'Erc721Transfer', 'Erc7984Transfer', '"isReverted":true'])
    expect(compared.naive.filter((line) => line.includes(kind)).length).toBeGreaterThan(0);
});
