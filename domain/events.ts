/**
 * The events that this service emits, each with its meaning. A subscription to any other kind receives a warning. The names are
 * durable.
 */
export const EVENTS = {
  'wallet.created': 'A wallet has its key and its address.',
  'wallet.tags.modified': 'Tags were added to a wallet or removed from it.',
  'wallet.transfer.requested': 'A transfer was accepted and waits for its judgement.',
  'wallet.transfer.broadcasted': 'The signed transaction of a transfer was sent to its network.',
  'wallet.transfer.confirmed': 'A transfer succeeded and is final by the rule of its network.',
  'wallet.transfer.failed':
    'A transfer ended without moving the asset: aborted, replaced, reverted or impossible; `reason` says why.',
  'wallet.transfer.rejected': 'A policy, an approver or a screening refused a transfer.',
  'wallet.transfer.reversed': 'A reorganisation undid a transfer that had ended; the same transaction is sent again.',
  'wallet.transaction.requested': 'A transaction was accepted and waits for its judgement.',
  'wallet.transaction.broadcasted': 'A signed transaction was sent to its network.',
  'wallet.transaction.confirmed': 'A transaction succeeded and is final by the rule of its network.',
  'wallet.transaction.failed':
    'A transaction ended without effect: aborted, replaced, reverted or impossible; `reason` says why.',
  'wallet.transaction.rejected': 'A policy, an approver or a screening refused a transaction.',
  'wallet.transaction.reversed': 'A reorganisation undid a transaction that had ended; the same bytes are sent again.',
  'wallet.signature.requested': 'A signature request was accepted and waits for its judgement.',
  'wallet.signature.signed': 'A signature request has its signature.',
  'wallet.signature.confirmed':
    'The signed transaction of a signature request is final on its network. If `reason` is present, the transaction reverted there.',
  'wallet.signature.reversed':
    'A reorganisation removed the confirmed transaction of a signature request, which is Signed again. The transaction may come back.',
  'wallet.signature.failed': 'A signature request ended without a signature; `reason` says why.',
  'wallet.signature.rejected': 'A policy or an approver refused a signature request.',
  'wallet.blockchain_event.transfer.included':
    'A block contains a movement of a wallet. The movement is not final yet: `wallet.blockchainevent.detected` or a reversal follows.',
  'wallet.blockchainevent.detected': 'A movement of a wallet is final by the rule of its network.',
  'wallet.blockchain_event.transfer.reversed':
    'A reorganisation removed a movement of a wallet from the chain; `status` is its status before the removal. The transaction may come back.',
  'address_watch.blockchain_event.transfer.confirmed': 'A movement of a watched address is final by the rule of its network.',
  'address_watch.blockchain_event.transfer.reversed':
    'A reorganisation removed a movement of a watched address that had been reported as confirmed. The transaction may come back.',
  'address_watch.blockchain_event.misc.confirmed':
    'A contract log that concerns a watched address, and is not a movement, is final by the rule of its network.',
  'address_watch.blockchain_event.misc.reversed':
    'A reorganisation removed a contract log that had been reported as confirmed for a watched address. The transaction may come back.',
  'policy.triggered': "A policy judged an activity, and the policy's rule triggered.",
  'policy.approval.pending': 'An activity waits for the decisions of people.',
  'policy.approval.resolved': 'An approval ended: approved, denied, expired or withdrawn.',
  'policy.approval.unreachable': 'A waiting approval has lost so many approvers that its quorum cannot be reached.',
  'policy.activity.resolved': 'An activity that a policy or an approver had stopped is resolved: it proceeds, or it has ended.',
  'key.created': 'A key was created, derived or imported.',
  'key.deleted': 'A key was deleted and can no longer sign.',
  'key.delegated': 'A key was delegated to an end user.',
  'key.exported': 'The secret of a key was exported.',
  'keyStore.changed': 'A key store was added, renamed, drained or removed, or became or ceased to be the primary one.',
  'wallet.delegated': 'A wallet was delegated to an end user together with its key.',
  'wallet.exported': "The secret of a wallet's key was exported.",
  'freeze.created': 'A freeze took effect.',
  'freeze.released': 'A freeze was released.',
  'charter.amended': 'The charter now contains a change that members signed.',
  'charter.amendment.refused': 'The signer refused a change of the charter that members had signed; `reason` says why.',
  'fleet.group.created': 'A group of fleet operations began; its archive follows.',
  'fleet.group.submitted': 'The output of a group was verified, and waits for a review.',
  'fleet.group.approved':
    'A group was approved. After a ceremony, the fleet has a new manifest, and new keys are in the pool of the key store.',
  'fleet.group.rejected': 'A reviewer rejected the output of a group; `reason` says why.',
  'fleet.group.canceled':
    'A group ended without an outcome: canceled, refused by the signer, or its time was over; `reason` says why.',
  'fleet.group.due': 'A group without an outcome is canceled in a day.',
  'webhook.event.retry.triggered': 'A delivery to another webhook of the organisation failed and will be retried.',
} as const;

export type EventKind = keyof typeof EVENTS;

export const EVENT_KINDS = Object.keys(EVENTS) as readonly EventKind[];

/** The kinds that a webhook may subscribe to: the events above, and all other events of the published interface. */
export const SUBSCRIBABLE_KINDS = [
  ...EVENT_KINDS,
  'wallet.activated',
  'wallet.offer.received',
  'wallet.offer.accepted',
  'wallet.offer.rejected',
  'wallet.offer.withdrawn',
  'payout.action.required',
  'swap.completed',
  'swap.failed',
  'vault.created',
  'vault.updated',
  'vault.tags.modified',
  'vault.event.created',
] as const;

export function unproducedAmong(kinds: readonly string[]): string[] {
  const produced: ReadonlySet<string> = new Set([...EVENT_KINDS, '*']);
  return [...new Set(kinds)].filter((kind) => !produced.has(kind));
}
