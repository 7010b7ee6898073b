import { evmVariantOf } from '../../../chains/codecs';
import { keyedNonceContext, keyedNonceIn } from '../../../chains/evm/keyed-nonce-context';
import type { EvmReader, EvmTransferForm } from '../../../chains/evm/types';
import { AppError, invariant } from '../../../domain/errors';
import type { KeyedNonce } from '../../../domain/nonces';
import { isAbsent } from '../../../domain/slots';
import { evmTerms } from '../../../domain/transactions';
import type { BuiltOptions } from '../../../domain/transfers';
import type { Database } from '../../../entities/database';
import { laneStore } from '../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';

/**
 * On some networks an account has several lanes, and each lane counts its own nonces. Lane 0 is the account's own lane. Returns
 * the lane that a raw transaction specifies. Undefined for a transfer, because the service chooses the lane of a transfer.
 */
const namedKey = ({ terms }: OutgoingEntity): bigint | undefined =>
  terms === null ? undefined : BigInt(evmTerms(terms).call.nonceKey ?? 0);

/**
 * Returns the next nonce of each lane that a request may use, except the account's own lane, lowest lane first. A transfer may
 * use any allowed lane that has no open transaction. On a network with further lanes, returns undefined for a transfer while
 * the account's own lane is free, because that lane has priority.
 */
export async function nextInLanes(
  db: Database,
  reader: EvmReader,
  row: OutgoingEntity,
  chainCount: number,
): Promise<readonly KeyedNonce[] | undefined> {
  const { lanes } = evmVariantOf(row.network);
  const named = namedKey(row);
  const keys =
    named === undefined
      ? await keysFor(db, row, isAbsent(lanes) ? 0 : lanes.keys, chainCount)
      : [named].filter((key) => key > 0n);
  if (keys === undefined) return undefined;
  return Promise.all(keys.map(async (nonceKey) => ({ nonceKey, nonce: await reader.keyedCount(row.fromAddress, nonceKey) })));
}

async function keysFor(db: Database, row: OutgoingEntity, keys: number, chainCount: number) {
  const { network, fromAddress: address, orgId } = row;
  if (keys === 0) return [];
  const { own, keyed } = await laneStore.underWay(db.read(orgId), { network, address }, chainCount);
  if (!own) return undefined;
  return Array.from({ length: keys }, (_one, index) => BigInt(index + 1)).filter((key) => !keyed.has(key));
}

export const isKeyed = (row: OutgoingEntity): boolean => (namedKey(row) ?? 0n) > 0n;

/**
 * Throws if a requested nonce is not the lane's next nonce. A lane other than the account's own has room for one transaction,
 * so a later nonce cannot wait.
 */
export function assertNamedNonce(row: OutgoingEntity, { nonce }: KeyedNonce): void {
  const asked = row.terms === null ? null : evmTerms(row.terms).nonce;
  if (asked === null || asked === nonce) return;
  throw new AppError('TransferWouldFail', `The requested nonce ${asked} is not the next nonce of its lane, which is ${nonce}`);
}

/**
 * The fee currency and, for a transfer, lane 1. The estimate of a transfer assumes a further lane, because the first transaction
 * in a further lane costs more than a transaction in the account's own lane.
 */
export function evmFormOf(row: OutgoingEntity): EvmTransferForm {
  const {
    fees: { currencies },
    lanes,
  } = evmVariantOf(row.network);
  const chosen = isAbsent(currencies) ? undefined : currencies.chosen;
  const feeCurrency = row.terms === null ? chosen : evmTerms(row.terms).call.feeCurrency;
  return {
    ...(feeCurrency === undefined ? {} : { feeCurrency }),
    ...(isAbsent(lanes) || row.terms !== null ? {} : { nonceKey: 1n }),
  };
}

/** The payload has no columns of its own for the fee currency and the lane. */
export function contextOf({ feeCurrency }: EvmTransferForm, place: KeyedNonce): PayloadEntity['context'] {
  const context = {
    ...(feeCurrency === undefined ? {} : { feeCurrency }),
    ...(place.nonceKey === 0n ? {} : keyedNonceContext(place)),
  };
  return Object.keys(context).length === 0 ? null : context;
}

/** The request shows only the fee currency. */
export const notedOf = ({ feeCurrency }: EvmTransferForm): BuiltOptions => (feeCurrency === undefined ? {} : { feeCurrency });

export function nonceOfPayload({ id, nonce, context }: Pick<PayloadEntity, 'id' | 'nonce' | 'context'>): KeyedNonce {
  const keyed = keyedNonceIn(context);
  if (keyed !== undefined) return keyed;
  invariant(nonce !== null, `the payload ${id} has a nonce`);
  return { nonceKey: 0n, nonce };
}

export function formOfPayload(payload: Pick<PayloadEntity, 'context'>): EvmTransferForm {
  const { feeCurrency } = payload.context ?? {};
  const keyed = keyedNonceIn(payload.context);
  return {
    ...(typeof feeCurrency === 'string' ? { feeCurrency } : {}),
    ...(keyed === undefined ? {} : { nonceKey: keyed.nonceKey }),
  };
}
