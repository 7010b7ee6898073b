import { isAbsent, type Slot } from '../../../domain/slots';
import { Refusal } from '../../wire/refusal';
import type { JudgedOp, JudgedOrders } from '../judged-orders';
import { assertSponsoredRequested, assertTransferRequested } from './evm/evm-requested';
import { assertSignatureRequested } from './signature-requested';
import type { SignedRequest } from './signed-body';
import { assertSolanaRequested } from './solana-requested';
import { assertUtxoRequested } from './utxo-requested';

/** Returns the sponsor that the body names. */
type Compare<Op extends JudgedOp> = (order: JudgedOrders[Op], request: SignedRequest) => string | null;

const REQUESTS: { readonly [Op in JudgedOp]: Slot<Compare<Op>> } = {
  signTransfer: assertTransferRequested,
  signSponsored: assertSponsoredRequested,
  signUtxo: assertUtxoRequested,
  signSolana: assertSolanaRequested,
  signPayload: assertSignatureRequested,
};

/**
 * Throws the `Refusal` `RequestMismatch` unless the body requests exactly the content of the order. The caller compares the path
 * of the request with the network and the key of the order, and the order itself is judged elsewhere. Returns the sponsor that
 * the body names.
 */
export function assertRequested<Op extends JudgedOp>(
  op: Op,
  order: JudgedOrders[Op],
  request: SignedRequest,
): { readonly feeSponsorId: string | null } {
  const compare: Slot<Compare<Op>> = REQUESTS[op];
  if (isAbsent(compare)) throw new Refusal('RequestMismatch');
  try {
    return { feeSponsorId: compare(order, request) };
  } catch {
    // The body is untrusted text, so any error of its parser means that the body does not request this order.
    throw new Refusal('RequestMismatch');
  }
}
