import { inFamily } from '../../../../chains/families';
import { createGateways } from '../../../../chains/gateways';
import { rpcOptionsOf } from '../../../../chains/network-settings';
import { networkOf } from '../../../../chains/networks';
import { createRpc } from '../../../../chains/rpc/rpc';
import type { ScannedBlock } from '../../../../chains/types';
import { createUtxoScanSource } from '../../../../chains/utxo/scan/scan-source';
import type { ChainMovement } from '../../../../domain/movements';
import { type Lie, startLyingNode } from '../../../../local/lying-node';
import { blockMovements, blockSignatures } from '../../../support/block-contents';
import { COIN_NETWORKS, startTestCoinChain, type TestCoinChain } from '../../../support/coin-chain';
import { createCoinKey, PAYMENT_FEE } from '../../../support/coin-payments';

jest.setTimeout(120_000);
const COIN = 100_000_000n;

describe.each(['bitcoin', 'litecoin', 'bitcoincash'] as const)('%s', (kind) => {
  const network = inFamily('utxo', networkOf(COIN_NETWORKS[kind]));
  let chain: TestCoinChain;
  beforeAll(async () => {
    chain = await startTestCoinChain(kind);
  }, 240_000);
  afterAll(() => chain?.close());

  const sourceOver = (...urls: string[]) => {
    const rpcOver = (some: readonly string[]) => createRpc(network.name, some, rpcOptionsOf(network, {}));
    return createUtxoScanSource(
      network,
      rpcOver(urls),
      urls.map((url) => rpcOver([url])),
    );
  };
  const newKey = () => createCoinKey(chain, network.name);

  async function newestBlock(...urls: string[]): Promise<ScannedBlock> {
    const source = sourceOver(...(urls.length === 0 ? [chain.url] : urls));
    const block = await source.block((await source.head()).height);
    if (block === undefined || block === 'Skipped') throw new Error('the newest block is there');
    return block;
  }

  async function movementsOf(block: ScannedBlock, ...addresses: readonly string[]): Promise<Partial<ChainMovement>[]> {
    const plain = new Set(addresses.map(sourceOver(chain.url).plain));
    const found = await blockMovements(block, (one) => plain.has(one));
    return found.map(({ txHash: _hash, place: _place, coins, ...told }) => ({
      ...told,
      ...(coins ? { coins: coins.map(({ amountUnits }) => ({ vout: expect.any(Number), amountUnits })) } : {}),
    }));
  }

  const common = { kind: 'UtxoTransfer', ordinal: 'value' } as const;
  const coinOf = (amountUnits: bigint) => [{ vout: expect.any(Number), amountUnits }];
  const between = (from: string, to: string) => ({ from, to, froms: [from], tos: [to] });

  test('a payment is one movement for the sender and one for the recipient; the sender’s movement contains the fee but not the change', async () => {
    const [from, to] = [newKey(), newKey()];
    await from.receive('1');
    await chain.call('strongroom_mine', 1);
    const [funded] = await movementsOf(await newestBlock(), from.address);
    expect(funded).toMatchObject({ ...common, address: from.address, direction: 'In', to: from.address, amountUnits: COIN });
    await from.pay(to.address, 30_000_000n);
    await chain.call('strongroom_mine', 1);
    const sides = { ...common, ...between(from.address, to.address), amountUnits: 30_000_000n };
    const changeUnits = COIN - 30_000_000n - PAYMENT_FEE;
    const out = { ...sides, address: from.address, direction: 'Out', feeUnits: PAYMENT_FEE, coins: coinOf(changeUnits) };
    const into = { ...sides, address: to.address, direction: 'In', coins: coinOf(30_000_000n) };
    const found = await movementsOf(await newestBlock(), from.address, to.address);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([out, into]));
  });

  test('payments that spend coins of the same block are found, in whatever order the block has them', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()];
    await first.receive('1');
    await first.pay(second.address, 30_000_000n);
    await chain.call('strongroom_mine', 1);
    const told = await movementsOf(await newestBlock(), first.address, second.address);
    expect(told.map(({ direction, amountUnits }) => `${direction} ${amountUnits}`).sort()).toEqual([
      'In 100000000',
      'In 30000000',
      'Out 30000000',
    ]);
    expect(await movementsOf(await newestBlock(), third.address)).toEqual([]);
  });

  test('a payment to the sender’s own address moves no amount and costs the fee', async () => {
    const key = newKey();
    await key.receive('1');
    await chain.call('strongroom_mine', 1);
    await key.pay(key.address);
    await chain.call('strongroom_mine', 1);
    expect(await movementsOf(await newestBlock(), key.address)).toEqual([
      {
        ...common,
        ...between(key.address, key.address),
        ...{ address: key.address, direction: 'Out', amountUnits: 0n, feeUnits: PAYMENT_FEE, coins: coinOf(COIN - PAYMENT_FEE) },
      },
    ]);
  });

  test('blocks are linked down to the first block, and no block is above the head', async () => {
    const source = sourceOver(chain.url);
    const { height, hash } = await source.head();
    const [first, next, head] = (await Promise.all([0, 1, height].map((at) => source.block(at)))) as ScannedBlock[];
    expect(head).toMatchObject({ height, hash, parentHeight: height - 1, proof: 'Root', date: expect.any(Date) });
    expect(next).toMatchObject({ height: 1, parentHash: first?.hash });
    expect(await blockMovements(first, () => true)).toEqual([]);
    expect(await source.block(height + 1)).toBeUndefined();
  });

  test('the source reports the ids of the transactions in the form of the gateway', async () => {
    const { height } = await sourceOver(chain.url).head();
    const told = jest.fn();
    await sourceOver(chain.url).block(height, told);
    const gateway = createGateways({ [network.name]: [chain.url] })(network.name);
    expect(told.mock.calls).toEqual([[{ ...(await gateway.block(height)), parentHeight: height - 1 }]]);
  });

  /** The amount of one coin, encoded as in an output. */
  const ONE = '00e1f50500000000';
  const hexOf =
    (change: (hex: string) => string): Lie =>
    (truth) =>
      change(String(truth));
  type Older = { readonly hash: string; readonly block: string };
  test.each<[string, string, (older: Older) => Lie]>([
    ['alters an amount', 'getblock', () => hexOf((hex) => hex.replace(ONE, '01e1f50500000000'))],
    ['cuts the end off', 'getblock', () => hexOf((hex) => hex.slice(0, -2))],
    ['adds text that is not hex', 'getblock', () => hexOf((hex) => `${hex}zz`)],
    ['leaves transactions out', 'getblock', () => hexOf((hex) => `${hex.slice(0, 160)}01${hex.slice(162)}`)],
    [
      'returns another block',
      'getblock',
      ({ block }) =>
        () =>
          block,
    ],
    [
      'reports an older block',
      'getblockhash',
      ({ hash }) =>
        () =>
          hash,
    ],
    ['refuses the block', 'getblock', () => () => null],
  ])('the reply of a node that %s is rejected, and the next node gets the request', async (_title, method, lie) => {
    const key = newKey();
    await key.receive('1');
    await chain.call('strongroom_mine', 1);
    const { height } = await sourceOver(chain.url).head();
    const node = await startLyingNode(chain.url);
    try {
      const hash = await chain.call<string>('getblockhash', height - 1);
      node.lies.set(method, lie({ hash, block: await chain.call('getblock', hash, 0) }));
      await expect(sourceOver(node.url).block(height)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
      const block = await sourceOver(node.url, chain.url).block(height);
      expect(await movementsOf(block as ScannedBlock, key.address)).toHaveLength(1);
    } finally {
      await node.close();
    }
  });

  test('each input that spends a coin of a watched address shows the signature of its key', async () => {
    const [from, to] = [newKey(), newKey()];
    await from.receive('1');
    await from.receive('2');
    await from.pay(to.address, 30_000_000n);
    await chain.call('strongroom_mine', 1);
    const plain = sourceOver(chain.url).plain;
    const of = async (address: string, ...urls: string[]) =>
      blockSignatures(await newestBlock(...urls), (one) => one === plain(address));
    const found = await of(from.address);
    expect(found.map(({ address }) => address)).toEqual([from.address, from.address]);
    expect(found.map(({ r, s }) => ({ r, s })).sort((a, b) => (a.r < b.r ? -1 : 1))).toEqual(
      [...from.made].sort((a, b) => (a.r < b.r ? -1 : 1)),
    );
    expect(await Promise.all(found.map(({ isGenuine }) => isGenuine()))).toEqual([true, true]);
    expect(await of(to.address)).toEqual([]);

    const node = await startLyingNode(chain.url);
    try {
      // A change in the last word of the signature does not change the id of the transaction if the signature is in a witness.
      const s = from.made[0]?.s.slice(-40) ?? '';
      node.lies.set(
        'getblock',
        hexOf((hex) => hex.replace(s, `${s.slice(0, -1)}${s.endsWith('0') ? '1' : '0'}`)),
      );
      if (kind === 'bitcoincash') await expect(of(from.address, node.url)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
      else
        expect((await Promise.all((await of(from.address, node.url)).map(({ isGenuine }) => isGenuine()))).sort()).toEqual([
          false,
          false,
        ]);
    } finally {
      await node.close();
    }
  });

  test('senders are listed only if a node returns the transactions of the spent coins, with the ids in the block', async () => {
    const [from, to] = [newKey(), newKey()];
    await from.receive('1');
    await chain.call('strongroom_mine', 1);
    await from.pay(to.address, 30_000_000n);
    await chain.call('strongroom_mine', 1);
    const node = await startLyingNode(chain.url);
    const fromsOver = async (...urls: string[]) =>
      (await movementsOf(await newestBlock(...urls), to.address)).map(({ froms }) => froms);
    try {
      node.lies.set(
        'getrawtransaction',
        hexOf((hex) => hex.replace(ONE, '01e1f50500000000')),
      );
      await expect(fromsOver(node.url)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
      expect(await fromsOver(node.url, chain.url)).toEqual([[from.address]]);
    } finally {
      await node.close();
    }
  });
});
