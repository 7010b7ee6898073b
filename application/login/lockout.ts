import { isId } from '../../domain/ids';
import { GUESS_RULES } from '../../domain/rate-limits';
import type { Guess, LimitStore } from '../../entities/limits/limit.store';
import { clientAddress } from '../../platform/client-address';

/** The owner and kind of the secret that is guessed; an unused id stands for a user who does not exist. */
export type Guessed = { readonly orgId: string; readonly userId: string | undefined; readonly kind: string };

/** Pauses after wrong guesses, the same in every API process. A paused caller learns only that the guess was wrong. */
export type Lockout = {
  /**
   * Counts a guess before checking it, so that concurrent guesses all count, and forgives it if it was right. `attempt` runs during a pause too,
   * because its absence could be measured; its result is then ignored, so it must change nothing.
   */
  readonly guess: <T>(guessed: Guessed, attempt: (mayTry: boolean) => Promise<T | undefined>) => Promise<T | undefined>;
};

type Options = { readonly store: Pick<LimitStore, 'charge' | 'forgive'>; readonly digest: (key: string) => string };

export function createLockout({ store, digest }: Options): Lockout {
  const guessAt = ({ orgId, userId, kind }: Guessed): Guess => {
    const owner = userId !== undefined && isId('user', userId) ? [orgId, userId] : [];
    const pair = digest(JSON.stringify(['guess', kind, owner, clientAddress()]));
    // Guesses at unknown users have no secret in common, so they share only the address.
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
