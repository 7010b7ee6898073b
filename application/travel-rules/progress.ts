import { isTravelRuleEnd, type TravelRuleEnd, type TravelRuleProgress, type TravelRuleStatus } from '../../domain/travel-rules';
import type { Tx } from '../../entities/database';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { travelRuleStore } from '../../entities/travel-rules/travel-rule.store';
import type { TravelRuleMessageEntity } from '../../entities/travel-rules/travel-rule-message.entity';
import { TRANSFER_SIGNALS } from '../../workflows/transfer.messages';

/**
 * The state of the message, and the time until its next deadline. Only the database's clock decides whether the message has
 * expired.
 */
export async function progressOf(tx: Tx, messageId: string): Promise<TravelRuleProgress> {
  return read(tx, await endedByTime(tx, await travelRuleStore.lock(tx, messageId)));
}

/** A report after the end, or about an earlier state, does not change the state. */
export async function noteStatus(
  tx: Tx,
  messageId: string,
  status: TravelRuleStatus,
  vendorMessageId?: string,
): Promise<TravelRuleProgress & { readonly changed: boolean; readonly transferId: string }> {
  const row = await endedByTime(tx, await travelRuleStore.lock(tx, messageId));
  if (vendorMessageId !== undefined && row.vendorMessageId === null) await travelRuleStore.name(tx, row, vendorMessageId);
  const moved = await travelRuleStore.move(tx, row, status);
  return { ...(await read(tx, moved)), changed: moved.state !== row.state, transferId: row.transferId };
}

/**
 * Ends a message that the vendor has not accepted. A message in a later state than `Requested` was accepted after all, and
 * stays open for an answer.
 */
export async function noteFailure(
  tx: Tx,
  messageId: string,
  end: Extract<TravelRuleEnd, 'Invalid' | 'Failed'>,
  reason: string,
): Promise<TravelRuleProgress> {
  const row = await travelRuleStore.lock(tx, messageId);
  return read(tx, row.state === 'Requested' ? await travelRuleStore.move(tx, row, end, { reason }) : row);
}

export async function wakeTransfer(tx: Tx, transferId: string, callbackId: string): Promise<Dispatch> {
  const wake: Dispatch = {
    kind: 'signal',
    aggregateId: transferId,
    dedupeKey: `travelRule:${transferId}:${callbackId}`,
    routing: { signal: TRANSFER_SIGNALS.travelRuleChanged },
  };
  await outboxStore.add(tx, wake);
  return wake;
}

/**
 * Ends a message whose deadline has passed. The earlier of the message's two deadlines decides, however late this function
 * runs. If both deadlines are equal, the message ends as `TimedOut`, which triggers the policy.
 */
async function endedByTime(tx: Tx, row: TravelRuleMessageEntity): Promise<TravelRuleMessageEntity> {
  if (isTravelRuleEnd(row.state)) return row;
  const now = (await tx.clock()).getTime();
  const { dateTriggers, dateClears } = row;
  const [triggers, clears] = [timeOf(dateTriggers), timeOf(dateClears)];
  if (Math.min(triggers, clears) > now) return row;
  return travelRuleStore.move(tx, row, clears < triggers ? 'Cleared' : 'TimedOut');
}

async function read(tx: Tx, { state, dateTriggers, dateClears }: TravelRuleMessageEntity): Promise<TravelRuleProgress> {
  if (isTravelRuleEnd(state)) return { state, waitMs: 0 };
  const next = Math.min(timeOf(dateTriggers), timeOf(dateClears));
  // A message without a deadline is not submitted yet; the caller submits the message first.
  return { state, waitMs: next === Infinity ? 0 : Math.max(1, next - (await tx.clock()).getTime()) };
}

const timeOf = (date: Date | null): number => date?.getTime() ?? Infinity;
