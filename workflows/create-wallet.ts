import { CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WalletActivities } from '../activities/wallets/wallets';
import { routeOf } from '../domain/routes';
import type { CreateWalletInput } from './create-wallet.messages';

/**
 * Asks the signer until the signer has made the wallet's key. Ignores cancellation, because a cancelled run would leave the
 * wallet unfinished for ever.
 */
export async function createWallet({ orgId, id }: CreateWalletInput): Promise<void> {
  const { createWalletKey } = proxyActivities<WalletActivities>({
    taskQueue: routeOf(orgId).signer,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
    summary: 'Create the key in the signer and make the wallet active',
  });
  setCurrentDetails('Waiting for the signer to create the key');
  await CancellationScope.nonCancellable(() => createWalletKey({ orgId, walletId: id }));
  setCurrentDetails('The wallet is active');
}
