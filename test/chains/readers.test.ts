import { inFamily } from '../../chains/families';
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

test('what may take a node long is asked under the same conditions: never of a node of another chain', async () => {
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
