import { mintIn } from '../../../chains/solana/accounts';
import { withheldOf } from '../../../domain/token-transfer-fee';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** The data of a mint. Before epoch 9 the fee is 1 % and at most 500; from epoch 9 on the fee is 2 % and at most 60. */
function taxedMint(): Uint8Array {
  const data = Buffer.alloc(166 + 4 + 108);
  data.writeUInt8(6, 44);
  data.writeUInt8(1, 45);
  data.writeUInt8(1, 165);
  data.writeUInt16LE(1, 166);
  data.writeUInt16LE(108, 168);
  const fee = data.subarray(170);
  fee.writeBigUInt64LE(500n, 80);
  fee.writeUInt16LE(100, 88);
  fee.writeBigUInt64LE(9n, 90);
  fee.writeBigUInt64LE(60n, 98);
  fee.writeUInt16LE(200, 106);
  return data;
}

test.each([
  [8n, 1_000n, 10n],
  [8n, 1_001n, 11n],
  [8n, 1_000_000n, 500n],
  [9n, 1_000n, 20n],
  [9n, 1_000_000n, 60n],
])('in epoch %s a transfer of %s units withholds a fee of %s', (epoch, amount, withheld) => {
  const mint = mintIn({ lamports: 1n, owner: TOKEN_2022, data: taxedMint() }, epoch);
  expect(mint && withheldOf(mint, amount)).toBe(withheld);
});

test('a mint without the extension does not withhold a fee', () => {
  const mint = mintIn({ lamports: 1n, owner: TOKEN_2022, data: taxedMint().subarray(0, 82) }, 0n);
  expect(mint && withheldOf(mint, 1_000n)).toBe(0n);
});
