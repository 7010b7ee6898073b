import { AppError } from '../../domain/errors';

/** No user action authorises exactly this request. The reason identifies the failed check and never contains signed content. */
export class UnprovenRequest extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'UnprovenRequest';
  }
}

export function proven(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new UnprovenRequest(reason);
}

/** Throws `UnprovenRequest` for a body that its operation would refuse, because such a body authorises nothing. */
export function readingSigned<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof AppError ? new UnprovenRequest('BodyUnreadable') : error;
  }
}
