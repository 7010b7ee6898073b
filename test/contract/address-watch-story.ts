import { keccak256, pad, toHex } from 'viem';
import { FAUCET } from '../chains/evm/anvil';
import type { Client } from '../support/client';
import { emittingCode } from '../support/emitted-log';
import type { JoinedService } from '../support/service';
import { ended, fundedWallet, ok, send } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Named = { readonly id: string };
type Events = { readonly items: readonly { readonly status: string }[] };

const SUPPLIER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** The ERC-20 event `Approval`: the supplier allows the wallet that pays for this test to spend five units of a token. */
const SUPPLIER_APPROVES = {
  topics: [keccak256(toHex('Approval(address,address,uint256)')), pad(SUPPLIER), pad(FAUCET)],
  data: pad('0x05'),
};

/**
 * The admin watches the address of a supplier, pays the supplier, reads the payment and
 * an approval by the supplier through the watch, and ends the watch.
 */
export async function addressWatchStory(service: JoinedService, admin: Client): Promise<void> {
  const body = { network: 'EthereumSepolia', address: SUPPLIER, name: 'Supplier', externalId: 'supplier-1', tags: ['suppliers'] };
  const { id: addressWatchId } = await call<Named>(admin, 'createAddressWatch', { body });
  const params = { addressWatchId };
  await call(admin, 'listAddressWatches', { query: '?status=Active&tags=suppliers' });
  await call(admin, 'getAddressWatch', { params });
  const wallet = await fundedWallet(service, admin);
  const { id: transferId } = await send(admin, wallet.id, { to: SUPPLIER });
  await ended(admin, wallet.id, transferId);
  for (const holder of [`/address-watches/${addressWatchId}`, `/wallets/${wallet.id}`]) {
    await waitUntil(
      `a final event of ${holder}`,
      async () => (ok(await admin.get(`${holder}/blockchain-events`)) as Events).items[0]?.status === 'Confirmed',
      90_000,
    );
  }
  await service.rpc('eth_sendTransaction', [{ from: FAUCET, data: emittingCode(SUPPLIER_APPROVES) }]);
  await waitUntil(
    'a final approval',
    async () => {
      const { items } = ok(await admin.get(`/address-watches/${addressWatchId}/blockchain-events?name=Approval`)) as Events;
      return items[0]?.status === 'Confirmed';
    },
    90_000,
  );
  await call(admin, 'listAddressWatchBlockchainEvents', { params });
  await call(admin, 'listWalletBlockchainEvents', { params: { walletId: wallet.id } });
  await call(admin, 'getAddressWatchHistory', { params });
  const range = { fromBlock: 0 };
  await call(admin, 'backfillAddressWatchHistory', { params, body: range });
  await call(admin, 'getAddressWatchBackfill', { params });
  await call(admin, 'backfillWalletHistory', { params: { walletId: wallet.id }, body: range });
  await call(admin, 'getWalletBackfill', { params: { walletId: wallet.id } });
  await call(admin, 'getAddressWatchAssets', { params, query: '?netWorth=true' });
  await call(admin, 'deleteAddressWatch', { params });
}
