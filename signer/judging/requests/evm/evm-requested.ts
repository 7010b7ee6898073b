import { Refusal } from '../../../wire/refusal';
import type { JudgedOrders } from '../../judged-orders';
import { assertAsked, type SignedRequest } from '../signed-body';
import { assertEvmTransaction } from './transaction-requested';
import { assertEvmTransfer } from './transfer-requested';
import { assertUserOperations } from './user-operations-requested';

/** The sender pays the fee of such an order, so the body must not name a sponsor. */
export function assertTransferRequested(order: JudgedOrders['signTransfer'], request: SignedRequest): null {
  if (request.cause === 'transferAsset') {
    assertAsked(assertEvmTransfer(order, request) === null);
    return null;
  }
  if (request.cause === 'broadcastTransaction') return assertEvmTransaction(order, request);
  throw new Refusal('RequestMismatch');
}

/** Both parts of a sponsored order have the same content. Returns the sponsor that the body names. */
export function assertSponsoredRequested(order: JudgedOrders['signSponsored'], request: SignedRequest): string {
  if (request.cause === 'broadcastTransaction') return assertUserOperations(order, request);
  const sponsor = request.cause === 'transferAsset' ? assertEvmTransfer(order, request) : null;
  if (sponsor === null) throw new Refusal('RequestMismatch');
  return sponsor;
}
