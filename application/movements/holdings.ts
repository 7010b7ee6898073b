import { networkOf } from '../../chains/networks';
import type { ChainReader } from '../../chains/types';
import { isId } from '../../domain/ids';
import { isPaymentKind } from '../../domain/movements';
import { isKeyNetwork, type NetworkName } from '../../domain/networks';
import { inSlot } from '../../domain/slots';
import type { Database, Tx } from '../../entities/database';
import type { HoldingEntity } from '../../entities/movements/holding.entity';
import { type Balance, holdingStore } from '../../entities/movements/holding.store';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { tokensOn } from '../wallets/families';
import { hasAddressOfKey } from '../wallets/view';
import type { Holder } from '../wallets/wallets';

const NATIVE = '';

/**
 * Marks the balances that these movements changed, so that the balances are read again. Only verified assets are included: a
 * stranger can send any token under any symbol, and would thereby decide which wallets appear in a list.
 */
export const noteMoved = (tx: Tx, movements: readonly MovementEntity[]): Promise<void> =>
  holdingStore.note(
    tx,
    movements
      .filter(({ subjectId, isVerified, kind }) => isId('wallet', subjectId) && isVerified && isPaymentKind(kind))
      .map(({ subjectId, contract, network, symbol }) => ({
        walletId: subjectId,
        contract: contract ?? NATIVE,
        network,
        symbol,
      })),
  );

type Sources = { readonly db: Database; readonly readers: (network: NetworkName) => ChainReader };

/** Reads, outside a transaction, the balances of the wallet that are due. Throws `NetworkUnavailable`. */
export async function readHoldings({ db, readers }: Sources, orgId: string, walletId: string): Promise<void> {
  const reader = db.read(orgId);
  const [record, due] = await Promise.all([walletStore.find(reader, walletId), holdingStore.due(reader, walletId)]);
  // The balance of an altered address is not the balance of the wallet.
  if (!record || due.length === 0 || !hasAddressOfKey(record)) return;
  const { address, network } = record.wallet;
  if (address === null || isKeyNetwork(network)) return;
  const balances = await balancesOf(readers(network), { orgId, id: walletId, network, address }, due);
  await db.withOrg(orgId, (tx) => holdingStore.keep(tx, walletId, balances));
}

async function balancesOf(reader: ChainReader, wallet: Holder, due: readonly HoldingEntity[]): Promise<Balance[]> {
  const contracts = new Set(due.map(({ contract }) => contract));
  const tokens = networkOf(wallet.network).tokens.filter(({ contract }) => contracts.has(contract));
  const [native, held] = await Promise.all([
    contracts.has(NATIVE) ? reader.nativeBalance(wallet.address) : 0n,
    tokens.length === 0 ? [] : inSlot(tokensOn(wallet.network).holdingsOf)(reader, wallet, tokens),
  ]);
  const unitsOf = new Map<string, bigint>([
    [NATIVE, native],
    ...held.map((token) => ['mint' in token ? token.mint : token.contract, BigInt(token.balance)] as const),
  ]);
  // A token that is no longer in the network's record is no longer verified, so its balance is stored as 0.
  return due.map(({ contract, seen }) => ({ contract, seen, units: unitsOf.get(contract) ?? 0n }));
}
