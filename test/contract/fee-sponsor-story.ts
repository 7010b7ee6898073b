import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { ended, fundedWallet, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Sponsor = { readonly id: string };
type Fees = { readonly items: readonly { readonly requestId: string }[] };

/** The admin creates, deactivates, activates and deletes a fee sponsor. The sponsor pays the fees of another wallet. */
export async function feeSponsorStory(service: JoinedService, admin: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin);
  const { id: sponsored } = await fundedWallet(service, admin);
  const { id: feeSponsorId } = await call<Sponsor>(admin, 'createFeeSponsor', { body: { walletId, name: 'Fees' } });
  const params = { feeSponsorId };
  await call(admin, 'getFeeSponsor', { params });
  await call(admin, 'listFeeSponsors');
  await call(admin, 'deactivateFeeSponsor', { params });
  await call(admin, 'activateFeeSponsor', { params });
  const body = { kind: 'Native', to: RECIPIENT, amount: '1', feeSponsorId };
  const { id } = await call<{ readonly id: string }>(admin, 'transferAsset', { params: { walletId: sponsored }, body });
  await ended(admin, sponsored, id);
  const calls = { kind: 'UserOperations', userOperations: [{ to: RECIPIENT, value: '1' }, { to: RECIPIENT }], feeSponsorId };
  const together = await call<{ readonly id: string }>(admin, 'broadcastTransaction', {
    params: { walletId: sponsored },
    body: calls,
  });
  await waitUntil(
    `the end of ${together.id}`,
    async () => {
      const params = { walletId: sponsored, transactionId: together.id };
      return (await call<{ readonly status: string }>(admin, 'getTransaction', { params })).status === 'Confirmed';
    },
    90_000,
  );
  const { items } = await call<Fees>(admin, 'listSponsoredFees', { params });
  const paid = items.map(({ requestId }) => requestId).join();
  if (paid !== `${id},${together.id}` && paid !== `${together.id},${id}`) throw new Error(`the sponsor has paid for ${paid}`);
  await call(admin, 'deleteFeeSponsor', { params });
}
