import { GUESS_RULES } from '../domain/rate-limits';
import type { Guess, LimitStore } from '../entities/limits/limit.store';
import { clientAddress } from '../platform/client-address';

/** Whose secret of which kind is guessed; without a user it is a guess at somebody who does not exist. */
export type Guessed = { readonly orgId: string; readonly userId: string | undefined; readonly kind: string };

/** Pauses after wrong guesses, the same in every API process. Who is kept waiting is told nothing but that the guess was wrong. */
export type Lockout = {
  /**
   * Counts a guess before it is looked at and forgives it when it was right. `attempt` runs in a pause too, because its absence could
   * be measured; its answer is then thrown away.
   */
  readonly guess: <T>(guessed: Guessed, attempt: () => Promise<T | undefined>) => Promise<T | undefined>;
  /** As `guess`, for an attempt that uses something up: in a pause it does not run. */
  readonly redeem: (guessed: Guessed, attempt: () => Promise<boolean>) => Promise<boolean>;
};

type Options = { readonly store: Pick<LimitStore, 'charge' | 'forgive'>; readonly digest: (key: string) => string };

export function createLockout({ store, digest }: Options): Lockout {
  const guessAt = ({ orgId, userId, kind }: Guessed): Guess => {
    const whole = JSON.stringify(['guess', kind, userId === undefined ? [] : [orgId, userId]]);
    const pair = digest(`${whole}@${clientAddress()}`);
    // Guesses at nobody have no secret in common, so all they share is the address.
    return { whole: userId === undefined ? digest(`${whole}/${pair}`) : digest(whole), pair };
  };
  return {
    guess: async (guessed, attempt) => {
      const guess = guessAt(guessed);
      const mayTry = await store.charge(guess, GUESS_RULES);
      const answer = await attempt();
      if (!mayTry || answer === undefined) return undefined;
      await store.forgive(guess);
      return answer;
    },
    redeem: async (guessed, attempt) => {
      const guess = guessAt(guessed);
      if (!(await store.charge(guess, GUESS_RULES)) || !(await attempt())) return false;
      await store.forgive(guess);
      return true;
    },
  };
}
