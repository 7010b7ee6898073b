import { isId } from '../../domain/ids';
import { GUESS_RULES } from '../../domain/rate-limits';
import type { Guess, LimitStore } from '../../entities/limits/limit.store';
import { clientAddress } from '../../platform/client-address';

/** Whose secret of which kind is guessed; an id that is none of a user stands for somebody who does not exist. */
export type Guessed = { readonly orgId: string; readonly userId: string | undefined; readonly kind: string };

/** Pauses after wrong guesses, the same in every API process. Who is kept waiting is told nothing but that the guess was wrong. */
export type Lockout = {
  /**
   * Counts a guess before it is looked at, so that many at once count each, and forgives it when it was right. `attempt` runs in a
   * pause too, because its absence could be measured; whatever it answers then counts for nothing, so it must change nothing.
   */
  readonly guess: <T>(guessed: Guessed, attempt: (mayTry: boolean) => Promise<T | undefined>) => Promise<T | undefined>;
};

type Options = { readonly store: Pick<LimitStore, 'charge' | 'forgive'>; readonly digest: (key: string) => string };

export function createLockout({ store, digest }: Options): Lockout {
  const guessAt = ({ orgId, userId, kind }: Guessed): Guess => {
    const owner = userId !== undefined && isId('user', userId) ? [orgId, userId] : [];
    const pair = digest(JSON.stringify(['guess', kind, owner, clientAddress()]));
    // Guesses at nobody have no secret in common, so all they share is the address.
    const whole = JSON.stringify(['guess', kind, owner.length === 0 ? pair : owner]);
    return { whole: digest(whole), pair };
  };
  return {
    guess: async (guessed, attempt) => {
      const guess = guessAt(guessed);
      const mayTry = await store.charge(guess, GUESS_RULES);
      const answer = await attempt(mayTry);
      if (!mayTry || answer === undefined) return undefined;
      await store.forgive(guess);
      return answer;
    },
  };
}
