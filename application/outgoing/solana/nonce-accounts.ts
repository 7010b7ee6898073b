import { solanaCodecOf } from '../../../chains/codecs';
import type { SolanaLifetime, SolanaReader } from '../../../chains/solana/types';
import type { NetworkName } from '../../../domain/networks';
import { nonceSeedsOf } from '../../../domain/nonce-accounts';
import type { Reader } from '../../../entities/database';
import { nonceMakerStore } from '../../../entities/outgoing/nonce-maker.store';

type Durable = Extract<SolanaLifetime, { readonly kind: 'durable-nonce' }>;

/**
 * The durable nonces that the wallet can use: first those of its own accounts, then those of accounts that other wallets of the
 * organisation have created for it. Any party may create an account for the wallet, but only the wallet can use the account.
 */
export async function durableNoncesOf(
  reader: Reader,
  chain: SolanaReader,
  { network, address }: { readonly network: NetworkName; readonly address: string },
): Promise<readonly Durable[]> {
  const codec = solanaCodecOf(network);
  const makers = [address, ...(await nonceMakerStore.of(reader, { network, address }))];
  const accounts = await Promise.all(
    makers.flatMap((maker) => nonceSeedsOf(maker, address).map((seed) => codec.seedAddress(maker, seed))),
  );
  const nonces = await chain.nonces(accounts);
  return nonces.flatMap((nonce, index) =>
    nonce?.authority === address ? [{ kind: 'durable-nonce' as const, account: accounts[index] ?? '', ...nonce }] : [],
  );
}
