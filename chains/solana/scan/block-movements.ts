import type { ChainMovement } from '../../../domain/movements';
import type { BlockTransaction, Change } from './block-reply';

/**
 * The place of a movement is its position in the block. Each transaction gets this many places, which is more than the number of
 * movements in any transaction.
 */
const PLACES_PER_TRANSACTION = 1_000_000;

type IsWatched = (address: string) => boolean;
type Side = Pick<ChainMovement, 'address' | 'direction' | 'from' | 'to' | 'amountUnits' | 'feeUnits' | 'isReverted'>;
type Placed = Omit<ChainMovement, 'place'>;

/** The movements of watched addresses, in block order. */
export function movementsIn(transactions: readonly BlockTransaction[], isWatched: IsWatched): ChainMovement[] {
  return transactions.flatMap((tx, index) =>
    movementsOf(tx, isWatched).map((movement, at) => ({ ...movement, place: index * PLACES_PER_TRANSACTION + at })),
  );
}

function movementsOf(tx: BlockTransaction, isWatched: IsWatched): Placed[] {
  const { txHash } = tx;
  const native = nativeSides(tx, isWatched).map((side) => ({
    ...side,
    ...{ kind: 'NativeTransfer' as const, txHash, ordinal: 'value' },
  }));
  const tokens = tx.tokens.flatMap(({ program, mint, decimals, changes }) =>
    sidesOf(changes, isWatched).map((side) => ({
      ...side,
      ...{ kind: KINDS[program], txHash, ordinal: `token:${mint}`, contract: mint, decimals },
    })),
  );
  return [...native, ...tokens];
}

const KINDS = { Spl: 'SplTransfer', Spl2022: 'Spl2022Transfer' } as const;

/** The outgoing movement of the fee payer carries the fee. If the payer has sent nothing, a movement of zero carries the fee. */
function nativeSides({ native, feePayer, isReverted, ...tx }: BlockTransaction, isWatched: IsWatched): Side[] {
  const fee = { feeUnits: tx.feeUnits, ...(isReverted ? { isReverted } : {}) };
  const sides = sidesOf(native, isWatched);
  if (!isWatched(feePayer)) return sides;
  const sent = sides.find(({ address, direction }) => address === feePayer && direction === 'Out');
  if (sent) return sides.map((side) => (side === sent ? { ...side, ...fee } : side));
  return [{ address: feePayer, direction: 'Out', from: feePayer, amountUnits: 0n, ...fee }, ...sides];
}

/** Balances do not show who paid whom, so the other party is named only if there is exactly one candidate. */
function sidesOf(changes: readonly Change[], isWatched: IsWatched): Side[] {
  const [losses, gains] = [changes.filter(({ units }) => units < 0n), changes.filter(({ units }) => units > 0n)];
  const onlyOf = (some: readonly Change[]) => (some.length === 1 ? some[0]?.account : undefined);
  const [from, to] = [onlyOf(losses), onlyOf(gains)];
  return [...losses, ...gains]
    .filter(({ account }) => isWatched(account))
    .map(({ account: address, units }) =>
      units < 0n
        ? { address, direction: 'Out', from: address, ...(to === undefined ? {} : { to }), amountUnits: -units }
        : { address, direction: 'In', ...(from === undefined ? {} : { from }), to: address, amountUnits: units },
    );
}
