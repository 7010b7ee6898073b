import { inFamily } from '../../chains/families';
import { assertChainIds, networkOf } from '../../chains/networks';
import { createReaders } from '../../chains/readers';
import { byMethod, refusal, result, startFakeNode, text } from './rpc/fake-node';

const ADDRESS = 'tb1q0xcqpzrky6eff2g52qdye53xkk9jxkvraulyla';
const SIGNET = '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6';
const ANSWERS = {
  getblockhash: result(SIGNET),
  decodescript: result({ address: ADDRESS }),
  getaddressinfo: result({ labels: [] }),
  getwalletinfo: result({ descriptors: true }),
  getdescriptorinfo: result({ descriptor: 'raw(00)#0' }),
};

test('no request is sent to a node on another chain, even if that node is slow', async () => {
  const nodes = await Promise.all([
    startFakeNode(byMethod({ ...ANSWERS, importdescriptors: text(503, 'busy') })),
    startFakeNode(byMethod({ ...ANSWERS, getblockhash: result('00'.repeat(32)), importdescriptors: refusal(-1, 'not mine') })),
  ]);
  try {
    const reader = inFamily('utxo', createReaders({ BitcoinSignet: nodes.map(({ url }) => url) })('BitcoinSignet'));
    await expect(reader.nativeBalance(ADDRESS)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    expect(nodes.map(({ asked }) => asked.some(({ method }) => method === 'importdescriptors'))).toEqual([true, false]);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
});

describe('chains that share their first block', () => {
  const GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
  /** The first blocks after each chain split, from the checkpoints of libbitcoin. */
  const BLOCKS = {
    Bitcoin: { 478559: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
    BitcoinCash: {
      478559: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec',
      661648: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce',
    },
    BitcoinSv: { 478559: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec' },
  };
  const nodeOf = (chain: keyof typeof BLOCKS) =>
    startFakeNode((question, response) => {
      const hashes: Readonly<Record<string, string>> = { 0: GENESIS, ...BLOCKS[chain] };
      result(hashes[String(question.params[0])] ?? '11'.repeat(32))(question, response);
    });

  test.each([
    ['Bitcoin', 'Bitcoin', true],
    ['Bitcoin', 'BitcoinCash', false],
    ['BitcoinCash', 'BitcoinCash', true],
    ['BitcoinCash', 'Bitcoin', false],
    ['BitcoinCash', 'BitcoinSv', false],
  ] as const)('%s on a node of %s is served: %s', async (name, chain, isServed) => {
    const node = await nodeOf(chain);
    try {
      const checked = assertChainIds([networkOf(name)], createReaders({ [name]: [node.url] }));
      if (isServed) await expect(checked).resolves.toBeUndefined();
      else await expect(checked).rejects.toMatchObject({ code: 'NetworkNotEnabled' });
    } finally {
      await node.stop();
    }
  });
});
