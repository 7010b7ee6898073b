import type { Client } from '../support/client';
import { fullLane } from '../support/full-lane';
import type { JoinedService } from '../support/service';
import { fundedWallet, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Request = { readonly id: string; readonly status: string; readonly replacementId?: string };

/** More requests than one sender may have unconfirmed at a time, so that some transfers and some transactions wait. */
const MANY = 30;
const FIRST = 4;
const ENDS = ['Confirmed', 'Failed', 'Rejected'];

/** While the chain does not mine blocks, the admin aborts waiting requests, and speeds up or cancels sent requests. */
export async function replacementStory(service: JoinedService, admin: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin);
  await service.rpc('strongroom_setMining', [false]);
  try {
    await replaceOnFullLane(admin, walletId, () => service.rpc('strongroom_setMining', [true]));
  } finally {
    await service.rpc('strongroom_setMining', [true]);
  }
}

async function replaceOnFullLane(admin: Client, walletId: string, mine: () => Promise<unknown>): Promise<void> {
  const params = { walletId };
  const transfer = () => call<Request>(admin, 'transferAsset', { params, body: { kind: 'Native', to: RECIPIENT, amount: '1' } });
  const transaction = () =>
    call<Request>(admin, 'broadcastTransaction', { params, body: { kind: 'Evm', to: RECIPIENT, value: '1' } });
  const [first, third, second, fourth] = [await transfer(), await transaction(), await transfer(), await transaction()];
  await Promise.all(Array.from({ length: MANY }, (_none, index) => (index % 2 === 0 ? transfer() : transaction())));
  const { waiting } = await fullLane(admin, walletId, FIRST + MANY);
  const waits = (prefix: string) => {
    const found = waiting.find(({ id }) => id.startsWith(prefix));
    if (!found) throw new Error(`no ${prefix} waits for its turn`);
    return found.id;
  };
  const of = (transferId: string) => ({ params: { walletId, transferId } });
  const ofTransaction = (transactionId: string) => ({ params: { walletId, transactionId } });
  await call(admin, 'abortTransfer', of(waits('xfr-')));
  await call(admin, 'abortTransaction', ofTransaction(waits('tx-')));
  const replacing = [
    await call<Request>(admin, 'speedUpTransfer', of(first.id)),
    await call<Request>(admin, 'cancelTransfer', of(second.id)),
    await call<Request>(admin, 'speedUpTransaction', ofTransaction(third.id)),
    await call<Request>(admin, 'cancelTransaction', ofTransaction(fourth.id)),
  ];
  await mine();
  for (const { id } of replacing) {
    await waitUntil(
      `the end of ${id}`,
      async () => ENDS.includes((await call<Request>(admin, 'getTransaction', ofTransaction(id))).status),
      90_000,
    );
  }
  const { replacementId } = await call<Request>(admin, 'getTransfer', of(first.id));
  if (replacementId !== replacing[0]?.id) throw new Error(`the first names ${replacementId}`);
}
