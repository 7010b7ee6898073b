import { networkOf } from '../../chains/networks';
import type { Client } from './client';
import { ok } from './story';
import { waitUntil } from './wait-until';

type Shown = { readonly id: string; readonly status: string };
type List = { readonly items: readonly Shown[] };
/** `sent` requests are in the mempool. `waiting` requests wait until one of the `sent` requests is in a block. */
type Lane = { readonly sent: readonly Shown[]; readonly waiting: readonly Shown[] };

const { inFlightMax: IN_FLIGHT_MAX } = networkOf('EthereumSepolia');
const FULL_WITHIN_MS = 60_000;

/**
 * Waits until the wallet has sent as many of its `count` requests as one sender may have unconfirmed, while the chain mines no
 * block. The answer `Executing` alone does not mean that a request waits for a place: the request may be about to be sent.
 */
export function fullLane(client: Client, walletId: string, count: number): Promise<Lane> {
  return waitUntil(
    'a full lane',
    async () => {
      const lists = await Promise.all(
        ['transfers', 'transactions'].map(async (kind) => ok(await client.get(`/wallets/${walletId}/${kind}?limit=50`)) as List),
      );
      const all = lists.flatMap(({ items }) => items);
      const sent = all.filter(({ status }) => status === 'Broadcasted');
      const waiting = all.filter(({ status }) => status === 'Executing');
      return all.length === count && sent.length === IN_FLIGHT_MAX && { sent, waiting };
    },
    FULL_WITHIN_MS,
  );
}
