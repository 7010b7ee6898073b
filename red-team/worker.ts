import { z } from 'zod';
import type { Genuine } from './honest';
import type { Judge } from './judge';
import type { Order } from './orders';
import type { Wire } from './wire';

const Signatures = z.object({ r: z.string(), s: z.string(), recoveryId: z.number().exactOptional() });
const Result = z.looseObject({ signatures: z.array(Signatures).optional() });

/**
 * The outcome of an honest order. `Taken` means that the attacker had the order carried out earlier, or used its request id for
 * another genuine order. This is not a gain, because an attacker in the worker could also simply withhold the order.
 */
export type Fate = 'Done' | 'Taken' | { readonly fault: string };

type Parts = { readonly wire: Wire; readonly judge: Judge; readonly isTaken: (requestId: string | undefined) => boolean };
const CLAIMS_ON = 8;

/** Builds the order with a new claim, as the worker does if the signer has signed the nonce or coins for another order. */
const withOtherClaim = ({ wallet, content, order, build }: Genuine): Order | undefined =>
  content && {
    ...build(wallet, order.requestId ?? '', { ...content, claim: content.claim + CLAIMS_ON }),
    evidence: order.evidence ?? [],
  };

/** Carries out a genuine order, and then the orders that follow from it. */
export async function carryOut(genuine: Genuine, { wire, judge, isTaken }: Parts): Promise<Fate> {
  const first = await wire.send(genuine.order);
  const again = first.kind === 'Refused' && first.reason === 'NonceSignedAlready' ? withOtherClaim(genuine) : undefined;
  const order = again ?? genuine.order;
  const outcome = again ? await wire.send(again) : first;
  if (outcome.kind === 'Refused') {
    if (judge.isSigned(genuine.effect) || isTaken(order.requestId)) return 'Taken';
    return { fault: `${genuine.kind} was refused: ${outcome.reason}` };
  }
  const { gain } = judge.judgeSignatures(order, outcome.result);
  if (gain !== undefined) return { fault: `${genuine.kind} gave other content: ${gain}` };
  if (!genuine.next || again) return 'Done';
  const { signatures = [] } = Result.parse(outcome.result);
  const next = genuine.next({ signatures });
  const after = await wire.send(next);
  if (after.kind === 'Refused') {
    // The attacker may have sent the first order successfully in a different spelling. The signer then refuses this order, which
    // follows from the genuine spelling.
    if (isTaken(order.requestId)) return 'Taken';
    return { fault: `what follows ${genuine.kind} was refused: ${after.reason}` };
  }
  const later = judge.judgeSignatures(next, after.result);
  return later.gain === undefined ? 'Done' : { fault: `what follows ${genuine.kind} gave other content: ${later.gain}` };
}
