import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createBlockShelves } from '../../activities/block-shelves';
import { createFollowingActivities } from '../../activities/outgoing/follow/follow-networks';
import { createScanActivities } from '../../activities/scans/scan-networks';
import { createGateways } from '../../chains/gateways';
import { networkOf } from '../../chains/networks';
import { createReaders } from '../../chains/readers';
import { createScanSources } from '../../chains/scan-sources';
import { openPayloadsOver } from '../../entities/outgoing/open-payloads';
import { openWatchList } from '../../entities/scans/watch-list';
import { createLogger } from '../../platform/logger';
import { startAnvil } from '../chains/evm/anvil';
import { createTestDatabase } from '../support/database';
import { createScannedWallet } from '../support/scanned-wallets';
import { createTransferSteps, ETHER } from '../support/transfer-steps';
import { waitUntil } from '../support/wait-until';

const NETWORK = networkOf('EthereumSepolia');
const SIGNER = { wasSigned: () => Promise.reject(new Error('no watched wallet signs in this test')) };
const BLOCKS = 8;
/** The first blocks contain no transaction of the service. */
const EMPTY = 2;

/** A node that counts the reads of blocks. */
async function countingNode(nodeUrl: string) {
  const whole: number[] = [];
  const hashes: number[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] };
    if (method === 'eth_getBlockByNumber' && params[0] !== 'latest')
      (params[1] === true ? whole : hashes).push(Number(params[0]));
    const reply = await fetch(nodeUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    response.end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, whole, hashes, server };
}

/** Both activities of the network in one process, as in a worker, and a transfer that they wait for. */
async function startReaders(isScanned: boolean) {
  const database = await createTestDatabase();
  const chain = await startAnvil();
  const node = await countingNode(chain.url);
  const [openPayloads, watchList] = [openPayloadsOver(database.relayUrl), openWatchList(database.relayUrl)];
  const stop = new AbortController();
  const [urls, head] = [{ [NETWORK.name]: [node.url] }, { followed: -1, scanned: -1 }];
  const parts = {
    ...{ db: database.db, openPayloads, watchList, signer: SIGNER, dispatcher: { tryNow: async () => undefined } },
    ...{ gateways: createGateways(urls), readers: createReaders(urls), blockShelves: createBlockShelves() },
    ...{ logger: createLogger('test', 'silent'), stopping: stop.signal },
    scanSources: (name: typeof NETWORK.name) => {
      const source = createScanSources(urls)(name);
      const block: typeof source.block = async (...asked) => {
        const found = await source.block(...asked);
        head.scanned = Math.max(head.scanned, asked[0]);
        return found;
      };
      return { ...source, block };
    },
    followObserver: {
      looked: (_: string, followed = head.followed) => void Object.assign(head, { followed }),
      alarmed: () => {},
      left: () => {},
    },
  };
  await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  const steps = await createTransferSteps(database.db, await database.createOrganization());
  const id = await steps.transfer();
  await steps.send(id);
  await chain.order('evm_setAutomine', false);
  const running = [
    new MockActivityEnvironment().run(createFollowingActivities(parts).followNetwork, { network: NETWORK.name }),
    ...(isScanned ? [new MockActivityEnvironment().run(createScanActivities(parts).scanNetwork, { network: NETWORK.name })] : []),
  ];
  /** Until this call, the follower cannot send the transaction, because the sender has no coins. */
  const pay = async () => {
    await chain.order('anvil_setBalance', steps.address, `0x${(2n * ETHER).toString(16)}`);
    await chain.order('eth_sendRawTransaction', (await steps.payload(id)).rawHex);
  };
  const mine = async () => {
    await chain.order('anvil_mine', '0x1');
    const { height } = await chain.gateway.head();
    const isSeen = () => head.followed >= height && (!isScanned || head.scanned >= height);
    await waitUntil(`block ${height} to be seen`, isSeen, 10_000);
    return height;
  };
  const close = async () => {
    stop.abort();
    await Promise.all(running);
    await Promise.all([openPayloads, watchList].map((store) => store.close()));
    node.server.closeAllConnections();
    await new Promise((resolve) => node.server.close(resolve));
    await chain.stop();
    await database.close();
  };
  return { steps, id, node, pay, mine, close };
}

test.each([
  ['with a scanner, each block is read once for both readers, and its hash once more to confirm it', true],
  ['without a scanner, the follower reads each block for itself', false],
])(
  '%s',
  async (_what, isScanned) => {
    const { steps, id, node, pay, mine, close } = await startReaders(isScanned);
    try {
      await mine();
      await mine();
      for (const list of [node.whole, node.hashes]) list.length = 0;
      const heights: number[] = [];
      for (let block = 0; block < BLOCKS; block += 1) {
        if (block === EMPTY) await pay();
        heights.push(await mine());
      }
      await waitUntil('the transfer to be confirmed', async () => (await steps.row(id)).state === 'Confirmed', 10_000);
      const paidAt = Number((await steps.payload(id)).includedHeight);
      expect(paidAt).toBe(heights[EMPTY]);
      const confirmed = heights.map((height) => height - NETWORK.confirmations + 1);
      await waitUntil('the last block to be confirmed', () => !isScanned || node.hashes.includes(confirmed.at(-1) ?? 0), 10_000);
      expect(node.whole.sort((a, b) => a - b)).toEqual(isScanned ? heights : []);
      if (!isScanned) return expect(node.hashes).toEqual(heights);
      // The hash of a block confirms all earlier blocks too, so the scanner need not read every hash.
      const ofScanner = node.hashes.toSpliced(node.hashes.indexOf(paidAt), 1);
      expect(ofScanner).toEqual(confirmed.filter((height) => ofScanner.includes(height)));
    } finally {
      await close();
    }
  },
  60_000,
);
