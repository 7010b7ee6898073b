import { solanaDecoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import type { createReaders } from '../../../chains/readers';
import type { SolanaLifetime } from '../../../chains/solana/types';
import { AppError, invariant } from '../../../domain/errors';
import type { Tx } from '../../../entities/database';
import { laneStore } from '../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import type { BuildOutcome, BuildUnderLock, FamilyReplacement } from '../family-forms';
import { assertSponsorMaySign } from '../sponsor-keys';
import { costsOf } from './costs';
import { assertInsideTransfer } from './envelope';
import { higherPrice, priceIn } from './prices';
import { contextOf, nonceKeyOf, type Quote, quoteTransfer, writableOf } from './quote';

type Durable = Extract<SolanaLifetime, { readonly kind: 'durable-nonce' }>;

const used = () =>
  new AppError('TransferWouldFail', 'The durable nonce was used before another transaction could replace this one');

function rivalOf({ network, unsignedHex }: Pick<PayloadEntity, 'network' | 'unsignedHex'>): {
  readonly lifetime: Durable;
  readonly price: bigint;
} {
  const decoded = solanaDecoderOf(network).decode(unsignedHex);
  const { lifetime } = decoded;
  if (lifetime.kind === 'blockhash')
    throw new AppError('TransferWouldFail', 'A transaction without a durable nonce ends by itself and cannot be replaced');
  return { lifetime, price: priceIn(decoded) };
}

/**
 * Solana: repeats the value of the durable nonce, for a higher price and with the same fee payer. The first transaction to be
 * executed advances the nonce, so the other transactions can never be executed.
 */
export function createSolanaReplacement(readers: ReturnType<typeof createReaders>): FamilyReplacement {
  const quote = async (
    asked: OutgoingEntity,
    payload: Pick<PayloadEntity, 'network' | 'unsignedHex'>,
  ): Promise<BuildUnderLock> => {
    const reader = inFamily('solana', readers(asked.network));
    const { lifetime, price: before } = rivalOf(payload);
    const [latest, market, [now]] = await Promise.all([
      reader.latestBlockhash(),
      reader.unitPrice('Fast', writableOf(asked)),
      reader.nonces([lifetime.account]),
    ]);
    if (now?.value !== lifetime.value) throw used();
    const quoted = await quoteTransfer(reader, asked, { latest, lifetimes: [lifetime], price: higherPrice(before, market) });
    return (tx, row) => place(tx, row, quoted, lifetime);
  };
  return {
    quote,
    quoteAgainst: async (asked, { payload: signed }) => {
      invariant(signed.kind === 'SolanaTransaction', 'a transaction of Solana was signed');
      return quote(asked, { network: signed.network, unsignedHex: signed.bytesHex });
    },
  };
}

async function place(tx: Tx, row: OutgoingEntity, quoted: Quote, lifetime: Durable): Promise<BuildOutcome> {
  if (row.sponsorAddress !== null) await assertSponsorMaySign(tx, row, ['Active', 'Deactivated', 'Archived']);
  if (!(await laneStore.shares(tx, row, 'durable-nonce', nonceKeyOf(lifetime)))) throw used();
  const unsigned = quoted.build(lifetime);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };
  costsOf(row, unsigned, quoted, 'higher fee');
  assertInsideTransfer(unsigned.bytesHex, row, lifetime);
  return { kind: 'Built', unsigned, nonce: null, claims: [], context: contextOf(lifetime, quoted.latest) };
}
