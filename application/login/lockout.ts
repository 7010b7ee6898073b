import { isId } from '../../domain/ids';
import { GUESS_RULES } from '../../domain/rate-limits';
import type { Guess, LimitStore } from '../../entities/limits/limit.store';
import { clientAddress } from '../../platform/client-address';

/** For a user who does not exist, `userId` is undefined or an id that no user has. */
export type Guessed = { readonly orgId: string; readonly userId: string | undefined; readonly kind: string };

/** All API processes share the counts and the pauses. During a pause every guess looks wrong to the caller. */
export type Lockout = {
  /**
   * Counts the guess before `attempt` checks the guess, so that all concurrent guesses are counted. A correct guess resets the
   * count. During a pause, `attempt` runs with `mayTry` false, because the response time would reveal a skipped attempt. With
   * `mayTry` false, `attempt` must change nothing, and its result is ignored.
   */
  readonly guess: <T>(guessed: Guessed, attempt: (mayTry: boolean) => Promise<T | undefined>) => Promise<T | undefined>;
};

type Options = { readonly store: Pick<LimitStore, 'charge' | 'forgive'>; readonly digest: (key: string) => string };

export function createLockout({ store, digest }: Options): Lockout {
  const guessAt = ({ orgId, userId, kind }: Guessed): Guess => {
    const owner = userId !== undefined && isId('user', userId) ? [orgId, userId] : [];
    const pair = digest(JSON.stringify(['guess', kind, owner, clientAddress()]));
    // An unknown user has no secret to guess, so guesses at unknown users are counted only per client address.
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
