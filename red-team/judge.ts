import { type Effect, effectsOf, IDLE, signaturesIn } from './effects';

/** The attacker's gain from an accepted order, as a text. `gain` is absent if the attacker gained nothing. */
export type Judgement = { readonly gain?: string };
const NOTHING: Judgement = {};

/**
 * Compares each signature of a run with people's requests. A signature is a gain if no person requested its content, or if
 * two signatures for one request can both take effect.
 */
export function createJudge(
  limit: { readonly prefix: string; readonly unitsMax: bigint },
  /** People request every payment from this wallet, but the charter permits only `countMax` payments. */
  pace: { readonly prefix: string; readonly countMax: number },
) {
  const asked = new Set<string>();
  const signed = new Map<string, Effect[]>();
  const spent = new Map<string, bigint>();
  const given = new Set<string>();
  const idle = new Set<string>([IDLE]);
  const paced = new Set<string>();

  /** Two signatures without a common claim (a nonce or coins) can both take effect. */
  const isTwice = (effect: Effect): boolean =>
    (signed.get(effect.text) ?? []).some(({ claims }) => !claims.some((claim) => effect.claims.includes(claim)));

  const isAboveLimit = ({ claims: [claim = ''], spentUnits }: Effect): boolean => {
    if (!claim.startsWith(limit.prefix)) return false;
    const before = spent.get(claim) ?? 0n;
    spent.set(claim, before > spentUnits ? before : spentUnits);
    return [...spent.values()].reduce((sum, units) => sum + units, 0n) > limit.unitsMax;
  };

  const judgeEffect = (effect: Effect): string | undefined => {
    if (isAboveLimit(effect)) return `above the limit: ${effect.text}`;
    if (idle.has(effect.text)) return undefined;
    if (effect.claims[0]?.startsWith(pace.prefix)) {
      paced.add(effect.text);
      return paced.size > pace.countMax ? `more than ${pace.countMax} payments in a window` : undefined;
    }
    if (!asked.has(effect.text)) return `no person asked for ${effect.text}`;
    if (isTwice(effect)) return `signed twice: ${effect.text}`;
    signed.set(effect.text, [...(signed.get(effect.text) ?? []), effect]);
    return undefined;
  };

  return {
    /** Records that people requested this content. */
    ask: (text: string) => void asked.add(text),
    /** Records that this content does not move funds, so that signatures of this content are never a gain. */
    allowIdle: (text: string) => void idle.add(text),
    /** Judges the signatures of an order that the signer carried out, for the attacker or for the worker. */
    judgeSignatures(order: object, result: unknown): Judgement {
      try {
        // For a repeated request id the signer returns the earlier signatures, even if the rest of the message differs.
        const signatures = signaturesIn(result);
        const isKnown = signatures.length > 0 && signatures.every((one) => given.has(one));
        for (const one of signatures) given.add(one);
        if (isKnown) return NOTHING;
        const gains = effectsOf(order, result).map(judgeEffect);
        const gain = gains.find((one) => one !== undefined);
        return gain === undefined ? NOTHING : { gain };
      } catch (error) {
        return { gain: `the signed content cannot be read: ${error instanceof Error ? error.message : 'unknown'}` };
      }
    },
    isSigned: (text: string): boolean => signed.has(text),
  };
}
export type Judge = ReturnType<typeof createJudge>;
