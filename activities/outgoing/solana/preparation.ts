import { durableNoncesOf } from '../../../application/outgoing/solana/nonce-accounts';
import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { createReaders } from '../../../chains/readers';
import type { SolanaBlockhash, SolanaLifetime, SolanaReader } from '../../../chains/solana/types';
import type { UnsignedBytes } from '../../../chains/types';
import { AppError, invariant } from '../../../domain/errors';
import type { SolanaRawTerms } from '../../../domain/transactions';
import type { Database, Tx } from '../../../entities/database';
import { claimedAmong, openSpending } from '../../../entities/outgoing/open-spending';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { BuildOutcome, FamilyPreparation, NewClaim } from '../family-forms';
import { assertSponsorMaySign } from '../sponsor-keys';
import { costsOf } from './costs';
import { assertInsideRaw, assertInsideTransfer } from './envelope';
import { contextOf, nonceKeyOf, type Quote, quoteTransfer, writableOf } from './quote';

/** Throws `TransferWouldFail` if no nonce account is ready. */
async function durableNonces(
  db: Database,
  reader: SolanaReader,
  { orgId, network, fromAddress: address }: OutgoingEntity,
): Promise<readonly SolanaLifetime[]> {
  const found = await durableNoncesOf(db.read(orgId), reader, { network, address });
  if (found.length === 0) throw new AppError('TransferWouldFail', 'The wallet has no nonce accounts that are ready');
  return found;
}

/**
 * Solana: uses a recent blockhash, or on request a durable nonce of the wallet. No other open transaction may use the value of
 * the nonce.
 */
export function createSolanaPreparation(db: Database, readers: ReturnType<typeof createReaders>): FamilyPreparation {
  return {
    quote: async (asked) => {
      const reader = inFamily('solana', readers(asked.network));
      const latest = await reader.latestBlockhash();
      const { terms } = asked;
      if (terms === null) {
        const [price, lifetimes] = await Promise.all([
          reader.unitPrice(asked.priority, writableOf(asked)),
          asked.options.useDurableNonce === true
            ? durableNonces(db, reader, asked)
            : [{ kind: 'blockhash', ...latest } satisfies SolanaLifetime],
        ]);
        const quoted = await quoteTransfer(reader, asked, { latest, lifetimes, price });
        return (tx, row) => place(tx, row, quoted);
      }
      invariant(terms.family === 'solana', 'a transaction of Solana');
      const quoted = await quoteRaw(reader, asked, terms, latest);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

async function quoteRaw(
  reader: SolanaReader,
  row: OutgoingEntity,
  terms: SolanaRawTerms,
  latest: SolanaBlockhash,
): Promise<Quote> {
  const unsigned = solanaCodecOf(row.network).buildRaw(terms, latest.blockhash);
  const [nativeUnits] = await Promise.all([reader.nativeBalance(row.fromAddress), reader.simulate(unsigned.bytesHex)]);
  const { lifetime } = solanaDecoderOf(row.network).decode(unsigned.bytesHex);
  // The caller's blockhash expires no later than the latest blockhash, so the latest blockhash gives the bound.
  const meant: SolanaLifetime = lifetime.kind === 'blockhash' ? { ...latest, ...lifetime } : lifetime;
  return { latest, lifetimes: [meant], build: () => unsigned, nativeUnits, payerUnits: nativeUnits, tokenUnits: 0n };
}

async function place(tx: Tx, row: OutgoingEntity, quoted: Quote): Promise<BuildOutcome> {
  const keys = quoted.lifetimes.flatMap((one) => (one.kind === 'blockhash' ? [] : [nonceKeyOf(one)]));
  const taken = keys.length === 0 ? [] : await claimedAmong(tx, row.network, 'durable-nonce', keys);
  const lifetime = quoted.lifetimes.find((one) => one.kind === 'blockhash' || !taken.includes(nonceKeyOf(one)));
  if (lifetime === undefined) {
    if (row.terms !== null) throw new AppError('TransferWouldFail', 'Another transaction of this wallet has the durable nonce');
    return { kind: 'Waits', detail: 'Turn', queued: true };
  }
  const unsigned = quoted.build(lifetime);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) {
    if (row.terms === null) return { kind: 'FeeAboveCeiling' };
    throw new AppError('TransferWouldFail', 'The requested fee is above the ceiling of the network');
  }
  const blocked = await fundsOrTurn(tx, row, unsigned, quoted);
  if (blocked) return blocked;

  if (row.terms === null) assertInsideTransfer(unsigned.bytesHex, row, lifetime);
  else if (row.terms.family === 'solana') assertInsideRaw(unsigned.bytesHex, row, row.terms, lifetime);
  return {
    kind: 'Built',
    unsigned,
    nonce: null,
    claims: claimsOf(row, lifetime),
    context: contextOf(lifetime, quoted.latest),
  };
}

/**
 * Returns undefined if the transaction need not wait. Throws `TransferWouldFail` if a balance is too low or the sponsor no
 * longer pays.
 */
async function fundsOrTurn(
  tx: Tx,
  row: OutgoingEntity,
  unsigned: UnsignedBytes,
  quoted: Quote,
): Promise<Extract<BuildOutcome, { readonly kind: 'Waits' }> | undefined> {
  const isSponsored = row.sponsorAddress !== null;
  if (isSponsored) await assertSponsorMaySign(tx, row);
  const { native, token, sponsored } = costsOf(row, unsigned, quoted);
  const own = await openSpending(tx, row, row.fromAddress);
  const lane = isSponsored ? await openSpending(tx, row, row.laneAddress) : own;
  const covered =
    (native === 0n || native + own.nativeUnits <= quoted.nativeUnits) &&
    (token === 0n || token + own.tokenUnits <= quoted.tokenUnits);
  // The sponsor's queue does not contain the wallet's open transactions, so this request does not keep a place in the queue.
  if (isSponsored && !covered) return { kind: 'Waits', detail: 'Funds', queued: false };
  const inTurn = lane.ahead < networkOf(row.network).inFlightMax - lane.open;
  const payable = !isSponsored || sponsored + lane.nativeUnits <= quoted.payerUnits;
  if (inTurn && covered && payable) return undefined;
  return { kind: 'Waits', detail: inTurn ? 'Funds' : 'Turn', queued: true };
}

/** Any number of transactions may use one blockhash. */
const claimsOf = (row: OutgoingEntity, lifetime: SolanaLifetime): NewClaim[] =>
  lifetime.kind === 'blockhash' ? [] : [{ kind: 'durable-nonce', key: nonceKeyOf(lifetime), lane: row.fromAddress, value: null }];
