import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { fundedWallet, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Request = { readonly id: string; readonly status: string; readonly replacementId?: string };

/** With this number of requests, some transfers and some transactions must wait in the lane after the first four requests. */
const MANY = 30;
const ENDS = ['Confirmed', 'Failed', 'Rejected'];

/** While the chain mines no block, the admin aborts waiting requests, and speeds up or cancels sent requests. */
export async function replacementStory(service: JoinedService, admin: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin);
  const params = { walletId };
  const transferred = { kind: 'Native', to: RECIPIENT, amount: '1' };
  await service.rpc('strongroom_setMining', [false]);
  const transfers: Request[] = [];
  const transactions: Request[] = [];
  for (let index = 0; index < 2; index += 1) {
    transfers.push(await call<Request>(admin, 'transferAsset', { params, body: transferred }));
    transactions.push(
      await call<Request>(admin, 'broadcastTransaction', { params, body: { kind: 'Evm', to: RECIPIENT, value: '1' } }),
    );
  }
  const behind = await Promise.all(
    Array.from({ length: MANY }, (_none, index) =>
      index % 2 === 0
        ? call<Request>(admin, 'transferAsset', { params, body: transferred })
        : call<Request>(admin, 'broadcastTransaction', { params, body: { kind: 'Evm', to: RECIPIENT, value: '1' } }),
    ),
  );
  const waits = (prefix: string) => {
    const found = behind.find(({ id, status }) => id.startsWith(prefix) && status === 'Executing');
    if (!found) throw new Error(`no ${prefix} waits for its turn`);
    return found.id;
  };
  const of = (transferId: string) => ({ params: { walletId, transferId } });
  const ofTransaction = (transactionId: string) => ({ params: { walletId, transactionId } });
  await call(admin, 'abortTransfer', of(waits('xfr-')));
  await call(admin, 'abortTransaction', ofTransaction(waits('tx-')));
  const [first = '', second = ''] = transfers.map(({ id }) => id);
  const [third = '', fourth = ''] = transactions.map(({ id }) => id);
  const replacing = [
    await call<Request>(admin, 'speedUpTransfer', of(first)),
    await call<Request>(admin, 'cancelTransfer', of(second)),
    await call<Request>(admin, 'speedUpTransaction', ofTransaction(third)),
    await call<Request>(admin, 'cancelTransaction', ofTransaction(fourth)),
  ];
  await service.rpc('strongroom_setMining', [true]);
  for (const { id } of replacing) {
    await waitUntil(
      `the end of ${id}`,
      async () => ENDS.includes((await call<Request>(admin, 'getTransaction', ofTransaction(id))).status),
      90_000,
    );
  }
  const { replacementId } = await call<Request>(admin, 'getTransfer', of(first));
  if (replacementId !== replacing[0]?.id) throw new Error(`the first names ${replacementId}`);
}
