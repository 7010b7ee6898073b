/** Event kinds that this service emits; a subscription to any other kind gets a warning. Durable names. */
export const EVENT_KINDS = [
  'wallet.created',
  'wallet.tags.modified',
  'wallet.transfer.requested',
  'wallet.transfer.broadcasted',
  'wallet.transfer.confirmed',
  'wallet.transfer.failed',
  'wallet.transfer.rejected',
  'wallet.transfer.reversed',
  'wallet.transaction.requested',
  'wallet.transaction.broadcasted',
  'wallet.transaction.confirmed',
  'wallet.transaction.failed',
  'wallet.transaction.rejected',
  'wallet.transaction.reversed',
  'wallet.signature.requested',
  'wallet.signature.signed',
  'wallet.signature.failed',
  'wallet.signature.rejected',
  'policy.triggered',
  'policy.approval.pending',
  'policy.approval.resolved',
  'policy.approval.unreachable',
  'policy.activity.resolved',
  'key.created',
  'key.deleted',
  'key.delegated',
  'key.exported',
  'wallet.delegated',
  'wallet.exported',
  'freeze.created',
  'freeze.released',
  'webhook.event.retry.triggered',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds of the published interface that a webhook may subscribe to, whether or not an operation here emits them. */
export const SUBSCRIBABLE_KINDS = [
  ...EVENT_KINDS,
  'wallet.blockchainevent.detected',
  'wallet.activated',
  'wallet.offer.received',
  'wallet.offer.accepted',
  'wallet.offer.rejected',
  'wallet.offer.withdrawn',
  'payout.action.required',
  'wallet.blockchain_event.transfer.included',
  'swap.completed',
  'swap.failed',
  'vault.created',
  'vault.updated',
  'vault.tags.modified',
  'vault.event.created',
  'address_watch.blockchain_event.transfer.confirmed',
  'address_watch.blockchain_event.misc.confirmed',
] as const;

/** The kinds among these that no operation of this service emits. */
export function unproducedAmong(kinds: readonly string[]): string[] {
  const produced: ReadonlySet<string> = new Set([...EVENT_KINDS, '*']);
  return [...new Set(kinds)].filter((kind) => !produced.has(kind));
}
