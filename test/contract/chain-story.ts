import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { fundedWallet, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Page = { readonly items: readonly Readonly<Record<string, unknown>>[]; readonly nextPageToken?: string };

/** The scheduled task that records which wallets hold an asset runs once a minute. */
const DUTY_LIMIT_MS = 90_000;

/** The holder of a signed transaction sends it, and the scanner finds it with its fee. */
export async function sentTransactionStory(service: JoinedService, admin: Client): Promise<void> {
  const wallet = await fundedWallet(service, admin);
  const transaction = { chainId: 11_155_111, to: RECIPIENT, value: '9' };
  const path = `/wallets/${wallet.id}/signatures`;
  const signed = (await admin.change('POST', path, { kind: 'Transaction', transaction })).body as {
    id: string;
    signedData: string;
  };
  await service.rpc('eth_sendRawTransaction', [signed.signedData]);
  const confirmed = await waitUntil('the confirmation', async () => {
    const body = (await admin.get(`${path}/${signed.id}`)).body as { readonly status: string; readonly fee?: string };
    return body.status === 'Confirmed' && body;
  });
  if (BigInt(confirmed.fee ?? 0) <= 0n) throw new Error('the confirmed signature has no fee');
}

/** About a minute after a payment is final, a search by asset finds the wallet that received the payment. */
export async function holdersStory(admin: Client): Promise<void> {
  const holders = async () => ((await admin.get('/wallets?assetSymbol=ETH&holdsTokens=true')).body as Page).items;
  const [found] = await waitUntil(
    'a wallet with a balance',
    async () => (await holders()).length > 0 && holders(),
    DUTY_LIMIT_MS,
  );
  const params = { walletId: String(found?.['id']) };
  const { assets } = await call<{ readonly assets: readonly { readonly balance: string }[] }>(admin, 'getWalletAssets', {
    params,
  });
  if (BigInt(assets[0]?.balance ?? 0) <= 0n) throw new Error('a wallet was found that holds nothing');
}

export async function exportStory(admin: Client): Promise<void> {
  const query = `?startTime=2020-01-01T00:00:00Z&endTime=${new Date(Date.now() + 60_000).toISOString()}&limit=1`;
  const { items, nextPageToken } = await call<Page>(admin, 'exportActivities', { query });
  const next = await call<Page>(admin, 'exportActivities', { query: `${query}&paginationToken=${nextPageToken}` });
  if (String(items[0]?.['date']) > String(next.items[0]?.['date']))
    throw new Error('the events are not in the order of their dates');
}
