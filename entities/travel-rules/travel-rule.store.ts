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

  /** Returns the message of the transfer, and creates the message if it does not exist. The caller has locked the transfer. */
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
   * Does nothing if the transition is illegal. Sets `dateTriggers` when the vendor first confirms the receipt, and `dateClears`
   * at the delivery.
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

  /** Records the vendor's id of the message, in any state of the message. */
  async name(tx: Tx, { id }: TravelRuleMessageEntity, vendorMessageId: string): Promise<void> {
    await tx.update(TravelRuleMessageEntity, { id }, { vendorMessageId });
  },

  /** Returns false if the callback was already received. */
  hear: (tx: Tx, id: string, messageId: string): Promise<boolean> =>
    tx.insertOnce(TravelRuleCallbackEntity, { orgId: tx.orgId, id, messageId }),
};
