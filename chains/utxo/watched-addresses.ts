import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { NodesDisagree } from '../rpc/quorum';
import type { Rpc } from '../rpc/rpc';
import { nodeTrouble } from './rpc-schemas';

/** The label of addresses whose whole history the node's wallet knows. */
const LABEL = 'strongroom';
/** A request waits at most this time for a scan of the whole chain and then fails. The node continues the scan. */
const SCANNED_WITHIN_MS = 5_000;
const SINCE_THE_FIRST_BLOCK = 0;

const ScriptReply = z.object({ address: z.string().optional(), addresses: z.array(z.string()).optional() });
const Label = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const AddressReply = z.object({ labels: z.array(Label) });
const WalletReply = z.object({ descriptors: z.boolean().optional() });
const DescriptorReply = z.object({ descriptor: z.string() });
const ImportReply = z.array(z.object({ success: z.boolean() }));

/**
 * The returned function resolves to the node's form of an address once the node's wallet watches it. `ask` and `askPatiently`
 * must come from `neverRefused`; `askPatiently` waits as long as a scan takes.
 */
export function createWatchedAddresses(network: string, ask: Rpc, askPatiently: Rpc): (scriptHex: string) => Promise<string> {
  const nodeAddresses = new Map<string, string>();
  const scans = new Map<string, Promise<void>>();

  const nodeAddressOf = async (scriptHex: string): Promise<string> => {
    const known = nodeAddresses.get(scriptHex);
    if (known !== undefined) return known;
    const { address, addresses } = await ask('decodescript', [scriptHex], ScriptReply);
    const found = address ?? addresses?.[0];
    if (found === undefined)
      throw nodeTrouble(network, `The node of ${network} returned no address for a script of this service`);
    nodeAddresses.set(scriptHex, found);
    return found;
  };

  /** The label is set last, so that an address whose scan was interrupted is scanned again and never lacks coins. */
  const scan = async (scriptHex: string, nodeAddress: string): Promise<void> => {
    const { descriptors } = await ask('getwalletinfo', [], WalletReply);
    const since = { timestamp: SINCE_THE_FIRST_BLOCK };
    const imported = descriptors
      ? await askPatiently(
          'importdescriptors',
          [[{ desc: (await ask('getdescriptorinfo', [`raw(${scriptHex})`], DescriptorReply)).descriptor, ...since }]],
          ImportReply,
        )
      : await askPatiently(
          'importmulti',
          [[{ scriptPubKey: scriptHex, watchonly: true, internal: false, ...since }]],
          ImportReply,
        );
    if (!imported.every(({ success }) => success))
      throw nodeTrouble(network, `The node of ${network} does not watch an address of this service`);
    await ask('setlabel', [nodeAddress, LABEL], z.null());
  };

  const isWatched = async (nodeAddress: string): Promise<boolean> => {
    try {
      const { labels } = await ask('getaddressinfo', [nodeAddress], AddressReply);
      return labels.includes(LABEL);
    } catch (error) {
      // One of the nodes that must agree does not watch the address yet.
      if (error instanceof NodesDisagree) return false;
      throw error;
    }
  };

  return async (scriptHex) => {
    const nodeAddress = await nodeAddressOf(scriptHex);
    // The watch is checked on every call, because a different node may reply to each call.
    if (await isWatched(nodeAddress)) return nodeAddress;
    const scanning = scans.get(scriptHex) ?? scan(scriptHex, nodeAddress).finally(() => scans.delete(scriptHex));
    scans.set(scriptHex, scanning);
    scanning.catch(() => undefined); // the caller waiting below gets the error
    const late = new AbortController();
    const tooLate = delay(SCANNED_WITHIN_MS, 'late', { signal: late.signal }).catch(() => undefined);
    const first = await Promise.race([scanning, tooLate]).finally(() => late.abort());
    if (first === 'late') throw nodeTrouble(network, `The node of ${network} is still scanning its chain for this address`);
    return nodeAddress;
  };
}
