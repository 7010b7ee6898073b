import { AppError, invariant } from '../../domain/errors';
import { isTravelRuleEnd, TRAVEL_RULE_MOVES, type TravelRuleState, type TravelRuleTimes } from '../../domain/travel-rules';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { TravelRuleCallbackEntity } from './travel-rule-callback.entity';
import { TravelRuleMessageEntity } from './travel-rule-message.entity';
import { TravelRulePayloadEntity } from './travel-rule-payload.entity';

type Said = Partial<Pick<TravelRuleMessageEntity, 'reason' | 'vendorMessageId'>>;

export const travelRuleStore = {
  payloadsOf: (reader: Reader, transferIds: readonly string[]): Promise<TravelRulePayloadEntity[]> =>
    reader.rows(TravelRulePayloadEntity, 'WHERE t.transfer_id = ANY($1)', [transferIds]),

  addPayload: (tx: Tx, payload: Pick<TravelRulePayloadEntity, 'transferId' | 'sealed' | 'isCustodial'>): Promise<void> =>
    tx.insert(TravelRulePayloadEntity, { orgId: tx.orgId, ...payload }),

  ofTransfer: (reader: Reader, transferId: string): Promise<TravelRuleMessageEntity | undefined> =>
    reader.row(TravelRuleMessageEntity, 'WHERE t.transfer_id = $1', [transferId]),

  find: (reader: Reader, id: string): Promise<TravelRuleMessageEntity | undefined> =>
    reader.row(TravelRuleMessageEntity, 'WHERE t.id = $1', [id]),

  /** The message of a transfer. If the message is missing, this function creates it. The caller has locked the transfer. */
  async request(tx: Tx, transferId: string, { trigger, clear }: TravelRuleTimes): Promise<TravelRuleMessageEntity> {
    const times = { triggerSeconds: trigger, clearSeconds: clear };
    const row = { orgId: tx.orgId, id: newId('travelRuleMessage'), transferId, state: 'Requested' as const, ...times };
    await tx.insertOnce(TravelRuleMessageEntity, row);
    const made = await travelRuleStore.ofTransfer(tx, transferId);
    invariant(made, 'the message of a transfer was just made');
    return made;
  },

  async lock(tx: Tx, id: string): Promise<TravelRuleMessageEntity> {
    const row = await tx.row(TravelRuleMessageEntity, 'WHERE t.org_id = $1 AND t.id = $2 FOR UPDATE', [tx.orgId, id]);
    if (!row) throw new AppError('NotFound', 'travel rule message not found', { messageId: id });
    return row;
  },

  /**
   * Changes the status of a locked message. If the transition is illegal, the message stays unchanged. When the vendor first
   * confirms the receipt of the message, this function sets `dateTriggers`. At that time, silence of the counterparty triggers
   * the policy. When the message is delivered, this function sets `dateClears`. At that time, silence of the counterparty
   * clears the transfer.
   */
  async move(tx: Tx, row: TravelRuleMessageEntity, to: TravelRuleState, said: Said = {}): Promise<TravelRuleMessageEntity> {
    if (!TRAVEL_RULE_MOVES[row.state].includes(to)) return row;
    const now = await tx.clock();
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
    const isOpen = !isTravelRuleEnd(to);
    const set = {
      ...said,
      state: to,
      ...(isOpen && row.dateSubmitted === null ? { dateSubmitted: now, dateTriggers: after(row.triggerSeconds) } : {}),
      ...(to === 'Delivered'
        ? { dateDelivered: now, dateClears: row.clearSeconds === null ? null : after(row.clearSeconds) }
        : {}),
      ...(isOpen ? {} : { dateEnded: now }),
    };
    await tx.update(TravelRuleMessageEntity, { id: row.id }, set);
    return { ...row, ...set };
  },

  /** Stores the vendor's id of a locked message, in any state. */
  async name(tx: Tx, { id }: TravelRuleMessageEntity, vendorMessageId: string): Promise<void> {
    await tx.update(TravelRuleMessageEntity, { id }, { vendorMessageId });
  },

  /** Records a callback. Returns false if the callback was already received. */
  hear: (tx: Tx, id: string, messageId: string): Promise<boolean> =>
    tx.insertOnce(TravelRuleCallbackEntity, { orgId: tx.orgId, id, messageId }),
};
