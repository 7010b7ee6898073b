import { inFamily } from '../../../../chains/families';
import { networkOf } from '../../../../chains/networks';
import { type Rpc, RpcError } from '../../../../chains/rpc/rpc';
import { createUtxoScanSource } from '../../../../chains/utxo/scan/scan-source';
import type { NetworkName } from '../../../../domain/networks';
import { hashTwice, makeBlock, makeHeader, makeReward } from '../../../support/raw-blocks';

const HEIGHT = 900_000;

/** A node whose newest block has the easiest work, on a parent whose header contains `bits`. */
function sourceOver(name: NetworkName, bits: number, isTrue = true) {
  const parent = makeHeader(Buffer.alloc(32, 2), Buffer.alloc(32, 3), bits, 0);
  const block = makeBlock([makeReward(HEIGHT, [])], { parent: hashTwice(parent) });
  const answers: Readonly<Record<string, unknown>> = {
    getblockhash: hashTwice(block.subarray(0, 80)).reverse().toString('hex'),
    getblock: block.toString('hex'),
    getblockheader: (isTrue ? parent : makeHeader(Buffer.alloc(32, 2), Buffer.alloc(32, 3), bits, 1)).toString('hex'),
  };
  const rpc: Rpc = async (method, _params, result) => {
    if (answers[method] === undefined) throw new RpcError(-5, 'not found');
    return result.parse(answers[method]);
  };
  return createUtxoScanSource(inFamily('utxo', networkOf(name)), rpc, [rpc]);
}

test.each([
  [0x2020_0000, 'less than four times as easy as its parent', true],
  [0x201f_ffff, 'more than four times as easy as its parent', false],
  [0x1703_4219, 'almost without work, on a parent of the year 2024', false],
])('on a main network, on a parent with the target %i, a block that is %s is read: %s', async (bits, _title, isRead) => {
  const block = sourceOver('Bitcoin', bits).block(HEIGHT);
  if (isRead) expect(await block).toMatchObject({ height: HEIGHT, proof: 'Root' });
  else await expect(block).rejects.toMatchObject({ code: 'NetworkUnavailable', message: expect.stringContaining('too easy') });
});

test('the parent header must be the one that the block refers to', async () => {
  await expect(sourceOver('Bitcoin', 0x2020_0000, false).block(HEIGHT)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

test('on a test network, a block may have any target', async () => {
  expect(await sourceOver('BitcoinTestnet4', 0x1703_4219).block(HEIGHT)).toMatchObject({ height: HEIGHT });
});
